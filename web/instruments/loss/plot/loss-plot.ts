/**
 * The curve, and, aligned beneath it, learning rate and gradient norm: uPlot with what it lacks
 * (lines of other runs, zooming by keys and wheel). Draws what it is given, keeps no state of the
 * reader's but the place of the cursor.
 */
import { unitFactor } from '../../../data/loss-data.ts';
import type { LossData, LossState } from '../../../data/loss-data.ts';
import type { LossHistory } from '../../../data/loss-history.ts';
import { sentences } from '../../../i18n/index.ts';
import type { Words } from '../../../i18n/index.ts';
import { el, perFrame, setText } from '../../../kit/dom.ts';
import type { ChartMark } from '../../../kit/layers.ts';
import { LossCharts } from './loss-charts.ts';
import type { Cut } from './loss-charts.ts';
import { PlotFingers } from './plot-fingers.ts';
import { PlotScene } from './plot-scene.ts';
import type { SceneOptions } from './plot-scene.ts';
import { StepCursor } from './step-cursor.ts';

export interface LossPlotOptions extends SceneOptions {
  /** Another step is pointed at, or none; `aloud` when it was done by keys. */
  readonly onPoint: (aloud: boolean) => void;
  /** A step is to be looked at, wherever the run is shown. */
  readonly onLookAt: (step: number) => void;
  /** Draws what was chosen since the last frame: a key goes on from there. */
  readonly settle: () => void;
}

/** The view takes both from here: neither is needed before there is a curve. */
export { lossTable } from '../loss-table.ts';

export class LossPlot {
  readonly #settleView: () => void;
  readonly #scene: PlotScene;
  readonly #cursor: StepCursor;
  readonly #charts: LossCharts;
  readonly #onLookAt: (step: number) => void;
  /** What the charts cannot draw, in words. */
  readonly #undrawn = el('p', { class: 'note', 'data-part': 'loss-beneath-note', hidden: true });
  /** What other instruments mark. */
  #marks: readonly ChartMark[] = [];
  readonly #turn = perFrame(() => {
    this.#draw();
  }, 'alone');

  /** Creates the plot in `main`, with figures in front of it; the rest at the end of `frame`. */
  constructor(main: HTMLElement, frame: HTMLElement, options: LossPlotOptions) {
    this.#settleView = options.settle;
    this.#scene = new PlotScene(main, options);
    this.#cursor = new StepCursor(main, this.#scene, options.onPoint, options.onLookAt);
    this.#onLookAt = options.onLookAt;
    this.#charts = new LossCharts(main, this.#scene, this.#cursor.plugin);
    main.after(this.#cursor.figures.root);
    frame.append(this.#charts.beneath, this.#undrawn);
    main.addEventListener('keydown', this.#press);
    main.addEventListener('wheel', this.#wheel, { passive: false });
    new PlotFingers(main, this.#scene, this.#cursor, (x) => {
      // What fingers have just drawn apart or along is read as it is now.
      this.#settleAll();
      this.#cursor.stopUnder(x);
    });
  }

  /** What is known of the step that is pointed at; null if no step is. */
  get sentence(): string | null {
    return this.#cursor.sentence;
  }

  /** Draws in the next frames; `marks` are what other instruments mark. */
  update(data: LossData, look: LossState, marks: readonly ChartMark[]): void {
    this.#scene.data = data;
    this.#scene.look = look;
    this.#marks = marks;
    this.#cursor.showTip();
    this.#turn.request();
  }

  /** Draws at once what it was given last, if that is not drawn yet. */
  settle(): void {
    this.#turn.settle();
  }

  /** Makes the window narrower (below 1) or wider, around what one is likely to look at. */
  zoom(factor: number): void {
    this.#scene.zoomAround(factor, this.#cursor.chosen);
  }

  /** New size or colours. */
  resize(): void {
    this.#scene.styles.forget();
    this.#charts.resize();
  }

  destroy(): void {
    this.#turn.cancel();
    this.#charts.destroy();
  }

  #settleAll(): void {
    this.#settleView();
    this.settle();
  }

  #draw(): void {
    const text = undrawnSentence(this.#scene, this.#charts.draw(this.#marks));
    setText(this.#undrawn, text);
    this.#undrawn.hidden = text === '';
    this.#cursor.keep();
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [scene, cursor] = [this.#scene, this.#cursor];
    const aside = (direction: 1 | -1): void => {
      if (event.shiftKey) scene.pan(direction / 4);
      else cursor.walk(direction);
    };
    const moves: Record<string, (() => void) | undefined> = {
      ArrowLeft: aside.bind(null, -1),
      ArrowRight: aside.bind(null, 1),
      '+': this.zoom.bind(this, 0.5),
      '=': this.zoom.bind(this, 0.5),
      '-': this.zoom.bind(this, 2),
      '0': scene.all.bind(scene),
      Home: cursor.walkToEnd.bind(cursor, 0),
      End: cursor.walkToEnd.bind(cursor, -1),
      Escape: cursor.leave.bind(cursor),
      Enter: () => {
        if (cursor.chosen !== null) this.#onLookAt(cursor.chosen);
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#settleAll();
    move();
  };

  readonly #wheel = (event: WheelEvent): void => {
    // Without a key the wheel scrolls the page, as everywhere.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    const turned = event.deltaY === 0 ? event.deltaX : event.deltaY;
    const share = Math.min(1, Math.max(0, this.#cursor.shareUnder(event.clientX)));
    this.#scene.zoomAt(turned < 0 ? 0.8 : 1.25, share);
  };
}

/** What the picture of the losses cuts off, and what the charts beneath it cannot draw. */
function undrawnSentence(
  { data, look, words }: PlotScene,
  cut: ReturnType<LossCharts['draw']>,
): string {
  const { t } = words;
  const said: string[] = [];
  const loss = highestOf(cut.losses);
  if (loss !== null) {
    const value = loss.value * unitFactor(look, data.tokensPerCharacter.train);
    const at = { loss: words.number(value, 2), step: words.number(loss.step) };
    said.push(t('loss.cut', { count: cut.losses.length, ...at }));
  }
  if (look.beneath) said.push(...unmeasured(data.history, words));
  const norm = highestOf(cut.norms);
  if (norm !== null) {
    const at = { norm: words.short(norm.value), step: words.number(norm.step) };
    said.push(t('loss.norm.cut', { count: cut.norms.length, ...at }));
  }
  return sentences(said, words);
}

/** From which step on learning rate and gradient norm are known, unless from the first. */
function unmeasured({ length, measuredFrom }: LossHistory, { t, number }: Words): string[] {
  if (length === 0) return [t('loss.beneath.before')];
  if (measuredFrom === undefined) return [t('loss.beneath.none')];
  return measuredFrom > 1 ? [t('loss.beneath.from', { step: number(measuredFrom) })] : [];
}

/** The highest of these; null of none. */
function highestOf(marked: Cut): Cut[number] | null {
  const [first, ...rest] = marked;
  if (first === undefined) return null;
  return rest.reduce((best, one) => (one.value > best.value ? one : best), first);
}
