/** The verdict as a sentence with buttons. */
import type { CopiedRun } from '../../engine/trainer.ts';
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

/** Parts of the sentence; empty if `judged` is null. */
export function partsOf(
  { judged, half }: Verdict,
  documents: boolean,
  words: AllWords,
  { place, lookAt }: Presses,
): readonly NotePart[] {
  if (judged === null) return [];
  const { t, number } = words;
  const { count, copied, fresh, isWhole, isChance } = judged;
  const lines = copied.slice(0, MOST_NAMED).map(({ text, run }): NotePart => ({
    text: t('verdict.line', { line: number(run.line) }),
    onPress: (at) => place(at, text, run),
  }));
  const places = lines.flatMap((line, at) => (at === 0 ? [line] : [t('verdict.and'), line]));
  if (copied.length > MOST_NAMED) places.push('…');
  if (copied.length === 0) {
    if (!documents) return [t('verdict.new.stream')];
    return [count === 1 ? t('verdict.new.one') : t('verdict.new', { count })];
  }
  const end = t(isChance ? 'verdict.chance' : 'verdict.end');
  if (isWhole) {
    const step = half === null ? '' : t('verdict.step', { step: number(half) });
    const after: NotePart[] =
      half === null
        ? [end]
        : [t('verdict.half'), { text: step, onPress: () => lookAt(half) }, t('verdict.end')];
    return [t('verdict.copied'), ...places, ...after];
  }
  if (!documents) {
    const { characters } = copied[0]!.run;
    const key = fresh < MOSTLY ? 'verdict.mostly' : 'verdict.part';
    return [t(key, { characters }), ...places, t('verdict.end')];
  }
  const some = t('verdict.some', { fresh: count - copied.length, copied: copied.length });
  return [some, ...places, end];
}
