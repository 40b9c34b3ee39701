/** Number fields with steps by arrow key; they accept the formats of read-number.ts. */
import { useState } from 'preact/hooks';
import { keyOf } from './keys.ts';
import { nudge } from './nudge.ts';
import type { Fits, Nudgeable } from './nudge.ts';
import { readNumber } from './read-number.ts';

interface NumberFieldProps {
  readonly option: Nudgeable;
  readonly isInvalid: boolean;
  /** Id of the element that shows the error. */
  readonly describedBy: string;
}

export interface NumberTextProps extends NumberFieldProps {
  readonly id?: string;
  readonly class?: string;
  /** Accessible name of a field without a label. */
  readonly label?: string;
  readonly description?: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onBlur?: (() => void) | undefined;
  /** Whether a value is allowed: arrow keys skip other values. All values by default. */
  readonly fits?: Fits | undefined;
}

/** A controlled number field: the caller keeps the text. */
export function NumberText(props: NumberTextProps) {
  const { option, isInvalid, describedBy, label, description, text, onText, fits, ...rest } = props;
  return (
    <input
      {...rest}
      type="text"
      inputMode={option.type === 'int' ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-label={label}
      aria-description={description}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={(event) => {
        const key = keyOf(event);
        if (key !== 'ArrowUp' && key !== 'ArrowDown') return;
        event.preventDefault();
        const from = readNumber(event.currentTarget.value);
        onText(String(nudge(option, from, key === 'ArrowUp' ? 1 : -1, fits)));
      }}
    />
  );
}

export interface NumberBoxProps extends NumberFieldProps {
  readonly id: string;
  /** Value shown while the reader is not typing. */
  readonly value: number;
  /** Called with the typed number: NaN if invalid, null when the reader leaves the field. */
  readonly onValue: (value: number | null) => void;
}

/** A number field that shows the typed text until it loses focus, and `value` afterwards. */
export function NumberBox({ value, onValue, ...rest }: NumberBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = (text: string | null): void => {
    setTyped(text);
    onValue(text === null ? null : readNumber(text));
  };
  return (
    <NumberText {...rest} text={typed ?? String(value)} onText={take} onBlur={() => take(null)} />
  );
}
