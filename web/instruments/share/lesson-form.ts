/** The form for a lesson: visible, locked and hidden parts, its task, the snippet. */
import type { AnyKey, AllWords } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';

/** The teacher's choices. */
export interface ShareChoice {
  readonly form: string;
  readonly show: readonly string[];
  readonly lock: readonly string[];
  readonly hide: readonly string[];
  readonly task: string;
  /** Name of the text for students; empty for none. */
  readonly name: string;
  readonly autostart: boolean;
  /** The step to stop at; empty for none. */
  readonly stop: string;
  /** Empty for the language of the reader's browser. */
  readonly lang: string;
  readonly theme: string;
}

export interface LessonFormOptions {
  readonly words: AllWords;
  readonly forms: readonly string[];
  readonly panels: readonly string[];
  /** The initial choices. */
  readonly chosen: ShareChoice;
  readonly locks: readonly string[];
  readonly controls: readonly string[];
  readonly taskLimit: number;
  readonly nameLimit: number;
  readonly onChange: (choice: ShareChoice) => void;
}

/** A group of checkboxes or radio buttons. */
interface Picks {
  readonly root: HTMLElement;
  readonly inputs: readonly HTMLInputElement[];
}

export class LessonForm {
  /** The fields except the form of the snippet, which is placed above it. */
  readonly root: HTMLElement;
  readonly formRoot: HTMLElement;
  readonly formHelp = el('p', { class: 'note' });
  readonly #options: LessonFormOptions;
  readonly #forms: Picks;
  readonly #show: Picks;
  readonly #lock: Picks;
  readonly #hide: Picks;
  readonly #task: HTMLTextAreaElement;
  readonly #name: HTMLInputElement;
  readonly #nameLine: HTMLElement;
  readonly #autostart: HTMLInputElement;
  readonly #stop: HTMLInputElement;
  readonly #lang: HTMLSelectElement;
  readonly #theme: HTMLSelectElement;

  constructor(options: LessonFormOptions) {
    const { words, chosen, panels, locks, controls, taskLimit, nameLimit } = options;
    const { t } = words;
    this.#options = options;
    this.#forms = formChoice(options);
    this.formRoot = this.#forms.root;
    this.#show = checks('show', panels, chosen.show, words);
    this.#lock = checks('lock', locks, chosen.lock, words);
    this.#hide = checks('hide', controls, chosen.hide, words);
    const placeholder = t('share.task.placeholder');
    this.#task = el('textarea', {
      id: freshId('task'),
      rows: 3,
      maxlength: taskLimit,
      placeholder,
    });
    this.#task.value = chosen.task;
    this.#name = el('input', { type: 'text', maxlength: nameLimit, value: chosen.name });
    this.#nameLine = pick(t('share.name'), this.#name);
    this.#autostart = el('input', { type: 'checkbox', checked: chosen.autostart });
    this.#stop = el('input', { type: 'text', inputmode: 'numeric', size: 6, value: chosen.stop });
    this.#lang = select(chosen.lang, [
      ['', t('share.lang.auto')],
      ['en', 'English'],
      ['zh', '中文'],
    ]);
    this.#theme = select(chosen.theme, [
      ['auto', t('app.theme.auto')],
      ['light', t('app.theme.light')],
      ['dark', t('app.theme.dark')],
    ]);
    this.root = this.#layOut();
    const tell = (): void => this.tell();
    for (const one of [this.root, this.formRoot]) one.addEventListener('input', tell);
  }

  /** Reports the present choices. */
  tell(): void {
    const form = chosenIn(this.#forms)[0] ?? '';
    setText(this.formHelp, this.#options.words.t(`share.form.${form}.help` as AnyKey));
    this.#options.onChange({
      form,
      show: chosenIn(this.#show),
      lock: chosenIn(this.#lock),
      hide: chosenIn(this.#hide),
      task: this.#task.value,
      name: this.#name.value,
      autostart: this.#autostart.checked,
      stop: this.#stop.value.trim(),
      lang: this.#lang.value,
      theme: this.#theme.value,
    });
  }

  /** A name is offered only for the reader's own text. */
  update(isOwn: boolean): void {
    this.#nameLine.hidden = !isOwn;
  }

  #layOut(): HTMLElement {
    const { t } = this.#options.words;
    const task = this.#task;
    return el(
      'div',
      { class: 'share-choices' },
      el('div', {}, el('label', { class: 'field-label', for: task.id }, t('share.task')), task),
      this.#nameLine,
      this.#show.root,
      this.#lock.root,
      this.#hide.root,
      check(this.#autostart, t('share.autostart')),
      pick(t('share.stop'), this.#stop),
      el(
        'div',
        { class: 'share-picks' },
        pick(t('app.language'), this.#lang),
        pick(t('app.theme'), this.#theme),
      ),
    );
  }
}

/** Radio buttons for the forms of a snippet; the first one unless `chosen` names another. */
function formChoice({ words, forms, chosen }: LessonFormOptions): Picks {
  const { t } = words;
  const name = freshId('form');
  const first = forms.includes(chosen.form) ? chosen.form : forms[0];
  const inputs = forms.map((value) =>
    el('input', { type: 'radio', name, value, checked: value === first }),
  );
  const labels = inputs.map((input) => {
    const text = el('span', {}, t(`share.form.${input.value}` as AnyKey));
    return el('label', { class: 'choice' }, input, text);
  });
  const legend = el('legend', { class: 'field-label' }, t('share.form'));
  return { root: el('fieldset', {}, legend, el('div', { class: 'segments' }, ...labels)), inputs };
}

function checks(
  group: string,
  names: readonly string[],
  checked: readonly string[],
  { t }: AllWords,
): Picks {
  const inputs = names.map((value) =>
    el('input', { type: 'checkbox', value, checked: checked.includes(value) }),
  );
  const legend = el('legend', { class: 'field-label' }, t(`share.${group}` as AnyKey));
  const labels = inputs.map((input) => check(input, t(`share.${group}.${input.value}` as AnyKey)));
  return { root: el('fieldset', { class: 'checks' }, legend, ...labels), inputs };
}

function chosenIn({ inputs }: Picks): string[] {
  return inputs.filter(({ checked }) => checked).map(({ value }) => value);
}

function check(input: HTMLInputElement, text: string): HTMLElement {
  return el('label', { class: 'check' }, input, el('span', {}, text));
}

function pick(title: string, input: HTMLElement): HTMLElement {
  return el('label', { class: 'pick' }, el('span', {}, title), input);
}

function select(
  chosen: string,
  choices: readonly (readonly [value: string, text: string])[],
): HTMLSelectElement {
  const made = el('select', {}, ...choices.map(([value, text]) => el('option', { value }, text)));
  // An unknown value selects the first choice.
  if (choices.some(([value]) => value === chosen)) made.value = chosen;
  return made;
}
