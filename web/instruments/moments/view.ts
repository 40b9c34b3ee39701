/** Two moments of a run side by side: texts on the way from one to the other, and what changed. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, perFrame, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { numberField } from '../../kit/number-field.ts';
import type { NumberInput } from '../../kit/number-field.ts';
import type { TextMarks } from '../../kit/text-marks.ts';
import { ChangeMap } from './change-map.ts';
import type { HeadChange } from './compared.ts';
import { TokenChanges } from './token-changes.ts';
import type { TokenChangesData } from './token-changes.ts';

/** What a model writes; null until it has. */
export interface TextRow {
  readonly step: number;
  readonly text: string | null;
}

export interface MomentsData {
  /** Why nothing can be compared; empty where it can. */
  readonly reason: string;
  readonly first: number;
  readonly last: number;
  /** The step of A. */
  readonly a: number;
  readonly b: { readonly step: number; readonly isNewest: boolean };
  readonly prompt: string;
  readonly rows: readonly TextRow[];
  /** What is wrong with the prompt, or with the text that is looked at. */
  readonly errors: { readonly prompt: string; readonly text: string };
  /** What is said of a long way; empty without one. */
  readonly way: string;
  /** What changed is still that of other steps, or of another text. */
  readonly isStale: boolean;
  readonly attention: HeadChange | null;
  readonly losses: TokenChangesData | null;
}

export interface MomentsOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly textMarks: TextMarks;
  readonly isDark: () => boolean;
  /** Another step is A, within the run. */
  readonly onA: (step: number) => void;
  readonly onLookAt: (step: number) => void;
}

interface Row {
  readonly root: HTMLLIElement;
  readonly stamp: HTMLButtonElement;
  readonly given: HTMLElement;
  readonly written: HTMLElement;
}

export class MomentsView implements View<MomentsData> {
  readonly #container: HTMLElement;
  readonly #options: MomentsOptions;
  readonly #reason = el('p', { class: 'muted' });
  readonly #a: NumberInput;
  readonly #limits = { name: 'a', min: 0, max: 0, ladder: 'ones', type: 'int' } as const;
  readonly #mistake = el('p', { id: freshId('moments-a'), class: 'note error', role: 'alert' });
  readonly #b = el('p', { 'data-part': 'moments-b' });
  readonly #way = el('p', { class: 'note', role: 'status' });
  readonly #list = el('ol', { class: 'moments-texts', translate: 'no' });
  readonly #promptError = el('p', { class: 'note error' });
  readonly #textError = el('p', { class: 'note error' });
  readonly #map: ChangeMap;
  readonly #tokens: TokenChanges;
  readonly #body: HTMLElement;
  readonly #changes: HTMLElement;
  readonly #rows: Row[] = [];
  readonly #draw = perFrame(() => {
    this.#show();
  });
  #data: MomentsData | null = null;

  constructor(container: HTMLElement, options: MomentsOptions) {
    const { words, folds, isDark } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    const id = freshId('moments-step');
    this.#a = numberField(this.#nudgeable(), {
      id,
      inputmode: 'numeric',
      'aria-describedby': this.#mistake.id,
    });
    this.#a.input.addEventListener('input', () => {
      if (this.#judge()) this.#options.onA(this.#a.read());
    });
    this.#map = new ChangeMap(words, folds, isDark);
    this.#tokens = new TokenChanges(words, folds, isDark);
    const pair = el(
      'div',
      { class: 'moments-pair' },
      el('label', { for: id }, t('moments.a')),
      this.#a.input,
      this.#b,
    );
    const texts = el(
      'section',
      {},
      el('h3', {}, t('moments.texts')),
      el('p', { class: 'note' }, t('moments.texts.lead')),
      this.#promptError,
      this.#list,
    );
    this.#changes = el('div', { class: 'moments-changes' }, this.#tokens.root, this.#map.root);
    this.#body = el(
      'div',
      {},
      pair,
      this.#mistake,
      this.#way,
      el('div', { class: 'moments-body' }, texts, el('div', {}, this.#textError, this.#changes)),
    );
    const lead = el('p', { class: 'lead' }, t('moments.lead'));
    container.append(lead, this.#reason, this.#body);
  }

  update(data: MomentsData): void {
    this.#data = data;
    this.#map.update(data.attention);
    this.#tokens.update(data.losses);
    this.#draw.request();
  }

  resize(): void {
    this.#map.resize();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#map.destroy();
    this.#tokens.destroy();
    this.#container.replaceChildren();
  }

  /** The field as it is now: its ends move on with the run. */
  #nudgeable(): Parameters<typeof numberField>[0] {
    const limit = (name: 'first' | 'last') => (): number => this.#data?.[name] ?? 0;
    return Object.defineProperties(
      { ...this.#limits },
      {
        min: { get: limit('first') },
        max: { get: limit('last') },
      },
    );
  }

  /** Whether what stands in the field is a step of the run; says so if not. */
  #judge(): boolean {
    const { first = 0, last = 0 } = this.#data ?? {};
    const step = this.#a.read();
    const isGood = Number.isInteger(step) && step >= first && step <= last;
    setAttribute(this.#a.input, 'aria-invalid', String(!isGood));
    const { t, number } = this.#options.words;
    const limits = { first: number(first), last: number(last) };
    setText(this.#mistake, isGood ? '' : t('moments.range', limits));
    return isGood;
  }

  #show(): void {
    const data = this.#data;
    if (data === null) return;
    const { t, number } = this.#options.words;
    setText(this.#reason, data.reason);
    this.#reason.hidden = data.reason === '';
    this.#body.hidden = data.reason !== '';
    if (data.reason !== '') return;
    const { input, read } = this.#a;
    // What somebody types is left alone.
    if (!input.matches(':focus') && read() !== data.a) input.value = String(data.a);
    this.#judge();
    const { step, isNewest } = data.b;
    setText(this.#b, t(isNewest ? 'moments.b.newest' : 'moments.b', { step: number(step) }));
    setText(this.#way, data.way);
    setText(this.#promptError, data.errors.prompt);
    setText(this.#textError, data.errors.text);
    this.#changes.classList.toggle('awaited', data.isStale);
    this.#showRows(data);
  }

  #showRows({ rows, prompt, b }: MomentsData): void {
    const { words, textMarks } = this.#options;
    const { t, number } = words;
    while (this.#rows.length < rows.length) this.#rows.push(this.#makeRow());
    for (const [index, { step, text }] of rows.entries()) {
      const { root, stamp, given, written } = this.#rows[index]!;
      if (!root.isConnected) this.#list.append(root);
      root.dataset['step'] = String(step);
      setText(stamp, t('moments.row', { step: number(step) }));
      setAttribute(stamp, 'aria-pressed', String(step === b.step));
      setText(given, prompt);
      root.classList.toggle('awaited', text === null);
      const isBlank = text !== null && text.trim() === '' && prompt === '';
      written.classList.toggle('muted', isBlank);
      if (isBlank) textMarks.show(written, t('moments.blank'), false);
      else textMarks.show(written, text ?? '…', text !== null);
    }
    for (const { root } of this.#rows.slice(rows.length)) root.remove();
  }

  #makeRow(): Row {
    const stamp = el('button', { type: 'button', class: 'link' });
    const [given, written] = [el('span', { class: 'muted' }), el('span')];
    const text = el('p', { class: 'written', dir: 'auto' }, given, written);
    const root = el('li', {}, stamp, text);
    const look = (): void => {
      this.#options.onLookAt(Number(root.dataset['step']));
    };
    stamp.addEventListener('click', look);
    text.addEventListener('click', ({ target }) => {
      const isMark = target instanceof Element && target.closest('[role=button]') !== null;
      // A selection is no press.
      if (!isMark && getSelection()?.isCollapsed !== false) look();
    });
    return { root, stamp, given, written };
  }
}
