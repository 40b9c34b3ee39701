/** The tensors of a part, and names of their rows and columns. */
import type { NamedTensor, Token } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { ModelPart, PartTensor, Shape } from '../../store/training/architecture.ts';

/** A tensor whose numbers can be shown. */
export interface PartNumbers {
  /** The engine's name. */
  readonly name: string;
  readonly label: string;
  readonly shape: Shape;
  /** Whether the model computes it; parameters are learned. */
  readonly isComputed: boolean;
}

/** The tensors of `part` in `block`, the output first; none for texts and tokens. */
export function numbersOf(part: ModelPart, block: number, { t }: AllWords): PartNumbers[] {
  if (part.id === 'text' || part.id === 'tokens') return [];
  const numbers = (
    { name: raw, shape }: PartTensor,
    isComputed: boolean,
    label: (name: string) => string,
  ): PartNumbers => {
    const name = engineName(raw, block);
    return { name, label: label(name), shape, isComputed };
  };
  return [
    ...part.tensors.map((tensor) =>
      numbers(tensor, true, (name) => {
        if (name.endsWith('attn.probs')) return t('values.of.weights');
        return t(name === 'token_loss' ? 'values.of.losses' : 'values.of.output');
      }),
    ),
    ...part.parameters.map((tensor) =>
      numbers(tensor, false, (name) => t('values.of.parameter', { name })),
    ),
  ];
}

/** Names of rows and columns. */
export interface SideNames {
  readonly row: (index: number) => string;
  readonly column: (index: number) => string;
}

export function sideNamesOf(
  shape: Shape,
  kind: NamedTensor['kind'],
  tokens: readonly Token[],
  words: AllWords,
): SideNames {
  const { t } = words;
  const names = kind === 'node' ? spokenLabels(tokens, words) : [];
  // A weight has a row for each input and a column for each output.
  const isWeight =
    kind === 'parameter' && shape.length === 2 && shape.every((one) => one.letter.endsWith('C'));
  const naming = (side: 'row' | 'column') => {
    const letter = shape.at(side === 'row' ? -2 : -1)?.letter ?? '';
    return (index: number): string => {
      const place = index + 1;
      const token = letter === 'T' ? names[index] : undefined;
      if (token !== undefined) return t('values.token', { token, place });
      if (letter === 'V') return t('values.id', { id: String(index) });
      if (letter === 'T') return t('values.position', { place });
      if (isWeight) return t(`values.channel.${side}`, { channel: place });
      if (letter.endsWith('C')) return t('values.channel', { channel: place });
      return t(`values.${side}`, { place });
    };
  };
  return { row: naming('row'), column: naming('column') };
}
