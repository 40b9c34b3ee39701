/**
 * The tour: what to look at in the first minute, and what each number means. It follows the run and
 * waits for nothing: the reader goes on at any time.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords, AnyKey, Values } from '../../i18n/index.ts';
import { fairUnit, unitFactor, unitKey, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossUnit, TokensPerCharacter } from '../../data/loss-data.ts';
import { TourNote } from './view.ts';
import type { TourStop } from './view.ts';
import type { LaterContext } from '../../instruments/panel.ts';
import { runBarState } from '../../store/training/run-bar-state.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { Session } from '../../store/training/session.ts';
import { keep } from '../../store/storage.ts';
import { TourPlace } from './tour-place.ts';

/** The page that the tour goes over. */
export interface TourStage {
  readonly main: HTMLElement;
  /** The section of a panel, by its id. */
  readonly section: (id: string) => HTMLElement;
}

interface Stop {
  readonly id: 'start' | 'samples' | 'loss' | 'attention' | 'memory' | 'change' | 'words';
  /** The section that it is about. */
  readonly section: string;
  /**
   * What it speaks of within the section, once that is there: small, so that there is room beside
   * it.
   */
  readonly part?: string;
  /** What its words lead to, elsewhere on the page. */
  readonly spared?: string;
}

const STOPS: readonly Stop[] = [
  { id: 'start', section: 'run', part: '.primary' },
  { id: 'samples', section: 'samples', part: '.samples' },
  { id: 'loss', section: 'loss', part: '.loss-frame' },
  { id: 'attention', section: 'attention', part: '.head-grid' },
  { id: 'memory', section: 'loss', part: '.loss-frame' },
  { id: 'change', section: 'settings', part: '.all-settings' },
  { id: 'words', section: 'loss', part: '.legend', spared: '#text textarea' },
];

export class Tour {
  readonly #layout: TourStage;
  readonly #context: LaterContext;
  readonly #place: TourPlace;
  readonly #note: TourNote;
  /** What had the focus before. */
  readonly #before = document.activeElement;
  #ended = false;
  /** The gist of what was read out last, and all that stands there. */
  #said = '';
  #shownNumbers = '';
  #pointed: HTMLElement | null = null;
  /** What was read off a map before this stop. */
  #readBefore: string | null;
  /** The stop is over as soon as the run has begun. */
  #waits = false;

  /** Shows the tour, at the stop where it is; `resumed` where it was there already. */
  constructor(layout: TourStage, context: LaterContext, resumed: boolean) {
    this.#layout = layout;
    this.#context = context;
    this.#place = context.kept(TourPlace);
    this.#readBefore = context.state.weightRead;
    this.#note = new TourNote(layout.main, {
      words: context.words,
      count: STOPS.length,
      onTurn: (by) => this.#go(by),
      onEnd: () => this.#end(),
      fixed: layout.section('run'),
      resumed,
    });
    this.#show();
  }

  update(): void {
    if (this.#ended) return;
    const stop = this.#stop;
    const shown = this.#stopNow(stop);
    const gist = this.#gistOf(stop, shown);
    if (this.#said === gist) {
      const numbers = JSON.stringify(shown);
      if (this.#shownNumbers !== numbers) this.#note.update(shown, false);
      this.#shownNumbers = numbers;
      return;
    }
    this.#said = gist;
    if (this.#waits && shown.come) this.#go(1);
    else if (stop.id === 'start' && this.#targetOf(stop) !== this.#pointed)
      this.#point(stop, shown);
    else this.#note.update(shown, true);
  }

  destroy(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#note.destroy();
  }

  get #stop(): Stop {
    return STOPS[this.#place.at]!;
  }

  #go(by: number): void {
    this.#place.at = Math.max(0, Math.min(STOPS.length - 1, this.#place.at + by));
    this.#show();
  }

  #end(): void {
    keep('always', 'tour', 'done');
    this.#place.open = false;
    this.destroy();
    if (this.#before instanceof HTMLElement) this.#before.focus();
  }

  #show(): void {
    const stop = this.#stop;
    this.#readBefore = this.#context.state.weightRead;
    const shown = this.#stopNow(stop);
    this.#said = this.#gistOf(stop, shown);
    this.#waits = stop.id === 'start' && !shown.come;
    this.#point(stop, shown);
  }

  #point(stop: Stop, shown: TourStop): void {
    this.#pointed = this.#targetOf(stop);
    const { spared } = stop;
    const also = spared === undefined ? null : this.#layout.main.querySelector<HTMLElement>(spared);
    this.#note.show(this.#place.at, () => this.#targetOf(stop), shown, also);
  }

  /** What a stop points at: its part, or all of the section while that has not come. */
  #targetOf(stop: Stop): HTMLElement {
    const section = this.#layout.section(stop.section);
    // Of a run that is there, other buttons are spoken of than the large one.
    const name = stop.id === 'start' && this.#hasBegun ? '.buttons' : stop.part;
    const part = name === undefined ? null : section.querySelector<HTMLElement>(name);
    return part === null || part.offsetHeight === 0 ? section : part;
  }

  // ---- What is said -----------------------------------------------------------------------------

  #stopNow(stop: Stop): TourStop {
    const { words, session, state } = this.#context;
    const values = factsOf(this.#context);
    if (stop.id === 'start' && this.#hasBegun) return startedStop(session(), values, words);
    const { t } = words;
    const come = this.#hasCome(stop);
    const liveKey = `tour.${stop.id}.${come === true ? 'come' : 'wait'}`;
    // The weight that was chosen at the stop of the maps, whose own line the note may cover.
    const isRead = stop.id === 'attention' && state.weightRead !== this.#readBefore;
    const read = isRead ? state.weightRead : null;
    return {
      title: t(`tour.${stop.id}.title`),
      text: t(textKey(stop, this.#context), values),
      live: come === null ? '' : (read ?? words.find(liveKey, values) ?? ''),
      come: come === true,
    };
  }

  /** Whether what a stop waits for has come about; null for one that waits for nothing. */
  #hasCome({ id }: Stop): boolean | null {
    const now = this.#context.session();
    const run = now?.run ?? null;
    const random = shownPlan(now)?.randomLoss ?? NaN;
    if (id === 'start') return this.#hasBegun;
    if (id === 'loss') return (run?.history.smoothedLast() ?? NaN) < random * 0.9;
    if (id === 'samples') return (run?.samples.length ?? 0) > 2;
    if (id === 'attention') return (run?.attention ?? null) !== null && (run?.step ?? 0) >= 100;
    return null;
  }

  get #hasBegun(): boolean {
    return (this.#context.session()?.run?.step ?? 0) > 0;
  }

  /** What makes the words of a stop worth reading out anew; numbers change all the time. */
  #gistOf(stop: Stop, { come }: TourStop): string {
    const state = this.#hasBegun ? runBarState(this.#context.session(), null) : '';
    return `${stop.id} ${String(come)} ${state}`;
  }
}

/** The first stop if a run has begun: its state, and what that means. */
function startedStop(session: Session | null, values: Values, words: AllWords): TourStop {
  const { t } = words;
  const state = runBarState(session, null);
  const isNamed = state === 'running' || state === 'finished' || state === 'diverged';
  const key: AnyKey = isNamed ? `tour.run.${state}` : 'tour.run.paused';
  const text = sentences([t('tour.run'), t(key, values)], words);
  return { title: t('tour.run.title'), text, live: '', come: true };
}

function textKey({ id }: Stop, context: LaterContext): AnyKey {
  if (id === 'memory') {
    const has = context.session()?.run?.hasValidation === true;
    return has ? 'tour.memory.validation' : 'tour.memory.none';
  }
  return id === 'loss' && unitNow(context) === 'bits' ? 'tour.loss.bits' : `tour.${id}`;
}

/** What is known of the run, for a stop to speak of. */
function factsOf(context: LaterContext): Values {
  const { words, state, session } = context;
  const { t, number, short } = words;
  const run = session()?.run;
  const plan = shownPlan(session());
  const loss = run?.history.smoothedLast(state.lossChoice.smoothing) ?? NaN;
  const unit = unitNow(context);
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

/** The unit of the curve which the tour points at. */
function unitNow(context: LaterContext): LossUnit {
  const lines = context.session()?.earlier.all ?? [];
  const tokensPerCharacter = tokensOf(context);
  return fairUnit(context.state.lossChoice.unit, { tokensPerCharacter, lines });
}

function tokensOf({ session }: LaterContext): TokensPerCharacter {
  return session()?.tokensPerCharacter ?? UNKNOWN_TOKENS;
}
