/** The prompt and the settings of the dice, with what is wrong with them. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { fitsSampling } from '../../base/sampling-limits.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { AS_TYPED, el, freshId, setAttribute, setSteadyText, setText } from '../../kit/dom.ts';
import type { NumberInput } from '../../kit/number-field.ts';
import { FIELDS, mistakeText, samplingField } from '../../kit/sampling-fields.ts';
import type { NumberField } from '../../kit/sampling-fields.ts';
import { termButton } from '../../kit/term.ts';

interface Handlers {
  /** Null if a number does not fit. */
  readonly onChange: (request: PromptRequest | null) => void;
  /** Enter was pressed in a field, and all numbers fit. */
  readonly onEnter: () => void;
}

interface Field extends NumberInput {
  readonly field: NumberField;
}

/** Two forms, so that the numbers stand beside what they change. */
export class RequestFields {
  readonly promptForm: HTMLElement;
  readonly diceForm: HTMLElement;
  /** What is wrong with the prompt. */
  readonly note = el('p', { id: freshId('write-note'), class: 'note error', role: 'status' });
  readonly mistakeId = freshId('write-mistake');
  readonly #mistake = el('p', { id: this.mistakeId, class: 'note error', role: 'status' });
  readonly #words: AllWords;
  readonly #handlers: Handlers;
  readonly #prompt: HTMLInputElement;
  readonly #fields: readonly Field[];
  #request: PromptRequest;
  #wrong = '';

  constructor(words: AllWords, request: PromptRequest, handlers: Handlers) {
    const { t } = words;
    this.#words = words;
    this.#handlers = handlers;
    this.#prompt = el('input', {
      id: freshId('write-prompt'),
      type: 'text',
      ...AS_TYPED,
      placeholder: t('ask.placeholder'),
      'aria-describedby': this.note.id,
    });
    const label = el('label', { for: this.#prompt.id, class: 'field-label' }, t('ask.prompt'));
    this.promptForm = this.#form(el('div', { class: 'write-prompt' }, label, this.#prompt));
    this.#fields = FIELDS.filter(({ name }) => name !== 'maxTokens').map((field) => ({
      field,
      // The word above it is a button of its own, and no label.
      ...samplingField(field.name, {
        'aria-label': t(field.label),
        'aria-description': t(field.help),
        'aria-describedby': this.mistakeId,
      }),
    }));
    this.diceForm = this.#form(...this.#fields.map((one) => this.#labelled(one)), this.#mistake);
    this.diceForm.classList.add('write-dice');
    this.#request = request;
    this.#fill();
  }

  /** The last that had no mistake. */
  get request(): PromptRequest {
    return this.#request;
  }

  /** Whether one of the numbers does not fit. */
  get isWrong(): boolean {
    return this.#wrong !== '';
  }

  /** Shows other settings in the fields. */
  set(request: PromptRequest): void {
    this.#request = request;
    this.#wrong = '';
    for (const { input } of this.#fields) setAttribute(input, 'aria-invalid', 'false');
    this.#fill();
  }

  /** Says what is wrong with the numbers, and `note` of the prompt. */
  tell(note: string, isError: boolean): void {
    setAttribute(this.#prompt, 'aria-invalid', String(isError));
    setText(this.note, note);
    setSteadyText(this.#mistake, this.#wrong);
  }

  #form(...children: HTMLElement[]): HTMLFormElement {
    const root = el('form', { class: 'write-form', novalidate: true }, ...children);
    root.addEventListener('input', () => this.#read());
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.isWrong) this.#handlers.onEnter();
    });
    return root;
  }

  /** The keys come to the field first; the style sheet puts its word above it. */
  #labelled({ field, input }: Field): HTMLElement {
    const { t } = this.#words;
    const text = t(field.label);
    const word = field.term === undefined ? text : termButton(field.term, text);
    return el('div', {}, input, el('span', { class: 'field-label', title: t(field.help) }, word));
  }

  #fill(): void {
    if (this.#prompt.value !== this.#request.prompt) this.#prompt.value = this.#request.prompt;
    for (const { field, input } of this.#fields) {
      const value = String(this.#request[field.name]);
      if (input.value !== value) input.value = value;
    }
  }

  #read(): void {
    const next: Record<NumberField['name'], number> = { ...this.#request };
    const mistakes: string[] = [];
    for (const { field, input, read } of this.#fields) {
      const value = read();
      const ok = fitsSampling(field.name, value);
      setAttribute(input, 'aria-invalid', String(!ok));
      next[field.name] = value;
      if (!ok) mistakes.push(mistakeText(field, this.#words));
    }
    this.#wrong = sentences(mistakes, this.#words);
    if (!this.isWrong) this.#request = { ...next, prompt: this.#prompt.value };
    this.#handlers.onChange(this.isWrong ? null : this.#request);
  }
}
