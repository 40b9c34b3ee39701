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

/** The steps in view, which a change of language keeps; null for all. */
class KeptWindow {
  readonly window = signal<LossState['window']>(null);
}

/** The plot, for parts that come before it. */
interface ShownPlot {
  /** Sentence on the selected step; null for none. */
  readonly sentence: ReadonlySignal<string | null>;
  readonly zoom: (factor: number) => void;
  readonly settle: () => void;
}

export type Losses = ReturnType<typeof lossesOf>;

/** The properties of all parts. */
export interface LossProps {
  readonly losses: Losses;
}

export function lossesOf(page: ReturnType<typeof useContextOnly>) {
  const { words, actions, session, state, runs, layers, kept, changes } = page;
  const choices = signal(0);
  /** Reads a value again when the page changes. */
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
    /** Whether the shown unit is not the chosen one, because tokens differ. */
    isForced: computed(
      () => unit.value !== knownUnit(choice.value.unit, data.value.tokensPerCharacter),
    ),
    /** Marks of other instruments. */
    marks: of(() => layers.marks),
    /** The code of later parts; null until it is here. */
    later: signal<typeof Later | null>(null),
    plot: signal<ShownPlot | null>(null),
    /** The sentence for screen readers. */
    spoken,
    title,
    choose(change: Partial<LossChoice>): void {
      actions.onLossChoice(change);
      choices.value += 1;
    },
    show: (steps: LossState['window']): void => {
      window.value = steps;
    },
    /** Moves the focus to the title, from a button that goes with its press. */
    focusTitle(): void {
      title.current?.focus({ preventScroll: true });
    },
    /** Shows all steps if the window lies beyond the curves or, of a new run, beyond its own. */
    followRun(): void {
      const { history } = data.value;
      const reach = history === last ? longestOf(data.value) : history.length;
      last = history;
      const steps = window.peek();
      if (steps !== null && steps[0] > reach) window.value = null;
    },
  };
}

/** A value of the page; the component renders again only when it is another. */
export function useShown<Value>(losses: Losses, read: () => Value): Value {
  return useState(() => losses.of(read))[0].value;
}
