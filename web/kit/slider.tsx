/**
 * A slider from 0. A touch moves it at once; if the browser turns the gesture into scrolling, the
 * value is restored.
 */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useFreshId } from './use-id.ts';

export interface SliderProps {
  readonly id?: string;
  /** Accessible name of a slider without a label. */
  readonly label?: string;
  readonly description?: string;
  readonly title?: string;
  readonly disabled?: boolean;
  readonly max: number;
  /** 1 by default. */
  readonly step?: number;
  readonly value: number;
  /** Description of the value, if the number alone is not clear. */
  readonly valueText?: string;
  readonly onValue: (value: number) => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly element?: RefObject<HTMLInputElement | null>;
}

export function Slider(props: SliderProps) {
  const { label, description, step = 1, value, valueText, onValue, element, ...rest } = props;
  const before = useRef(value);
  return (
    <input
      {...rest}
      ref={element ?? null}
      type="range"
      min={0}
      step={step}
      value={value}
      aria-label={label}
      aria-description={description}
      aria-valuetext={valueText}
      onInput={({ currentTarget }) => onValue(Number(currentTarget.value))}
      onPointerDown={() => {
        before.current = value;
      }}
      onPointerCancel={() => {
        if (value !== before.current) onValue(before.current);
      }}
    />
  );
}

export interface SliderRowProps {
  readonly label: string;
  readonly max: number;
  readonly value: number;
  readonly valueText: string;
  readonly onValue: (value: number) => void;
}

/** A slider between its label and the text of its value. */
export function SliderRow({ label, valueText, ...slider }: SliderRowProps) {
  const id = useFreshId('slider');
  return (
    <div class="values-row">
      <label for={id}>{label}</label>
      <Slider id={id} valueText={valueText} {...slider} />
      <output for={id} class="stamp">
        {valueText}
      </output>
    </div>
  );
}
