/** Asking the model to go on from a beginning, with the dice of the draw in the reader's hands. */
import type { Key, Words } from '../i18n/index.ts';
import { disclosure, el, freshId, setText, setAttribute } from './dom.ts';
import type { View } from './dom.ts';
import { fitsSampling, SAMPLING_LIMITS } from '../base/sampling-limits.ts';
import type { PromptRequest } from '../base/sampling-limits.ts';
import type { Folds } from './folds.ts';
import { numberField } from './number-field.ts';
import type { NumberInput } from './number-field.ts';
import { termButton } from './term.ts';

export interface PromptBoxOptions {
  readonly words: Words;
  readonly folds: Folds;
  readonly request: PromptRequest;
  readonly onAsk: (request: PromptRequest) => void;
  readonly onStop: () => void;
  /** Any field changed: to be kept in the URL. */
  readonly onChange: (request: PromptRequest) => void;
}

export interface PromptBoxData {
  /** The value of the field when it changes from outside. */
  readonly wanted: string;
  readonly prompt: string;
  readonly text: string;
  readonly busy: boolean;
  /** Whether there is an answer to show. */
  readonly answered: boolean;
  readonly note: string;
  readonly error: string;
}

export interface NumberField {
  readonly name: 'temperature' | 'topK' | 'topP' | 'maxTokens' | 'seed';
  readonly label: Key;
  readonly help: Key;
  /** What explains it further, if anything. */
  readonly term?: string;
}

/** The numbers that a draw depends on. */
export const FIELDS: readonly NumberField[] = [
  { name: 'temperature', label: 'ask.temperature', help: 'ask.temperature.help', term: 'temperature' }, // prettier-ignore
  { name: 'topK', label: 'ask.topK', help: 'ask.topK.help', term: 'top_k' },
  { name: 'topP', label: 'ask.topP', help: 'ask.topP.help', term: 'top_p' },
  { name: 'maxTokens', label: 'ask.maxTokens', help: 'ask.maxTokens.help' },
  { name: 'seed', label: 'ask.seed', help: 'ask.seed.help', term: 'seed' },
];

/** A field for one of them. */
export function samplingField(
  name: NumberField['name'],
  attributes: Readonly<Record<string, string>>,
): NumberInput {
  const { min, max, whole } = SAMPLING_LIMITS[name];
  const type = whole ? 'int' : 'real';
  return numberField({ name, type, min, max, ladder: 'decades' }, attributes);
}

/** What is said of a value that does not fit. */
export function mistakeText({ name, label }: NumberField, { t }: Words): string {
  const { min, max, whole } = SAMPLING_LIMITS[name];
  const key = whole ? 'error.number.whole' : 'error.number';
  return t(key, { name: t(label), 0: min, 1: max });
}

export interface PromptBox extends View<PromptBoxData> {
  /** Shows another request in the fields. */
  setRequest(request: PromptRequest): void;
}

/** Creates the prompt box in `container`. */
export function createPromptBox(container: HTMLElement, options: PromptBoxOptions): PromptBox {
  const { words, folds, onAsk, onStop, onChange } = options;
  const { t } = words;
  const promptId = freshId('prompt');
  const noteId = freshId('prompt-note');
  const prompt = el('input', {
    id: promptId,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: t('ask.placeholder'),
    'aria-describedby': noteId,
  });
  prompt.value = options.request.prompt;
  const label = el('span', {}, t('ask.button'));
  const button = el('button', { type: 'submit', class: 'secondary' }, label);
  let busy = false;
  let wanted = options.request.prompt;
  const note = el('p', { id: noteId, class: 'note', role: 'status' });
  const given = el('span', { class: 'given' });
  const written = el('span', { class: 'written', 'data-part': 'answer' });
  const output = el('div', { class: 'answer', translate: 'no' }, given, written);

  const inputs = FIELDS.map((field) => {
    const id = freshId('ask');
    const helpId = freshId('ask-help');
    const errorId = freshId('ask-error');
    const { input, read } = samplingField(field.name, {
      id,
      'aria-describedby': `${errorId} ${helpId}`,
    });
    const error = el('p', { id: errorId, class: 'note error', hidden: true });
    input.value = String(options.request[field.name]);
    const more = field.term === undefined ? [] : [' ', termButton(field.term, t('glossary.more'))];
    const help = el('p', { class: 'help' }, el('span', { id: helpId }, t(field.help)), ...more);
    const row = el(
      'div',
      { class: 'ask-field' },
      el('label', { for: id }, t(field.label)),
      input,
      error,
      help,
    );
    return { field, input, read, error, row };
  });
  const settings = disclosure(
    'ask-settings',
    t('ask.settings'),
    () => undefined,
    el('div', { class: 'ask-fields' }, ...inputs.map(({ row }) => row)),
  );
  folds.keep('ask.settings', settings);
  const form = el(
    'form',
    { class: 'ask', novalidate: true },
    el('label', { for: promptId, class: 'field-label' }, t('ask.prompt')),
    el('div', { class: 'ask-line' }, prompt, button),
    note,
    output,
    settings.root,
  );
  container.append(el('h2', {}, t('ask.title')), form);
  output.hidden = true;

  /** What the fields say now; null while one of them says nothing usable. */
  function read(): PromptRequest | null {
    const request: Record<NumberField['name'], number> = { ...options.request };
    let good = true;
    for (const { field, input, read, error } of inputs) {
      const value = read();
      const ok = fitsSampling(field.name, value);
      setAttribute(input, 'aria-invalid', String(!ok));
      request[field.name] = value;
      setText(error, ok ? '' : mistakeText(field, words));
      error.hidden = ok;
      good &&= ok;
    }
    return good ? { ...request, prompt: prompt.value } : null;
  }

  function showNote(text: string, isError: boolean): void {
    note.classList.toggle('error', isError);
    setText(note, text);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // One button for both, so that the focus stays where it is.
    if (busy) {
      onStop();
      return;
    }
    const request = read();
    if (request !== null) {
      onAsk(request);
      return;
    }
    settings.open();
    inputs.find(({ error }) => !error.hidden)?.input.focus();
  });
  form.addEventListener('input', () => {
    showNote('', false);
    const request = read();
    if (request === null) return;
    wanted = request.prompt;
    onChange(request);
  });

  return {
    update(data) {
      if (data.wanted !== wanted) {
        wanted = data.wanted;
        prompt.value = wanted;
      }
      busy = data.busy;
      setText(label, busy ? t('ask.stop') : t('ask.button'));
      output.hidden = !data.answered;
      setText(given, data.prompt);
      setText(written, data.text);
      showNote(data.error !== '' ? data.error : data.note, data.error !== '');
      setAttribute(prompt, 'aria-invalid', String(data.error !== ''));
    },
    setRequest(request) {
      if (prompt.value !== request.prompt) prompt.value = request.prompt;
      for (const { field, input } of inputs) {
        const value = String(request[field.name]);
        if (input.value !== value) input.value = value;
      }
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
