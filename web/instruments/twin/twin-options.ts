/** The settings that a twin can differ in, and which values a twin can have. */
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

/** Settings that make no other model: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);

/** Every setting of the run, first those that tell the families apart. */
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
        ...{ name, type, min, max, ladder },
        title: words.find(`option.${name}`) ?? name,
        choices: texts.map((text, value) => ({ value, text })),
        value: valueOf(table, madeRecipe, name),
      };
    })
    .sort((a, b) => isNumber(a.name) - isNumber(b.name));
}

/** Another value than that of the run: another choice, twice or half of it, or a bound. */
export function otherValue({ value, choices, min, max, type }: TwinOption): number {
  if (choices.length > 0) return choices.find((choice) => choice.value !== value)?.value ?? value;
  if (value === 0) return max > 0 ? Math.min(max, type === 'real' ? 0.1 : 1) : min;
  return value * 2 <= max ? value * 2 : value / 2;
}

/**
 * What is wrong with this value of the option; empty if nothing is. In words of the page: those of
 * a browser are in its own language.
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

/** Why a twin with this value does not go with the run's other settings; empty if it does. */
function misfitOf(now: Session, option: string, value: number, words: AllWords): string {
  // The engine already has another text: two things would differ.
  if (now.pending().includes('text')) return words.t('twin.text');
  const { table, madeRecipe } = now;
  if (fitsRecipe(table, madeRecipe, option, value)) return '';
  const twin = withChange(table, madeRecipe, option, value);
  const shared = [valueOf(table, twin, 'channels'), valueOf(table, twin, 'heads')];
  return messageOf(failure('heads', 'heads must divide channels', shared), words);
}
