/** Tensors of a part, and names of their rows and columns. */
import type { NamedTensor, Token } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { SideNames } from '../../kit/tensor-map.tsx';
import { spokenLabels } from '../../kit/row-labels.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { ModelPart, PartTensor, Shape } from '../../store/training/architecture.ts';

/** A tensor whose numbers can be shown. */
export interface NamedNumbers {
  /** The engine's name. */
  readonly name: string;
  readonly label: string;
  readonly shape: Shape;
  /** Whether the model computes the tensor; parameters are learned instead. */
  readonly isComputed: boolean;
}

/** Tensors of `part` in `block`, the output first; empty for the text and its tokens. */
export function numbersOf(part: ModelPart, block: number, { t }: AllWords): NamedNumbers[] {
  if (part.id === 'text' || part.id === 'tokens') return [];
  const named = ({ name: raw, shape }: PartTensor, isComputed: boolean): NamedNumbers => {
    const name = engineName(raw, block);
    let label = t('values.of.output');
    if (!isComputed) label = t('values.of.parameter', { name });
    else if (name.endsWith('attn.probs')) label = t('values.of.weights');
    else if (name === 'token_loss') label = t('values.of.losses');
    return { name, label, shape, isComputed };
  };
  return [
    ...part.tensors.map((tensor) => named(tensor, true)),
    ...part.parameters.map((tensor) => named(tensor, false)),
  ];
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
