/** Names of parts and of shapes. */
import type { AllWords } from '../../i18n/index.ts';
import type { ModelPart, Shape } from '../../store/training/architecture.ts';

/** A shape as text: letters, then lengths. */
export function shapeText(shape: Shape, words: AllWords): string {
  if (shape.length === 0) return words.t('parts.one');
  const letters = shape.map(({ letter }) => letter).join(', ');
  const sizes = shape.map(({ size }) => words.number(size)).join(' × ');
  return `(${letters}) = ${sizes}`;
}

/** Name of a part; the engine's id if there is no word for it. */
export function partName({ id }: ModelPart, words: AllWords): string {
  return words.find(`part.${id}`) ?? id;
}
