/**
 * The model, piece by piece: its architecture as a diagram, and beside it the chosen part with what
 * it does, the choices that shape it, and its numbers as they are now.
 */
import { sentences } from '../../i18n/index.ts';
import { createArchitectureDiagram, partName, shapeText } from './architecture-diagram.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { choiceText, createChoiceTable, signed } from './choice-table.ts';
import type { ChoiceOption, ChoiceTableData } from './choice-table.ts';
import {
  cssValue,
  disclosure,
  el,
  freshId,
  perFrame,
  range,
  scrollBehavior,
  setSteadyText,
  setText,
  table,
} from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { createExport } from '../../kit/export-picture.ts';
import { createPartExplanation } from './part-explanation.ts';
import type { ExplanationData } from './part-explanation.ts';
import { createPartValues } from './part-values.ts';
import type { PartValuesData, PartValuesOptions } from './part-values.ts';
import type { Fits } from '../../kit/nudge.ts';
import { isIdle } from '../../base/idle-option.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field } from '../../kit/option-field.ts';
import { standaloneDrawing } from '../../kit/standalone-drawing.ts';
import { termButton } from '../../kit/term.ts';

export interface ModelPartsOptions extends PartValuesOptions {
  readonly presets: readonly string[];
  readonly fields: readonly ChoiceOption[];
  readonly fits: Fits;
  readonly onChange: (option: string, value: number) => void;
  /** A new run with what was changed. */
  readonly onRenew: () => void;
  readonly onPart: (part: string, block: number) => void;
  readonly onUnfold: (unfolded: boolean) => void;
}

export interface ModelPartsData {
  /** Null until it is known how many tokens there are. */
  readonly model: Architecture | null;
  readonly part: string;
  readonly block: number;
  readonly unfolded: boolean;
  /** Values of the options, and what is wrong with them. */
  readonly values: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly error: string;
  /** What the plan says of the memory; null while it is not known. */
  readonly bytes: number | null;
  /** What the last change here did. */
  readonly change: Change | null;
  /** The shown run is one from before what was changed since. */
  readonly isBefore: boolean;
  /** Which run has the changes; empty without a run. */
  readonly progress: string;
  readonly effect: (option: string, value: number) => number | null;
  readonly explanation: ExplanationData | null;
  readonly numbers: PartValuesData;
}

/** One option changed, and what that did to the size of the model. */
export interface Change {
  readonly option: string;
  readonly value: number;
  readonly parameters: number;
  /** Null while the new plan is awaited. */
  readonly bytes: number | null;
}

/** CSS pixels that may be cut off without hiding anything. */
const SLACK = 4;
/** How much of what is in sight a page further is. */
const PAGE = 0.8;
/** The letters that the diagram's shapes are written with. */
const LETTERS = ['T', 'C', 'H', 'V'] as const;

export interface ModelParts extends View<ModelPartsData> {
  /** Brings the numbers of the part into sight. */
  enterNumbers(): void;
}

/** Creates the panel in `container`. */
export function createModelParts(container: HTMLElement, options: ModelPartsOptions): ModelParts {
  const { words, fields, onChange } = options;
  const { t } = words;

  const facts = el('p', { class: 'parts-facts', 'data-part': 'parts-facts' });
  const effect = el('p', { class: 'note', role: 'status', 'data-part': 'parts-effect' });
  const error = el('p', { class: 'note error', role: 'alert' });
  const blockId = freshId('block');
  const block = range({ id: blockId, min: 0 });
  const blockText = el('output', { for: blockId, class: 'stamp' });
  const blockRow = el(
    'div',
    { class: 'values-row' },
    el('label', { for: blockId }, t('parts.which')),
    block,
    blockText,
  );
  // Far below the first line and the run: what a press did there is said there too, where it moves
  // nothing.
  const effectHere = el('span');
  // On a phone the strip below it says that too.
  const beforeHere = el('span', { class: 'said-by-strip' }, t('run.changed.resting'));
  const renew = el('button', { type: 'button', class: 'secondary small' }, t('run.restart'));
  const changed = el('p', { class: 'note choices-changed', 'data-part': 'choices-changed' }, effectHere, ' ', beforeHere, ' ', renew); // prettier-ignore
  renew.addEventListener('click', () => {
    // It goes with the press, and the focus must not be lost with it.
    choicesBox.focus({ preventScroll: true });
    options.onRenew();
  });
  const letterBox = el('dl', { class: 'part-letters' });
  const diagramBox = el('div', { class: 'parts-diagram' });
  const save = createExport({
    words,
    what: t('export.what.diagram'),
    name: () => 'glasshouse-model',
    draw: () => {
      if (data === null || data.model === null) return null;
      return standaloneDrawing(
        diagram.picture(),
        t('parts.diagram'),
        cssValue(container, '--paper'),
      );
    },
  });
  const listBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': t('parts.table') }); // prettier-ignore
  const list = options.folds.keep(
    'parts.table',
    disclosure('data', t('parts.table'), () => draw.request(), listBox),
  );
  const left = el('div', { class: 'parts-left' }, letterBox, blockRow, diagramBox, save, list.root);

  // Named better once it is drawn.
  const title = el('h3', { 'data-part': 'part-title' }, t('part.attn.heads'));
  const about = el('span', { 'data-part': 'part-about' });
  const shapeTerm = termButton('shape', t('glossary.more'));
  const aboutBox = el('p', { class: 'note' }, about, ' ', shapeTerm);
  const owns = el('div', { class: 'part-owns' });
  const fieldBox = el('div', { class: 'fields part-fields' });
  const fieldTitle = el('h4', {}, t('parts.change'));
  const valueBox = el('div', { class: 'part-values' });
  const explainBox = el('div', { class: 'part-explanation' });
  const deepBox = el('div', { class: 'part-explanation' });
  const back = el('button', { type: 'button', class: 'link parts-back' }, t('parts.back'));
  /** The width from which diagram and part stand side by side, as in the style sheet. */
  const stacked = matchMedia('(max-width: 55.99rem)');
  const more = el('button', { type: 'button', class: 'link parts-more' }, t('parts.more'));
  const titleId = freshId('part');
  title.id = titleId;
  const panel = el(
    'div',
    { class: 'parts-panel', role: 'region', 'aria-labelledby': titleId },
    back,
    title,
    aboutBox,
    // Words first; and what a choice makes longer stands below the choice.
    explainBox,
    fieldTitle,
    fieldBox,
    owns,
    valueBox,
    el('h4', {}, t('parts.explain')),
    deepBox,
  );
  const right = el('div', { class: 'parts-right' }, panel, more);
  const choicesBox = el('div', { class: 'part-scroll', tabindex: 0, role: 'region', 'aria-label': t('choices.title') }); // prettier-ignore
  container.append(
    el('p', { class: 'lead' }, t('parts.lead')),
    facts,
    effect,
    error,
    el('div', { class: 'parts' }, left, right),
    el('h3', { class: 'choices-head' }, t('choices.title')),
    el('p', { class: 'note' }, t('choices.lead')),
    choicesBox,
    changed,
  );

  const diagram = createArchitectureDiagram(diagramBox, {
    words,
    onChoose: (part, inBlock, pointed) => {
      options.onPart(part, inBlock);
      if (pointed) leadToPart();
    },
    onUnfold: options.onUnfold,
  });
  const explanation = createPartExplanation(explainBox, deepBox, { words, folds: options.folds });
  const numbers = createPartValues(valueBox, options);
  let choices: View<ChoiceTableData> | null = null;

  /**
   * Beside the diagram the part may be longer than the window: that it goes on below is said there.
   */
  function tellRest(): void {
    const { scrollTop, clientHeight, scrollHeight } = panel;
    const rest = getComputedStyle(panel).overflowY === 'auto' ? scrollHeight - clientHeight : 0;
    // The arrow keys scroll what has the focus.
    if (rest > 0) panel.tabIndex = 0;
    else panel.removeAttribute('tabindex');
    const goesOn = scrollTop < rest - SLACK;
    panel.classList.toggle('more-below', goesOn);
    more.classList.toggle('needed', goesOn);
  }
  const growth = new ResizeObserver(tellRest);
  for (const one of [panel, ...panel.children]) growth.observe(one);
  panel.addEventListener('scroll', tellRest, { passive: true });
  more.addEventListener('click', () => {
    panel.scrollBy({ top: panel.clientHeight * PAGE, behavior: scrollBehavior() });
  });

  back.addEventListener('click', () => {
    left.scrollIntoView({ block: 'start' });
    diagram.focus();
  });

  /**
   * In one column the part is far below. Beside the diagram it stays in sight from its beginning,
   * and what was pressed stays where it is, but at the end of a low window.
   */
  function leadToPart(): void {
    panel.scrollTop = 0;
    if (stacked.matches) right.scrollIntoView({ block: 'start' });
    else if (title.getBoundingClientRect().top < 0) right.scrollIntoView({ block: 'nearest' });
  }

  let data: ModelPartsData | null = null;
  let shownFields: readonly Field[] = [];
  let fieldsOf = '';
  /** Whose parameters are listed. */
  let owned: { readonly model: Architecture; readonly part: string; readonly block: number } | null = null; // prettier-ignore

  block.addEventListener('input', () => {
    if (data !== null) options.onPart(data.part, Number(block.value));
  });

  function partsOf(model: Architecture): readonly ModelPart[] {
    return [...model.before, ...model.block, ...model.after];
  }

  function drawPart(model: Architecture, now: ModelPartsData): void {
    const part = partsOf(model).find(({ id }) => id === now.part);
    if (part === undefined) return;
    const inBlock = model.block.includes(part);
    const name = partName(part, words);
    const isOne = inBlock && model.layers > 1;
    setText(title, isOne ? t('parts.in', { part: name, block: now.block + 1 }) : name);
    const shape = shapeText(part.tensors[0]?.shape ?? [], words);
    aboutBox.hidden = part.id === 'text';
    setText(about, t('parts.out', { shape }));
    listParameters(model, part, now.block);
    showFields(part, now);
  }

  function listParameters(model: Architecture, part: ModelPart, block: number): void {
    if (owned?.model === model && owned.part === part.id && owned.block === block) return;
    owned = { model, part: part.id, block };
    const rows = part.parameters.map((one) => [
      engineName(one.name, block),
      shapeText(one.shape, words),
      one.borrowed
        ? t('parts.shared')
        : words.number(one.shape.reduce((product, { size }) => product * size, 1)),
    ]);
    owns.hidden = rows.length === 0;
    const heads = [t('parts.parameter'), t('parts.shape'), t('parts.count')];
    owns.replaceChildren(table(t('parts.owns'), heads, rows));
  }

  function showFields(part: ModelPart, now: ModelPartsData): void {
    const wanted = part.options.join();
    if (wanted !== fieldsOf) {
      fieldsOf = wanted;
      shownFields = part.options.flatMap((name) => {
        const option = fields.find((one) => one.name === name);
        return option === undefined ? [] : [createField(option, words, onChange, options.fits)];
      });
      fieldBox.replaceChildren(...shownFields.map(({ row }) => row));
      fieldTitle.hidden = shownFields.length === 0;
    }
    for (const field of shownFields) {
      field.show(now.values[field.option.name] ?? NaN);
      const error = now.errors[field.option.name] ?? '';
      field.showError(error);
      field.row.hidden = error === '' && isIdle(field.option, fields, now.values);
    }
  }

  /** What the letters of the shapes stand for, with the numbers of this model. */
  function showLetters(model: Architecture): void {
    const meanings = [
      ...LETTERS.map((letter) => [
        letter,
        t(`parts.letter.${letter}`, { count: model.sizes[letter] }),
      ]),
      ['MLP', t('parts.letter.MLP')],
    ] as const;
    const text = meanings.flat().join('');
    if (text === letterBox.textContent) return;
    letterBox.replaceChildren(
      ...meanings.map(([name, meaning]) =>
        el('div', {}, el('dt', {}, name), el('dd', {}, meaning)),
      ),
    );
  }

  function fillList(model: Architecture): void {
    const row = (part: ModelPart, times: number): readonly string[] => [
      partName(part, words),
      part.tensors[0] === undefined ? '–' : shapeText(part.tensors[0].shape, words),
      times === 1 ? words.number(part.count) : t('parts.times', { times, count: part.count }),
    ];
    const heads = [t('parts.part'), t('parts.shape'), t('parts.count')];
    listBox.replaceChildren(
      table(t('parts.diagram'), heads, [
        ...model.before.map((part) => row(part, 1)),
        ...model.block.map((part) => row(part, model.layers)),
        ...model.after.map((part) => row(part, 1)),
        [t('parts.total'), '', words.number(model.parameters)],
      ]),
    );
  }

  /** What a change did, in a sentence. */
  function tell({ option, value, parameters, bytes }: Change): string {
    const field = fields.find(({ name }) => name === option);
    const names = {
      option: words.find(`option.${option}`) ?? option,
      value: field === undefined ? String(value) : choiceText(field, value, words),
    };
    const size = parameters === 0 ? t('choices.same', names) : t('choices.effect', { ...names, parameters: signed(parameters, words) }); // prettier-ignore
    if (bytes === null || bytes === 0) return size;
    const memory = `${bytes < 0 ? '−' : '+'}${words.bytes(Math.abs(bytes))}`;
    return sentences([size, t('choices.memory', { memory })], words);
  }

  function showChoices(now: ModelPartsData): void {
    const { presets, fits } = options;
    choices ??= createChoiceTable(choicesBox, { words, presets, fields, fits, onChange });
    choices.update(now);
  }

  /** A turn that shows something of the model, as soon as it is known. */
  const turnOf = (show: (now: ModelPartsData, model: Architecture) => void) =>
    perFrame(() => {
      if (data !== null && data.model !== null) show(data, data.model);
    });

  const draw = perFrame(() => {
    if (data === null) return;
    const { model } = data;
    setText(error, data.error);
    error.hidden = data.error === '';
    left.classList.toggle('stale', data.error !== '');
    const told = data.change === null ? '' : tell(data.change);
    setSteadyText(effect, told);
    renew.hidden = !data.isBefore;
    changed.hidden = told === '' && renew.hidden;
    beforeHere.hidden = renew.hidden;
    setText(effectHere, sentences([told, told === '' ? '' : data.progress], words));
    if (model === null) return;
    const memory = data.bytes === null ? '' : t('parts.memory', { bytes: words.bytes(data.bytes) });
    setText(facts, sentences([t('parts.facts', { parameters: model.parameters }), memory], words));
    blockRow.hidden = model.layers < 2;
    block.max = String(model.layers - 1);
    block.value = String(data.block);
    setText(blockText, t('parts.block.of', { block: data.block + 1, layers: model.layers }));
    block.setAttribute('aria-valuetext', blockText.textContent);
    drawPart(model, data);
    showLetters(model);
    if (list.isOpen()) fillList(model);
  });
  /** Each in a turn of its own: together they would take longer than an answer to a press may. */
  const turns = [
    draw,
    turnOf(({ part, block: at, unfolded }, model) => {
      diagram.update({ model, chosen: part, block: at, unfolded });
    }),
    turnOf((now) => {
      explanation.update(now.explanation);
    }),
    turnOf((now) => {
      numbers.update(now.numbers);
    }),
    turnOf(showChoices),
  ];

  return {
    update(next) {
      data = next;
      for (const turn of turns) turn.request();
    },
    enterNumbers() {
      numbers.enter();
    },
    resize() {
      numbers.resize();
    },
    destroy() {
      for (const turn of turns) turn.cancel();
      growth.disconnect();
      for (const view of [diagram, explanation, numbers, choices]) view?.destroy();
      container.replaceChildren();
    },
  };
}
