/** The card of what the model wrote: opened from the samples, made and shared in the page. */
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

/** The card of the moment when it was opened: what is written meanwhile changes nothing in it. */
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

/** The texts of the run up to the step that is looked at, those of that step last; null: of all. */
function samplesUntil(now: Session, run: RunData, step: number | null): readonly SampleEntry[] {
  if (step === null) return run.samples;
  const last = seenAt(now, step)?.samples.at(-1) ?? sampleAt(run.samples, step);
  if (last === undefined) return [];
  return [...run.samples.filter((one) => one.step < last.step), last];
}

/** What the model wrote when it was asked; null before that, or while it is writing. */
function answerOf({ answers }: Session): CardAnswer | null {
  const { last } = answers;
  if (last === null || last.busy || last.error !== null || last.result === null) return null;
  const { request, text, result } = last;
  if (text.trim() === '') return null;
  return { prompt: request.prompt, text, isCut: !result.ended, step: result.step };
}
