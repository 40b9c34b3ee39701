/**
 * Instruments as components: a panel that renders its component whenever the page has changed and
 * the panel is in sight, and what the component reads of the page.
 */
import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { Component, createContext } from 'preact';
import type { ComponentChildren, ComponentType } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AllWords } from '../i18n/index.ts';
import { Fold } from '../kit/fold.tsx';
import { Folds } from '../kit/folds.ts';
import { watchShown, watchSight } from '../kit/in-sight.ts';
import type { MakeMarks } from '../kit/layers.ts';
import { drawChanges, render } from '../kit/render.ts';
import { Resized } from '../kit/resize.ts';
import { NO_ANSWER } from '../store/ask.ts';
import type { Answer, Question } from '../store/ask.ts';
import type { CreateLaterPanel, LaterContext, Panel } from './panel.ts';

interface Instrument extends LaterContext {
  /** Whether a reader sees the instrument, on the screen or in print; see `panelWith`. */
  readonly inSight: ReadonlySignal<boolean>;
  /** Counts the changes of the page, as far as the instrument hears of them. */
  readonly changes: ReadonlySignal<number>;
  /** Called when somebody goes to the panel. */
  readonly arrivals: Set<Arrive>;
}

type Arrive = NonNullable<Panel['focus']>;

const Context = createContext<Instrument | null>(null);

/** Renders the component again when the signal changes. */
function useSubscription(changes: ReadonlySignal<number>): number {
  return changes.value;
}

function useContextOnly(): Instrument {
  const found = useContext(Context);
  if (found === null) throw new Error('no instrument around this component');
  return found;
}

/** What a component may read of the page, and do; it is rendered again when the page changes. */
export function useInstrument(): Instrument {
  const found = useContextOnly();
  useSubscription(found.changes);
  return found;
}

/** The words alone, for components that are rendered only when their parent or a signal changes. */
export function useWords(): AllWords {
  return useContextOnly().words;
}

/**
 * When the component hears of changes: while it is in sight; while its tab is open, wherever the
 * page is scrolled to, because readers find its controls by name or by keys; or always, because
 * others show its marks, or because it has something to do while it shows nothing.
 */
type Hears = 'in sight' | 'open' | 'always';

/** A panel that shows a component. */
export function panelWith(View: ComponentType, hears: Hears = 'in sight'): CreateLaterPanel {
  return (container, context) => {
    const always = hears === 'always';
    const [inSight, changes] = [signal(always), signal(0)];
    const resized = new Set<() => void>();
    const watch = hears === 'open' ? watchShown : watchSight;
    const changed = (): void => {
      inSight.value = sight!.visible();
      if (inSight.value) changes.value += 1;
    };
    const sight = always ? null : watch(container, changed);
    const arrivals = new Set<Arrive>();
    const instrument: Instrument = { ...context, inSight, changes, arrivals };
    render(
      <Context.Provider value={instrument}>
        <Resized.Provider value={resized}>
          <Boundary broken={(name) => context.words.t('app.broken', { name })}>
            <View />
          </Boundary>
        </Resized.Provider>
      </Context.Provider>,
      container,
    );
    return {
      update() {
        // An empty panel cannot come into sight before it is rendered.
        if (!inSight.value && container.hasChildNodes()) return;
        changes.value += 1;
        drawChanges();
      },
      resize() {
        for (const resize of resized) resize();
      },
      focus(what, at) {
        for (const arrive of arrivals) arrive(what, at);
        drawChanges();
      },
      destroy() {
        sight?.destroy();
        render(null, container);
      },
    };
  };
}

interface BoundaryProps {
  readonly broken: (message: string) => string;
  readonly children: ComponentChildren;
}

/** An instrument that throws says so in its place. */
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

/** An answer as it is shown: the last value and the last error stay until there is another. */
export interface ShownAnswer<Value> extends Answer<Value> {
  /** The value belongs to an earlier question. */
  readonly isStale: boolean;
}

/**
 * What the model of `step` (null: the newest) answers, asked while the instrument is in sight. Null
 * for no question. A component shows answers of one run: give it the number of the run as its key.
 */
export function useAsk<Value>(
  step: number | null,
  question: Question<Value> | null,
): ShownAnswer<Value> {
  const { session, inSight } = useInstrument();
  const asker = session()?.asker ?? null;
  const resource = question === null ? null : (asker?.resource(step, question) ?? null);
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

/** Does what the panel does when somebody goes to it; see `focus` of panels. */
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

/** Marks on the charts of others, as they are after each rendering in which `key` differs. */
export function useChartMarks(instrument: string, key: string, make: MakeMarks): void {
  const { layers } = useInstrument();
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

export interface WrittenProps {
  readonly text: string;
  /** Whether instruments mark parts of it: not while it grows. */
  readonly isMarked: boolean;
  readonly class?: string;
}

/** A text that the model wrote, with the marks of instruments. */
export function Written({ text, isMarked, class: name }: WrittenProps) {
  const { textMarks } = useInstrument();
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    textMarks.show(element.current!, text, isMarked);
  });
  return <span ref={element} class={name} />;
}

/** A disclosure that stays open or closed when the instrument is made anew. */
export function KeptFold(props: {
  readonly name: string;
  readonly kind: string;
  readonly title: string;
  readonly children: () => ComponentChildren;
}) {
  const { kept } = useContextOnly();
  return <Fold {...props} open={kept(Folds).isOpen(props.name)} />;
}
