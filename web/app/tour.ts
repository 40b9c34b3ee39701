/**
 * The tour: what to look at in the first minute, and what each number means. It follows the run and
 * waits for nothing: whoever wants to go on goes on.
 */
import type { Key } from '../i18n/index.ts';
import { createTourNote } from '../views/tour-note.ts';
import type { TourStop } from '../views/tour-note.ts';
import type { Layout } from './layout.ts';
import type { PanelContext } from './panels/panel.ts';
import { shownPlan } from './session.ts';
import { keep } from './storage.ts';

export interface Tour {
  update(): void;
  destroy(): void;
}

interface Stop {
  readonly id: 'start' | 'loss' | 'samples' | 'attention' | 'memory' | 'change' | 'words';
  /** The section beside which it stands. */
  readonly section: string;
  /** Something within the section; without it, the section. */
  readonly part?: string;
}

const STOPS: readonly Stop[] = [
  { id: 'start', section: 'run', part: '.primary' },
  { id: 'loss', section: 'loss' },
  { id: 'samples', section: 'samples' },
  { id: 'attention', section: 'attention' },
  { id: 'memory', section: 'loss' },
  { id: 'change', section: 'settings' },
  { id: 'words', section: 'plan' },
];

/** Begins the tour at its first stop. */
export function createTour(layout: Layout, context: PanelContext): Tour {
  const { words, session } = context;
  const { t, number } = words;
  const before = document.activeElement;
  let at = 0;
  let ended = false;
  let said = '';

  const note = createTourNote(layout.main, {
    words,
    count: STOPS.length,
    onTurn: (by) => {
      at = Math.max(0, Math.min(STOPS.length - 1, at + by));
      show();
    },
    onEnd: () => {
      keep('always', 'tour', 'done');
      destroy();
      if (before instanceof HTMLElement) before.focus();
    },
    covered: (section) => {
      const strip = layout.section('run');
      const fixed = getComputedStyle(strip).position === 'fixed' && strip !== section;
      return fixed ? strip.offsetHeight : 0;
    },
    free: (section) => {
      const strip = layout.section('run');
      return strip === section ? null : strip.getBoundingClientRect();
    },
  });

  /** What is known of the run, for a stop to speak of. */
  function facts(): Record<string, string> {
    const plan = shownPlan(session());
    const loss = session()?.run?.history.smoothedLast ?? NaN;
    return {
      random: number(plan?.randomLoss ?? NaN, 2),
      vocab: number(plan?.vocab ?? NaN),
      loss: number(loss, 2),
      choices: number(Math.exp(loss), 1),
    };
  }

  /** Whether what a stop waits for has come about; null for one that waits for nothing. */
  function come({ id }: Stop): boolean | null {
    const run = session()?.run ?? null;
    const random = shownPlan(session())?.randomLoss ?? NaN;
    if (id === 'start') return (run?.step ?? 0) > 0;
    if (id === 'loss') return (run?.history.smoothedLast ?? NaN) < random * 0.9;
    if (id === 'samples') return (run?.samples.length ?? 0) > 2;
    if (id === 'attention') return (run?.attention ?? null) !== null && (run?.step ?? 0) >= 100;
    return null;
  }

  function stopOf(stop: Stop): TourStop {
    const values = facts();
    const has = session()?.run?.hasValidation === true;
    const textKey: Key =
      stop.id !== 'memory'
        ? `tour.${stop.id}`
        : has
          ? 'tour.memory.validation'
          : 'tour.memory.none';
    const done = come(stop);
    const liveKey = `tour.${stop.id}.${done === true ? 'come' : 'wait'}`;
    return {
      title: t(`tour.${stop.id}.title`),
      text: t(textKey, values),
      live: done === null ? '' : (words.find(liveKey, values) ?? ''),
      come: done === true,
    };
  }

  function show(): void {
    const stop = STOPS[at]!;
    const section = layout.section(stop.section);
    const part = stop.part === undefined ? null : section.querySelector<HTMLElement>(stop.part);
    const shown = stopOf(stop);
    said = `${stop.id} ${String(shown.come)}`;
    note.show(at, part ?? section, section, shown);
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
      const stop = STOPS[at]!;
      const shown = stopOf(stop);
      // Numbers change all the time; only what has come about is worth saying, once.
      if (said === `${stop.id} ${String(shown.come)}`) return;
      said = `${stop.id} ${String(shown.come)}`;
      if (stop.id === 'start') {
        at += 1;
        show();
      } else note.update(shown);
    },
    destroy,
  };
}
