/**
 * The curve itself, and, aligned beneath it, learning rate and gradient norm: loads uPlot when
 * there is something to draw, and lets keys, wheel and fingers at it. Draws what it is given, keeps
 * no state of the reader's but the place of the cursor.
 */
import type uPlot from 'uplot';
import { longestOf, MOST_POINTS, partOf } from '../../data/loss-data.ts';
import type { LossData, LossLook } from '../../data/loss-data.ts';
import type { Words } from '../../i18n/index.ts';
import { el, keptValues, perFrame, setText } from '../../kit/dom.ts';
import type { KeptValues } from '../../kit/dom.ts';
import type { StepMark } from '../../kit/layers.ts';
import { loadable } from '../../kit/loadable.ts';
import { BeneathCharts } from './beneath-charts.ts';
import { LossCurve } from './loss-curve.ts';
import { undrawnSentence } from './loss-sentences.ts';
import { otherCurves } from './loss-series.ts';
import { PlotFingers } from './plot-fingers.ts';
import { StepCursor } from './step-cursor.ts';
import { StepWindow } from './step-window.ts';

export interface LossPlotOptions {
  readonly words: Words;
  /** The reader wants to see these steps; null for all. */
  readonly onWindow: (window: LossLook['window']) => void;
  /** A step is pointed at; null for none. `aloud` when it was done by keys. */
  readonly onPoint: (step: number | null, aloud: boolean) => void;
  /** Draws what was chosen since the last frame: a key goes on from there. */
  readonly settle: () => void;
  /** What stands in front of the curve, whatever is drawn beneath. */
  readonly front: HTMLElement;
  /** The figures of the step that is pointed at, which stand beside its line. */
  readonly tip: HTMLElement;
}

/** What there is once uPlot has come. */
interface Charts {
  readonly curve: LossCurve;
  readonly cursor: StepCursor;
  readonly beneath: BeneathCharts;
}

export class LossPlot {
  readonly #container: HTMLElement;
  readonly #options: LossPlotOptions;
  readonly #main = el('div', { class: 'loss-plot', tabindex: '0', role: 'img' });
  readonly #beneathBox = el('div', { class: 'loss-beneath', 'aria-hidden': 'true', hidden: true });
  /** What the charts cannot draw, in words. */
  readonly #undrawn = el('p', { class: 'note', 'data-part': 'loss-beneath-note', hidden: true });
  readonly #window: StepWindow;
  readonly #styles: KeptValues;
  /** Steps that other instruments mark. */
  #marks: readonly StepMark[] = [];
  #Chart: typeof uPlot | null = null;
  #charts: Charts | null = null;
  readonly #turn = perFrame(() => {
    this.#draw();
  }, 'alone');
  readonly #coming = loadable(
    () => import('./curves.ts'),
    (curves) => {
      this.#Chart = curves.default;
      this.#turn.request();
    },
  );

  /** Creates the plot in `container`. */
  constructor(container: HTMLElement, options: LossPlotOptions) {
    const { words, onWindow, front, tip } = options;
    this.#container = container;
    this.#options = options;
    this.#window = new StepWindow(onWindow);
    this.#styles = keptValues(container);
    this.#main.setAttribute('aria-label', words.t('loss.chart'));
    const main = el('div', { class: 'loss-main' }, this.#main, front, tip);
    container.append(main, this.#beneathBox, this.#undrawn);
  }

  /** Draws in the next frames; `marks` are the steps that other instruments mark. */
  update(data: LossData, look: LossLook, marks: readonly StepMark[]): void {
    this.#window.data = data;
    this.#window.look = look;
    this.#marks = marks;
    // An empty chart says little: it comes once Start can be pressed.
    if (Number.isFinite(data.randomLoss) || longestOf(data) > 0) this.#coming.want();
    this.#turn.request();
  }

  /** Draws at once what it was given last, if that is not drawn yet. */
  settle(): void {
    this.#turn.settle();
  }

  /** Makes the window narrower (below 1) or wider, around what one is likely to look at. */
  zoom(factor: number): void {
    this.#window.zoomAround(factor, this.#charts?.cursor.chosen ?? null);
  }

  /** New size or colours. */
  resize(): void {
    this.#styles.forget();
    this.#charts?.curve.resize();
    this.#charts?.beneath.resize();
  }

  destroy(): void {
    this.#coming.cancel();
    this.#turn.cancel();
    this.#charts?.curve.destroy();
    this.#charts?.beneath.destroy();
    this.#container.replaceChildren();
  }

  #draw(): void {
    if (this.#Chart === null) return;
    const { curve, beneath, cursor } = (this.#charts ??= this.#make(this.#Chart));
    const { data, look, range } = this.#window;
    const part = partOf(look, range);
    const columns = data.history.columns(MOST_POINTS, part);
    curve.draw(columns, otherCurves(data, look, part), this.#marks);
    beneath.draw(columns, part);
    const cut = { losses: curve.cut, norms: beneath.spikes };
    setText(this.#undrawn, undrawnSentence(data, look, cut, this.#options.words));
    this.#undrawn.hidden = this.#undrawn.textContent === '';
    cursor.keep(range);
  }

  #make(Chart: typeof uPlot): Charts {
    const { words, tip, onPoint } = this.#options;
    const means = { Chart, window: this.#window, styles: this.#styles };
    const curve: LossCurve = new LossCurve(means, this.#main, words, {
      onHover: (step) => {
        cursor.hover(step);
      },
      staysPut: () => cursor.isStopped,
      onDrawn: () => {
        cursor.placeTip();
      },
    });
    const cursor: StepCursor = new StepCursor(this.#main, curve, tip, onPoint);
    this.#listen(curve, cursor);
    return { curve, cursor, beneath: new BeneathCharts(means, this.#beneathBox, words) };
  }

  #listen(curve: LossCurve, cursor: StepCursor): void {
    this.#main.addEventListener('keydown', (event) => {
      this.#press(event, cursor);
    });
    new PlotFingers(this.#main, curve, this.#window, (x) => {
      // What fingers have just drawn apart or along is read as it is now.
      this.#settleAll();
      cursor.stopAt(curve.stepUnder(x), false);
    });
    const wheel = (event: WheelEvent): void => {
      // Without a key the wheel scrolls the page, as everywhere.
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
      event.preventDefault();
      const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
      const share = Math.min(1, Math.max(0, curve.shareUnder(event.clientX)));
      this.#window.zoomAt(turned < 0 ? 0.8 : 1.25, share);
    };
    this.#main.addEventListener('wheel', wheel, { passive: false });
  }

  #press(event: KeyboardEvent, cursor: StepCursor): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const window = this.#window;
    const aside = (direction: 1 | -1) => (): void => {
      if (event.shiftKey) window.pan(direction / 4);
      else cursor.walk(direction);
    };
    const zoom = (factor: number) => (): void => {
      this.zoom(factor);
    };
    const moves: Record<string, () => void> = {
      ArrowLeft: aside(-1),
      ArrowRight: aside(1),
      '+': zoom(0.5),
      '=': zoom(0.5),
      '-': zoom(2),
      '0': () => {
        window.all();
      },
      Home: () => {
        cursor.walkToEnd(0);
      },
      End: () => {
        cursor.walkToEnd(-1);
      },
      Escape: () => {
        cursor.leave();
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#settleAll();
    move();
  }

  #settleAll(): void {
    this.#options.settle();
    this.settle();
  }
}
