/**
 * The model that a recipe describes, part by part in the order in which it computes: what each part
 * is called on the tape, the shapes that go out of it, and the parameters it owns. Plain data; a
 * test holds every name and shape of it against what the engine itself lists.
 */

/** Values of the options by name, choices by their number. */
export type OptionValues = Readonly<Record<string, number>>;

/** A length of a tensor: its letter, and the number that goes with it. */
export interface Dimension {
  readonly letter: string;
  readonly size: number;
}

export type Shape = readonly Dimension[];

/** A parameter that a part owns, or borrows when the head is tied to the token table. */
export interface PartParameter {
  /** As the engine names it; `{block}` stands for the number of the block. */
  readonly name: string;
  readonly shape: Shape;
  readonly borrowed: boolean;
}

export type PartKind =
  | 'text'
  | 'tokens'
  | 'embed.token'
  | 'embed.position'
  | 'embed.norm'
  | 'attn.norm'
  | 'attn.qkv'
  | 'attn.heads'
  | 'attn.out'
  | 'attn.residual'
  | 'mlp.norm'
  | 'mlp.fc'
  | 'mlp.activation'
  | 'mlp.out'
  | 'mlp.residual'
  | 'final.norm'
  | 'logits'
  | 'probs'
  | 'loss';

/** Some parts keep a second tensor on the tape. */
export type TensorKind = PartKind | 'attn.probs' | 'token_loss';

export interface ModelPart {
  readonly id: PartKind;
  /** Entry of the documentation that explains it. */
  readonly entry: string;
  /** Of the tensors it makes, as the engine names them (without the block), the output first. */
  readonly tensors: readonly { readonly name: TensorKind; readonly shape: Shape }[];
  readonly parameters: readonly PartParameter[];
  /** How many numbers it owns, in one block. */
  readonly count: number;
  /** Options that change it. */
  readonly options: readonly string[];
}

export interface Architecture {
  readonly before: readonly ModelPart[];
  /** Parts of one block; all blocks are alike. */
  readonly block: readonly ModelPart[];
  readonly layers: number;
  readonly after: readonly ModelPart[];
  /** Of the whole model. */
  readonly parameters: number;
  readonly sizes: Sizes;
}

/**
 * Lengths by their letters: tokens of the context, channels, heads, the vocabulary, the width of a
 * head.
 */
export type Sizes = Readonly<Record<'T' | 'C' | 'H' | 'V' | 'd', number>>;

const TOKENIZER_ENTRIES = ['tokenizer_byte', 'tokenizer_char', 'bpe'];
const ACTIVATION_ENTRIES = ['gelu', 'relu2'];

/** The model of these options on a vocabulary of `vocab` tokens. */
export function architectureOf(values: OptionValues, vocab: number): Architecture {
  const value = (name: string): number => values[name] ?? 0;
  const has = (name: string): boolean => value(name) !== 0;
  const layers = value('layers');
  const T: Dimension = { letter: 'T', size: value('context') };
  const C: Dimension = { letter: 'C', size: value('channels') };
  const H: Dimension = { letter: 'H', size: value('heads') };
  const V: Dimension = { letter: 'V', size: vocab };
  const times = (factor: number): Dimension => ({
    letter: `${String(factor)}C`,
    size: factor * C.size,
  });
  const stream: Shape = [T, C];

  const own = (name: string, ...shape: Dimension[]): PartParameter => ({
    name,
    shape,
    borrowed: false,
  });
  const part = (
    id: PartKind,
    entry: string,
    shape: Shape,
    options: readonly string[],
    parameters: readonly PartParameter[] = [],
  ): ModelPart => ({
    id,
    entry,
    tensors: [{ name: id, shape }],
    parameters,
    count: parameters.reduce((sum, one) => sum + (one.borrowed ? 0 : sizeOf(one.shape)), 0),
    options,
  });
  const rms = value('norm') === 1;
  const norm = (id: PartKind, stem: string, ...options: string[]): ModelPart => {
    const parameters: PartParameter[] = [];
    if (has('norm_gain')) {
      parameters.push(own(`${stem}.weight`, C));
      // RMSNorm never has a bias.
      if (!rms && has('bias')) parameters.push(own(`${stem}.bias`, C));
    }
    const entry = rms ? 'rmsnorm' : 'layernorm';
    return part(id, entry, stream, ['norm', 'norm_gain', 'bias', ...options], parameters);
  };
  const linear = (
    id: PartKind,
    stem: string,
    from: Dimension,
    to: Dimension,
    ...options: string[]
  ): ModelPart => {
    const parameters = [own(`${stem}.weight`, from, to)];
    if (has('bias')) parameters.push(own(`${stem}.bias`, to));
    return part(id, 'linear', [T, to], ['bias', 'channels', ...options], parameters);
  };

  const tokenizer = TOKENIZER_ENTRIES[value('tokenizer')] ?? 'bpe';
  const before = [
    // What comes in is no number yet.
    { ...part('text', 'windows', [], ['sequences', 'context', 'batch']), tensors: [] },
    part('tokens', tokenizer, [T], ['tokenizer', 'vocabulary', 'context']),
    part('embed.token', 'embedding', stream, ['channels', 'tied_head'], [own('wte.weight', V, C)]),
    part('embed.position', 'positional', stream, ['context'], [own('wpe.weight', T, C)]),
    ...(has('embedding_norm') ? [norm('embed.norm', 'ln_e', 'embedding_norm')] : []),
  ];
  const heads = part('attn.heads', 'attention', stream, ['heads', 'channels']);
  const block = [
    norm('attn.norm', 'h.{block}.ln_1'),
    linear('attn.qkv', 'h.{block}.attn.c_attn', C, times(3)),
    { ...heads, tensors: [...heads.tensors, { name: 'attn.probs' as const, shape: [H, T, T] }] },
    linear('attn.out', 'h.{block}.attn.c_proj', C, C, 'residual_init'),
    part('attn.residual', 'add', stream, ['layers']),
    norm('mlp.norm', 'h.{block}.ln_2'),
    linear('mlp.fc', 'h.{block}.mlp.c_fc', C, times(4)),
    part(
      'mlp.activation',
      ACTIVATION_ENTRIES[value('activation')] ?? '',
      [T, times(4)],
      ['activation'],
    ),
    linear('mlp.out', 'h.{block}.mlp.c_proj', times(4), C, 'residual_init'),
    part('mlp.residual', 'add', stream, ['layers']),
  ];
  const tied = has('tied_head');
  const table: PartParameter = { ...own('wte.weight', V, C), borrowed: true };
  const head = [
    tied ? table : own('lm_head.weight', V, C),
    ...(has('head_bias') ? [own('lm_head.bias', V)] : []),
  ];
  const loss = part('loss', 'cross_entropy', [], []);
  const after = [
    ...(has('final_norm') ? [norm('final.norm', 'ln_f', 'final_norm')] : []),
    part('logits', 'linear_transposed', [T, V], ['tied_head', 'head_bias', 'final_norm'], head),
    part('probs', 'softmax', [T, V], []),
    { ...loss, tensors: [...loss.tensors, { name: 'token_loss' as const, shape: [T] }] },
  ];
  const sum = (parts: readonly ModelPart[]): number =>
    parts.reduce((total, { count }) => total + count, 0);
  return {
    before,
    block,
    layers,
    after,
    parameters: sum(before) + layers * sum(block) + sum(after),
    sizes: { T: T.size, C: C.size, H: H.size, V: V.size, d: C.size / H.size },
  };
}

/** How many numbers a tensor of this shape has. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, { size }) => product * size, 1);
}

/** Lengths by the letters with which the documentation writes the shapes of `part`. */
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
  // Elsewhere N counts something else.
  return entry === 'softmax' ? { ...common, N: sizes.V } : common;
}

/** Whether a part stands inside of the blocks. */
export function isInBlock(id: PartKind): boolean {
  return id.startsWith('attn.') || id.startsWith('mlp.');
}

/** The engine's name of a tensor or parameter of `block`. */
export function engineName(name: string, block: number): string {
  if (name.includes('{block}')) return name.replace('{block}', String(block));
  return /^(attn|mlp)\./.test(name) ? `block${String(block)}.${name}` : name;
}
