/** One option as a field: its label, its control, its help behind a question mark, its error. */
import type { MaybeIdle } from '../base/idle-option.ts';
import type { Words } from '../i18n/index.ts';
import { el, freshId, setText, setAttribute } from './dom.ts';
import { numberField } from './number-field.ts';
import type { Fits, Nudgeable } from './nudge.ts';
import { termButton } from './term.ts';

/** One option, as its field needs it. */
export interface FormOption extends Nudgeable, MaybeIdle {
  readonly group: string;
  /** Whether it is shown without being asked for more. */
  readonly basic: boolean;
  /** The entry of the glossary that explains it; empty if no entry does. */
  readonly term: string;
}

export interface Field {
  readonly option: FormOption;
  readonly row: HTMLElement;
  readonly show: (value: number) => void;
  /** `said`: the same is spelled out at another field. */
  readonly showError: (text: string, said?: boolean) => void;
  readonly focus: () => void;
}

/** One option: its label, its control, its help behind a question mark, its error. */
export function createField(
  option: FormOption,
  words: Words,
  onChange: (option: string, value: number) => void,
  fits: Fits,
): Field {
  const { t } = words;
  const { name } = option;
  const id = freshId('option');
  const helpId = freshId('option-help');
  const errorId = freshId('option-error');
  const title = words.find(`option.${name}`) ?? name;
  const helpText = words.find(`option.${name}.help`);
  const error = el('p', { id: errorId, class: 'note error' });
  error.hidden = true;
  const report = (value: number): void => {
    onChange(name, value);
  };
  const control = createControl(option, id, words, report, fits);
  control.input.setAttribute('aria-describedby', errorId);
  const row = el(
    'div',
    { class: `field field-${option.type}`, 'data-option': name },
    el('label', { for: id }, title),
  );
  if (helpText !== null) {
    const more = option.term === '' ? [] : [' ', termButton(option.term, t('glossary.more'))];
    const help = el('p', { id: helpId, class: 'help' }, helpText, ...more);
    help.hidden = true;
    const ask = el('button', { type: 'button', class: 'ask-help', 'aria-expanded': 'false' }, '?');
    ask.setAttribute('aria-controls', helpId);
    ask.setAttribute('aria-label', t('settings.about', { name: title }));
    ask.addEventListener('click', () => {
      help.hidden = !help.hidden;
      setAttribute(ask, 'aria-expanded', String(!help.hidden));
    });
    // The keys come to the field first; the style sheet puts the question beside its label.
    row.append(control.box, ask, help);
  } else {
    row.append(control.box);
  }
  row.append(error);
  return {
    option,
    row,
    show: control.show,
    showError(text, said = false) {
      // A field whose mistake is spelled out at another one is marked, and described, all the same.
      error.hidden = text === '' || said;
      setText(error, text);
      setAttribute(control.input, 'aria-invalid', String(text !== ''));
    },
    focus() {
      control.input.focus();
    },
  };
}

interface Control {
  readonly box: HTMLElement;
  readonly input: HTMLInputElement | HTMLSelectElement;
  readonly show: (value: number) => void;
}

function createControl(
  option: FormOption,
  id: string,
  words: Words,
  onValue: (value: number) => void,
  fits: Fits,
): Control {
  if (option.type === 'bool') {
    const input = el('input', { id, type: 'checkbox', class: 'switch' });
    input.addEventListener('change', () => {
      onValue(input.checked ? 1 : 0);
    });
    return { box: input, input, show: (value) => (input.checked = value === 1) };
  }
  if (option.type === 'choice') {
    const choices = option.choices.map((choice, index) => {
      const text = words.find(`choice.${option.name}.${choice}`) ?? choice;
      return el('option', { value: index }, text);
    });
    const input = el('select', { id }, ...choices);
    input.addEventListener('change', () => {
      onValue(Number(input.value));
    });
    return { box: input, input, show: (value) => (input.value = String(value)) };
  }
  return numberControl(option, id, words, onValue, fits);
}

/** A text field for a number, with buttons (and arrow keys) to the next round value. */
function numberControl(
  option: FormOption,
  id: string,
  words: Words,
  onValue: (value: number) => void,
  fits: Fits,
): Control {
  const { t } = words;
  const title = words.find(`option.${option.name}`) ?? option.name;
  const { input, read, move } = numberField(option, { id, class: 'number' }, fits);
  const stepper = (direction: 1 | -1, sign: string): HTMLButtonElement => {
    // Out of the tab order: the arrow keys in the field do the same.
    const button = el('button', { type: 'button', class: 'nudge', tabindex: '-1' }, sign);
    const key = direction === 1 ? 'settings.larger' : 'settings.smaller';
    button.setAttribute('aria-label', t(key, { name: title }));
    button.addEventListener('click', () => {
      move(direction);
    });
    return button;
  };
  /** Reported, and not yet shown again: an update that was on its way before has an older value. */
  let typed: number | null = null;
  input.addEventListener('input', () => {
    typed = read();
    onValue(typed);
  });
  input.addEventListener('blur', () => {
    typed = null;
  });
  const box = el('span', { class: 'stepper' });
  if (option.name === 'seed') box.append(input);
  else box.append(stepper(-1, '−'), input, stepper(1, '+'));
  return {
    box,
    input,
    show(value) {
      if (typed !== null && !Object.is(value, typed)) return;
      typed = null;
      // What is being typed ("1e", "0.", nothing) is left alone as long as it means the same.
      if (!Object.is(read(), value))
        input.value = Number.isNaN(value) ? input.value : String(value);
    },
  };
}
