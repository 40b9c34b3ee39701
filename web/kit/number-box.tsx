/** Fields for a number, as number-field.ts: the arrow keys move it on. */
import { useState } from 'preact/hooks';
import { nudge } from './nudge.ts';
import type { Nudgeable } from './nudge.ts';
import { readNumber } from './number-field.ts';

interface NumberTextProps {
  readonly id: string;
  readonly option: Nudgeable;
  readonly text: string;
  /** Called with what is typed. */
  readonly onText: (text: string) => void;
  readonly onLeave?: () => void;
  readonly isInvalid: boolean;
  /** Id of the element that says what is wrong. */
  readonly describedBy: string;
}

/** A field that shows `text`, whether it is a number or not. */
export function NumberText(props: NumberTextProps) {
  const { id, option, text, onText, onLeave, isInvalid, describedBy } = props;
  return (
    <input
      id={id}
      type="text"
      inputMode={option.type === 'int' ? 'numeric' : 'decimal'}
      autocomplete="off"
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onBlur={() => onLeave?.()}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        onText(String(nudge(option, readNumber(text), event.key === 'ArrowUp' ? 1 : -1)));
      }}
    />
  );
}

export interface NumberBoxProps extends Omit<NumberTextProps, 'text' | 'onText' | 'onLeave'> {
  /** Stands in the field while nobody types. */
  readonly value: number;
  /** Called with what is typed: NaN for no number, null once the reader leaves the field. */
  readonly onValue: (value: number | null) => void;
}

export function NumberBox({ value, onValue, ...field }: NumberBoxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <NumberText
      {...field}
      text={typed ?? String(value)}
      onText={(text) => {
        setTyped(text);
        onValue(readNumber(text));
      }}
      onLeave={() => {
        setTyped(null);
        onValue(null);
      }}
    />
  );
}
