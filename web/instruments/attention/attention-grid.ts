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
 * CSS pixels that a map with words takes at least, with the gap beside it; that it takes where word
 * and number have one line; and the name of its layer.
 */
const BADGE_ROOM = 58;
const LINE_ROOM = 92;
const LAYER_ROOM = 18;
/** CSS pixels that a box may cut off without hiding anything. */
const SLACK = 4;

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

/** Creates the grid in `container`. */
export function createAttentionGrid(
  container: HTMLElement,
  options: AttentionGridOptions,
): View<AttentionGridData> {
  const { words, isDark, onChoose } = options;
  const grid = el('div', { class: 'head-grid', role: 'radiogroup' });
  grid.setAttribute('aria-label', words.t('attention.grid'));
  grid.hidden = true;
  // What a box of fixed height cuts off, faded at its edge and said below it.
  const more = el('p', { class: 'note' });
  more.hidden = true;
  container.append(grid, more);
  let data: AttentionGridData = {
    ...{ attention: null, chosen: { layer: 0, head: 0 }, measures: [] },
  };
  let cells: Cell[] = [];
  let shape = '';
  /** Asking for sizes makes the browser lay the page out: only when they may have changed. */
  let measured = false;
  /** The width that there is for the maps; 0 until it is known. */
  let room = 0;

  /** Makes the buttons anew; only when the number of layers or heads has changed. */
  function build(layers: number, heads: number): void {
    cells = [];
    const rows: HTMLElement[] = [];
    for (let layer = 0; layer < layers; layer++) {
      const row = el('div', { class: 'head-row-maps', role: 'presentation' });
      row.append(el('span', { class: 'layer-name', 'aria-hidden': 'true' }, String(layer + 1)));
      for (let head = 0; head < heads; head++) {
        const place = { layer, head };
        const canvas = el('canvas', { 'aria-hidden': 'true' });
        const habit = el('span', { class: 'head-habit' });
        const strength = el('span', {});
        const badge = el('span', { class: 'head-badge', 'aria-hidden': 'true' }, habit, strength);
        const button = el(
          'button',
          { type: 'button', role: 'radio', class: 'head-cell' },
          canvas,
          hasBadges(heads) ? badge : null,
        );
        button.addEventListener('click', () => {
          onChoose(place);
        });
        cells.push({ place, button, canvas, habit, strength });
        row.append(button);
      }
      rows.push(row);
    }
    grid.replaceChildren(...rows);
  }

  /**
   * Puts the heads of a layer into as many lines as their words need, of the same length if they
   * can.
   */
  function fold(heads: number): void {
    const most = Math.max(1, Math.floor((room - LAYER_ROOM) / BADGE_ROOM));
    const lines = hasBadges(heads) ? Math.ceil(heads / most) : 1;
    const columns = Math.ceil(heads / lines);
    grid.style.setProperty('--columns', String(columns));
    grid.style.setProperty('--lines', String(lines));
    // Not only where they happen to be long: maps must not move when a word changes.
    grid.classList.toggle('badges-in-two', (room - LAYER_ROOM) / columns < LINE_ROOM);
  }

  /**
   * Says whether there are maps beyond the edges of the box; answers whether it could be measured.
   */
  function measureRest(layers: number): boolean {
    const { scrollTop, clientHeight, scrollHeight } = grid;
    const rest = scrollHeight - clientHeight;
    more.hidden = rest <= SLACK;
    setText(more, words.t('attention.grid.more', { layers }));
    grid.classList.toggle('more-above', rest > SLACK && scrollTop > SLACK);
    grid.classList.toggle('more-below', scrollTop < rest - SLACK);
    // Out of sight nothing has a size.
    return clientHeight > 0;
  }
  grid.addEventListener(
    'scroll',
    () => {
      measured = false;
      draw.request();
    },
    { passive: true },
  );

  // The pattern of radio groups: one stop for Tab, arrows move the choice.
  grid.addEventListener('keydown', (event) => {
    const { attention, chosen } = data;
    if (attention === null) return;
    const moves: Record<string, [number, number]> = {
      ArrowRight: [0, 1],
      ArrowLeft: [0, -1],
      ArrowDown: [1, 0],
      ArrowUp: [-1, 0],
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const wrap = (value: number, count: number): number => (value + count) % count;
    const place = {
      layer: wrap(chosen.layer + move[0], attention.layers),
      head: wrap(chosen.head + move[1], attention.heads),
    };
    onChoose(place);
    cells[place.layer * attention.heads + place.head]?.button.focus();
  });

  const draw = perFrame(() => {
    const { attention } = data;
    if (room === 0) room = container.clientWidth;
    grid.hidden = attention === null;
    if (attention === null) return;
    const wanted = `${String(attention.layers)} ${String(attention.heads)}`;
    const isNew = wanted !== shape;
    if (isNew) {
      build(attention.layers, attention.heads);
      shape = wanted;
      measured = false;
    }
    nameHeads(attention.heads);
    if (!measured) {
      fold(attention.heads);
      measured = measureRest(attention.layers);
    }
    // Building and laying out is work enough for one frame: new maps are drawn in the next.
    if (isNew) draw.request();
    else drawHeads(attention);
  });

  /** Which head is chosen, and what each does. */
  function nameHeads(heads: number): void {
    const { chosen } = data;
    for (const [index, { place, button, habit, strength }] of cells.entries()) {
      const isChosen = place.layer === chosen.layer && place.head === chosen.head;
      setAttribute(button, 'aria-checked', String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
      const known = habitOfHead(data.measures[index]);
      setText(habit, known?.name ?? '');
      setText(strength, known?.strength ?? '');
      button.classList.toggle('quiet', known?.strength === '');
      const head = words.t('attention.head', { layer: place.layer + 1, head: place.head + 1 });
      const name = known === null ? head : `${head}: ${known.name} ${known.strength}`.trimEnd();
      setAttribute(button, 'aria-label', name);
      if (!hasBadges(heads)) setAttribute(button, 'title', name);
    }
  }

  function drawHeads(attention: AttentionData): void {
    const scale = colourScale(isDark());
    for (const { place, canvas } of cells) {
      drawHead(canvas, headWeights(attention, place), attention.tokens.length, scale);
    }
  }

  /** The habit of a head in a word or two, and its strength. */
  function habitOfHead(
    measures: HeadMeasures | undefined,
  ): { readonly name: string; readonly strength: string } | null {
    // A single token can look at itself only.
    if (measures === undefined || (data.attention?.tokens.length ?? 0) < 2) return null;
    const habit = habitOf(measures);
    if (habit === null) return { name: words.t('attention.badge.none'), strength: '' };
    const strength = words.number(strengthOf(measures, habit), 2);
    return { name: words.t(`attention.badge.${habit}`), strength };
  }

  return {
    update(next) {
      data = next;
      draw.request();
    },
    resize() {
      measured = false;
      room = 0;
      draw.request();
    },
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
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
