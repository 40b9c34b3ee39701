/**
 * A slider over whole numbers from 0. A finger that only scrolls the page across it leaves it as it
 * was: touching moves it at once, and that is undone when the browser takes the gesture.
 */
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';

export interface SliderProps {
  readonly id: string;
  readonly max: number;
  readonly value: number;
  /** The value in words. */
  readonly valueText: string;
  readonly onValue: (value: number) => void;
  readonly element?: RefObject<HTMLInputElement | null>;
}

export function Slider({ id, max, value, valueText, onValue, element }: SliderProps) {
  const before = useRef(value);
  return (
    <input
      ref={element ?? null}
      id={id}
      type="range"
      min={0}
      max={max}
      step={1}
      value={value}
      aria-valuetext={valueText}
      onInput={({ currentTarget }) => onValue(Number(currentTarget.value))}
      onPointerDown={() => {
        before.current = value;
      }}
      onPointerCancel={() => onValue(before.current)}
    />
  );
}
