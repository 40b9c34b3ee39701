/**
 * The form of all options, made from the engine's table: a few that matter most in sight, the rest
 * behind "more". A field keeps what was typed even when it cannot be used, and says why.
 */
import type { Words } from '../../i18n/index.ts';
import { isIdle } from '../../base/idle-option.ts';
import { disclosure, el, freshId, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import type { Fits } from '../../kit/nudge.ts';
import { createField } from '../../kit/option-field.ts';
import type { Field, FormOption } from '../../kit/option-field.ts';

export interface SettingsFormOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** The fields are in sight from the start. */
  readonly unfolded: boolean;
  readonly presets: readonly string[];
  readonly fields: readonly FormOption[];
  /** What the buttons beside a number pass over. */
  readonly fits: Fits;
  readonly onPreset: (preset: string) => void;
  readonly onReset: () => void;
  readonly onChange: (option: string, value: number) => void;
}

export interface SettingsData {
  readonly preset: string;
  readonly values: Readonly<Record<string, number>>;
  /** What was changed by hand: names of options, and of the preset where another was given. */
  readonly changes: readonly string[];
  /** Whether the way back leads to a preset as it comes, or to what an exercise made of it. */
  readonly given: 'preset' | 'lesson' | 'model';
  /** Options in which what was given differs from its preset. */
  readonly apart: readonly string[];
  /** What is wrong, by the option at which it is to be said. */
  readonly errors: Readonly<Record<string, string>>;
  /** Options whose change would begin a new run, while one is under way. */
  readonly pending: readonly string[];
}

/** Changes that are named one by one; of more, their number is told. */
const MOST_NAMED = 2;

const GROUPS = ['data', 'model', 'training'] as const;

export class SettingsForm implements View<SettingsData> {
  readonly #container: HTMLElement;
  readonly #options: SettingsFormOptions;
  readonly #presets: readonly HTMLInputElement[];
  readonly #presetBox: HTMLElement;
  // In one place: a preset in which something was changed is no longer what its description says.
  readonly #presetHelp = el('p', { class: 'note' });
  readonly #presetSaid: HTMLElement;
  readonly #changed = el('span', {});
  readonly #reset = el('button', { type: 'button', class: 'link' });
  readonly #all: Disclosure;
  readonly #fields = new Map<string, Field>();
  /** What an option is folded away in. */
  readonly #folds = new Map<string, Disclosure>();

  /** Creates the settings form in `container`. */
  constructor(container: HTMLElement, options: SettingsFormOptions) {
    const { words, presets, folds, unfolded, onReset } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    const name = freshId('preset');
    this.#presets = presets.map((value) => el('input', { type: 'radio', name, value }));
    this.#presetBox = this.#createPresets();
    this.#reset.addEventListener('click', () => {
      onReset();
      // The button goes with what it took back.
      this.#all.root.querySelector('button')?.focus({ preventScroll: true });
    });
    const part = { class: 'note', 'data-part': 'preset-changed' };
    const presetChanged = el('p', part, this.#changed, ' ', this.#reset);
    this.#presetSaid = el('div', { class: 'preset-said' }, this.#presetHelp, presetChanged);
    const groups = GROUPS.map((group) => this.#createGroup(group));
    const parts = [this.#presetBox, ...groups];
    this.#all = folds.keep(
      'settings.all',
      disclosure('all-settings', t('settings.all'), () => undefined, ...parts),
      unfolded,
    );
    container.append(el('h2', {}, t('settings.title')), this.#presetSaid, this.#all.root);
  }

  update(data: SettingsData): void {
    const { words, fields } = this.#options;
    for (const input of this.#presets) input.checked = input.value === data.preset;
    setText(this.#presetHelp, givenText(data, words));
    const isChanged = data.changes.length > 0;
    for (const box of [this.#presetBox, this.#presetSaid])
      box.classList.toggle('changed', isChanged);
    setText(this.#changed, isChanged ? changesText(data, words) : '');
    setText(this.#reset, words.t(`settings.reset.${data.given}`));
    const said = new Set<string>();
    for (const [name, field] of this.#fields) {
      field.show(data.values[name] ?? NaN);
      const error = data.errors[name] ?? '';
      field.showError(error, said.has(error));
      said.add(error);
      field.row.hidden = error === '' && isIdle(field.option, fields, data.values);
      field.row.classList.toggle('pending', data.pending.includes(name));
    }
  }

  /** Brings the option into sight and focus. */
  focus(option: string): void {
    this.#all.open();
    this.#folds.get(option)?.open();
    this.#fields.get(option)?.focus();
  }

  resize(): void {
    // The style sheet does it.
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #createPresets(): HTMLElement {
    const { words, onPreset } = this.#options;
    const labels = this.#presets.map((input) => {
      input.addEventListener('change', () => onPreset(input.value));
      const title = el('span', {}, presetTitle(input.value, words));
      return el('label', { class: 'choice' }, input, title);
    });
    return el(
      'fieldset',
      { class: 'presets' },
      el('legend', {}, words.t('settings.for')),
      el('div', { class: 'segments' }, ...labels),
    );
  }

  #createGroup(group: (typeof GROUPS)[number]): HTMLElement {
    const { words, fields, folds } = this.#options;
    const { t } = words;
    const own = fields.filter((field) => groupOf(field) === group);
    const inSight = own.filter(({ basic }) => basic);
    const rest = own.filter(({ basic }) => !basic);
    const legend = el('legend', {}, t(`settings.group.${group}`));
    const box = el('fieldset', { class: `group-${group}` }, legend, this.#createFields(inSight));
    if (rest.length > 0) {
      const further = this.#createFields(rest);
      const more = disclosure('more', t('settings.more'), () => undefined, further);
      folds.keep(`settings.more ${group}`, more);
      for (const { name } of rest) this.#folds.set(name, more);
      box.append(more.root);
    }
    return box;
  }

  #createFields(all: readonly FormOption[]): HTMLElement {
    const { words, fits, onChange } = this.#options;
    const made = all.map((option) => createField(option, words, onChange, fits));
    for (const field of made) this.#fields.set(field.option.name, field);
    return el('div', { class: 'fields' }, ...made.map(({ row }) => row));
  }
}

/** The seed is a matter of the run, wherever the engine lists it. */
function groupOf({ name, group }: FormOption): string {
  if (name === 'seed') return 'training';
  return (GROUPS as readonly string[]).includes(group) ? group : 'training';
}

/** What the preset is for, and its name. */
function presetTitle(preset: string, words: Words): string {
  const made = words.find(`preset.${preset}.for`);
  return made === null ? preset : words.t('settings.named', { for: made, preset });
}

/** What the preset is, or in what the given settings differ from it. */
function givenText({ preset, given, apart }: SettingsData, words: Words): string {
  if (given === 'preset' || apart.length === 0) return words.find(`preset.${preset}`) ?? '';
  return words.t(`settings.as.${given}`, { preset, list: shortList(apart, words) });
}

/** What was changed in what was given. */
function changesText({ preset, changes, given }: SettingsData, words: Words): string {
  const list = shortList(changes, words);
  return given === 'preset'
    ? words.t('settings.changed.preset', { preset: presetTitle(preset, words), list })
    : words.t('settings.changed', { list });
}

/** Options by their names, as a list that stays short however many they are. */
function shortList(all: readonly string[], words: Words): string {
  const { t } = words;
  const shown = all.length <= MOST_NAMED + 1 ? all : all.slice(0, MOST_NAMED);
  const names = shown.map((name) => words.find(`option.${name}`) ?? t('settings.preset'));
  const named = names.join(t('list.separator'));
  const count = all.length - shown.length;
  return count === 0 ? named : t('list.more', { list: named, count });
}
