/**
 * Makes panels from components, and hooks for these components. A panel renders its component when
 * the page has changed and the panel is in sight.
 */
import { effect, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { Component, createContext } from 'preact';
import type { ComponentChildren, ComponentType } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AllWords } from '../i18n/index.ts';
import { Fold } from '../kit/fold.tsx';
import { Folds } from '../kit/folds.ts';
import { watchShown, watchSight } from '../kit/in-sight.ts';
import type { MakeMarks } from '../kit/layers.ts';
import { drawChanges, panelUpdate, render } from '../kit/render.ts';
import { Resized } from '../kit/resize.ts';
import { NO_ANSWER } from '../store/ask.ts';
import type { Answer, Question } from '../store/ask.ts';
import type { CreateLaterPanel, CreatePanel, LaterContext } from './panel.ts';
import type { Panel, PanelContext, SliderAction } from './panel.ts';

interface FirstInstrument extends PanelContext {
  /** Whether the instrument is visible, on the screen or in print; see `panelWith`. */
  readonly inSight: ReadonlySignal<boolean>;
  /** The panel's section of the page. */
  readonly container: HTMLElement;
  /** Called when the reader goes to the panel. */
  readonly arrivals: Set<Arrive>;
}

type Arrive = NonNullable<Panel['focus']>;

type Instrument = FirstInstrument & LaterContext;

/** Context of every panel, with the words of the first screen. */
const Context = createContext<FirstInstrument | null>(null);
/** Context with all words; null in panels of the first screen. */
const WholeContext = createContext<Instrument | null>(null);

/** Renders the component again when the signal changes. */
function useSubscription(changes: ReadonlySignal<number>): number {
  return changes.value;
}

function found<Found>(instrument: Found | null): Found {
  if (instrument === null) throw new Error('no such instrument around this component');
  return instrument;
}

/**
 * `useFirstInstrument` without a subscription, for components that render with their parent or a
 * signal.
 */
export const useContextOnly = (): FirstInstrument => found(useContext(Context));

/**
 * State and actions of the page, with the words of the first screen. The component renders again
 * when the page changes.
 */
export function useFirstInstrument(): FirstInstrument {
  const instrument = useContextOnly();
  useSubscription(instrument.changes);
  return instrument;
}

/** `useFirstInstrument` with all words, in panels loaded after the first screen. */
export function useInstrument(): Instrument {
  const instrument = found(useContext(WholeContext));
  useSubscription(instrument.changes);
  return instrument;
}

/** The words without a subscription, for components that render with their parent or a signal. */
export function useWords(): AllWords {
  return found(useContext(WholeContext)).words;
}

/**
 * Whether the panel's section is on the screen, for panels that render at any scroll position but
 * ask the engine only while they are visible.
 */
export function usePanelSight(): boolean {
  const { container } = useContextOnly();
  const [isSeen, see] = useState(false);
  useEffect(() => {
    const sight = watchSight(container, () => see(sight.visible()));
    return sight.destroy;
  }, []);
  return isSeen;
}

/** Sets a class of the panel's section while `isOn`, for styles of the section itself. */
export function useContainerClass(name: string, isOn: boolean): void {
  const { container } = useContextOnly();
  useLayoutEffect(() => {
    container.classList.toggle(name, isOn);
  }, [name, isOn]);
}

/**
 * When changes of the page render a panel's component: while it is on the screen; while its tab is
 * open, at any scroll position, because readers find controls by name or key; or always, for marks
 * in other panels and background work. A panel of the first screen is rendered always, so that it
 * keeps its height when it comes into sight.
 */
type Hears = 'in sight' | 'open' | 'always' | 'first';

/** Creates a panel that shows a component. */
export function panelWith(View: ComponentType, hears: Hears = 'in sight'): CreateLaterPanel {
  return (container, context) => show(View, hears, container, context, context.words);
}

/** A panel of the first screen. */
export function firstPanelWith(View: ComponentType): CreatePanel {
  return (container, context) => show(View, 'first', container, context, null);
}

function show(
  View: ComponentType,
  hears: Hears,
  container: HTMLElement,
  context: PanelContext,
  words: AllWords | null,
): Panel {
  const always = hears === 'always';
  const inSight = signal(always);
  const resized = new Set<() => void>();
  const watch = hears === 'open' ? watchShown : watchSight;
  const see = (): void => {
    inSight.value = sight!.visible();
  };
  const sight = always ? null : watch(container, see);
  const changes = signal(context.changes.peek());
  const update = panelUpdate(() => {
    changes.value = context.changes.peek();
  });
  const unsubscribe = effect(() => {
    const now = context.changes.value;
    // An empty panel cannot come into sight before it is rendered.
    const isUnseen = !inSight.value && hears !== 'first' && container.hasChildNodes();
    if (!isUnseen && now !== changes.peek()) update.request();
  });
  const arrivals = new Set<Arrive>();
  const instrument: FirstInstrument = { ...context, inSight, changes, container, arrivals };
  render(
    <Context.Provider value={instrument}>
      <WholeContext.Provider value={words === null ? null : { ...instrument, words }}>
        <Resized.Provider value={resized}>
          <Boundary broken={(name) => context.words.t('app.broken', { name })}>
            <View />
          </Boundary>
        </Resized.Provider>
      </WholeContext.Provider>
    </Context.Provider>,
    container,
  );
  return {
    resize() {
      for (const resize of resized) resize();
    },
    focus(what, at) {
      for (const arrive of arrivals) arrive(what, at);
      drawChanges();
    },
    destroy() {
      unsubscribe();
      update.cancel();
      sight?.destroy();
      render(null, container);
    },
  };
}

interface BoundaryProps {
  readonly broken: (message: string) => string;
  readonly children: ComponentChildren;
}

/** Shows an error thrown by an instrument in the instrument's place. */
class Boundary extends Component<BoundaryProps, { readonly message: string | null }> {
  override state: { readonly message: string | null } = { message: null };

  static override getDerivedStateFromError(thrown: unknown): { readonly message: string } {
    reportError(thrown);
    return { message: thrown instanceof Error ? thrown.message : String(thrown) };
  }

  override render(): ComponentChildren {
    const { message } = this.state;
    const { broken, children } = this.props;
    if (message === null) return children;
    return (
      <p class="note error" role="alert">
        {broken(message)}
      </p>
    );
  }
}

/** An answer on the page: the last value and the last error stay until the next answer. */
export interface ShownAnswer<Value> extends Answer<Value> {
  /** Whether the value belongs to an earlier question. */
  readonly isStale: boolean;
}

/**
 * Asks the model of `step` while the instrument is in sight: the viewed step by default; null for
 * the newest. A null question asks nothing. Answers belong to one run: use the run number as the
 * component's key.
 */
export function useAsk<Value>(
  question: Question<Value> | null,
  step?: number | null,
): ShownAnswer<Value> {
  const { session, inSight } = useFirstInstrument();
  const { asker, lookedAt } = session() ?? {};
  const asked = step === undefined ? (lookedAt?.pastStep ?? null) : step;
  const resource = question === null ? null : (asker?.resource(asked, question) ?? null);
  const isSeen = inSight.value;
  const last = useRef<Answer<Value>>(NO_ANSWER);
  useEffect(() => (isSeen ? resource?.want() : undefined), [resource?.answer, isSeen]);
  const answer = resource?.answer.value ?? NO_ANSWER;
  if (answer.value !== null) last.current = answer;
  else if (answer.error !== null || question === null) {
    last.current = { ...last.current, error: answer.error };
  }
  const isStale = last.current.value !== null && answer.value === null;
  return { ...last.current, going: answer.going, isStale };
}

/** Calls `arrive` when the reader goes to the panel; see `Panel.focus`. */
export function useArrival(arrive: Arrive): void {
  const { arrivals } = useContextOnly();
  const newest = useRef(arrive);
  newest.current = arrive;
  useLayoutEffect(() => {
    const call: Arrive = (what, at) => newest.current(what, at);
    arrivals.add(call);
    return () => void arrivals.delete(call);
  }, [arrivals]);
}

/** Sets marks on the charts of other panels after each rendering with a new `key`. */
export function useChartMarks(instrument: string, key: string, make: MakeMarks): void {
  const { layers } = useFirstInstrument();
  const newest = useRef(make);
  newest.current = make;
  useEffect(() => {
    layers.set(instrument, () => newest.current());
    layers.changed();
  }, [key]);
  useEffect(
    () => () => {
      layers.set(instrument, () => []);
      layers.changed();
    },
    [],
  );
}

/** Sets the instrument's buttons beside the slider of the run bar after each change of them. */
export function useSliderActions(instrument: string, actions: readonly SliderAction[]): void {
  const { sliderActions } = useFirstInstrument();
  const newest = useRef(actions);
  newest.current = actions;
  const press = (name: string): void => {
    newest.current.find((action) => action.name === name)?.onPress();
  };
  useLayoutEffect(() => {
    const own = actions.map((one) => ({ ...one, onPress: () => press(one.name) }));
    sliderActions.value = { ...sliderActions.peek(), [instrument]: own };
  }, [JSON.stringify(actions)]);
  useEffect(
    () => () => {
      sliderActions.value = { ...sliderActions.peek(), [instrument]: [] };
    },
    [],
  );
}

export interface WrittenProps {
  readonly text: string;
  /** Whether instruments mark parts of the text; false while the text grows. */
  readonly isMarked: boolean;
  readonly class?: string;
  /** The `data-part` attribute. */
  readonly part?: string;
}

/** A text written by the model, with the marks of instruments. */
export function Written({ text, isMarked, class: name, part }: WrittenProps) {
  const { textMarks } = useFirstInstrument();
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    textMarks.show(element.current!, text, isMarked);
  });
  return <span ref={element} class={name} data-part={part} />;
}

/** A disclosure that stays open or closed when the instrument is recreated. */
export function KeptFold(props: {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  /** Whether the disclosure is open at first; false by default. */
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}) {
  const { kept } = useContextOnly();
  return <Fold {...props} open={kept(Folds).isOpen(props.name, props.isOpen)} />;
}
