/** The card of generated texts: a dialog that opens when the reader goes to this panel. */
import { useState } from 'preact/hooks';
import type { SampleEntry } from '../../kit/written.ts';
import { sampleAt, seenAt, stepLookedAt } from '../../store/timeline.ts';
import type { RunData } from '../../store/training/run-data.ts';
import type { Session } from '../../store/training/session.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { panelWith, useArrival, useInstrument } from '../component.tsx';
import { CardDialog } from './card-dialog.tsx';
import type { Card } from './card-dialog.tsx';
import { cardLines } from './card-lines.ts';
import type { CardAnswer } from './card-lines.ts';

export const createCard = panelWith(CardOfNow);

/** A card with the texts generated before it was opened; later texts do not change it. */
function CardOfNow() {
  const { session, state, runs } = useInstrument();
  const [card, setCard] = useState<Card | null>(null);
  useArrival(() => {
    const now = session();
    const { current, run } = now ?? {};
    if (!now || !current || !run) return;
    const step = stepLookedAt(state.lookedAt, run);
    const answer = answerOf(now);
    const isShown = step === null || answer?.step === step;
    setCard({
      ...cardLines(samplesUntil(now, run, step), isShown ? answer : null),
      source: current.text?.source ?? 'own',
      textKey: current.text?.shownKey ?? '',
      parameters: current.plan.parameters,
      isOpened: current.model !== null,
      run: shownFile(now, runs),
    });
  });
  return card === null ? null : <CardDialog card={card} onClose={() => setCard(null)} />;
}

/** Texts of the run up to and including `step`; all texts if `step` is null. */
function samplesUntil(now: Session, run: RunData, step: number | null): readonly SampleEntry[] {
  if (step === null) return run.samples;
  const last = seenAt(now, step)?.samples.at(-1) ?? sampleAt(run.samples, step);
  if (last === undefined) return [];
  return [...run.samples.filter((one) => one.step < last.step), last];
}

/**
 * The model's last answer to a prompt; null before the first, and if blank, incomplete or failed.
 */
function answerOf({ answers }: Session): CardAnswer | null {
  const { last } = answers;
  if (last === null || last.busy || last.error !== null || last.result === null) return null;
  const { request, text, result } = last;
  if (text.trim() === '') return null;
  return { prompt: request.prompt, text, isCut: !result.ended, step: result.step };
}
