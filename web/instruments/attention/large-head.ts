/**
 * The head that is shown large, as a map or as arcs, with its name, and what can be done with its
 * pictures. Map and arcs read the same row.
 */
import { withNumbers } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { AttentionArcs } from './attention-arcs.ts';
import { AttentionMap } from './attention-map.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { cssValue, el, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { idle } from '../../kit/idle.ts';
import { loadable } from '../../kit/loadable.ts';
import type { Loadable } from '../../kit/loadable.ts';
import { createExport } from '../../kit/export-picture.ts';
import type { Folds } from '../../kit/folds.ts';
import type { Cell } from '../../base/cell.ts';
import { fileName } from '../../base/file-name.ts';

/** How the large head is looked at. */
export interface AttentionState {
  shape: 'map' | 'arcs';
  /** The token whose row is read; -1 for the last. */
  row: number;
}

export interface LargeHeadOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** The shown run in the names of files. */
  readonly runFile: () => string;
  readonly isDark: () => boolean;
  /** How it is looked at, to begin with and from then on. */
  readonly look: AttentionState;
  /** With room for map and arcs side by side; without a title, since a tab has it. */
  readonly wide: boolean;
  /** A cell of the map was chosen: what is said of it. */
  readonly onRead: (sentence: string) => void;
  /** To how the weight of a cell is computed; null where that cannot be shown. */
  readonly onWeight: ((head: HeadPlace, cell: Cell) => void) | null;
}

export interface LargeHeadData {
  readonly attention: AttentionData | null;
  readonly chosen: HeadPlace;
  /** The step that is looked back at; null for the newest. */
  readonly past: number | null;
}

/** No step that is looked back at takes more letters. */
const LONGEST_STEP = 199_500;

export class LargeHead implements View<LargeHeadData> {
  readonly root: HTMLElement;
  readonly #options: LargeHeadOptions;
  readonly #name = el('span', {});
  readonly #title = el('h3', {}, this.#name);
  readonly #kinds: readonly {
    readonly kind: AttentionState['shape'];
    readonly button: HTMLElement;
  }[];
  /** Between map and arcs, where there is room for one of them. */
  readonly switcher: HTMLElement;
  /** What the first token is. */
  readonly beginning: HTMLElement;
  readonly pictures: HTMLElement;
  /** To read the same as a table, and to take it along. */
  readonly files: readonly HTMLElement[];
  /** To how the weight that is read is computed. */
  readonly how: HTMLElement;
  readonly #mapBox = el('div', { class: 'map-box' });
  readonly #arcsBox = el('div', { class: 'arcs-box' });
  readonly #saveMap: HTMLElement;
  readonly #saveArcs: HTMLElement;
  readonly #map: AttentionMap;
  #arcs: AttentionArcs | null = null;
  /** Most readers look at the map first. */
  readonly #arcsComing: Loadable;
  #data: LargeHeadData = { attention: null, chosen: { layer: 0, head: 0 }, past: null };

  /** `beside` stands beside the title of the wide form. */
  constructor(options: LargeHeadOptions, beside: HTMLElement) {
    const { words, look, wide } = options;
    const { t } = words;
    this.#options = options;
    this.#kinds = (['map', 'arcs'] as const).map((kind) => {
      const button = el(
        'button',
        { type: 'button', class: 'segment', 'aria-pressed': 'false' },
        t(`attention.as.${kind}`),
      );
      button.addEventListener('click', () => {
        look.shape = kind;
        this.#show();
      });
      return { kind, button };
    });
    this.switcher = el(
      'div',
      { class: 'segmented', role: 'group', 'aria-label': t('attention.as') },
      ...this.#kinds.map(({ button }) => button),
    );
    this.beginning = el('p', { class: 'note' }, t('attention.beginning'));
    this.how = el('button', { type: 'button', class: 'link weight-how' }, t('attention.how'));
    this.how.addEventListener('click', () => {
      const cell = this.#map.cellToRead();
      if (cell !== null) options.onWeight?.(this.#data.chosen, cell);
    });
    this.#saveMap = this.#createMapExport();
    this.#saveArcs = this.#createArcsExport();
    this.pictures = el(
      'div',
      { class: 'attention-pictures' },
      el('div', {}, this.#mapBox),
      el('div', {}, this.#arcsBox),
    );
    this.root = el(
      'div',
      { class: 'attention-large' },
      el('div', { class: 'head-row map-head' }, this.#title, ...(wide ? [beside] : [])),
      this.pictures,
    );
    const onRow = (row: number): void => {
      look.row = row;
      this.#show();
    };
    this.#map = new AttentionMap(this.#mapBox, { ...options, onRow });
    this.#arcsComing = loadable(
      () => import('./attention-arcs.ts'),
      ({ AttentionArcs: Made }) => {
        this.#arcs = new Made(this.#arcsBox, { words, wide, onRow });
        this.#show();
      },
    );
    this.files = [this.#map.table, this.#saveMap, this.#saveArcs];
  }

  /** The scale below the map: what is above it is what one looks at. */
  get end(): HTMLElement {
    return this.#map.end;
  }

  update(data: LargeHeadData): void {
    this.#data = data;
    this.#show();
    this.#showName();
  }

  resize(): void {
    this.#map.resize();
    this.#arcs?.resize();
  }

  destroy(): void {
    this.#map.destroy();
    this.#arcsComing.cancel();
    this.#arcs?.destroy();
  }

  #show(): void {
    const { look, wide, onWeight } = this.#options;
    const { attention, chosen, past } = this.#data;
    const mapSeen = wide || look.shape === 'map';
    const arcsSeen = wide || look.shape === 'arcs';
    this.switcher.hidden = attention === null;
    this.beginning.hidden = attention?.tokens[0]?.kind !== 'bos';
    for (const part of [this.#mapBox, this.#saveMap]) part.hidden = !mapSeen || attention === null;
    for (const part of [this.#arcsBox, this.#saveArcs])
      part.hidden = !arcsSeen || attention === null;
    this.how.hidden = this.#mapBox.hidden || onWeight === null;
    // What is looked back at was computed with weights that are gone; nothing moves for that.
    this.how.style.visibility = past === null ? '' : 'hidden';
    if (look.row >= (attention?.tokens.length ?? Infinity)) look.row = -1;
    const { row, shape } = look;
    if (mapSeen) this.#map.update({ attention, chosen, row });
    if (arcsSeen) this.#arcsComing.want();
    else if (attention !== null) void idle().then(() => this.#arcsComing.want());
    if (arcsSeen) this.#arcs?.update({ attention, chosen, row });
    for (const { kind, button } of this.#kinds) {
      setAttribute(button, 'aria-pressed', String(kind === shape));
    }
  }

  #showName(): void {
    const { attention, chosen, past } = this.#data;
    const { number, t } = this.#options.words;
    const head = t('attention.head', { layer: chosen.layer + 1, head: chosen.head + 1 });
    const at = (past: number): string =>
      t('attention.head.at', { head, step: t('attention.step', { step: number(past) }) });
    setText(this.#name, attention === null ? '' : withNumbers(past === null ? head : at(past)));
    this.#title.dataset.longest = withNumbers(at(LONGEST_STEP));
  }

  #createMapExport(): HTMLElement {
    const { words } = this.#options;
    return createExport({
      words,
      what: words.t('export.what.map'),
      name: () => this.#fileName('attention'),
      canvas: () => this.#map.wholeCanvas(),
    });
  }

  #createArcsExport(): HTMLElement {
    const { words } = this.#options;
    return createExport({
      words,
      what: words.t('export.what.arcs'),
      name: () => this.#fileName('arcs'),
      draw: async () => {
        // Nobody presses this first: the first visit does not wait for it.
        const { standaloneDrawing } = await import('../../kit/standalone-drawing.ts');
        if (this.#data.attention === null || this.#arcs === null) return null;
        return standaloneDrawing(this.#arcs.picture, cssValue(this.root, '--paper'));
      },
    });
  }

  /** The name of a file that shows the chosen head, without its ending. */
  #fileName(what: string): string {
    const { attention, chosen } = this.#data;
    const place = `layer-${String(chosen.layer + 1)}-head-${String(chosen.head + 1)}`;
    return fileName(`${what}-${place}`, this.#options.runFile(), attention?.step ?? 0);
  }
}
