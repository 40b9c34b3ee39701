/** Draws the shapes of a diagram from top to bottom, as SVG elements. */
import type { AllWords } from '../../i18n/index.ts';
import type { Shape } from '../../store/training/architecture.ts';
import { freshId, svg } from '../../kit/dom.ts';
import { shapeText } from './part-names.ts';

export interface DiagramBox {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly detail: string;
  readonly kind: 'learns' | 'plain' | 'closed';
  /** For screen readers. */
  readonly name: string;
}

export class DiagramPen {
  /** Where the next thing begins. */
  y = 2;
  /** The shape of what flows out of the last part. */
  lastShape: Shape = [];
  readonly #words: AllWords;
  readonly #head = freshId('arrow');
  readonly #shapes: SVGElement[] = [];

  constructor(words: AllWords) {
    this.#words = words;
  }

  /** All that was drawn, from back to front. */
  drawing(): SVGElement[] {
    const head = svg('path', { d: 'M0 0 8 4 0 8z', class: 'arrow-head' });
    const size = { viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7 };
    const marker = svg('marker', { id: this.#head, ...size, orient: 'auto' }, head);
    return [svg('defs', {}, marker), ...this.#shapes];
  }

  /** An arrow down, with the shape of what flows. */
  arrow(x: number, length: number, shape: Shape): void {
    const to = this.y + length;
    this.path(`M${String(x)} ${String(this.y)} V${String(to - 2)}`, true);
    if (shape.length > 0) {
      const text = shapeText(shape, this.#words);
      this.text(x + 10, this.y + length / 2 + 3, text, 'shape', 'start');
    }
    this.y = to;
  }

  path(d: string, headed = false): void {
    const attributes = headed ? { 'marker-end': `url(#${this.#head})` } : {};
    this.#shapes.push(svg('path', { d, class: 'wire', 'aria-hidden': 'true', ...attributes }));
  }

  box({ x, width, height, title, detail, kind, name }: DiagramBox): SVGGElement {
    const { y } = this;
    const middle = y + height / 2 + 4;
    const button = svg(
      'g',
      { class: `part part-${kind}`, role: 'button', 'aria-label': name },
      svg('rect', { x, y, width, height, rx: 6 }),
      svg('text', { x: x + 10, y: middle, class: 'part-title' }, title),
    );
    this.#shapes.push(button);
    // Beside the button: its name says the count in words of its own.
    this.text(x + width - 10, middle, detail, 'count', 'end');
    this.y += height;
    return button;
  }

  /** A circle with a plus. */
  circle(x: number, y: number, name: string): SVGGElement {
    const button = svg(
      'g',
      { class: 'part part-plain', role: 'button', 'aria-label': name },
      // A finger needs more than the circle.
      svg('rect', { x: x - 16, y: y - 16, width: 32, height: 32, class: 'part-reach' }),
      svg('circle', { cx: x, cy: y, r: 11 }),
      svg('path', { d: `M${String(x - 5)} ${String(y)}h10M${String(x)} ${String(y - 5)}v10` }),
    );
    this.#shapes.push(button);
    return button;
  }

  /** A frame behind everything that is inside of it. */
  frame(x: number, y: number, width: number, height: number): void {
    this.#shapes.unshift(svg('rect', { x, y, width, height, rx: 10, class: 'block-frame' }));
  }

  text(x: number, y: number, text: string, kind: string, anchor: string): void {
    const attributes = { x, y, class: `diagram-${kind}`, 'text-anchor': anchor };
    this.#shapes.push(svg('text', { ...attributes, 'aria-hidden': 'true' }, text));
  }
}
