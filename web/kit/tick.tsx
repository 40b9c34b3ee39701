/** Checkboxes with their text. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export interface TickBoxProps {
  readonly isOn: boolean;
  readonly onTick: (isOn: boolean) => void;
  readonly children: ComponentChildren;
}

export function TickBox({ isOn, onTick, children }: TickBoxProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

/** A checkbox that sets a signal. */
export function Tick({
  choice,
  text,
}: {
  readonly choice: Signal<boolean>;
  readonly text: string;
}) {
  const set = (isOn: boolean): void => {
    choice.value = isOn;
  };
  return (
    <TickBox isOn={choice.value} onTick={set}>
      <span>{text}</span>
    </TickBox>
  );
}
