/** What a run that leaves this one is to have otherwise. */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field, FormOption } from '../../kit/option-field.ts';

export interface ForkFormOptions {
  readonly words: AllWords;
  readonly options: readonly FormOption[];
  /** `isAnew`: with the newest text, from its own step 0 on. */
  readonly onFork: (values: Readonly<Record<string, number>>, isAnew: boolean) => void;
}

export interface ForkFormData {
  /** Where it leaves. */
  readonly step: number;
  /** What the run had at that step; null until that is known. */
  readonly values: Readonly<Record<string, number>> | null;
  /** Whether another text than that of the run stands on the page. */
  readonly hasOtherText: boolean;
  /** What is wrong with these values, by option; under no name what is wrong with all. */
  readonly wrong: (
    values: Readonly<Record<string, number>>,
    isAnew: boolean,
  ) => Readonly<Record<string, string>>;
  /** Why the last one could not be. */
  readonly error: string;
}

export class ForkForm {
  readonly root: HTMLFormElement;
  readonly #words: AllWords;
  readonly #fields: readonly Field[];
  readonly #legend = el('p', { class: 'past-with' });
  readonly #note = el('p', { class: 'note error', role: 'alert' });
  readonly #anew = el('input', { type: 'checkbox' });
  readonly #go = el('button', { type: 'submit', class: 'primary' });
  readonly #tick: HTMLElement;
  readonly #hint: HTMLElement;
  #typed: Record<string, number> = {};
  #data: ForkFormData | null = null;

  constructor({ words, options, onFork }: ForkFormOptions) {
    this.#words = words;
    const change = (name: string, value: number): void => {
      this.#typed[name] = value;
      this.#say({});
    };
    this.#fields = options.map((option) => createField(option, words, change, () => true));
    const go = this.#go;
    setText(go, words.t('past.fork.go'));
    const rows = el('div', { class: 'past-fields' }, ...this.#fields.map(({ row }) => row), go);
    this.#tick = el(
      'label',
      { class: 'tick' },
      this.#anew,
      el('span', {}, words.t('past.fork.anew')),
    );
    this.#hint = el('p', { class: 'note' }, words.t('past.fork.other'));
    this.root = el(
      'form',
      { class: 'past-fork', novalidate: true },
      this.#legend,
      rows,
      this.#tick,
      this.#hint,
      this.#note,
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      const wrong = this.#data?.wrong(this.#values, this.#isAnew) ?? {};
      this.#say(wrong);
      const first = this.#fields.find(({ option }) => wrong[option.name] !== undefined);
      if (Object.keys(wrong).length === 0) onFork(this.#values, this.#isAnew);
      else (first ?? this.#fields[0])?.focus();
    });
  }

  update(data: ForkFormData): void {
    const before = this.#data;
    this.#data = data;
    const { step, values, error } = data;
    setText(this.#legend, this.#words.t('past.fork.title', { step: this.#words.number(step) }));
    if (error !== before?.error) setText(this.#note, error);
    this.#tick.hidden = !data.hasOtherText;
    this.#hint.hidden = data.hasOtherText;
    for (const { option, show } of this.#fields) {
      // What was typed stays.
      if (this.#typed[option.name] === undefined) show(values?.[option.name] ?? NaN);
    }
    this.#go.disabled = values === null;
  }

  /** What was typed for another fork is not meant here. */
  open(): void {
    this.#typed = {};
    if (this.#data !== null) this.update(this.#data);
    this.#fields[0]?.focus();
  }

  get #isAnew(): boolean {
    return this.#anew.checked && this.#data?.hasOtherText === true;
  }

  get #values(): Readonly<Record<string, number>> {
    return { ...this.#data?.values, ...this.#typed };
  }

  #say(wrong: Readonly<Record<string, string>>): void {
    for (const { option, showError } of this.#fields) showError(wrong[option.name] ?? '');
    setText(this.#note, wrong[''] ?? '');
  }
}
