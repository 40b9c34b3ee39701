/**
 * The plot: the charts, figures of the step that is pointed at, and what the charts cannot draw.
 * Loads with uPlot once there is something to draw, and with it all that is needed no earlier.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { stepRange } from '../../../data/loss-data.ts';
import { perFrame } from '../../../kit/dom.ts';
import type { SharesMark } from '../../../kit/layers.ts';
import { drawChanges } from '../../../kit/render.ts';
import { useResize } from '../../../kit/resize.ts';
import { readingAt } from '../../../store/training/loss-reading.ts';
import type { LossReading } from '../../../store/training/loss-reading.ts';
import type { Losses, LossProps } from '../losses.ts';
import { Note } from '../notes.tsx';
import { LossCharts } from './loss-charts.ts';
import { LossTip } from './loss-tip.tsx';
import { listenForFingers } from './plot-fingers.ts';
import { PlotScene } from './plot-scene.ts';
import { pointSentence, undrawnSentence } from './plot-sentences.ts';
import type { StepChart } from './step-chart.ts';
import { StepCursor } from './step-cursor.ts';

export class LossPlot {
  readonly cursor: StepCursor;
  readonly charts: LossCharts;
  /** The figures of the step that is pointed at; null for none. */
  readonly reading: ReadonlySignal<LossReading | null>;
  /** The same in words. */
  readonly sentence: ReadonlySignal<string | null>;
  /** Whether learning rates and gradient norms are shown. */
  readonly isMeasured: ReadonlySignal<boolean>;
  readonly shares: ReadonlySignal<SharesMark | undefined>;
  readonly undrawn = signal('');
  readonly #losses: Losses;
  readonly #scene: PlotScene;
  readonly #turn = perFrame(() => this.#draw(), 'alone');
  readonly #unsubscribe: () => void;

  constructor(box: HTMLElement, losses: Losses) {
    const { data, look, marks, words } = losses;
    this.#losses = losses;
    this.#scene = new PlotScene(box, losses, this.#turn.request);
    this.cursor = new StepCursor(box, this.#scene, losses.actions.onLookAt);
    this.charts = new LossCharts(this.#scene, this.cursor.plugin);
    this.charts.curve.setBox(box);
    this.reading = computed(() => {
      const step = this.cursor.pointed.value;
      return step === null ? null : readingAt(data.value, look.value, step);
    });
    this.sentence = computed(() => {
      const reading = this.reading.value;
      return reading === null ? null : pointSentence(reading, look.value, words);
    });
    this.isMeasured = computed(() => {
      const [, end] = stepRange(data.value, look.value);
      return look.value.beneath && (data.value.history.measuredFrom ?? Infinity) <= end;
    });
    this.shares = computed(() => marks.value.find((mark) => 'shares' in mark));
    const drawn = computed(() => [data.value, look.value, marks.value]);
    this.#unsubscribe = drawn.subscribe(this.#turn.request);
    box.addEventListener('keydown', this.#press);
    box.addEventListener('wheel', this.#wheel, { passive: false });
    listenForFingers(box, this.#scene, this.cursor, (x) => {
      this.settle();
      this.cursor.stopUnder(x);
    });
  }

  /** Draws now what waits for a frame. */
  settle(): void {
    drawChanges();
    this.#turn.settle();
    drawChanges();
  }

  /** Zooms in (`factor` below 1) or out around the step that a reader is likely to look at. */
  zoom(factor: number): void {
    this.#scene.zoomAround(factor, this.cursor.chosen);
  }

  readonly resize = (): void => {
    this.#scene.styles.forget();
    this.charts.resize();
  };

  readonly destroy = (): void => {
    this.#unsubscribe();
    this.#turn.cancel();
    this.charts.curve.setBox(null);
  };

  #draw(): void {
    const cut = this.charts.draw(this.isMeasured.peek(), this.shares.peek());
    this.undrawn.value = undrawnSentence(this.#scene, cut);
    this.cursor.keep();
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [scene, { cursor }] = [this.#scene, this];
    const aside = (direction: 1 | -1) => (): void =>
      event.shiftKey ? scene.pan(direction / 4) : cursor.walk(direction);
    const moves: Record<string, (() => void) | undefined> = {
      ArrowLeft: aside(-1),
      ArrowRight: aside(1),
      '+': () => this.zoom(0.5),
      '=': () => this.zoom(0.5),
      '-': () => this.zoom(2),
      '0': () => scene.losses.show(null),
      Home: () => cursor.walkToEnd(0),
      End: () => cursor.walkToEnd(-1),
      Escape: () => cursor.leave(),
      Enter: () => {
        if (cursor.chosen !== null) this.#losses.actions.onLookAt(cursor.chosen);
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.settle();
    const before = cursor.pointed.peek();
    move();
    // The pointer moves too fast to be read out, keys do not.
    if (cursor.pointed.peek() !== before) this.#losses.say(this.sentence.peek());
  };

  readonly #wheel = (event: WheelEvent): void => {
    // Without a key the wheel scrolls the page.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
    const share = Math.min(1, Math.max(0, this.cursor.shareUnder(event.clientX)));
    this.#scene.zoomAt(turned < 0 ? 0.8 : 1.25, share);
  };
}

interface PlotProps extends LossProps {
  /** The box of the curve. */
  readonly box: RefObject<HTMLElement | null>;
}

export function Plot({ losses, box }: PlotProps) {
  const { t } = losses.words;
  const [plot] = useState(() => new LossPlot(box.current!, losses));
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
