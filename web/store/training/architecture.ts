/**
 * The architecture of a recipe's model, part by part in order of computation. Tensors, shapes and
 * parameters come from the engine (`Trainer.architecture`); this file groups them into parts, with
 * the documentation entry and the options of each.
 */
import type { DescribedNode, DescribedTensor, ModelArchitecture } from '../../engine/trainer.ts';

/** A dimension of a tensor: its letter and its length. */
export interface Dimension {
  readonly letter: string;
  readonly size: number;
}

export type Shape = readonly Dimension[];

/** A tensor by the engine's name, with `{block}` in place of the block number. */
export interface PartTensor {
  readonly name: string;
  readonly shape: Shape;
}

/** A parameter of a part; borrowed if the head is tied to the token table. */
export interface PartParameter extends PartTensor {
  readonly borrowed: boolean;
}

export interface ModelPart {
  /**
   * The engine's name of the output without its block, such as `attn.qkv`; also `text` and
   * `tokens`.
   */
  readonly id: string;
  /** Name of the documentation entry that explains the part. */
  readonly entry: string;
  /** Tensors that the part computes, the output first. */
  readonly tensors: readonly PartTensor[];
  readonly parameters: readonly PartParameter[];
  /** Number of parameters owned in one block. */
  readonly count: number;
  /** Options that change the part. */
  readonly options: readonly string[];
}

export interface Architecture {
  readonly before: readonly ModelPart[];
  /** Parts of one block; all blocks are alike. */
  readonly block: readonly ModelPart[];
  readonly layers: number;
  readonly after: readonly ModelPart[];
  /** Number of parameters of the whole model. */
  readonly parameters: number;
  /** Lengths by dimension letter; d is the width of a head. */
  readonly sizes: Readonly<Record<'T' | 'C' | 'H' | 'V' | 'd', number>>;
}

/** Documentation entries by value of the option `tokenizer`. */
const TOKENIZER_ENTRIES = ['tokenizer_byte', 'tokenizer_char', 'bpe'];
/** Documentation entries of tensors shown as separate parts, before the part that computes them. */
const SHOWN_APART: Readonly<Record<string, string>> = { probs: 'softmax' };

const NORM = ['norm', 'norm_gain', 'bias'];
/** Options that change a part, by entry and by id; other parts depend on no option. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  layernorm: NORM,
  rmsnorm: NORM,
  'embed.norm': ['embedding_norm'],
  'final.norm': ['final_norm'],
  embedding: ['channels', 'tied_head'],
  positional: ['context'],
  add: ['layers'],
  linear: ['bias', 'channels'],
  'attn.out': ['residual_init'],
  'mlp.out': ['residual_init'],
  attention: ['heads', 'channels'],
  gelu: ['activation'],
  relu2: ['activation'],
  linear_transposed: ['tied_head', 'head_bias', 'final_norm'],
};

/** Groups the tensors of `model` into parts; `tokenizer` is the value of that option. */
export function architectureOf(model: ModelArchitecture, tokenizer: number): Architecture {
  const before: ModelPart[] = [
    { ...emptyPart('text', 'windows'), options: ['sequences', 'context', 'batch'] },
    {
      ...emptyPart('tokens', TOKENIZER_ENTRIES[tokenizer] ?? 'bpe'),
      tensors: [{ name: 'tokens', shape: [{ letter: 'T', size: model.sizes.T }] }],
      options: ['tokenizer', 'vocabulary', 'context'],
    },
  ];
  const [block, after]: [ModelPart[], ModelPart[]] = [[], []];
  const owned = new Set<string>();
  let last: DescribedNode | null = null;
  for (const node of model.nodes) {
    const isInBlock = node.name.startsWith('block0.');
    const list = isInBlock ? block : block.length === 0 ? before : after;
    const apart = SHOWN_APART[node.name];
    const previous = list.at(-1);
    if (apart !== undefined) {
      list.splice(-1, 0, { ...emptyPart(node.name, apart), tensors: [tensorOf(node)] });
    } else if (previous !== undefined && last !== null && isOfOneNode(node, last)) {
      list[list.length - 1] = { ...previous, tensors: [...previous.tensors, tensorOf(node)] };
    } else {
      const used = model.parameters.filter(({ name }) => node.inputs.includes(name));
      const parameters = used.map((one) => ({ ...tensorOf(one), borrowed: owned.has(one.name) }));
      for (const { name } of used) owned.add(name);
      const count = parameters.reduce(
        (sum, one) => sum + (one.borrowed ? 0 : sizeOf(one.shape)),
        0,
      );
      const part = emptyPart(node.name.replace('block0.', ''), node.op);
      list.push({ ...part, tensors: [tensorOf(node)], parameters, count });
    }
    last = node;
  }
  const { layers, sizes, weights } = model;
  return {
    before,
    block,
    layers,
    after,
    parameters: weights,
    sizes: { ...sizes, d: sizes.C / sizes.H },
  };
}

function emptyPart(id: string, entry: string): ModelPart {
  const options = [...(OPTIONS[entry] ?? []), ...(OPTIONS[id] ?? [])];
  return { id, entry, tensors: [], parameters: [], count: 0, options };
}

/** Whether two consecutive tensors are outputs of the same node. */
function isOfOneNode(a: DescribedNode, b: DescribedNode): boolean {
  return a.op === b.op && a.inputs.join() === b.inputs.join();
}

/** Omits dimensions without a letter, such as the first, which counts sequences. */
function tensorOf({ name, shape, letters }: DescribedTensor): PartTensor {
  const lengths = letters.map((letter, at) => ({ letter, size: shape[at] ?? NaN }));
  return {
    name: name.replace(/^(block|h\.)0\./, '$1{block}.'),
    shape: lengths.filter(({ letter }) => letter !== ''),
  };
}

/** Number of elements of a tensor of this shape. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, { size }) => product * size, 1);
}

/** Lengths by the letters that the documentation of `part` uses. */
export function sizesOf(
  { sizes }: Architecture,
  { entry, parameters: [weight] }: ModelPart,
  batch: number,
): Readonly<Record<string, number>> {
  const common = { B: batch, ...sizes };
  const M = batch * sizes.T;
  if (entry === 'linear')
    return { ...common, M, K: weight?.shape[0]?.size ?? NaN, N: weight?.shape[1]?.size ?? NaN };
  if (entry === 'linear_transposed') return { ...common, M };
  // N has another meaning in other entries.
  return entry === 'softmax' ? { ...common, N: sizes.V } : common;
}

/** The engine's name of a tensor or parameter of `block`. */
export function engineName(name: string, block: number): string {
  return name.replace('{block}', String(block));
}
