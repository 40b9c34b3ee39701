/** Asking the model to go on from a beginning, with the dice of the draw in the reader's hands. */
import { fitsSampling, SAMPLING_LIMITS } from '../../base/sampling-limits.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import type { Words } from '../../i18n/index.ts';
import { AS_TYPED, disclosure, el, freshId, range, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { FIELDS, mistakeText, samplingField } from '../../kit/sampling-fields.ts';
import { termButton } from '../../kit/term.ts';
import type { TextMarks } from '../../kit/text-marks.ts';

export interface AskOptions {
  readonly words: Words;
  readonly folds: Folds;
  readonly textMarks: TextMarks;
  readonly request: PromptRequest;
  readonly onAsk: (request: PromptRequest) => void;
  /** The same as `onAsk`, and the text that is there can be come back to. */
  readonly onAnother: (request: PromptRequest) => void;
  readonly onBack: () => void;
  readonly onStop: () => void;
  /** Any field changed: to be kept in the URL. */
  readonly onChange: (request: PromptRequest) => void;
}

export interface AskData {
  readonly prompt: string;
  readonly text: string;
  readonly busy: boolean;
  /** Whether there is an answer to show. */
  readonly answered: boolean;
  /** Whether there is one before it. */
  readonly canGoBack: boolean;
  readonly note: string;
  readonly error: string;
}

export interface AskView extends View<AskData> {
  /** Shows another request in the fields. */
  setRequest(request: PromptRequest): void;
}

/** The slider ends here, as beyond it hardly anything but noise is written. */
const HOTTEST = 2;

/** Creates the form in `container`. */
export function createAskForm(container: HTMLElement, options: AskOptions): AskView {
  return new AskForm(container, options);
}

class AskForm implements AskView {
  readonly #container: HTMLElement;
  readonly #options: AskOptions;
  readonly #prompt: HTMLInputElement;
  readonly #label = el('span');
  readonly #note: HTMLElement;
  readonly #given = el('span', { class: 'given' });
  readonly #written = el('span', { class: 'written', 'data-part': 'answer' });
  readonly #output: HTMLElement;
  readonly #temperature: HTMLInputElement;
  readonly #heat = el('output');
  readonly #another: HTMLButtonElement;
  readonly #back: HTMLButtonElement;
  readonly #fields: ReturnType<typeof fieldRow>[];
  readonly #settings: ReturnType<typeof disclosure>;
  #busy = false;

  constructor(container: HTMLElement, options: AskOptions) {
    this.#container = container;
    this.#options = options;
    const { t } = options.words;
    const [promptId, noteId] = [freshId('prompt'), freshId('note')];
    this.#note = el('p', { id: noteId, class: 'note', role: 'status' });
    this.#prompt = el('input', {
      id: promptId,
      type: 'text',
      dir: 'auto',
      ...AS_TYPED,
      placeholder: t('ask.placeholder'),
      'aria-describedby': noteId,
    });
    this.#temperature = range({
      'aria-label': t('ask.temperature'),
      'aria-description': t('ask.temperature.help'),
      min: 0,
      max: HOTTEST,
      step: 0.05,
    });
    this.#output = el(
      'p',
      { class: 'answer', translate: 'no', dir: 'auto' },
      this.#given,
      this.#written,
    );
    const button = (key: 'ask.another' | 'ask.back'): HTMLButtonElement =>
      el('button', { type: 'button', class: 'link', 'data-control': 'seed' }, t(key));
    this.#another = button('ask.another');
    this.#back = button('ask.back');
    this.#fields = FIELDS.filter(({ name }) => name !== 'temperature').map((field) =>
      fieldRow(field, options.words),
    );
    const rows = el('div', { class: 'ask-fields' }, ...this.#fields.map(({ row }) => row));
    this.#settings = disclosure('ask-settings', t('ask.settings'), () => undefined, rows);
    options.folds.keep('ask.settings', this.#settings);
    const write = el('button', { type: 'submit', class: 'secondary' }, this.#label);
    const form = el(
      'form',
      { class: 'ask', novalidate: true },
      el(
        'div',
        { class: 'ask-line' },
        el('label', { for: promptId }, t('ask.prompt')),
        this.#prompt,
        write,
      ),
      el(
        'div',
        { class: 'ask-heat' },
        termButton('temperature', t('ask.temperature')),
        this.#temperature,
        this.#heat,
      ),
      this.#output,
      el('div', { class: 'ask-after' }, this.#note, this.#another, this.#back),
      this.#settings.root,
    );
    container.append(el('h2', {}, t('ask.title')), form);
    this.#output.hidden = true;
    this.setRequest(options.request);
    this.#listen(form);
  }

  #listen(form: HTMLFormElement): void {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      // One button for both, so that the focus stays where it is.
      if (this.#busy) this.#options.onStop();
      else this.#ask();
    });
    form.addEventListener('input', ({ target }) => {
      if (this.#note.classList.contains('error')) this.#showNote('', false);
      this.#showHeat();
      const request = this.#read();
      if (request === null) return;
      this.#options.onChange(request);
      // While it moves: the answer of the last place is the one that stays.
      if (target === this.#temperature) this.#options.onAsk(request);
    });
    this.#another.addEventListener('click', () => {
      const { seed } = this.#read() ?? {};
      const input = this.#fields.find(({ field }) => field.name === 'seed')?.input;
      if (input !== undefined && seed !== undefined) {
        input.value = String((seed + 1) % SAMPLING_LIMITS.seed.max);
      }
      this.#ask((request) => {
        this.#options.onChange(request);
        this.#options.onAnother(request);
      });
    });
    this.#back.addEventListener('click', () => {
      this.#options.onBack();
    });
  }

  /** Where a field says nothing usable, that is said, and nothing is asked. */
  #ask(onAsk = this.#options.onAsk): void {
    const request = this.#read();
    if (request !== null) {
      onAsk(request);
      return;
    }
    this.#settings.open();
    this.#fields.find(({ error }) => !error.hidden)?.input.focus();
  }

  /** The way back leaves only when it has nowhere to lead, and not from under the keyboard. */
  #showBack(canGoBack: boolean): void {
    if (!canGoBack && this.#back.matches(':focus')) this.#another.focus();
    this.#back.hidden = !canGoBack;
  }

  /** What the fields say now; null while one of them says nothing usable. */
  #read(): PromptRequest | null {
    const numbers: Record<string, number> = { temperature: Number(this.#temperature.value) };
    let good = true;
    for (const { field, input, read, error } of this.#fields) {
      const value = read();
      const ok = fitsSampling(field.name, value);
      setAttribute(input, 'aria-invalid', String(!ok));
      numbers[field.name] = value;
      setText(error, ok ? '' : mistakeText(field, this.#options.words));
      error.hidden = ok;
      good &&= ok;
    }
    const { request } = this.#options;
    return good ? { ...request, ...numbers, prompt: this.#prompt.value } : null;
  }

  #showNote(text: string, isError: boolean): void {
    this.#note.classList.toggle('error', isError);
    setText(this.#note, text);
  }

  #showHeat(): void {
    setText(this.#heat, this.#options.words.number(Number(this.#temperature.value), 2));
  }

  update({ prompt, text, busy, answered, canGoBack, note, error }: AskData): void {
    const { t } = this.#options.words;
    this.#busy = busy;
    setText(this.#label, busy ? t('ask.stop') : t('ask.button'));
    this.#output.hidden = !answered;
    this.#another.hidden = !answered;
    this.#showBack(canGoBack);
    setText(this.#given, prompt);
    this.#options.textMarks.show(this.#written, text, !busy);
    // Until there is more to say, what was said stays: nothing below moves up and back.
    if (!busy || error !== '') this.#showNote(error !== '' ? error : note, error !== '');
    this.#reserveSpace();
    setAttribute(this.#prompt, 'aria-invalid', String(error !== ''));
  }

  /** While it writes anew, an answer takes no less room than the one before. */
  #reserveSpace(): void {
    const { style } = this.#output;
    if (this.#busy) style.minHeight ||= `${String(this.#output.offsetHeight)}px`;
    else style.minHeight = '';
  }

  setRequest(request: PromptRequest): void {
    if (this.#prompt.value !== request.prompt) this.#prompt.value = request.prompt;
    for (const { field, input } of this.#fields) {
      const value = String(request[field.name]);
      if (input.value !== value) input.value = value;
    }
    // A slider shows nothing beyond its end.
    this.#temperature.max = String(Math.max(HOTTEST, request.temperature));
    this.#temperature.value = String(request.temperature);
    this.#showHeat();
  }

  resize = (): void => undefined;

  destroy(): void {
    this.#container.replaceChildren();
  }
}

function fieldRow(
  field: (typeof FIELDS)[number],
  words: Words,
): ReturnType<typeof samplingField> & {
  readonly field: typeof field;
  readonly error: HTMLElement;
  readonly row: HTMLElement;
} {
  const { t } = words;
  const [id, helpId, errorId] = [freshId('ask'), freshId('ask-help'), freshId('ask-error')];
  const made = samplingField(field.name, { id, 'aria-describedby': `${errorId} ${helpId}` });
  const error = el('p', { id: errorId, class: 'note error', hidden: true });
  const more = field.term === undefined ? [] : [' ', termButton(field.term, t('glossary.more'))];
  const help = el('p', { class: 'help' }, el('span', { id: helpId }, t(field.help)), ...more);
  const label = el('label', { for: id }, t(field.label));
  const row = el('div', { class: 'ask-field' }, label, made.input, error, help);
  return { ...made, field, error, row };
}
