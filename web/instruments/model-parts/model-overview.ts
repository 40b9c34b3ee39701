/** The whole model: its letters, its blocks, its diagram, and its parts as a table. */
import type { AllWords } from '../../i18n/index.ts';
import { ArchitectureDiagram } from './architecture-diagram.ts';
import type { ArchitectureDiagramOptions } from './architecture-diagram.ts';
import { partName, shapeText } from './part-names.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { cssValue, disclosure, el, freshId, range, setText, table } from '../../kit/dom.ts';
import type { Disclosure } from '../../kit/dom.ts';
import { createExport } from '../../kit/export-picture.ts';
import type { Folds } from '../../kit/folds.ts';
import { standaloneDrawing } from '../../kit/standalone-drawing.ts';

export interface ModelOverviewOptions extends ArchitectureDiagramOptions {
  readonly folds: Folds;
  readonly onBlock: (block: number) => void;
}

/** The letters that the diagram's shapes are written with. */
const LETTERS = ['T', 'C', 'H', 'V'] as const;

export class ModelOverview {
  readonly root: HTMLElement;
  readonly diagram: ArchitectureDiagram;
  readonly #words: AllWords;
  readonly #letters = el('dl', { class: 'part-letters' });
  readonly #block: HTMLInputElement;
  readonly #blockText: HTMLElement;
  readonly #blockRow: HTMLElement;
  readonly #listBox: HTMLElement;
  readonly #list: Disclosure;
  #model: Architecture | null = null;

  constructor(options: ModelOverviewOptions) {
    const { words, folds, onBlock } = options;
    const { t } = words;
    this.#words = words;
    const id = freshId('block');
    this.#block = range({ id, min: 0 });
    this.#block.addEventListener('input', () => onBlock(Number(this.#block.value)));
    this.#blockText = el('output', { for: id, class: 'stamp' });
    const label = el('label', { for: id }, t('parts.which'));
    this.#blockRow = el('div', { class: 'values-row' }, label, this.#block, this.#blockText);
    const diagramBox = el('div', { class: 'parts-diagram' });
    this.diagram = new ArchitectureDiagram(diagramBox, options);
    const save = createExport({
      words,
      what: t('export.what.diagram'),
      name: () => 'glasshouse-model',
      draw: () => {
        const paper = cssValue(this.root, '--paper');
        const { picture } = this.diagram;
        return this.#model && standaloneDrawing(picture, paper);
      },
    });
    this.#listBox = el('div', {
      class: 'table-scroll',
      tabindex: '0',
      role: 'region',
      'aria-label': t('parts.table'),
    });
    this.#list = folds.keep(
      'parts.table',
      disclosure('data', t('parts.table'), () => this.#fillList(), this.#listBox),
    );
    const parts = [this.#letters, this.#blockRow, diagramBox, save, this.#list.root];
    this.root = el('div', { class: 'parts-left' }, ...parts);
  }

  /** Shows all but the diagram, which has turns of its own. */
  update(model: Architecture, block: number): void {
    this.#model = model;
    const { layers } = model;
    this.#blockRow.hidden = layers < 2;
    this.#block.max = String(layers - 1);
    this.#block.value = String(block);
    const text = this.#words.t('parts.block.of', { block: block + 1, layers });
    setText(this.#blockText, text);
    this.#block.setAttribute('aria-valuetext', text);
    this.#showLetters(model);
    this.#fillList();
  }

  /** Comes into sight, with the focus on the chosen part. */
  enter(): void {
    this.root.scrollIntoView({ block: 'start' });
    this.diagram.focus();
  }

  /** What the letters of the shapes stand for, with the numbers of this model. */
  #showLetters({ sizes }: Architecture): void {
    const { t } = this.#words;
    const meanings = [
      ...LETTERS.map((letter) => [letter, t(`parts.letter.${letter}`, { count: sizes[letter] })]),
      ['MLP', t('parts.letter.MLP')],
    ];
    if (meanings.flat().join('') === this.#letters.textContent) return;
    this.#letters.replaceChildren(
      ...meanings.map(([name = '', meaning = '']) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, meaning)),
      ),
    );
  }

  #fillList(): void {
    const model = this.#model;
    if (model === null || !this.#list.isOpen()) return;
    const words = this.#words;
    const { number, t } = words;
    const row = (part: ModelPart, times: number): readonly string[] => [
      partName(part, words),
      part.tensors[0] === undefined ? '–' : shapeText(part.tensors[0].shape, words),
      times === 1 ? number(part.count) : t('parts.times', { times, count: part.count }),
    ];
    const heads = [t('parts.part'), t('parts.shape'), t('parts.count')];
    this.#listBox.replaceChildren(
      table(t('parts.diagram'), heads, [
        ...model.before.map((part) => row(part, 1)),
        ...model.block.map((part) => row(part, model.layers)),
        ...model.after.map((part) => row(part, 1)),
        [t('parts.total'), '', number(model.parameters)],
      ]),
    );
  }
}
