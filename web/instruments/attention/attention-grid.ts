/**
 * All heads at a glance: one small map for each head, layers as rows, which take several lines
 * where they are long. Each is a radio button.
 */
import type { Words } from '../../i18n/index.ts';
import { headWeights } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { colourScale, shade } from '../../kit/weight-colour.ts';
import { el, perFrame, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { habitOf, strengthOf } from '../../store/training/head-habits.ts';
import type { HeadMeasures } from '../../store/training/head-habits.ts';

export interface AttentionGridOptions {
  readonly words: Words;
  readonly isDark: () => boolean;
  readonly onChoose: (place: HeadPlace) => void;
}

export interface AttentionGridData {
  readonly attention: AttentionData | null;
  readonly chosen: HeadPlace;
  /** Of each head, layer by layer. */
  readonly measures: readonly HeadMeasures[];
}

/** More heads in a layer would take too many lines with words under their maps. */
const MOST_BADGES = 16;
/**
 * CSS pixels that a map with words takes at least, with the gap beside it; that it takes with the
 * words at its side, on a phone; where word and number have one line; and the name of its layer.
 */
const BADGE_ROOM = 58;
const BESIDE_ROOM = 82;
const LINE_ROOM = 92;
const LAYER_ROOM = 18;
/** CSS pixels that a box may cut off without hiding anything. */
const SLACK = 4;
/** How many layers and heads each key moves the choice by. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};

interface Cell {
  readonly place: HeadPlace;
  readonly button: HTMLButtonElement;
  readonly canvas: HTMLCanvasElement;
  /**
   * The habit below the map, and its strength, which goes to a line of its own before it is cut.
   */
  readonly habit: HTMLElement;
  readonly strength: HTMLElement;
}

export class AttentionGrid implements View<AttentionGridData> {
  readonly #container: HTMLElement;
  readonly #options: AttentionGridOptions;
  readonly #grid = el('div', { class: 'head-grid', role: 'radiogroup' });
  /** What a box of fixed height cuts off, faded at its edge and said below it. */
  readonly #more = el('p', { class: 'note' });
  #data: AttentionGridData = { attention: null, chosen: { layer: 0, head: 0 }, measures: [] };
  /** Where words stand beside their maps, as in the style sheet. */
  readonly #beside = matchMedia('(min-width: 24.25rem) and (max-width: 55.99rem)');
  #cells: Cell[] = [];
  #shape = '';
  /** Asking for sizes makes the browser lay the page out: only when they may have changed. */
  #measured = false;
  /** The width that there is for the maps; 0 until it is known. */
  #available = 0;
  readonly #draw = perFrame(() => this.#show());

  /** Creates the grid in `container`. */
  constructor(container: HTMLElement, options: AttentionGridOptions) {
    this.#container = container;
    this.#options = options;
    this.#grid.setAttribute('aria-label', options.words.t('attention.grid'));
    this.#grid.hidden = true;
    this.#more.hidden = true;
    container.append(this.#grid, this.#more);
    const remeasure = (): void => {
      this.#measured = false;
      this.#draw.request();
    };
    this.#grid.addEventListener('scroll', remeasure, { passive: true });
    this.#grid.addEventListener('keydown', (event) => this.#move(event));
  }

  update(next: AttentionGridData): void {
    this.#data = next;
    this.#draw.request();
  }

  resize(): void {
    this.#measured = false;
    this.#available = 0;
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  /** The pattern of radio groups: one stop for Tab, arrows move the choice. */
  #move(event: KeyboardEvent): void {
    const { attention, chosen } = this.#data;
    const move = MOVES[event.key];
    if (attention === null || move === undefined) return;
    event.preventDefault();
    const wrap = (value: number, count: number): number => (value + count) % count;
    const place = {
      layer: wrap(chosen.layer + move[0], attention.layers),
      head: wrap(chosen.head + move[1], attention.heads),
    };
    this.#options.onChoose(place);
    this.#cells[place.layer * attention.heads + place.head]?.button.focus();
  }

  #show(): void {
    const { attention } = this.#data;
    if (this.#available === 0) this.#available = this.#container.clientWidth;
    this.#grid.hidden = attention === null;
    if (attention === null) return;
    const { layers, heads } = attention;
    const wanted = `${String(layers)} ${String(heads)}`;
    const isNew = wanted !== this.#shape;
    if (isNew) {
      this.#build(layers, heads);
      this.#shape = wanted;
      this.#measured = false;
    }
    this.#nameHeads(heads);
    if (!this.#measured) {
      this.#fold(heads);
      this.#measured = this.#measureRest(layers);
    }
    // Building and laying out is work enough for one frame: new maps are drawn in the next.
    if (isNew) this.#draw.request();
    else this.#drawHeads(attention);
  }

  /** Makes the buttons anew; only when the number of layers or heads has changed. */
  #build(layers: number, heads: number): void {
    const { onChoose } = this.#options;
    this.#cells = [];
    const rows: HTMLElement[] = [];
    for (let layer = 0; layer < layers; layer++) {
      const row = el('div', { class: 'head-row-maps', role: 'presentation' });
      row.append(el('span', { class: 'layer-name', 'aria-hidden': 'true' }, String(layer + 1)));
      for (let head = 0; head < heads; head++) {
        const cell = createCell({ layer, head }, hasBadges(heads));
        cell.button.addEventListener('click', () => onChoose(cell.place));
        this.#cells.push(cell);
        row.append(cell.button);
      }
      rows.push(row);
    }
    this.#grid.replaceChildren(...rows);
  }

  /**
   * Puts the heads of a layer into as many lines as their words need, of the same length if they
   * can.
   */
  #fold(heads: number): void {
    const room = this.#available - LAYER_ROOM;
    const least = this.#beside.matches ? BESIDE_ROOM : BADGE_ROOM;
    const most = Math.max(1, Math.floor(room / least));
    const lines = hasBadges(heads) ? Math.ceil(heads / most) : 1;
    const columns = Math.ceil(heads / lines);
    this.#grid.style.setProperty('--columns', String(columns));
    this.#grid.style.setProperty('--lines', String(lines));
    // Not only where they happen to be long: maps must not move when a word changes.
    this.#grid.classList.toggle('badges-in-two', room / columns < LINE_ROOM);
  }

  /**
   * Says whether there are maps beyond the edges of the box; answers whether it could be measured.
   */
  #measureRest(layers: number): boolean {
    const { scrollTop, clientHeight, scrollHeight, classList } = this.#grid;
    const rest = scrollHeight - clientHeight;
    this.#more.hidden = rest <= SLACK;
    setText(this.#more, this.#options.words.t('attention.grid.more', { layers }));
    classList.toggle('more-above', rest > SLACK && scrollTop > SLACK);
    classList.toggle('more-below', scrollTop < rest - SLACK);
    // Out of sight nothing has a size.
    return clientHeight > 0;
  }

  /** Which head is chosen, and what each does. */
  #nameHeads(heads: number): void {
    const { t } = this.#options.words;
    const { chosen, measures } = this.#data;
    for (const [index, { place, button, habit, strength }] of this.#cells.entries()) {
      const isChosen = place.layer === chosen.layer && place.head === chosen.head;
      setAttribute(button, 'aria-checked', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      const known = this.#habitOfHead(measures[index]);
      setText(habit, known?.name ?? '');
      setText(strength, known?.strength ?? '');
      button.classList.toggle('quiet', known?.strength === '');
      const head = t('attention.head', { layer: place.layer + 1, head: place.head + 1 });
      const name = known === null ? head : `${head}: ${known.name} ${known.strength}`.trimEnd();
      setAttribute(button, 'aria-label', name);
      if (!hasBadges(heads)) setAttribute(button, 'title', name);
    }
  }

  #drawHeads(attention: AttentionData): void {
    const scale = colourScale(this.#options.isDark());
    for (const { place, canvas } of this.#cells) {
      drawHead(canvas, headWeights(attention, place), attention.tokens.length, scale);
    }
  }

  /** The habit of a head in a word or two, and its strength. */
  #habitOfHead(
    measures: HeadMeasures | undefined,
  ): { readonly name: string; readonly strength: string } | null {
    // A single token can look at itself only.
    if (measures === undefined || (this.#data.attention?.tokens.length ?? 0) < 2) return null;
    const { words } = this.#options;
    const habit = habitOf(measures);
    if (habit === null) return { name: words.t('attention.badge.none'), strength: '' };
    const strength = words.number(strengthOf(measures, habit), 2);
    return { name: words.t(`attention.badge.${habit}`), strength };
  }
}

function createCell(place: HeadPlace, hasBadge: boolean): Cell {
  const canvas = el('canvas', { 'aria-hidden': 'true' });
  const habit = el('span', { class: 'head-habit' });
  const strength = el('span', {});
  const badge = el('span', { class: 'head-badge', 'aria-hidden': 'true' }, habit, strength);
  const button = el(
    'button',
    { type: 'button', role: 'radio', class: 'head-cell' },
    canvas,
    hasBadge ? badge : null,
  );
  return { place, button, canvas, habit, strength };
}

/** Whether there are words under the maps of layers with this many heads. */
function hasBadges(heads: number): boolean {
  return heads <= MOST_BADGES;
}

/** One pixel a weight; CSS makes it large. What may not be looked at (the future) stays clear. */
function drawHead(
  canvas: HTMLCanvasElement,
  weights: Float32Array,
  size: number,
  scale: Uint8ClampedArray,
): void {
  if (canvas.width !== size) {
    canvas.width = size;
    canvas.height = size;
  }
  const context = canvas.getContext('2d');
  if (context === null) return;
  const image = context.createImageData(size, size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const cell = row * size + column;
      const at = shade(weights[cell] ?? 0) * 4;
      image.data.set(scale.subarray(at, at + 4), cell * 4);
    }
  }
  context.putImageData(image, 0, 0);
}
