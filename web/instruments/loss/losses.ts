/**
 * What the loss instrument shows, as signals: at each step of a run, only the parts whose own values
 * have changed render again.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { createRef } from 'preact';
import { useState } from 'preact/hooks';
import { fairUnit, knownUnit, longestOf } from '../../data/loss-data.ts';
import type { LossChoice, LossData, LossLine, LossState } from '../../data/loss-data.ts';
import type { LossHistory } from '../../data/loss-history.ts';
import type { Words } from '../../i18n/index.ts';
import type { ChartMark } from '../../kit/layers.ts';
import type { PageActions } from '../../store/actions.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import type { Session } from '../../store/training/session.ts';
import type { useContextOnly } from '../component.tsx';
import type * as Later from './later.ts';
import type { LossPlot } from './plot/loss-plot.tsx';

type Window = LossState['window'];

/** The properties of all parts. */
export interface LossProps {
  readonly losses: Losses;
}

/** The steps in view, which a change of language keeps; null for all. */
class KeptWindow {
  readonly window = signal<Window>(null);
}

export class Losses {
  readonly words: Words;
  readonly actions: PageActions;
  readonly session: () => Session | null;
  readonly title = createRef<HTMLHeadingElement>();
  readonly data: ReadonlySignal<LossData>;
  readonly look: ReadonlySignal<LossState>;
  readonly window: Signal<Window>;
  /** Earlier runs: the same array until one of them changes. */
  readonly lines: ReadonlySignal<readonly LossLine[]>;
  /** Whether the shown unit is not the chosen one, because tokens differ. */
  readonly isForced: ReadonlySignal<boolean>;
  /** Marks of other instruments. */
  readonly marks: ReadonlySignal<readonly ChartMark[]>;
  /** Null until it is here. */
  readonly later = signal<typeof Later | null>(null);
  readonly plot = signal<LossPlot | null>(null);
  /** The sentence for screen readers. */
  readonly spoken = signal('');
  readonly #changes: readonly ReadonlySignal<number>[];
  readonly #choices = signal(0);
  /** The run of the last change. */
  #history: LossHistory | null = null;

  constructor(instrument: ReturnType<typeof useContextOnly>) {
    const { words, actions, session, state, runs, layers, kept, changes } = instrument;
    [this.words, this.actions, this.session] = [words, actions, session];
    this.#changes = [changes, this.#choices];
    this.window = kept(KeptWindow).window;
    this.data = this.of(() => lossData(session(), runs, words));
    const choice = this.of(() => state.lossChoice);
    const unit = computed(() => fairUnit(choice.value.unit, this.data.value));
    this.look = computed(() => ({ ...choice.value, unit: unit.value, window: this.window.value }));
    this.isForced = computed(
      () => unit.value !== knownUnit(choice.value.unit, this.data.value.tokensPerCharacter),
    );
    const lines = computed(() =>
      JSON.stringify(this.data.value.lines.map(({ history, ...line }) => [history.length, line])),
    );
    this.lines = computed(() => (lines.value === '[]' ? [] : this.data.peek().lines));
    this.marks = this.of(() => layers.marks);
  }

  /** A value that is read when the page changes. */
  of<Value>(read: () => Value): ReadonlySignal<Value> {
    return computed(() => {
      this.#changes.forEach((changes) => changes.value);
      return read();
    });
  }

  choose(change: Partial<LossChoice>): void {
    this.actions.onLossChoice(change);
    this.#choices.value += 1;
  }

  show(window: Window): void {
    this.window.value = window;
  }

  /** Reads a sentence out; null for none. */
  say(sentence: string | null): void {
    if (sentence !== null) this.spoken.value = sentence;
  }

  /** Moves the focus to the title, from a button that goes with its press. */
  focusTitle(): void {
    this.title.current?.focus({ preventScroll: true });
  }

  /** Shows all steps if the window lies beyond the curves or, of a new run, beyond its own. */
  followRun(): void {
    const { history } = this.data.value;
    const reach = history === this.#history ? longestOf(this.data.value) : history.length;
    this.#history = history;
    const window = this.window.peek();
    if (window !== null && window[0] > reach) this.show(null);
  }
}

/** A value of the page; the component renders again only when it is another. */
export function useShown<Value>(losses: Losses, read: () => Value): Value {
  return useState(() => losses.of(read))[0].value;
}
