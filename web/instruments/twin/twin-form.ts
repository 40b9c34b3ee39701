/**
 * The form of a twin: which setting it differs in, and its value there. Suggests another value than
 * that of the run of now, and says what is wrong with the one that was entered.
 */
import { setting } from '../../i18n/numbers.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setAttribute, setText } from '../../kit/dom.ts';
import { numberField, readNumber } from '../../kit/number-field.ts';
import type { Nudgeable } from '../../kit/nudge.ts';

/** A setting that a twin can differ in. */
export interface TwinOption {
  readonly name: string;
  readonly title: string;
  /** Values by name; empty for numbers. */
  readonly choices: readonly { readonly value: number; readonly text: string }[];
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  readonly ladder: Nudgeable['ladder'];
  /** In the run of now. */
  readonly value: number;
}

export interface TwinFormData {
  readonly options: readonly TwinOption[];
  readonly busy: boolean;
  /** Whether the run of now has come to its end. */
  readonly ended: boolean;
  readonly error: string;
}

export interface TwinFormOptions {
  readonly words: AllWords;
  readonly onTry: (option: string, value: number) => void;
  /** Why a value that is one of its option cannot be beside the other settings; or empty. */
  readonly unfit: (option: string, value: number) => string;
  /** What is to be known of a value that can be; or empty. */
  readonly hint: (option: string, value: number) => string;
}

/** Before there is a run. */
export const NO_OPTIONS: TwinFormData = { options: [], busy: false, ended: false, error: '' };

/** The setting that is offered first: everybody can guess what changing it will do. */
const FIRST = 'lr';

/** Another value than that of now: twice or half of it, or the next bound. */
function otherValue({ value, min, max, whole }: TwinOption): number {
  if (value === 0) return max > 0 ? Math.min(max, whole ? 1 : 0.1) : min;
  return value * 2 <= max ? value * 2 : value / 2;
}

export class TwinForm {
  readonly root: HTMLFormElement;
  readonly status: HTMLElement;
  readonly #options: TwinFormOptions;
  readonly #valueId = freshId('twin-value');
  readonly #statusId = freshId('twin-status');
  readonly #option: HTMLSelectElement;
  readonly #valueBox = el('span', {});
  readonly #now = el('span', { class: 'muted' });
  readonly #go: HTMLButtonElement;
  #value: HTMLSelectElement | HTMLInputElement = el('input', {});
  #data = NO_OPTIONS;
  #offered = '';
  /** What is wrong with the value that was typed, or was to be used; or empty. */
  #wrong = '';
  /** What a twin was asked for with: it stays in the field while that one trains. */
  #tried: { readonly name: string; readonly value: number } | null = null;
  /** That one has been seen training. */
  #began = false;
  /** Another value has been entered since. */
  #edited = false;

  constructor(options: TwinFormOptions) {
    const { t } = options.words;
    const optionId = freshId('twin-option');
    this.#options = options;
    this.#option = el('select', { id: optionId });
    this.#go = el('button', { type: 'submit', class: 'primary' }, t('twin.go'));
    this.status = el('p', { id: this.#statusId, class: 'note', role: 'status' });
    this.root = el(
      'form',
      { class: 'twin-form' },
      el('label', { for: optionId }, t('twin.option')),
      this.#option,
      el('label', { for: this.#valueId }, t('twin.value')),
      this.#valueBox,
      this.#now,
      this.#go,
    );
    // What cannot be is said below the form.
    this.root.noValidate = true;
    this.#option.addEventListener('change', () => {
      this.#tried = null;
      this.#suggest();
    });
    this.root.addEventListener('submit', this.#submit);
  }

  update(next: TwinFormData): void {
    this.#data = next;
    const offered = JSON.stringify(next.options);
    if (offered !== this.#offered) {
      this.#offered = offered;
      this.#offer(next.options);
    }
    this.#suggestNext();
    this.#go.disabled = next.options.length === 0;
    // What stood in the way, another text say, may do so no more.
    const chosen = this.#chosen;
    if (this.#wrong !== '' && chosen !== undefined) this.#wrong = this.#whyNot(chosen);
    this.#showStatus();
  }

  get #chosen(): TwinOption | undefined {
    const { options } = this.#data;
    return options.find(({ name }) => name === this.#option.value) ?? options[0];
  }

  get #typed(): number {
    return readNumber(this.#value.value);
  }

  /** Whether a twin was asked for with the value that the run of now has in this setting. */
  #isTried(one: TwinOption | undefined): boolean {
    return one !== undefined && one.name === this.#tried?.name && one.value === this.#tried.value;
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const one = this.#chosen;
    if (one === undefined || this.#data.busy) return;
    // Only now: on the way to another value, that of now may be typed too.
    this.#wrong = this.#whyNot(one);
    this.#showStatus();
    if (this.#wrong !== '') {
      this.#value.focus();
      return;
    }
    this.#tried = { name: one.name, value: this.#typed };
    this.#edited = false;
    this.#began = false;
    this.#options.onTry(this.#tried.name, this.#tried.value);
  };

  /**
   * Offers these settings, and the next suggestion, but not before the twin has been trained.
   */
  #offer(options: readonly TwinOption[]): void {
    const select = this.#option;
    const kept = select.value;
    select.replaceChildren(
      ...options.map(({ name, title }) => el('option', { value: name }, title)),
    );
    const wanted = [kept, FIRST].find((wish) => options.some(({ name }) => name === wish));
    if (wanted !== undefined) select.value = wanted;
    const one = this.#chosen;
    if (one !== undefined && this.#isTried(one)) this.#showNow(one);
    else this.#suggest();
  }

  /**
   * Makes the next suggestion once the twin is there, unless another value was entered meanwhile.
   */
  #suggestNext(): void {
    const { busy, ended } = this.#data;
    if (this.#tried === null || !this.#isTried(this.#chosen)) return;
    this.#began ||= busy;
    // Made, but not yet started, it stands still as well.
    if (busy || !(this.#began || ended)) return;
    const untouched = this.#typed === this.#tried.value;
    this.#tried = null;
    if (untouched) this.#suggest();
  }

  /** Offers another value than that of now. */
  #suggest(): void {
    const one = this.#chosen;
    if (one === undefined) return;
    this.#value = one.choices.length > 0 ? this.#choiceField(one) : this.#numberField(one);
    this.#showNow(one);
    this.#value.setAttribute('aria-describedby', this.#statusId);
    this.#value.addEventListener('input', () => {
      // What was said of the value that was tried says nothing of another.
      this.#edited = true;
      this.#wrong = this.#mistakeOf(one);
      this.#showStatus();
    });
    this.#wrong = '';
    this.#showStatus();
    this.#valueBox.replaceChildren(this.#value);
  }

  #choiceField({ choices, value }: TwinOption): HTMLSelectElement {
    const others = choices.filter((choice) => choice.value !== value);
    const items = others.map((choice) => el('option', { value: choice.value }, choice.text));
    return el('select', { id: this.#valueId }, ...items);
  }

  #numberField(one: TwinOption): HTMLInputElement {
    const { name, min, max, whole, ladder } = one;
    const type = whole ? 'int' : 'real';
    const { input } = numberField({ name, type, min, max, ladder }, { id: this.#valueId });
    input.value = String(otherValue(one));
    return input;
  }

  #showNow(one: TwinOption): void {
    const text = one.choices.find((choice) => choice.value === one.value)?.text;
    setText(this.#now, this.#options.words.t('twin.now', { value: text ?? setting(one.value) }));
  }

  /** What is wrong with the value that is to be used. */
  #whyNot(one: TwinOption): string {
    const alike = this.#typed === one.value;
    return alike ? this.#options.words.t('twin.alike', { name: one.title }) : this.#mistakeOf(one);
  }

  /**
   * What is wrong with the value that was typed, in our words: a browser's are in its own language.
   */
  #mistakeOf({ name, choices, min, max, whole, title }: TwinOption): string {
    const number = this.#typed;
    const inside = number >= min && number <= max && (!whole || Number.isInteger(number));
    if (choices.length > 0 || inside) return this.#options.unfit(name, number);
    const values = { name: title, 0: min, 1: max };
    return this.#options.words.t(whole ? 'error.number.whole' : 'error.number', values);
  }

  #showStatus(): void {
    const { error, busy } = this.#data;
    const said = this.#wrong === '' && !this.#edited ? error : this.#wrong;
    const calm = (): string =>
      busy
        ? this.#options.words.t('twin.busy')
        : this.#options.hint(this.#option.value, this.#typed);
    setText(this.status, said !== '' ? said : calm());
    this.status.classList.toggle('error', said !== '');
    this.#value.setAttribute('aria-invalid', String(this.#wrong !== ''));
    // Still in reach, and with the focus of who has pressed it: what is wrong, a press leads to.
    setAttribute(this.#go, 'aria-disabled', String(this.#wrong !== '' || busy));
  }
}
