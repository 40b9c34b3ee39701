/** The stops of the tour: their targets, and their texts with the numbers of the run. */
import { useRef } from 'preact/hooks';
import { fairUnit, unitFactor, unitKey, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossUnit, TokensPerCharacter } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { AnyKey, Values } from '../../i18n/index.ts';
import type { LaterContext } from '../../instruments/panel.ts';
import { runBarState } from '../../store/training/run-bar-state.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';

export interface Stop {
  readonly id: 'start' | 'samples' | 'loss' | 'attention' | 'memory' | 'change' | 'words';
  /** Id of the section that has the target. */
  readonly section: string;
  /** Selector of the target in the section: small, so that the card has room beside it. */
  readonly part: string;
  /** Selector of an element that the text asks the reader to use: the card does not cover it. */
  readonly spared?: string;
}

export const STOPS: readonly Stop[] = [
  { id: 'start', section: 'run', part: '.primary' },
  { id: 'samples', section: 'samples', part: '.samples' },
  { id: 'loss', section: 'loss', part: '.loss-frame' },
  { id: 'attention', section: 'attention', part: '.head-grid' },
  { id: 'memory', section: 'loss', part: '.loss-frame' },
  { id: 'change', section: 'settings', part: '.all-settings' },
  { id: 'words', section: 'loss', part: '.legend', spared: '#text textarea' },
];

/** State of the page when the reader came to the stop. */
export interface Arrival {
  /** The attention weight that the reader had chosen, as text; null if none. */
  readonly weightRead: string | null;
  /** Whether the stop waits for the run to begin: the first step leads to the next stop. */
  readonly isWaiting: boolean;
}

export interface StopTexts {
  readonly title: string;
  readonly text: string;
  /** Progress of the run towards what the stop describes; empty if there is nothing to report. */
  readonly live: string;
  /** Whether the run has reached the state that the stop describes. */
  readonly isReached: boolean;
  /** Stop and state of the run: screen readers announce the texts when one of these changes. */
  readonly gist: string;
}

/** Whether the run has made a step. */
export function hasBegun({ session }: LaterContext): boolean {
  return (session()?.run?.step ?? 0) > 0;
}

export function textsOf(stop: Stop, context: LaterContext, arrival: Arrival): StopTexts {
  const { words, session, state } = context;
  const { t } = words;
  const values = factsOf(context);
  const reached = isReachedAt(stop, context);
  const isReached = reached === true && !arrival.isWaiting;
  const run = hasBegun(context) ? runBarState(session(), null) : null;
  const gist = `${stop.id} ${String(isReached)} ${run ?? ''}`;
  if (stop.id === 'start' && run !== null && isReached) {
    const isNamed = run === 'running' || run === 'finished' || run === 'diverged';
    const key: AnyKey = isNamed ? `tour.run.${run}` : 'tour.run.paused';
    const text = sentences([t('tour.run'), t(key, values)], words);
    return { title: t('tour.run.title'), text, live: '', isReached, gist };
  }
  // The card may cover the line of the map that says which weight was chosen.
  const isRead = stop.id === 'attention' && state.weightRead !== arrival.weightRead;
  const read = isRead ? state.weightRead : null;
  const liveKey = `tour.${stop.id}.${isReached ? 'come' : 'wait'}`;
  return {
    title: t(`tour.${stop.id}.title`),
    text: t(textKey(stop, context), values),
    live: reached === null ? '' : (read ?? words.find(liveKey, values) ?? ''),
    isReached,
    gist,
  };
}

/** Null if the stop describes no state of the run. */
function isReachedAt({ id }: Stop, context: LaterContext): boolean | null {
  const session = context.session();
  const run = session?.run ?? null;
  const random = shownPlan(session)?.randomLoss ?? NaN;
  if (id === 'start') return hasBegun(context);
  if (id === 'loss') return (run?.history.smoothedLast() ?? NaN) < random * 0.9;
  if (id === 'samples') return (run?.samples.length ?? 0) > 2;
  if (id === 'attention') return (run?.attention ?? null) !== null && (run?.step ?? 0) >= 100;
  return null;
}

function textKey({ id }: Stop, context: LaterContext): AnyKey {
  if (id === 'memory') {
    const has = context.session()?.run?.hasValidation === true;
    return has ? 'tour.memory.validation' : 'tour.memory.none';
  }
  return id === 'loss' && unitOf(context) === 'bits' ? 'tour.loss.bits' : `tour.${id}`;
}

/** Numbers of the run, for the texts. */
function factsOf(context: LaterContext): Values {
  const { words, state, session } = context;
  const { t, number, short } = words;
  const run = session()?.run;
  const plan = shownPlan(session());
  const loss = run?.history.smoothedLast(state.lossChoice.smoothing) ?? NaN;
  const unit = unitOf(context);
  const factor = unitFactor({ unit }, tokensOf(context).train);
  return {
    random: number((plan?.randomLoss ?? NaN) * factor, 2),
    unit: t(unitKey(unit)),
    vocab: plan?.vocab ?? NaN,
    loss: number(loss * factor, 2),
    choices: short(Math.exp(loss)),
    step: run?.step ?? 0,
    steps: run?.steps ?? 0,
  };
}

/** The unit of the loss curve. */
function unitOf(context: LaterContext): LossUnit {
  const lines = context.session()?.earlier.all ?? [];
  const tokensPerCharacter = tokensOf(context);
  return fairUnit(context.state.lossChoice.unit, { tokensPerCharacter, lines });
}

function tokensOf({ session }: LaterContext): TokensPerCharacter {
  return session()?.tokensPerCharacter ?? UNKNOWN_TOKENS;
}

/**
 * Whether screen readers announce the texts: not if only numbers changed, as they do at every step.
 */
export function useIsAloud(gist: string, text: string): boolean {
  const last = useRef({ gist, text, isAloud: true });
  const { current } = last;
  const isSame = gist === current.gist && text === current.text;
  if (!isSame) last.current = { gist, text, isAloud: gist !== current.gist };
  return last.current.isAloud;
}
