/** A box to tick, with its text. */
import type { Signal } from '@preact/signals';

export function Tick({
  choice,
  text,
}: {
  readonly choice: Signal<boolean>;
  readonly text: string;
}) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={choice.value}
        onChange={({ currentTarget }) => {
          choice.value = currentTarget.checked;
        }}
      />
      <span>{text}</span>
    </label>
  );
}
