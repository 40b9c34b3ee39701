/**
 * The model, piece by piece: its architecture as a diagram, and beside it the chosen part with what
 * it does, the choices that shape it, and its numbers as they are now.
 */
import './parts.css';
import { sentences } from '../../i18n/index.ts';
import type { Architecture } from '../../store/training/architecture.ts';
import { ChoiceTable, choiceText, signed } from './choice-table.ts';
import type { ChoiceTableData } from './choice-table.ts';
import { el, perFrame, setSteadyText, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { lockedPart } from '../../kit/locked.ts';
import { ModelOverview } from './model-overview.ts';
import type { ExplanationData } from './part-explanation.ts';
import { PartPanel } from './part-panel.ts';
import type { PartPanelData, PartPanelOptions } from './part-panel.ts';
import type { PartValuesData } from './part-values.ts';

export interface ModelPartsOptions extends Omit<PartPanelOptions, 'onBack'> {
  /** A new run with what was changed. */
  readonly onRenew: () => void;
  readonly onPart: (part: string, block: number) => void;
  readonly onUnfold: (unfolded: boolean) => void;
}

export interface ModelPartsData extends PartPanelData, ChoiceTableData {
  /** Null until it is known how many tokens there are. */
  readonly model: Architecture | null;
  readonly unfolded: boolean;
  /** What the plan says of the memory; null while it is not known. */
  readonly bytes: number | null;
  /** What the last change here did. */
  readonly change: Change | null;
  /** The shown run is one from before what was changed since. */
  readonly isBefore: boolean;
  /** Which run has the changes; empty without a run. */
  readonly progress: string;
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

export class ModelParts implements View<ModelPartsData> {
  readonly #container: HTMLElement;
  readonly #options: ModelPartsOptions;
  readonly #facts = el('p', { class: 'parts-facts', 'data-part': 'parts-facts' });
  readonly #effect = el('p', { class: 'note', role: 'status', 'data-part': 'parts-effect' });
  readonly #error = el('p', { class: 'note error', role: 'alert' });
  readonly #overview: ModelOverview;
  readonly #part: PartPanel;
  readonly #choicesBox: HTMLElement;
  // Far below the first line and the run: what a press did there is said there too, where it moves
  // nothing.
  readonly #changed = el('p', { class: 'note choices-changed', 'data-part': 'choices-changed' });
  readonly #effectHere = el('span');
  readonly #beforeHere: HTMLElement;
  readonly #renew: HTMLElement;
  #choices: ChoiceTable | null = null;
  #data: ModelPartsData | null = null;
  /** Each in a turn of its own: together they would take longer than an answer to a press may. */
  readonly #turns = [
    perFrame(() => this.#show()),
    this.#turnOf(({ part: chosen, block, unfolded }, model) => {
      this.#overview.diagram.update({ model, chosen, block, unfolded });
    }),
    this.#turnOf((now) => this.#part.explanation.update(now.explanation)),
    this.#turnOf((now) => this.#part.numbers.update(now.numbers)),
    this.#turnOf((now) => {
      this.#choices ??= new ChoiceTable(this.#choicesBox, this.#options);
      this.#choices.update(now);
    }),
  ];

  /** Creates the panel in `container`. */
  constructor(container: HTMLElement, options: ModelPartsOptions) {
    const { t } = options.words;
    this.#container = container;
    this.#options = options;
    // On a phone the run bar below it says that too.
    this.#beforeHere = el('span', { class: 'said-by-run-bar' }, t('run.changed.resting'));
    this.#renew = el('button', { type: 'button', class: 'secondary small' }, t('run.restart'));
    this.#renew.addEventListener('click', () => {
      // It goes with the press, and the focus must not be lost with it.
      this.#choicesBox.focus({ preventScroll: true });
      options.onRenew();
    });
    this.#changed.append(this.#effectHere, ' ', this.#beforeHere, ' ', this.#renew);
    this.#choicesBox = el('div', {
      class: 'part-scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': t('choices.title'),
    });
    this.#overview = new ModelOverview({
      ...options,
      onChoose: (part, block, pointed) => {
        options.onPart(part, block);
        if (pointed) this.#part.enter();
      },
      onBlock: (block) => {
        if (this.#data !== null) options.onPart(this.#data.part, block);
      },
    });
    this.#part = new PartPanel({ ...options, onBack: () => this.#overview.enter() });
    container.append(
      el('p', { class: 'lead' }, t('parts.lead')),
      this.#facts,
      this.#effect,
      this.#error,
      el('div', { class: 'parts' }, this.#overview.root, this.#part.root),
      el('h3', { class: 'choices-head' }, t('choices.title')),
      el('p', { class: 'note' }, t('choices.lead')),
      ...lockedPart(this.#choicesBox, options.locked),
      this.#changed,
    );
  }

  update(next: ModelPartsData): void {
    this.#data = next;
    for (const turn of this.#turns) turn.request();
  }

  /** Brings the numbers of the part into sight. */
  enterNumbers(): void {
    this.#part.numbers.enter();
  }

  resize(): void {
    this.#part.numbers.resize();
  }

  destroy(): void {
    for (const turn of this.#turns) turn.cancel();
    for (const one of [this.#overview.diagram, this.#part, this.#choices]) one?.destroy();
    this.#container.replaceChildren();
  }

  /** A turn that shows something of the model, as soon as it is known. */
  #turnOf(show: (now: ModelPartsData, model: Architecture) => void): ReturnType<typeof perFrame> {
    return perFrame(() => {
      if (this.#data !== null && this.#data.model !== null) show(this.#data, this.#data.model);
    });
  }

  #show(): void {
    const data = this.#data;
    if (data === null) return;
    const { model, error, bytes, isBefore } = data;
    const { words } = this.#options;
    const { t } = words;
    setText(this.#error, error);
    this.#error.hidden = error === '';
    this.#overview.root.classList.toggle('stale', error !== '');
    const told = data.change === null ? '' : this.#tell(data.change);
    setSteadyText(this.#effect, told);
    for (const one of [this.#renew, this.#beforeHere]) one.hidden = !isBefore;
    this.#changed.hidden = told === '' && !isBefore;
    setText(this.#effectHere, sentences([told, told === '' ? '' : data.progress], words));
    if (model === null) return;
    const memory = bytes === null ? '' : t('parts.memory', { bytes: words.bytes(bytes) });
    const size = t('parts.facts', { parameters: model.parameters });
    setText(this.#facts, sentences([size, memory], words));
    this.#part.update(model, data);
    this.#overview.update(model, data.block);
  }

  /** What a change did, in a sentence. */
  #tell({ option, value, parameters, bytes }: Change): string {
    const { words, fields } = this.#options;
    const { t } = words;
    const field = fields.find(({ name }) => name === option);
    const names = {
      option: words.find(`option.${option}`) ?? option,
      value: field === undefined ? String(value) : choiceText(field, value, words),
    };
    const size =
      parameters === 0
        ? t('choices.same', names)
        : t('choices.effect', { ...names, parameters: signed(parameters, words) });
    if (bytes === null || bytes === 0) return size;
    const memory = `${bytes < 0 ? '−' : '+'}${words.bytes(Math.abs(bytes))}`;
    return sentences([size, t('choices.memory', { memory })], words);
  }
}
