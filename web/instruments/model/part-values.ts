/**
 * The numbers of one part of the model as they are now: which tensor, value or gradient, which
 * head; its statistics, its map, and where one of its numbers comes from.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, keepRoom, range, scrollBehavior, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { createExport } from '../../kit/export-picture.ts';
import { originTables } from './number-origin.ts';
import type { NumberOrigin } from './number-origin.ts';
import { createTensorMap, numberText } from '../../kit/tensor-map.ts';
import type { Cell } from '../../base/cell.ts';
import type { MatrixPart, TensorMapData } from '../../kit/tensor-map.ts';
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

export interface PartValues extends View<PartValuesData> {
  /** Comes into sight with the map, at once and when a number is explained. */
  enter(): void;
}

/** Creates the section in `container`. */
export function createPartValues(container: HTMLElement, options: PartValuesOptions): PartValues {
  const { words, isDark } = options;
  const { t } = words;
  /** What the map shows, and of which tensor at which step. */
  let mapped: { readonly data: TensorMapData; readonly of: PartValuesData } | null = null;
  /** Told when the map of them is drawn: numbers and colours are of one step. */
  let figures: { readonly step: number; readonly facts: ShownStatistics | null } | null = null;
  const tensorId = freshId('tensor');
  const tensor = el('select', { id: tensorId });
  const gradientId = freshId('gradient');
  const gradient = el('input', { id: gradientId, type: 'checkbox', class: 'switch' });
  const matrixId = freshId('matrix');
  const matrix = range({ id: matrixId, min: 0 });
  const matrixText = el('output', { for: matrixId, class: 'stamp' });
  const matrixRow = el(
    'div',
    { class: 'values-row' },
    el('label', { for: matrixId }, t('values.head')),
    matrix,
    matrixText,
  );
  const note = el('p', { class: 'note', 'data-part': 'values-note' });
  const about = el('p', { class: 'note', 'data-part': 'values-about' });
  const stamp = el('span', { class: 'stamp', 'data-part': 'values-step' });
  const statistics = el('dl', { class: 'plan values-statistics' });
  const mapBox = el('div', { class: 'tensor-map' });
  const thinned = el('p', { class: 'note', 'data-part': 'values-thinned' });
  const whole = el('button', { type: 'button', class: 'link' }, t('values.whole'));
  const origin = el('div', { class: 'number-origin', 'data-part': 'number-origin' });
  const spoken = el('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  const save = createExport({
    words,
    what: t('export.what.values'),
    name: () => `glasshouse-values-${(mapped?.of.chosen ?? '').replaceAll(/[^\w.-]+/g, '-')}`,
    canvas: () => (mapped === null || mapped.data.part === null ? null : map.canvas),
  });
  const body = el(
    'div',
    { class: 'values-body' },
    el(
      'div',
      { class: 'values-row' },
      el('label', { for: tensorId }, t('values.tensor')),
      tensor,
      el('span', { class: 'values-gradient' }, gradient, el('label', { for: gradientId }, t('values.gradient')), ' ', termButton('gradient', t('glossary.more'))), // prettier-ignore
      stamp,
    ),
    matrixRow,
    about,
    statistics,
    thinned,
    whole,
    mapBox,
    origin,
    spoken,
    save,
  );
  container.append(el('h4', {}, t('values.title')), note, body);
  const map = createTensorMap(mapBox, {
    words,
    folds: options.folds,
    isDark,
    onDraw: showFigures,
    onCell: (cell) => {
      asked = mapped?.of.traceable === true;
      options.onCell(cell);
    },
  });

  tensor.addEventListener('change', () => {
    options.onTensor(tensor.value);
  });
  gradient.addEventListener('change', () => {
    options.onGradient(gradient.checked);
  });
  matrix.addEventListener('input', () => {
    options.onMatrix(Number(matrix.value));
  });

  whole.addEventListener('click', () => {
    // It goes with the press.
    map.focus();
    options.onWhole();
  });

  let listed = '';

  function showStatistics(of: ShownStatistics | null): void {
    const cells: readonly (readonly [string, string])[] =
      of === null
        ? []
        : [
            [t('values.min'), numberText(of.min, words)],
            [t('values.max'), numberText(of.max, words)],
            [t('values.mean'), numberText(of.mean, words)],
            [t('values.deviation'), numberText(of.deviation, words)],
            [t('values.zeros'), of.zeros < 1 && of.zeros > 0.99 ? '>99%' : words.percent(of.zeros)],
            [t('values.nans'), words.number(of.nans)],
          ];
    while (statistics.children.length > cells.length) statistics.lastChild?.remove();
    for (const [index, [name, value]] of cells.entries()) {
      const row = statistics.children[index] ?? statistics.appendChild(el('div', {}, el('dt'), el('dd'))); // prettier-ignore
      // Of these names only one is hard, and it keeps its place.
      const label = row.children[0];
      if (label && label.textContent !== name) {
        const hard = name === t('values.deviation');
        label.replaceChildren(hard ? termButton('deviation', name) : name);
      }
      if (row.children[1]) setText(row.children[1], value);
    }
  }

  /** What stands there now. */
  let explained: NumberOrigin | null = null;
  /** Whether a cell was chosen that is not explained yet. */
  let asked = false;
  /** Whether somebody was led here to a number that is not explained yet. */
  let entering = false;

  function comeIntoSight(): void {
    map.focus();
    mapBox.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  }

  /** Says what was asked for: in the eyes' place it stands in tables. */
  function tell(value: number): void {
    const how = origin.querySelector('caption, .note')?.textContent ?? '';
    const result = t('origin.result');
    setText(spoken, t('origin.told', { how, result, value: numberText(value, words) }));
  }

  function showOrigin({
    origin: found,
    traceable,
    part,
    rowName,
    columnName,
  }: PartValuesData): void {
    if (found !== null) {
      // The page is updated many times a second, what is explained once a second at most.
      if (found !== explained) {
        origin.replaceChildren(...originTables(found, { row: rowName, column: columnName }, words));
      }
      explained = found;
      if (entering) comeIntoSight();
      // What was asked for stands below the map: not where it takes a search to find it.
      else if (asked) origin.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() }); // prettier-ignore
      if (asked || entering) tell(found.result);
      entering = false;
      asked = false;
      return;
    }
    explained = null;
    const isAsked = traceable && part !== null;
    origin.replaceChildren(...(isAsked ? [el('p', { class: 'note' }, t('origin.hint'))] : []));
  }

  function showFigures(): void {
    if (figures === null) return;
    setText(stamp, t('attention.step', { step: figures.step }));
    showStatistics(figures.facts);
  }

  let held = 0;
  const letGo = (): void => {
    window.clearTimeout(held);
    held = 0;
    keepRoom(container, null);
  };

  /** A run begun anew has no numbers for a moment: what stands below stays where it is. */
  function holdHeight({ part, chosen, tensors }: PartValuesData): void {
    const known = mapped !== null && mapped.data.part !== null;
    const same = tensors.length === 0 || chosen === mapped?.of.chosen;
    if (part === null && known && same && container.offsetHeight > 0) {
      window.clearTimeout(held);
      keepRoom(container, container.offsetHeight);
      held = window.setTimeout(letGo, HELD);
    } else if (part !== null && held !== 0) {
      // Once the map is drawn, which happens in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(letGo));
    }
  }

  return {
    update(data) {
      holdHeight(data);
      const names = data.tensors.map(({ name, label }) => `${name}|${label}`).join('\n');
      if (names !== listed) {
        listed = names;
        tensor.replaceChildren(
          ...data.tensors.map(({ name, label }) => el('option', { value: name }, label)),
        );
      }
      body.hidden = data.tensors.length === 0;
      note.hidden = data.note === '';
      setText(note, data.note);
      about.hidden = data.about === '';
      setText(about, data.about);
      tensor.value = data.chosen;
      const now = data.tensors.find(({ name }) => name === data.chosen);
      gradient.checked = data.gradient;
      gradient.disabled = now?.gradients === null;
      const { matrix: place } = data;
      matrixRow.hidden = place === null;
      if (place !== null) {
        matrix.max = String(place.count - 1);
        matrix.value = String(place.index);
        setText(matrixText, t('values.head.of', { head: place.index + 1, heads: place.count }));
        matrix.setAttribute('aria-valuetext', matrixText.textContent);
      }
      const facts = (data.gradient ? now?.gradients : now?.values) ?? null;
      figures = { step: data.step, facts };
      const sizes = now?.shape.map((size) => words.number(size)).join(' × ') ?? '';
      const kind = data.gradient ? t('values.name.gradient', { name: now?.label ?? '' }) : (now?.label ?? ''); // prettier-ignore
      const { rowStride = 1, columnStride = 1 } = data.part ?? {};
      thinned.hidden = rowStride === 1 && columnStride === 1;
      setText(thinned, t('values.thinned', { rows: rowStride, columns: columnStride }));
      whole.hidden = !data.windowed;
      const mapData: TensorMapData = {
        part: data.part,
        range: facts ?? { min: 0, max: 0 },
        name: t('values.name', { name: kind, shape: sizes }),
        rowName: data.rowName,
        columnName: data.columnName,
        traceable:
          data.traceable || (data.part?.rowStride ?? 1) > 1 || (data.part?.columnStride ?? 1) > 1,
        marked: data.origin?.cell ?? null,
      };
      mapped = { data: mapData, of: data };
      save.hidden = data.part === null;
      map.update(mapData);
      showOrigin(data);
    },
    enter() {
      entering = true;
      comeIntoSight();
    },
    resize() {
      map.resize();
    },
    destroy() {
      letGo();
      map.destroy();
      container.replaceChildren();
    },
  };
}
