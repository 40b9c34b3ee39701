/** Lines of generated texts that a card can show, split at their line ends. */
import { withControlSigns } from '../../data/attention-data.ts';
import { isCut, landmarks } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';

/** A line of a generated text. */
export interface CardLine {
  readonly text: string;
  /** Beginning of `text` that the reader wrote; empty for none. */
  readonly given: string;
  /** Whether the text was cut at its length limit after this line, not ended by the model. */
  readonly isCut: boolean;
  readonly step: number;
}

/** The model's answer to a prompt. */
export interface CardAnswer {
  readonly prompt: string;
  readonly text: string;
  readonly isCut: boolean;
  readonly step: number;
}

/** Maximum number of lines on a card. */
export const MOST_LINES = 3;
/** Maximum number of lines to choose from an answer, and from each step but the newest. */
const OF_ANSWER = 6;
const OF_STEP = 2;

/**
 * Distinct lines to choose from: of the answer, if any, of the newest step, and of earlier steps.
 * `preset`: indices of the lines chosen initially, which are the first line of the answer and the
 * newest lines written in training.
 */
export function cardLines(
  entries: readonly SampleEntry[],
  answer: CardAnswer | null,
): { readonly lines: readonly CardLine[]; readonly preset: ReadonlySet<number> } {
  const known = new Set<string>();
  const isNew = ({ text }: CardLine): boolean => !known.has(text) && Boolean(known.add(text));
  const asked = answer === null ? [] : linesOfAnswer(answer).filter(isNew);
  const written = landmarks(entries)
    .reverse()
    .flatMap((entry, at) =>
      linesOfEntry(entry)
        .filter(isNew)
        .slice(0, at === 0 ? undefined : OF_STEP),
    );
  const lines = [...asked, ...written];
  const chosen = written.length === 0 ? lines : [...asked.slice(0, 1), ...written];
  const preset = chosen.slice(0, MOST_LINES).map((line) => lines.indexOf(line));
  return { lines, preset: new Set(preset) };
}

function linesOfAnswer({ prompt, text, isCut: cut, step }: CardAnswer): CardLine[] {
  // The model continued the last line of the prompt.
  const begun = prompt.slice(prompt.lastIndexOf('\n') + 1);
  const given = withControlSigns(begun).trimStart();
  const lines = linesOf(begun + text, cut, step);
  if (lines[0]?.text.startsWith(given)) lines[0] = { ...lines[0], given };
  // A line that equals the prompt contains nothing generated: the model began a new line.
  return lines.filter((line) => line.text !== given.trimEnd()).slice(0, OF_ANSWER);
}

function linesOfEntry(entry: SampleEntry): CardLine[] {
  return entry.texts.flatMap((text, at) => linesOf(text, isCut(entry, at), entry.step));
}

function linesOf(text: string, cut: boolean, step: number): CardLine[] {
  const parts = withControlSigns(text)
    .split('\n')
    .map((line) => line.trim());
  return parts
    .map((line, at) => ({ text: line, given: '', isCut: cut && at === parts.length - 1, step }))
    .filter((line) => line.text !== '');
}
