/**
 * Table of the architecture's options, one row each: the values of the presets, and the value of
 * this model, which can be changed. A preset's cell is a button that adopts its value.
 */
import { isIdle } from '../../base/idle-option.ts';
import type { Option } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { Fits } from '../../kit/nudge.ts';
import { OptionField } from '../../kit/option-field.tsx';
import { useWords } from '../component.tsx';
import type { Values } from './wanted-model.ts';

/** Options of the model, shown beside a part and in the table. */
export interface ModelOptions {
  readonly fields: readonly Option[];
  readonly values: Values;
  /** Errors by option name. */
  readonly errors: Readonly<Record<string, string>>;
  readonly fits: Fits;
  /** Whether to show the option: it has an effect, or an error. */
  readonly isShown: (option: Option) => boolean;
  readonly onChange: (option: string, value: number) => void;
}

export interface ModelOptionProps {
  readonly option: Option;
  readonly options: ModelOptions;
}

export function ModelOption({ option, options }: ModelOptionProps) {
  const { values, errors, fits, onChange } = options;
  const { name } = option;
  return (
    <OptionField
      words={useWords()}
      option={option}
      value={values[name] ?? NaN}
      error={errors[name] ?? ''}
      fits={fits}
      onValue={(value) => onChange(name, value)}
    />
  );
}

export interface ChoiceTableProps {
  readonly presets: readonly string[];
  readonly options: ModelOptions;
  /** Change of the number of parameters if one option is changed; null if unknown. */
  readonly effectOf: (option: string, value: number) => number | null;
}

export function ChoiceTable(props: ChoiceTableProps) {
  const { presets, options } = props;
  const { t } = useWords();
  return (
    <table class="choices-table">
      <caption class="visually-hidden">{t('choices.title')}</caption>
      <thead>
        <tr>
          {[t('choices.now'), ...presets].map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {options.fields.map((option) =>
          options.isShown(option) ? (
            <tr key={option.name}>
              <th scope="row">
                <ModelOption option={option} options={options} />
              </th>
              {presets.map((preset, index) => (
                <td key={preset} data-preset={preset}>
                  <PresetCell {...props} option={option} index={index} />
                </td>
              ))}
            </tr>
          ) : null,
        )}
      </tbody>
    </table>
  );
}

interface PresetCellProps extends ChoiceTableProps {
  readonly option: Option;
  /** Index of the preset. */
  readonly index: number;
}

function PresetCell({ presets, options, effectOf, option, index }: PresetCellProps) {
  const words = useWords();
  const { t } = words;
  const { fields, values, onChange } = options;
  const ofPreset = fields.map((field) => [field.name, presetValue(field, index)] as const);
  const about = { name: optionTitle(option.name, words), preset: presets[index] ?? '' };
  // The preset does not use the option. The accessible name of the dash says so.
  if (isIdle(option, fields, Object.fromEntries(ofPreset))) {
    const title = t('choices.unused', about);
    return (
      <button type="button" class="choice-cell" disabled title={title} aria-label={title}>
        –
      </button>
    );
  }
  const value = presetValue(option, index);
  const text = choiceText(option, value, words);
  const isSame = value === values[option.name];
  const effect = isSame ? null : effectOf(option.name, value);
  const title =
    effect === null || effect === 0
      ? t('choices.take', { ...about, value: text })
      : t('choices.take.effect', { ...about, value: text, effect: signed(effect, words.number) });
  return (
    <button
      type="button"
      class={isSame ? 'choice-cell same' : 'choice-cell'}
      title={title}
      // A bare "yes" would be meaningless to screen readers.
      aria-label={title}
      aria-pressed={isSame}
      onClick={() => onChange(option.name, value)}
    >
      {text}
    </button>
  );
}

/** The value of the option in preset number `index`. */
function presetValue({ presets, min }: Option, index: number): number {
  return presets[index] ?? min;
}

export function optionTitle(name: string, words: AllWords): string {
  return words.find(`option.${name}`) ?? name;
}

/** A value of an option in words. */
export function choiceText(option: Option, value: number, words: AllWords): string {
  if (option.type === 'bool') return words.t(value === 1 ? 'choices.yes' : 'choices.no');
  if (option.type === 'int') return words.number(value);
  if (option.type !== 'choice') return words.short(value);
  const choice = option.choices[value] ?? '';
  return words.find(`choice.${option.name}.${choice}`) ?? choice;
}

/** A number with an explicit sign. */
export function signed(value: number, format: (size: number) => string): string {
  return `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`;
}
