/** The card of what the model wrote: opened from the samples, made and shared in the page. */
import { fileName } from '../../base/file-name.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { linkToPage } from '../../store/address/page-link.ts';
import { sampleAt, seenAt, stepLookedAt } from '../../store/timeline.ts';
import type { RunData } from '../../store/training/run-data.ts';
import type { Session } from '../../store/training/session.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';
import { cardLines } from './card-lines.ts';
import type { CardAnswer } from './card-lines.ts';
import { CardDialog } from './view.ts';

/** What the reader calls their texts, by the texts' keys: kept as long as the page is open. */
class Phrases {
  readonly of = new Map<string, string>();
}

export const createCard: CreateLaterPanel = (container, context) => {
  const { words, session, state, runs, home, kept } = context;
  const phrases = kept(Phrases).of;

  const view = new CardDialog(container, {
    words,
    hasLink: home !== null,
    onLink: () => linkToPage(context),
  });

  /** Opens the card of what is there now; what is written meanwhile changes nothing in it. */
  const open = (): void => {
    const now = session();
    const { current, run } = now ?? {};
    if (!now || !current || !run) return;
    const { text } = current;
    const key = text?.shownKey ?? '';
    const step = stepLookedAt(state.lookedAt, run);
    const answer = answerOf(now);
    const isShown = step === null || answer?.step === step;
    const { lines, preset } = cardLines(samplesUntil(now, run, step), isShown ? answer : null);
    view.open({
      lines,
      preset,
      phrase: phrases.get(key) ?? words.t(`card.from.${text?.source ?? 'own'}`),
      onPhrase: (phrase) => phrases.set(key, phrase),
      parameters: current.plan.parameters,
      isOpened: current.model !== null,
      isOwn: state.source === 'own',
      address: home !== null && home.startsWith('https:') ? home.slice('https://'.length) : '',
      fileName: (step) => `${fileName('card', shownFile(now, runs), step)}.png`,
    });
  };

  return { ...panelOf(view, () => undefined), focus: open };
};

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
