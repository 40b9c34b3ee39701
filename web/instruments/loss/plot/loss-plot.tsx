/**
 * The plot: the charts, the figures of the selected step, notes on values outside the charts, and
 * input by keys and wheel.
 */
import { computed, effect, signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { stepRange } from '../../../data/loss-data.ts';
import { perFrame } from '../../../kit/dom.ts';
import { keyOf } from '../../../kit/keys.ts';
import { drawChanges } from '../../../kit/render.ts';
import { useResize } from '../../../kit/resize.ts';
import { readingAt } from '../../../store/training/loss-reading.ts';
import type { Losses, LossProps } from '../losses.ts';
import { Note } from '../notes.tsx';
import { chartsOf } from './loss-charts.ts';
import { LossTip } from './loss-tip.tsx';
import { listenForFingers } from './plot-fingers.ts';
import { sceneOf } from './plot-scene.ts';
import { pointSentence, undrawnSentence } from './plot-sentences.ts';
import type { StepChart } from './step-chart.ts';
import { cursorOf } from './step-cursor.ts';

export type LossPlot = ReturnType<typeof plotOf>;

function plotOf(box: HTMLElement, losses: Losses) {
  const { actions, data, look, marks, words } = losses;
  const turn = perFrame(draw, 'alone');
  const scene = sceneOf(box, losses, turn.request);
  const cursor = cursorOf(box, scene, actions.onLookAt);
  const charts = chartsOf(scene, cursor.plugin);
  /** Figures of the selected step; null if none is selected or the run has no value there. */
  const reading = computed(() => {
    const step = cursor.pointed.value;
    return step === null ? null : readingAt(data.value, look.value, step);
  });
  const sentence = computed(() =>
    reading.value === null ? null : pointSentence(reading.value, look.value, words),
  );
  /** Whether learning rates and gradient norms are shown. */
  const isMeasured = computed(() => {
    const [, end] = stepRange(data.value, look.value);
    return look.value.beneath && (data.value.history.measuredFrom ?? Infinity) <= end;
  });
  const shares = computed(() => marks.value.find((mark) => 'shares' in mark));
  const undrawn = signal('');

  function draw(): void {
    undrawn.value = undrawnSentence(scene, charts.draw(isMeasured.peek(), shares.peek()));
    cursor.keep();
  }

  /** Draws pending changes now. */
  function settle(): void {
    drawChanges();
    turn.settle();
    drawChanges();
  }

  /** Zooms in (`factor` below 1) or out around the step that `zoomPlace` chooses. */
  const zoom = (factor: number): void => scene.zoomAround(factor, cursor.chosen());

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const aside = (direction: 1 | -1) => (): void =>
      event.shiftKey ? scene.pan(direction / 4) : cursor.walk(direction);
    const chosen = cursor.chosen();
    const moves: Record<string, (() => void) | undefined> = {
      ArrowLeft: aside(-1),
      ArrowRight: aside(1),
      '+': () => zoom(0.5),
      '=': () => zoom(0.5),
      '-': () => zoom(2),
      '0': () => scene.show(null),
      Home: () => cursor.walkToEnd(0),
      End: () => cursor.walkToEnd(-1),
      Escape: cursor.isStopped() ? cursor.leave : undefined,
      Enter: chosen === null ? undefined : () => actions.onLookAt(chosen),
    };
    const move = moves[keyOf(event)];
    if (move === undefined) return;
    event.preventDefault();
    settle();
    const before = cursor.pointed.peek();
    move();
    // Only keys announce the step; the pointer moves too fast for speech.
    if (cursor.pointed.peek() !== before) losses.spoken.value = sentence.peek() ?? '';
  }

  function turnWheel(event: WheelEvent): void {
    // The wheel scrolls the page unless a modifier key is pressed.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
    const share = Math.min(1, Math.max(0, cursor.shareUnder(event.clientX)));
    scene.zoomAt(turned < 0 ? 0.8 : 1.25, share);
  }

  charts.curve.setBox(box);
  const stop = effect(() => {
    [data, look, marks].forEach(({ value }) => value);
    turn.request();
  });
  box.addEventListener('keydown', press);
  box.addEventListener('wheel', turnWheel, { passive: false });
  listenForFingers(box, scene, cursor, (x) => {
    settle();
    cursor.stopUnder(x);
  });
  const resize = (): void => {
    scene.styles.forget();
    charts.resize();
  };
  const destroy = (): void => {
    stop();
    turn.cancel();
    charts.curve.setBox(null);
  };
  const shown = { isMeasured, reading, sentence, shares, undrawn };
  return { ...shown, charts, cursor, destroy, resize, settle, zoom };
}

interface PlotProps extends LossProps {
  /** The element that the loss chart is drawn in. */
  readonly box: RefObject<HTMLElement | null>;
}

export function Plot({ losses, box }: PlotProps) {
  const { t } = losses.words;
  const [plot] = useState(() => plotOf(box.current!, losses));
  useLayoutEffect(() => {
    losses.plot.value = plot;
    return plot.destroy;
  }, [plot]);
  useResize(plot.resize);
  const { charts } = plot;
  const [isMeasured, shares] = [plot.isMeasured.value, plot.shares.value];
  return (
    <>
      <LossTip losses={losses} plot={plot} />
      {isMeasured || shares !== undefined ? (
        <div class="loss-beneath" aria-hidden="true">
          {isMeasured ? (
            <>
              <SmallChart title={t('loss.rate')} chart={charts.rates} />
              <SmallChart title={t('loss.norm')} chart={charts.norms} />
            </>
          ) : null}
          {shares === undefined ? null : <SmallChart title={shares.title} chart={charts.shares} />}
        </div>
      ) : null}
      <Note part="loss-beneath-note" text={plot.undrawn.value} />
    </>
  );
}

interface SmallChartProps {
  readonly title: string;
  readonly chart: StepChart;
}

function SmallChart({ title, chart }: SmallChartProps) {
  return (
    <>
      <p class="axis-title">{title}</p>
      <div ref={chart.setBox} class="loss-small" />
    </>
  );
}
