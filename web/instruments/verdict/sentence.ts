/** The verdict as a sentence with buttons. */
import type { CopiedRun } from '../../engine/trainer.ts';
import { gap } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { NotePart } from '../newest-note.ts';
import type { Verdict } from './state.ts';

/** Maximum number of copied lines to name. */
const MOST_NAMED = 3;

/** Share of new text below which a stream counts as mostly copied. */
const MOSTLY = 0.25;

export interface Presses {
  /** Shows the place of a match in the training text, beside the pressed button. */
  readonly place: (at: HTMLElement, text: string, run: CopiedRun) => void;
  readonly lookAt: (step: number) => void;
}

/** Marks the place of buttons in a text; occurs in no catalogue. */
const HERE = '\uE001';

/** Parts of the sentence; empty without a verdict. */
export function partsOf(
  { judged, half }: Verdict,
  documents: boolean,
  words: AllWords,
  { place, lookAt }: Presses,
): readonly NotePart[] {
  if (judged === null) return [];
  const { t, number } = words;
  const { count, copied, fresh, isWhole, isChance } = judged;
  if (copied.length === 0) {
    if (!documents) return [t('verdict.new.stream')];
    return [count === 1 ? t('verdict.new.one') : t('verdict.new', { count })];
  }
  const lines = copied.slice(0, MOST_NAMED).flatMap(({ text, run }, at): NotePart[] => {
    const line = t('verdict.line', { line: number(run.line) });
    const button = { text: line, onPress: (pressed: HTMLElement) => place(pressed, text, run) };
    return at === 0 ? [button] : [t('list.separator'), button];
  });
  if (copied.length > MOST_NAMED) lines.push('…');
  const after: NotePart[] = [];
  if (isWhole && half !== null) {
    const step = { text: t('verdict.step', { step: number(half) }), onPress: () => lookAt(half) };
    after.push(gap(words), ...filled(t('verdict.half', { place: HERE }), [step]));
  } else if (isChance) after.push(gap(words), t('verdict.chance'));
  const { characters } = copied[0]!.run;
  const some = { fresh: count - copied.length, copied: copied.length };
  const text = isWhole
    ? t('verdict.copied', { place: HERE })
    : documents
      ? t('verdict.some', { ...some, place: HERE })
      : t(fresh < MOSTLY ? 'verdict.mostly' : 'verdict.part', { characters, place: HERE });
  return [...filled(text, lines), ...after];
}

/** Inserts the parts in place of HERE. */
function filled(text: string, parts: readonly NotePart[]): NotePart[] {
  const [before = '', after = ''] = text.split(HERE);
  return [before, ...parts, after];
}
