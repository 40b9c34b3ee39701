/**
 * Signals of the loss instrument: at each step of a run, only the parts whose own values
 * have changed render again.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { createRef } from 'preact';
import { useState } from 'preact/hooks';
import { fairUnit, knownUnit, longestOf } from '../../data/loss-data.ts';
import type { LossChoice, LossState } from '../../data/loss-data.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import type { useContextOnly } from '../component.tsx';
import type * as Later from './later.ts';

/** The visible steps, kept when a change of language recreates the instrument; null shows all. */
class KeptWindow {
  readonly window = signal<LossState['window']>(null);
}

/** Members of the plot that other components use; the plot is loaded after them. */
interface ShownPlot {
  /** Sentence on the selected step; null if none is selected. */
  readonly sentence: ReadonlySignal<string | null>;
  readonly zoom: (factor: number) => void;
  readonly settle: () => void;
}

export type Losses = ReturnType<typeof lossesOf>;

/** Properties of every component of this instrument. */
export interface LossProps {
  readonly losses: Losses;
}

export function lossesOf(page: ReturnType<typeof useContextOnly>) {
  const { words, actions, session, state, runs, layers, kept, changes } = page;
  const choices = signal(0);
  /** Creates a signal that calls `read` again after each change of the page or of view settings. */
  const of = <Value>(read: () => Value): ReadonlySignal<Value> =>
    computed(() => {
      [changes, choices].forEach(({ value }) => value);
      return read();
    });
  const { window } = kept(KeptWindow);
  const data = of(() => lossData(session(), runs, words));
  const choice = of(() => state.lossChoice);
  const unit = computed(() => fairUnit(choice.value.unit, data.value));
  const linesKey = computed(() =>
    JSON.stringify(data.value.lines.map(({ history, ...line }) => [history.length, line])),
  );
  const [spoken, title] = [signal(''), createRef<HTMLHeadingElement>()];
  let last: unknown = null;
  return {
    ...page,
    of,
    data,
    window,
    look: computed((): LossState => ({ ...choice.value, unit: unit.value, window: window.value })),
    /** Earlier runs: the same array until one of them changes. */
    lines: computed(() => (linesKey.value === '[]' ? [] : data.peek().lines)),
    /** Whether bits are shown instead of the chosen nats, because the runs differ in tokens. */
    isForced: computed(
      () => unit.value !== knownUnit(choice.value.unit, data.value.tokensPerCharacter),
    ),
    /** Marks that other instruments add to the charts. */
    marks: of(() => layers.marks),
    /** The module `later.ts`; null until it is loaded. */
    later: signal<typeof Later | null>(null),
    plot: signal<ShownPlot | null>(null),
    /** Text of the live region, which screen readers announce. */
    spoken,
    title,
    choose(change: Partial<LossChoice>): void {
      actions.onLossChoice(change);
      choices.value += 1;
    },
    show: (steps: LossState['window']): void => {
      window.value = steps;
    },
    /** Moves the focus to the title, for buttons that disappear when pressed. */
    focusTitle(): void {
      title.current?.focus({ preventScroll: true });
    },
    /** Shows all steps if the window begins beyond all curves, or beyond the curve of a new run. */
    followRun(): void {
      const { history } = data.value;
      const reach = history === last ? longestOf(data.value) : history.length;
      last = history;
      const steps = window.peek();
      if (steps !== null && steps[0] > reach) window.value = null;
    },
  };
}

/** Reads a value of the page; the component renders again only when the value has changed. */
export function useShown<Value>(losses: Losses, read: () => Value): Value {
  return useState(() => losses.of(read))[0].value;
}
