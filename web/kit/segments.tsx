/** Radio buttons side by side. */
import { useFreshId } from './use-id.ts';

export interface SegmentsProps<Value extends string> {
  /** The accessible name, if no fieldset gives one. */
  readonly label?: string;
  readonly values: readonly Value[];
  /** The chosen value. */
  readonly value: Value;
  readonly textOf: (value: Value) => string;
  readonly isDisabled?: (value: Value) => boolean;
  readonly onValue: (value: Value) => void;
}

export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, values, value, textOf, isDisabled, onValue } = props;
  const name = useFreshId('choice');
  return (
    <div class="segments" role={label === undefined ? undefined : 'radiogroup'} aria-label={label}>
      {values.map((one) => (
        <label key={one} class="choice">
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === value}
            disabled={isDisabled?.(one)}
            onChange={() => onValue(one)}
          />
          <span>{textOf(one)}</span>
        </label>
      ))}
    </div>
  );
}
