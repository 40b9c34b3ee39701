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

export interface SettingsForm extends View<SettingsData> {
  /** Brings the option into sight and focus. */
  focus(option: string): void;
}

/** Changes that are named one by one; of more, their number is told. */
const MOST_NAMED = 2;

const GROUPS = ['data', 'model', 'training'] as const;

/** Creates the settings form in `container`. */
export function createSettingsForm(
  container: HTMLElement,
  options: SettingsFormOptions,
): SettingsForm {
  const { words, presets, fields, onPreset, onChange } = options;
  const { t } = words;
  const made = new Map<string, Field>();
  /** What an option is folded away in. */
  const folds = new Map<string, Disclosure>();

  const presetName = freshId('preset');
  const radios = presets.map((preset) => {
    const input = el('input', { type: 'radio', name: presetName, value: preset });
    input.addEventListener('change', () => {
      onPreset(preset);
    });
    const label = el(
      'label',
      { class: 'choice' },
      input,
      el('span', {}, presetTitle(preset, words)),
    );
    return { preset, input, label };
  });
  // In one place: a preset in which something was changed is no longer what its description says.
  const presetHelp = el('p', { class: 'note' });
  const changed = el('span', {});
  const reset = el('button', { type: 'button', class: 'link' });
  const presetChanged = el('p', { class: 'note', 'data-part': 'preset-changed' }, changed, ' ', reset); // prettier-ignore
  reset.addEventListener('click', options.onReset);
  const presetBox = el(
    'fieldset',
    { class: 'presets' },
    el('legend', {}, t('settings.for')),
    el('div', { class: 'segments' }, ...radios.map(({ label }) => label)),
  );
  const presetSaid = el('div', { class: 'preset-said' }, presetHelp, presetChanged);
  const groups = GROUPS.map((group) => groupBox(group));
  const all = options.folds.keep(
    'settings.all',
    disclosure('all-settings', t('settings.all'), () => undefined, presetBox, ...groups),
    options.unfolded,
  );
  container.append(el('h2', {}, t('settings.title')), presetSaid, all.root);

  function groupBox(group: (typeof GROUPS)[number]): HTMLElement {
    const own = fields.filter((field) => groupOf(field) === group);
    const inSight = own.filter(({ basic }) => basic);
    const rest = own.filter(({ basic }) => !basic);
    const body = el('div', { class: 'fields' }, ...inSight.map(addField));
    const legend = el('legend', {}, t(`settings.group.${group}`));
    const box = el('fieldset', { class: `group-${group}` }, legend, body);
    if (rest.length > 0) {
      const more = disclosure(
        'more',
        t('settings.more'),
        () => undefined,
        el('div', { class: 'fields' }, ...rest.map(addField)),
      );
      options.folds.keep(`settings.more ${group}`, more);
      for (const { name } of rest) folds.set(name, more);
      box.append(more.root);
    }
    return box;
  }

  /** The seed is a matter of the run, wherever the engine lists it. */
  function groupOf(field: FormOption): string {
    if (field.name === 'seed') return 'training';
    return (GROUPS as readonly string[]).includes(field.group) ? field.group : 'training';
  }

  function addField(option: FormOption): HTMLElement {
    const field = createField(option, words, onChange, options.fits);
    made.set(option.name, field);
    return field.row;
  }

  return {
    update(data) {
      for (const { preset, input } of radios) input.checked = preset === data.preset;
      setText(presetHelp, givenText(data, words));
      for (const box of [presetBox, presetSaid])
        box.classList.toggle('changed', data.changes.length > 0);
      setText(changed, changesText(data, words));
      setText(reset, t(`settings.reset.${data.given}`));
      const said = new Set<string>();
      for (const [name, field] of made) {
        field.show(data.values[name] ?? NaN);
        const error = data.errors[name] ?? '';
        field.showError(error, said.has(error));
        said.add(error);
        field.row.hidden = error === '' && isIdle(field.option, fields, data.values);
        field.row.classList.toggle('pending', data.pending.includes(name));
      }
    },
    focus(option) {
      const field = made.get(option);
      all.open();
      folds.get(option)?.open();
      field?.focus();
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
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
    ? words.t('settings.changed.preset', { preset, list })
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
