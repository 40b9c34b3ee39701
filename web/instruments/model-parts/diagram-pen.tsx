/** Draws the shapes of a diagram from top to bottom. */
import type { JSX } from 'preact';
import type { AllWords } from '../../i18n/index.ts';
import type { Shape } from '../../store/training/architecture.ts';
import { shapeText } from './part-names.ts';

/** A part that can be chosen. */
export interface DiagramButton {
  /** Unique in the diagram. */
  readonly key: string;
  readonly kind: 'learns' | 'plain' | 'closed';
  /** Accessible name. */
  readonly name: string;
  /** Whether it is chosen; undefined if it only opens a block. */
  readonly isPressed?: boolean;
  /** Whether the Tab key stops here. */
  readonly isStop: boolean;
  readonly onPress: () => void;
}

export interface DiagramBox extends DiagramButton {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly detail: string;
}

export class DiagramPen {
  /** Where the next shape begins. */
  y = 2;
  /** Shape of the output of the last part. */
  lastShape: Shape = [];
  /** All shapes, from back to front. */
  readonly shapes: JSX.Element[] = [];
  readonly #words: AllWords;
  /** Id of the arrow head. */
  readonly #head: string;

  constructor(words: AllWords, head: string) {
    this.#words = words;
    this.#head = head;
    this.shapes.push(
      <defs>
        <marker
          id={head}
          viewBox="0 0 8 8"
          refX={7}
          refY={4}
          markerWidth={7}
          markerHeight={7}
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" class="arrow-head" />
        </marker>
      </defs>,
    );
  }

  /** An arrow down, with the shape of what flows. */
  arrow(x: number, length: number, shape: Shape): void {
    const { y } = this;
    this.arrowAlong(`M${String(x)} ${String(y)} V${String(y + length - 2)}`);
    if (shape.length > 0) {
      this.text(x + 10, y + length / 2 + 3, shapeText(shape, this.#words), 'shape', 'start');
    }
    this.y = y + length;
  }

  /** A line along the path, with an arrow head. */
  arrowAlong(d: string): void {
    const end = `url(#${this.#head})`;
    this.shapes.push(<path d={d} class="wire" aria-hidden="true" marker-end={end} />);
  }

  box({ x, width, height, title, detail, ...button }: DiagramBox): void {
    const { y } = this;
    const middle = y + height / 2 + 4;
    this.#button(
      button,
      <>
        <rect x={x} y={y} width={width} height={height} rx={6} />
        <text x={x + 10} y={middle} class="part-title">
          {title}
        </text>
      </>,
    );
    // Beside the button: its name says the count in words of its own.
    this.text(x + width - 10, middle, detail, 'count', 'end');
    this.y += height;
  }

  /** A circle with a plus. */
  circle(x: number, y: number, button: DiagramButton): void {
    const plus = `M${String(x - 5)} ${String(y)}h10M${String(x)} ${String(y - 5)}v10`;
    this.#button(
      button,
      <>
        {/* A finger needs more than the circle. */}
        <rect x={x - 16} y={y - 16} width={32} height={32} class="part-reach" />
        <circle cx={x} cy={y} r={11} />
        <path d={plus} />
      </>,
    );
  }

  /** A frame behind the shapes. */
  frame(x: number, y: number, width: number, height: number): void {
    const size = { x, y, width, height };
    this.shapes.unshift(<rect {...size} rx={10} class="block-frame" />);
  }

  text(x: number, y: number, text: string, kind: string, anchor: 'start' | 'end'): void {
    this.shapes.push(
      <text x={x} y={y} class={`diagram-${kind}`} text-anchor={anchor} aria-hidden="true">
        {text}
      </text>,
    );
  }

  #button(
    { key, kind, name, isPressed, isStop, onPress }: DiagramButton,
    children: JSX.Element,
  ): void {
    this.shapes.push(
      <g
        key={key}
        class={`part part-${kind}`}
        role="button"
        aria-label={name}
        aria-pressed={isPressed}
        tabindex={isStop ? 0 : -1}
        onClick={onPress}
      >
        {children}
      </g>,
    );
  }
}
