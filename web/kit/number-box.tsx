/** A field for a number, as number-field.ts: the arrow keys move it on. */
import { useState } from 'preact/hooks';
import { nudge } from './nudge.ts';
import type { Nudgeable } from './nudge.ts';
import { readNumber } from './number-field.ts';

export interface NumberBoxProps {
  readonly id: string;
  readonly option: Nudgeable;
  /** Stands in the field while nobody types. */
  readonly value: number;
  /** Called with what is typed: NaN for no number, null once the reader leaves the field. */
  readonly onValue: (value: number | null) => void;
  readonly isInvalid: boolean;
  /** Id of the element that says what is wrong. */
  readonly describedBy: string;
}

export function NumberBox({ id, option, value, onValue, isInvalid, describedBy }: NumberBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? String(value);
  const take = (text: string | null): void => {
    setTyped(text);
    onValue(text === null ? null : readNumber(text));
  };
  return (
    <input
      id={id}
      type="text"
      inputMode={option.type === 'int' ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      value={shown}
      onInput={({ currentTarget }) => take(currentTarget.value)}
      onBlur={() => take(null)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        take(String(nudge(option, readNumber(shown), event.key === 'ArrowUp' ? 1 : -1)));
      }}
    />
  );
}
