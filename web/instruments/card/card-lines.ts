/** The lines that a card can show: what the model wrote, broken where it broke it. */
import { withControlSigns } from '../../data/attention-data.ts';
import { isCut, landmarks } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';

/** A line that the model wrote. */
export interface CardLine {
  readonly text: string;
  /** What the reader began it with, which `text` begins with; empty if the model began it. */
  readonly given: string;
  /** The model did not end the text at the end of this line, having no room for more. */
  readonly isCut: boolean;
  readonly step: number;
}

/** What the model wrote when it was asked. */
export interface CardAnswer {
  readonly prompt: string;
  readonly text: string;
  readonly isCut: boolean;
  readonly step: number;
}

/** Lines of a card, at most. */
export const MOST_LINES = 3;
/** Lines to choose from, of an answer and of each step but the newest. */
const OF_ANSWER = 6;
const OF_STEP = 2;

/**
 * Lines to choose from, each once: of the answer, if there is one, then of the newest step and of
 * steps before it. `preset` are the places of the lines to begin with: the first one of the answer,
 * and the newest that were written while training.
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
  // Of a beginning of several lines, the model went on with the last.
  const begun = prompt.slice(prompt.lastIndexOf('\n') + 1);
  const given = withControlSigns(begun).trimStart();
  const lines = linesOf(begun + text, cut, step);
  if (lines[0]?.text.startsWith(given)) lines[0] = { ...lines[0], given };
  // It may have gone on with the next line.
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
