/**
 * A field for a number: text, so that numbers are taken as people write them and as the page prints
 * them.
 */
import { el } from './dom.ts';
import { nudge } from './nudge.ts';
import type { Fits, Nudgeable } from './nudge.ts';

export interface NumberInput {
  readonly input: HTMLInputElement;
  /** What stands there; NaN for what is no number. */
  readonly read: () => number;
  /** The next round value up or down. */
  readonly move: (direction: 1 | -1) => void;
}

/**
 * `5,000` is five thousand, `0,001` a thousandth; full-width digits and thin spaces are taken too.
 */
export function readNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(/\s/gu, '').replaceAll('−', '-');
  if (plain === '') return NaN;
  const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain);
  return Number(grouped ? plain.replaceAll(',', '') : plain.replace(/^([^,.]*),([^,]*)$/, '$1.$2'));
}

/** Creates the field; the arrow keys move it on, and `input` events tell of that as of typing. */
export function numberField(
  option: Nudgeable,
  attributes: Readonly<Record<string, string>> = {},
  fits?: Fits,
): NumberInput {
  const input = el('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    ...attributes,
  });
  const read = (): number => readNumber(input.value);
  const move = (direction: 1 | -1): void => {
    input.value = String(nudge(option, read(), direction, fits));
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? 1 : -1);
  });
  return { input, read, move };
}
