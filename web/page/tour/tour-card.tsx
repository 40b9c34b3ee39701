/**
 * The tour: a card beside one part of the page at a time, which says what to look at in the first
 * minute and what each number means. It follows the run; the reader can go on at any time.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { panelWith, useInstrument } from '../../instruments/component.tsx';
import { HoldOut } from '../../instruments/hold-out.tsx';
import type { LaterContext, Panel } from '../../instruments/panel.ts';
import { keyOf } from '../../kit/keys.ts';
import { useEvents } from '../../kit/use-events.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { keep } from '../../store/storage.ts';
import type { Layout } from '../layout.ts';
import { TourAim } from './aim.ts';
import { hasBegun, STOPS, textsOf, useIsAloud } from './stops.ts';
import type { Stop } from './stops.ts';
import { TourPlace } from './tour-place.ts';

/** Elements of the page that the tour points at. */
type Stage = Pick<Layout, 'main' | 'section'>;

/** Shows the tour at its current stop. The focus moves to its card, unless it is `resumed`. */
export function showTour(stage: Stage, context: LaterContext, resumed: boolean): Panel {
  const container = document.createElement('div');
  container.style.display = 'contents';
  stage.main.append(container);
  const View = () => <Tour stage={stage} resumed={resumed} />;
  const panel = panelWith(View, 'always')(container, context);
  return {
    ...panel,
    destroy() {
      panel.destroy();
      container.remove();
    },
  };
}

interface TourProps {
  readonly stage: Stage;
  readonly resumed: boolean;
}

function Tour({ stage, resumed }: TourProps) {
  const { at } = useInstrument().kept(TourPlace);
  const [before] = useState(() => document.activeElement);
  const end = (): void => {
    keep('always', 'tour', 'done');
    at.value = null;
    if (before instanceof HTMLElement) before.focus();
  };
  const go = (to: number): void => {
    if (to === STOPS.length) end();
    else at.value = to;
  };
  const listener = {
    keydown: (event: KeyboardEvent): void => {
      if (keyOf(event) !== 'Escape' || at.value === null) return;
      event.preventDefault();
      end();
    },
  };
  // Inside an element of another page, the key must be used before it leaves the element.
  useEvents(stage.main, listener);
  useEvents(document, listener);
  if (at.value === null) return null;
  return <Card stage={stage} resumed={resumed} at={at.value} go={go} end={end} />;
}

interface CardProps extends TourProps {
  readonly at: number;
  readonly go: (to: number) => void;
  readonly end: () => void;
}

function Card({ stage, resumed, at, go, end }: CardProps) {
  const context = useInstrument();
  const { words, state } = context;
  const { t } = words;
  const stop = STOPS[at]!;
  const arrival = useMemo(
    () => ({ weightRead: state.weightRead, isWaiting: stop.id === 'start' && !hasBegun(context) }),
    [at],
  );
  const { title, text, live, isReached, gist } = textsOf(stop, context, arrival);
  const isAloud = useIsAloud(gist, text + live);
  const id = useFreshId('tour');
  const card = useRef<HTMLDivElement>(null);
  const aim = useRef<TourAim>(null);

  useLayoutEffect(() => {
    const parts = { card: card.current!, main: stage.main, runBar: stage.section('run') };
    const created = new TourAim(parts);
    aim.current = created;
    return () => created.destroy();
  }, []);
  // The first stop has another target once the run has begun.
  const isOther = stop.id === 'start' && isReached;
  useLayoutEffect(() => {
    const { spared } = stop;
    const also = spared === undefined ? null : stage.main.querySelector<HTMLElement>(spared);
    aim.current?.show(() => targetOf(stop, stage, isOther), also);
  }, [at, isOther]);
  const holdsOut = context.session()?.current?.data.hasValidation === true;
  useLayoutEffect(() => aim.current?.place(), [title, text, live, holdsOut]);
  useLayoutEffect(() => {
    // At later stops the focus is on the pressed button.
    if (at === 0 && !resumed) card.current?.focus({ preventScroll: true });
  }, [at]);
  const isOver = arrival.isWaiting && hasBegun(context);
  useLayoutEffect(() => {
    if (isOver) go(at + 1);
  }, [isOver]);

  return (
    <div
      ref={card}
      class="tour-note"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Enter goes on where no button of the card has the focus.
        if (keyOf(event) !== 'Enter' || event.target !== card.current) return;
        event.preventDefault();
        go(at + 1);
      }}
    >
      <div class="note-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="note-close"
          title={t('tour.end')}
          aria-label={t('tour.end')}
          onClick={end}
        >
          ×
        </button>
      </div>
      <div aria-live={isAloud ? 'polite' : 'off'}>
        <p>{text}</p>
        {live === '' ? null : <p class={`tour-live${isReached ? ' come' : ''}`}>{live}</p>}
      </div>
      {stop.id === 'memory' ? (
        <HoldOut onGone={() => card.current?.focus({ preventScroll: true })} />
      ) : null}
      <div class="tour-turn">
        <span class="muted">{t('tour.place', { at: at + 1, count: STOPS.length })}</span>
        <button type="button" class="secondary" disabled={at === 0} onClick={() => go(at - 1)}>
          {t('tour.back')}
        </button>
        <button type="button" class="primary" onClick={() => go(at + 1)}>
          {t(at === STOPS.length - 1 ? 'tour.done' : 'tour.next')}
        </button>
      </div>
    </div>
  );
}

/** The target of a stop; its section while the target is missing or has no height. */
function targetOf(stop: Stop, stage: Stage, isBegun: boolean): HTMLElement {
  const section = stage.section(stop.section);
  // A run that has begun has other buttons to explain than the large one.
  const part = section.querySelector<HTMLElement>(isBegun ? '.buttons' : stop.part);
  return part === null || part.offsetHeight === 0 ? section : part;
}
