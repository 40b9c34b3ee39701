/** The curves of the runs in one picture, which comes into sight once for each twin. */
import type { AllWords } from '../../i18n/index.ts';
import { el, scrollBehavior } from '../../kit/dom.ts';
import { THEMED } from '../../kit/palette.ts';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';

/**
 * Milliseconds after which the page around a run begun anew stands still. A smooth scroll that
 * begins earlier jumps: browsers that hold what is in sight do so without regard to its course.
 */
const SETTLED = 700;

export class TwinCurves {
  readonly root = el('div', { class: 'twin-curves' });
  readonly #words: AllWords;
  /** What the dashed curves are, if any is drawn. */
  readonly #dashed: HTMLElement;
  #shown = '';
  #later = 0;
  /** The next picture is to be brought into sight. */
  #awaited = false;

  constructor(words: AllWords) {
    this.#words = words;
    const attributes = { class: 'note', 'data-part': 'twin-dashed' };
    this.#dashed = el('p', attributes, words.t('twin.curves.dashed'));
  }

  /** Brings the next picture into sight. */
  bringNext(): void {
    this.#awaited = true;
  }

  /** The run of now is the first of `names`. Hidden with fewer than two runs. */
  draw(names: readonly string[], loss: LossData | null, look: LossState): void {
    this.root.hidden = names.length < 2 || loss === null;
    if (this.root.hidden || loss === null || this.root.clientWidth === 0) return;
    const width = Math.min(960, this.root.clientWidth);
    const { length } = loss.history;
    const shown = JSON.stringify([width, look, length, names]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const words = this.#words;
    const title = words.t('twin.curves', { step: length });
    const size = { width, height: width < 600 ? 280 : 320 };
    const name = names[0] ?? '';
    // It is drawn anew as it trains: with no more points than it has pixels.
    const drawn = [loss, ...loss.lines.filter((line) => line.shown)];
    const paired = drawn.some(({ history }) => history.validations.length > 0);
    const options = { words, title, palette: THEMED, size, heading: false, most: width, name };
    const picture = lossPicture(loss, { ...look, beneath: false }, { ...options, paired });
    this.root.replaceChildren(picture, ...(paired ? [this.#dashed] : []));
    // Then no more: a reader who scrolls on wants to be elsewhere.
    if (this.#awaited) this.#bring();
  }

  destroy(): void {
    window.clearTimeout(this.#later);
  }

  #bring(): void {
    this.#awaited = false;
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => {
      this.root.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
    }, SETTLED);
  }
}
