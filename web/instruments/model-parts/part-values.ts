/**
 * The numbers of one part of the model as they are now: which tensor, value or gradient, which
 * head; its statistics, its map, and where one of its numbers comes from.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, reserveSpace, range, scrollBehavior, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { createExport } from '../../kit/export-picture.ts';
import type { NumberOrigin } from './number-origin.ts';
import { originTables } from './origin-tables.ts';
import { numberText, TensorMap } from '../../kit/tensor-map.ts';
import type { Cell } from '../../base/cell.ts';
import type { MatrixPart } from '../../kit/tensor-map.ts';
import { termButton } from '../../kit/term.ts';

/** What a tensor holds, in few numbers. */
export interface ShownStatistics {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly deviation: number;
  readonly zeros: number;
  readonly nans: number;
}

export interface ShownTensor {
  /** As the engine names it. */
  readonly name: string;
  /** Its name, in the reader's language. */
  readonly label: string;
  readonly shape: readonly number[];
  readonly values: ShownStatistics;
  readonly gradients: ShownStatistics | null;
}

export interface PartValuesData {
  readonly step: number;
  readonly tensors: readonly ShownTensor[];
  readonly chosen: string;
  readonly gradient: boolean;
  /** Which matrix of several, such as a head; null where there is one. */
  readonly matrix: { readonly index: number; readonly count: number } | null;
  readonly part: MatrixPart | null;
  readonly rowName: (row: number) => string;
  readonly columnName: (column: number) => string;
  /** Null while no cell is chosen. */
  readonly origin: NumberOrigin | null;
  /** Whether cells of the shown tensor can be asked where they come from. */
  readonly traceable: boolean;
  /** Whether `part` is a window that was asked for. */
  readonly windowed: boolean;
  /** Of which text the numbers are; empty for those of no text. */
  readonly about: string;
  /** What is to be said instead of, or about, the numbers. */
  readonly note: string;
}

export interface PartValuesOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  readonly onTensor: (name: string) => void;
  readonly onGradient: (gradient: boolean) => void;
  readonly onMatrix: (index: number) => void;
  /** Out of the window, to the whole tensor. */
  readonly onWhole: () => void;
  readonly onCell: (cell: Cell) => void;
}

/** Milliseconds for which numbers that are gone may come again. */
const HELD = 1500;

export class PartValues implements View<PartValuesData> {
  readonly #container: HTMLElement;
  readonly #options: PartValuesOptions;
  readonly #tensor = el('select', { id: freshId('tensor') });
  readonly #gradient = el('input', { id: freshId('gradient'), type: 'checkbox', class: 'switch' });
  readonly #matrix = range({ id: freshId('matrix'), min: 0 });
  readonly #matrixText = el('output', { for: this.#matrix.id, class: 'stamp' });
  readonly #matrixRow: HTMLElement;
  readonly #note = el('p', { class: 'note', 'data-part': 'values-note' });
  readonly #about = el('p', { class: 'note', 'data-part': 'values-about' });
  readonly #stamp = el('span', { class: 'stamp', 'data-part': 'values-step' });
  readonly #statistics = el('dl', { class: 'plan values-statistics' });
  readonly #mapBox = el('div', { class: 'tensor-map' });
  readonly #thinned = el('p', { class: 'note', 'data-part': 'values-thinned' });
  readonly #whole: HTMLElement;
  readonly #origin = el('div', { class: 'number-origin', 'data-part': 'number-origin' });
  readonly #spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  readonly #save: HTMLElement;
  readonly #body: HTMLElement;
  readonly #map: TensorMap;
  /** What the map shows. */
  #data: PartValuesData | null = null;
  /** Told when the map of them is drawn: numbers and colours are of one step. */
  #figures: { readonly step: number; readonly facts: ShownStatistics | null } | null = null;
  #listed = '';
  /** The explanation that stands there now. */
  #explained: NumberOrigin | null = null;
  /** Whether a cell was chosen that is not explained yet. */
  #asked = false;
  /** Whether somebody was led here to a number that is not explained yet. */
  #entering = false;
  #held = 0;

  /** Creates the section in `container`. */
  constructor(container: HTMLElement, options: PartValuesOptions) {
    const { words, folds, isDark, onWhole } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    const label = el('label', { for: this.#matrix.id }, t('values.head'));
    this.#matrixRow = el('div', { class: 'values-row' }, label, this.#matrix, this.#matrixText);
    this.#map = new TensorMap(this.#mapBox, {
      words,
      folds,
      isDark,
      onDraw: () => this.#showFigures(),
      onCell: (cell) => {
        this.#asked = this.#data?.traceable === true;
        options.onCell(cell);
      },
    });
    this.#whole = el('button', { type: 'button', class: 'link' }, t('values.whole'));
    this.#whole.addEventListener('click', () => {
      // It goes with the press.
      this.#map.focus();
      onWhole();
    });
    this.#save = createExport({
      words,
      what: t('export.what.values'),
      name: () => `glasshouse-values-${(this.#data?.chosen ?? '').replaceAll(/[^\w.-]+/g, '-')}`,
      canvas: () => (this.#data === null || this.#data.part === null ? null : this.#map.canvas),
    });
    this.#body = this.#createBody();
    container.append(el('h4', {}, t('values.title')), this.#note, this.#body);
    this.#listen();
  }

  update(data: PartValuesData): void {
    this.#holdHeight(data);
    this.#data = data;
    this.#body.hidden = data.tensors.length === 0;
    for (const [line, text] of [
      [this.#note, data.note],
      [this.#about, data.about],
    ] as const) {
      line.hidden = text === '';
      setText(line, text);
    }
    const now = data.tensors.find(({ name }) => name === data.chosen);
    this.#showChoices(data, now);
    const facts = (data.gradient ? now?.gradients : now?.values) ?? null;
    this.#figures = { step: data.step, facts };
    this.#showMap(data, now, facts);
    this.#showOrigin(data);
  }

  /** Comes into sight with the map, at once and when a number is explained. */
  enter(): void {
    this.#entering = true;
    this.#comeIntoSight();
  }

  resize(): void {
    this.#map.resize();
  }

  destroy(): void {
    this.#letGo();
    this.#map.destroy();
    this.#container.replaceChildren();
  }

  #createBody(): HTMLElement {
    const { t } = this.#options.words;
    return el(
      'div',
      { class: 'values-body' },
      el(
        'div',
        { class: 'values-row' },
        el('label', { for: this.#tensor.id }, t('values.tensor')),
        this.#tensor,
        el(
          'span',
          { class: 'values-gradient' },
          this.#gradient,
          el('label', { for: this.#gradient.id }, t('values.gradient')),
          ' ',
          termButton('gradient', t('glossary.more')),
        ),
        this.#stamp,
      ),
      this.#matrixRow,
      this.#about,
      this.#statistics,
      this.#thinned,
      this.#whole,
      this.#mapBox,
      this.#origin,
      this.#spoken,
      this.#save,
    );
  }

  #listen(): void {
    const { onTensor, onGradient, onMatrix } = this.#options;
    this.#tensor.addEventListener('change', () => onTensor(this.#tensor.value));
    this.#gradient.addEventListener('change', () => onGradient(this.#gradient.checked));
    this.#matrix.addEventListener('input', () => onMatrix(Number(this.#matrix.value)));
  }

  // ---- Which numbers ----------------------------------------------------------------------------

  #showChoices(data: PartValuesData, now: ShownTensor | undefined): void {
    const { tensors, matrix } = data;
    const names = tensors.map(({ name, label }) => `${name}|${label}`).join('\n');
    if (names !== this.#listed) {
      this.#listed = names;
      const choices = tensors.map(({ name, label }) => el('option', { value: name }, label));
      this.#tensor.replaceChildren(...choices);
    }
    this.#tensor.value = data.chosen;
    this.#gradient.checked = data.gradient;
    this.#gradient.disabled = now?.gradients === null;
    this.#matrixRow.hidden = matrix === null;
    if (matrix === null) return;
    const { index, count } = matrix;
    this.#matrix.max = String(count - 1);
    this.#matrix.value = String(index);
    const text = this.#options.words.t('values.head.of', { head: index + 1, heads: count });
    setText(this.#matrixText, text);
    this.#matrix.setAttribute('aria-valuetext', text);
  }

  #showMap(
    data: PartValuesData,
    now: ShownTensor | undefined,
    facts: ShownStatistics | null,
  ): void {
    const { number, t } = this.#options.words;
    const { part, rowName, columnName, traceable, origin } = data;
    const label = now?.label ?? '';
    const name = data.gradient ? t('values.name.gradient', { name: label }) : label;
    const shape = now?.shape.map((size) => number(size)).join(' × ') ?? '';
    const { rowStride: rows = 1, columnStride: columns = 1 } = part ?? {};
    this.#thinned.hidden = rows === 1 && columns === 1;
    setText(this.#thinned, t('values.thinned', { rows, columns }));
    this.#whole.hidden = !data.windowed;
    this.#save.hidden = part === null;
    this.#map.update({
      part,
      rowName,
      columnName,
      range: facts ?? { min: 0, max: 0 },
      name: t('values.name', { name, shape }),
      traceable: traceable || rows > 1 || columns > 1,
      marked: origin?.cell ?? null,
    });
  }

  // ---- What they are ----------------------------------------------------------------------------

  #showFigures(): void {
    if (this.#figures === null) return;
    const { step, facts } = this.#figures;
    setText(this.#stamp, this.#options.words.t('attention.step', { step }));
    this.#showStatistics(facts === null ? [] : this.#statisticsOf(facts));
  }

  #statisticsOf(of: ShownStatistics): (readonly [string, string])[] {
    const { words } = this.#options;
    const { t } = words;
    return [
      [t('values.min'), numberText(of.min, words)],
      [t('values.max'), numberText(of.max, words)],
      [t('values.mean'), numberText(of.mean, words)],
      [t('values.deviation'), numberText(of.deviation, words)],
      [t('values.zeros'), of.zeros < 1 && of.zeros > 0.99 ? '>99%' : words.percent(of.zeros)],
      [t('values.nans'), words.number(of.nans)],
    ];
  }

  #showStatistics(cells: readonly (readonly [string, string])[]): void {
    const list = this.#statistics;
    while (list.children.length > cells.length) list.lastChild?.remove();
    for (const [index, [name, value]] of cells.entries()) {
      const row = list.children[index] ?? list.appendChild(el('div', {}, el('dt'), el('dd')));
      // Of these names only one is hard, and it keeps its place.
      const label = row.children[0];
      if (label && label.textContent !== name) {
        const hard = name === this.#options.words.t('values.deviation');
        label.replaceChildren(hard ? termButton('deviation', name) : name);
      }
      if (row.children[1]) setText(row.children[1], value);
    }
  }

  // ---- Where one comes from ---------------------------------------------------------------------

  #showOrigin({ origin: found, traceable, part, rowName, columnName }: PartValuesData): void {
    const { words } = this.#options;
    if (found === null) {
      this.#explained = null;
      const isAsked = traceable && part !== null;
      const how = isAsked ? [el('p', { class: 'note' }, words.t('origin.hint'))] : [];
      this.#origin.replaceChildren(...how);
      return;
    }
    // The page is updated many times a second, what is explained once a second at most.
    if (found !== this.#explained) {
      const tables = originTables(found, { row: rowName, column: columnName }, words);
      this.#origin.replaceChildren(...tables);
    }
    this.#explained = found;
    if (this.#entering) this.#comeIntoSight();
    // What was asked for stands below the map: not where it takes a search to find it.
    else if (this.#asked)
      this.#origin.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
    if (this.#asked || this.#entering) this.#tell(found.result);
    this.#entering = false;
    this.#asked = false;
  }

  #comeIntoSight(): void {
    this.#map.focus();
    this.#mapBox.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  }

  /** Says what was asked for: in the eyes' place it stands in tables. */
  #tell(result: number): void {
    const { words } = this.#options;
    const { t } = words;
    const how = this.#origin.querySelector('caption, .note')?.textContent ?? '';
    const value = numberText(result, words);
    setText(this.#spoken, t('origin.told', { how, result: t('origin.result'), value }));
  }

  // ---- Room -------------------------------------------------------------------------------------

  /** A run begun anew has no numbers for a moment: what stands below stays where it is. */
  #holdHeight({ part, chosen, tensors }: PartValuesData): void {
    const container = this.#container;
    const known = this.#data !== null && this.#data.part !== null;
    const same = tensors.length === 0 || chosen === this.#data?.chosen;
    if (part === null && known && same && container.offsetHeight > 0) {
      window.clearTimeout(this.#held);
      reserveSpace(container, container.offsetHeight);
      this.#held = window.setTimeout(() => this.#letGo(), HELD);
    } else if (part !== null && this.#held !== 0) {
      // Once the map is drawn, which happens in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => this.#letGo()));
    }
  }

  #letGo(): void {
    window.clearTimeout(this.#held);
    this.#held = 0;
    reserveSpace(this.#container, null);
  }
}
