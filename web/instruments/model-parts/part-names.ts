/** What parts of the model and their shapes are called. */
import type { AllWords } from '../../i18n/index.ts';
import type { ModelPart, Shape } from '../../store/training/architecture.ts';

/** A shape as a person writes it: letters with the numbers below them in one line. */
export function shapeText(shape: Shape, words: AllWords): string {
  if (shape.length === 0) return words.t('parts.one');
  const letters = shape.map(({ letter }) => letter).join(', ');
  const sizes = shape.map(({ size }) => words.number(size)).join(' × ');
  return `(${letters}) = ${sizes}`;
}

/** What a part is called; one without words of its own is called as in the engine. */
export function partName({ id }: ModelPart, words: AllWords): string {
  return words.find(`part.${id}`) ?? id;
}
