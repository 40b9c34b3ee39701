/** Settings in which a twin can differ, and the values it can have. */
import { failure } from '../../engine/errors.ts';
import { findOption, fitsRecipe, valueOf, withChange } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { Nudgeable } from '../../kit/nudge.ts';
import { messageOf } from '../../store/messages.ts';
import { valueText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';

export interface TwinOption extends Nudgeable {
  readonly title: string;
  /** Values with their names; empty for numbers. */
  readonly choices: readonly { readonly value: number; readonly text: string }[];
  /** The value in the shown run. */
  readonly value: number;
}

/** Settings that a twin must share: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);

/** Settings that a twin can change, choices before numbers: choices distinguish model families. */
export function twinOptions({ table, madeRecipe }: Session, words: AllWords): TwinOption[] {
  const options = table.options.filter(({ name }) => !NOT_FOR_TWINS.has(name));
  const isNumber = (name: string): number =>
    ['choice', 'bool'].includes(findOption(table, name)?.type ?? '') ? 0 : 1;
  return options
    .map(({ name, type, min, max, choices, ladder }): TwinOption => {
      const count = type === 'bool' ? 2 : choices.length;
      const texts = Array.from({ length: count }, (_, value) =>
        valueText(table, name, value, words),
      );
      return {
        name,
        type,
        min,
        max,
        ladder,
        title: words.find(`option.${name}`) ?? name,
        choices: texts.map((text, value) => ({ value, text })),
        value: valueOf(table, madeRecipe, name),
      };
    })
    .sort((a, b) => isNumber(a.name) - isNumber(b.name));
}

/** A value other than the run's: another choice, the double or the half; for 0, a small number. */
export function otherValue({ value, choices, min, max, type }: TwinOption): number {
  if (choices.length > 0) return choices.find((choice) => choice.value !== value)?.value ?? value;
  if (value === 0) return max > 0 ? Math.min(max, type === 'real' ? 0.1 : 1) : min;
  return value * 2 <= max ? value * 2 : value / 2;
}

/**
 * Error of a value of the option; empty if valid. In the page's language, unlike messages of the
 * browser.
 */
export function mistakeOf(
  option: TwinOption,
  value: number,
  now: Session,
  words: AllWords,
): string {
  const { name, choices, type, min, max, title } = option;
  const isWhole = type !== 'real';
  const isInside = value >= min && value <= max && (!isWhole || Number.isInteger(value));
  if (choices.length > 0 || isInside) return misfitOf(now, name, value, words);
  const values = { name: title, 0: min, 1: max };
  return words.t(isWhole ? 'error.number.whole' : 'error.number', values);
}

/** Why a value does not fit the run's other settings; empty if it does. */
function misfitOf(now: Session, option: string, value: number, words: AllWords): string {
  // A pending text would be a second difference.
  if (now.pending().includes('text')) return words.t('twin.text');
  const { table, madeRecipe } = now;
  if (fitsRecipe(table, madeRecipe, option, value)) return '';
  const twin = withChange(table, madeRecipe, option, value);
  const shared = [valueOf(table, twin, 'channels'), valueOf(table, twin, 'heads')];
  return messageOf(failure('heads', 'heads must divide channels', shared), words);
}
