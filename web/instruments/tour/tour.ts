/**
 * The tour: what to look at in the first minute, and what each number means. It follows the run and
 * waits for nothing: the reader goes on at any time.
 */
import { sentences } from '../../i18n/index.ts';
import type { AnyKey, Values } from '../../i18n/index.ts';
import { fairUnit, unitFactor, unitKey, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossUnit, TokensPerCharacter } from '../../data/loss-data.ts';
import { createTourNote } from './view.ts';
import type { TourStop } from './view.ts';
import type { LaterContext } from '../panel.ts';
import { stripState } from '../../store/training/strip-state.ts';
import { shownPlan } from '../../store/training/session.ts';
import { keep } from '../../store/storage.ts';
import { TourPlace } from './tour-place.ts';

export interface Tour {
  update(): void;
  destroy(): void;
}

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

/** Shows the tour, at the stop where it is; `resumed` where it was there already. */
export function createTour(layout: TourStage, context: LaterContext, resumed: boolean): Tour {
  const { words, state, session } = context;
  const { t, number, short } = words;
  const before = document.activeElement;
  const place = context.kept(TourPlace);
  let ended = false;
  let said = '';
  let seen = '';
  let pointed: HTMLElement | null = null;
  /** What was read off a map before this stop. */
  let readBefore = state.weightRead;
  /** The stop is over as soon as the run has begun. */
  let waits = false;

  const note = createTourNote(layout.main, {
    words,
    count: STOPS.length,
    onTurn: (by) => {
      place.at = Math.max(0, Math.min(STOPS.length - 1, place.at + by));
      show();
    },
    onEnd: () => {
      keep('always', 'tour', 'done');
      place.open = false;
      destroy();
      if (before instanceof HTMLElement) before.focus();
    },
    fixed: layout.section('run'),
    resumed,
  });

  const tokens = (): TokensPerCharacter => session()?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  /** That of the curve which the tour points at. */
  const unit = (): LossUnit =>
    fairUnit(state.lossChoice.unit, {
      tokensPerCharacter: tokens(),
      lines: session()?.earlier.all ?? [],
    });

  /** What is known of the run, for a stop to speak of. */
  function facts(): Values {
    const plan = shownPlan(session());
    const loss = session()?.run?.history.smoothedLast(state.lossChoice.smoothing) ?? NaN;
    const factor = unitFactor({ unit: unit() }, tokens().train);
    return {
      random: number((plan?.randomLoss ?? NaN) * factor, 2),
      unit: t(unitKey(unit())),
      vocab: plan?.vocab ?? NaN,
      loss: number(loss * factor, 2),
      choices: short(Math.exp(loss)),
      step: session()?.run?.step ?? 0,
      steps: session()?.run?.steps ?? 0,
    };
  }

  /** Whether what a stop waits for has come about; null for one that waits for nothing. */
  function come({ id }: Stop): boolean | null {
    const run = session()?.run ?? null;
    const random = shownPlan(session())?.randomLoss ?? NaN;
    if (id === 'start') return begun();
    if (id === 'loss') return (run?.history.smoothedLast() ?? NaN) < random * 0.9;
    if (id === 'samples') return (run?.samples.length ?? 0) > 2;
    if (id === 'attention') return (run?.attention ?? null) !== null && (run?.step ?? 0) >= 100;
    return null;
  }

  const begun = (): boolean => (session()?.run?.step ?? 0) > 0;

  /** The first stop if a run has begun: its state, and what that means. */
  function startedStop(values: Values): TourStop {
    const state = stripState(session(), null);
    const key: AnyKey =
      state === 'running' || state === 'finished' || state === 'diverged'
        ? `tour.run.${state}`
        : 'tour.run.paused';
    const text = sentences([t('tour.run'), t(key, values)], words);
    return { title: t('tour.run.title'), text, live: '', come: true };
  }

  function stopOf(stop: Stop): TourStop {
    const values = facts();
    if (stop.id === 'start' && begun()) return startedStop(values);
    const has = session()?.run?.hasValidation === true;
    const textKey: AnyKey =
      stop.id !== 'memory'
        ? `tour.${stop.id}`
        : has
          ? 'tour.memory.validation'
          : 'tour.memory.none';
    const done = come(stop);
    const liveKey = `tour.${stop.id}.${done === true ? 'come' : 'wait'}`;
    return {
      title: t(`tour.${stop.id}.title`),
      text: t(textKey === 'tour.loss' && unit() === 'bits' ? 'tour.loss.bits' : textKey, values),
      live: done === null ? '' : (weightRead(stop) ?? words.find(liveKey, values) ?? ''),
      come: done === true,
    };
  }

  /** The weight that was chosen at the stop of the maps, whose own line the note may cover. */
  function weightRead({ id }: Stop): string | null {
    const { weightRead: read } = state;
    return id === 'attention' && read !== readBefore ? read : null;
  }

  /** What a stop points at: its part, or all of the section while that has not come. */
  function targetOf(stop: Stop): HTMLElement {
    const section = layout.section(stop.section);
    // Of a run that is there, other buttons are spoken of than the large one.
    const name = stop.id === 'start' && begun() ? '.buttons' : stop.part;
    const part = name === undefined ? null : section.querySelector<HTMLElement>(name);
    return part === null || part.offsetHeight === 0 ? section : part;
  }

  /** What makes the words of a stop worth reading out anew; numbers change all the time. */
  function gist(stop: Stop, { come }: TourStop): string {
    const state = begun() ? stripState(session(), null) : '';
    return `${stop.id} ${String(come)} ${state}`;
  }

  function show(): void {
    const stop = STOPS[place.at]!;
    readBefore = state.weightRead;
    const shown = stopOf(stop);
    said = gist(stop, shown);
    waits = stop.id === 'start' && !shown.come;
    point(stop, shown);
  }

  function point(stop: Stop, shown: TourStop): void {
    pointed = targetOf(stop);
    const spared =
      stop.spared === undefined ? null : layout.main.querySelector<HTMLElement>(stop.spared);
    note.show(place.at, () => targetOf(stop), shown, spared);
  }

  function destroy(): void {
    if (ended) return;
    ended = true;
    note.destroy();
  }

  show();
  return {
    update: () => {
      if (ended) return;
      const stop = STOPS[place.at]!;
      const shown = stopOf(stop);
      const now = gist(stop, shown);
      const numbers = JSON.stringify(shown);
      if (said === now) {
        if (seen !== numbers) note.update(shown, false);
        seen = numbers;
        return;
      }
      said = now;
      if (waits && shown.come) {
        place.at += 1;
        show();
      } else if (stop.id === 'start' && targetOf(stop) !== pointed) point(stop, shown);
      else note.update(shown, true);
    },
    destroy,
  };
}
