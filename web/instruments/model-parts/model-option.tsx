/** The options of the model, as fields that stand beside a part and in the table of choices. */
import type { Option } from '../../engine/options.ts';
import type { Fits } from '../../kit/nudge.ts';
import { OptionField } from '../../kit/option-field.tsx';
import { useWords } from '../component.tsx';
import type { Values } from './wanted-model.ts';

export interface ModelOptions {
  readonly fields: readonly Option[];
  readonly values: Values;
  /** Errors by option name. */
  readonly errors: Readonly<Record<string, string>>;
  readonly fits: Fits;
  /** Whether the option has an effect, or an error. */
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
