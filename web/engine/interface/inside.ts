/** What can be seen inside a model: attention, losses of tokens, every tensor, merges. */
import type { HeadStatistics } from '../head-statistics.ts';
import type { WantedRecipe } from '../options.ts';
import type { CallTable } from './call.ts';

/** One token as it can be shown. */
export interface Token {
  readonly id: number;
  /** The text, or an empty string if `kind` says that the token has no text. */
  readonly text: string;
  /** `bytes`: only part of a character; `hex` then names them. */
  readonly kind: 'text' | 'bytes' | 'bos';
  readonly hex: string;
}

/** Attention of every layer and head on one probe text. */
export interface Attention {
  readonly step: number;
  readonly tokens: readonly Token[];
  readonly layers: number;
  readonly heads: number;
  /** (layers, heads, tokens, tokens), row by row: from the later token to the earlier ones. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** How many tokens of the text were left out because the context or the picture is full. */
  readonly omitted: number;
}

/**
 * A token that may come, with its probability as the model gives it (temperature 1, nothing cut).
 */
export interface Candidate {
  readonly token: Token;
  readonly probability: number;
}

/** What the model expected where one token of a text stands, from the tokens before it. */
export interface TokenScore {
  /** -ln of its probability: nats. */
  readonly loss: number;
  readonly probability: number;
  /** 1: no token was likelier. */
  readonly rank: number;
  /** How many tokens share that rank, this one included: they are equally likely. */
  readonly tied: number;
  /** Of the whole distribution, in nats: 0 when the model is sure, ln V when it is guessing. */
  readonly entropy: number;
  /** The likeliest tokens, the likeliest first; ties by their id. */
  readonly candidates: readonly Candidate[];
}

/** One token of an analysed text. */
export interface AnalysedToken {
  readonly token: Token;
  /** Null where nothing comes before it (the first of all, or the BOS that begins a document). */
  readonly score: TokenScore | null;
}

/**
 * A text as the model sees it. Where sequences are documents every line is one, between two BOS;
 * empty lines are skipped, as in training. A stream longer than the context is read in windows,
 * each of which begins half a context later, so that every token is scored from at least half a
 * context.
 */
export interface Analysis {
  /** Steps that the weights had been trained for. */
  readonly step: number;
  readonly tokens: readonly AnalysedToken[];
  /** Mean loss of the tokens that have a score, in nats; NaN when none has. */
  readonly meanLoss: number;
  /** How many have a score. */
  readonly scored: number;
  /** Tokens at the end that `maxTokens` left out. */
  readonly omitted: number;
  /** Tokens that stand beyond the context in their documents: never trained, left out as well. */
  readonly cut: number;
}

/** What one tensor holds, in few numbers. NaNs are counted and otherwise left out. */
export interface TensorStatistics {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Of the whole (divided by the count, not by one less). */
  readonly deviation: number;
  /** Share that is exactly 0. */
  readonly zeros: number;
  readonly nans: number;
}

/** A tensor of a model that is described but not made. */
export interface DescribedTensor {
  /** As the engine names it, in the first block: `block0.attn.probs`, `h.0.attn.c_attn.weight`. */
  readonly name: string;
  readonly shape: readonly number[];
  /** For each length its letter: `T`, `3C`; empty if it does not depend on the sizes. */
  readonly letters: readonly string[];
}

/** The same with what computes it: op, C function, inputs, and the numbers of its formula. */
export interface DescribedNode extends DescribedTensor {
  readonly op: string;
  readonly function: string;
  readonly inputs: readonly string[];
  readonly constants: Readonly<Record<string, number>>;
}

/**
 * A model as the engine would compute it on one sequence as long as the context. Of the blocks only
 * the first is listed: the others are like it.
 */
export interface ModelArchitecture {
  /** How many numbers all parameters hold together. */
  readonly weights: number;
  readonly layers: number;
  /** What the letters stand for: tokens of the context, channels, heads, the vocabulary. */
  readonly sizes: Readonly<Record<'T' | 'C' | 'H' | 'V', number>>;
  /** In order of computation. */
  readonly nodes: readonly DescribedNode[];
  readonly parameters: readonly DescribedTensor[];
}

/** A tensor that can be looked at with `tensor`. */
export interface NamedTensor {
  readonly index: number;
  /** As the engine names it: `block0.attn.probs`, `h.0.attn.c_attn.weight`. */
  readonly name: string;
  readonly kind: 'node' | 'parameter';
  /** What computed it and the C function that did; empty for parameters. */
  readonly op: string;
  readonly function: string;
  readonly inputs: readonly string[];
  /** The numbers in its formula, by name: `epsilon` of a norm. Empty for parameters. */
  readonly constants: Readonly<Record<string, number>>;
  readonly shape: readonly number[];
  readonly values: TensorStatistics;
  /** Null when they were not asked for, or it has none. */
  readonly gradients: TensorStatistics | null;
}

/**
 * All tensors of one pass of a text through the model, in order of computation, then the
 * parameters.
 */
export interface Tensors {
  readonly step: number;
  readonly tokens: readonly Token[];
  /** Tokens at the end of the text that the context has no room for. */
  readonly omitted: number;
  readonly tensors: readonly NamedTensor[];
}

/**
 * Which part of a tensor: rows and columns are its last two dimensions (a vector is one row), and
 * `matrix` counts along those before them, so that of (B,H,T,T) it is the head.
 */
export interface TensorSlice {
  readonly gradient: boolean;
  readonly matrix?: number;
  readonly firstRow?: number;
  readonly rows?: number;
  readonly firstColumn?: number;
  readonly columns?: number;
}

/** Values of a part of a tensor, at most 65,536 of them. */
export interface TensorValues {
  readonly index: number;
  /**
   * Steps that the weights had been trained for: newer than those of `tensors` if training goes on.
   */
  readonly step: number;
  /** (rows, columns), row by row. */
  readonly values: Float32Array<ArrayBuffer>;
  readonly rows: number;
  readonly columns: number;
  readonly firstRow: number;
  readonly firstColumn: number;
  /**
   * 1, or when the part is too large to hand out whole: only it holds every `stride`-th row and
   * column.
   */
  readonly rowStride: number;
  readonly columnStride: number;
}

/** One merge of a BPE: wherever `left` and `right` stand side by side they become `result`. */
export interface Merge {
  readonly left: Token;
  readonly right: Token;
  readonly result: Token;
  /** How often the pair stood in the text when it was learned; 0 in a vocabulary that was given. */
  readonly occurrences: number;
}

/** Looks at models: at that of a recipe without making it, else at that of now. */
export interface Inspection {
  /**
   * What the model of `recipe` computes and owns on a vocabulary of `vocab` tokens; makes none, so
   * that it may be larger than the memory.
   */
  architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture>;
  /** How many parameters each model has on that vocabulary; NaN for a recipe that is not valid. */
  parameterCounts(recipes: readonly WantedRecipe[], vocab: number): Promise<readonly number[]>;
  /**
   * Attention on the first `maxTokens` tokens of `text` (64 unless said) with the weights of now.
   */
  probe(text: string, maxTokens?: number): Promise<Attention>;
  /**
   * How well each head does five plain things on `text` in the model before its first step, from
   * the same seed; null when that is not known: weights that came from a file, a text to learn that
   * has been changed since, or no memory for a second model.
   */
  untrainedHeads(text: string, maxTokens: number): Promise<readonly HeadStatistics[] | null>;
  /**
   * What the model expected at each of the first `maxTokens` tokens of `text`; `isCut`: its last
   * document goes on, so that there is no end to expect.
   */
  analyse(text: string, maxTokens: number, isCut?: boolean): Promise<Analysis>;
  /** Lists every tensor of one pass of `text` (its first tokens, as many as fit the context). */
  tensors(text: string, gradients: boolean): Promise<Tensors>;
  /** Values of tensor `index` of the last list; computed anew if the weights have changed since. */
  tensor(index: number, slice: TensorSlice): Promise<TensorValues>;
  /** Tokens of the vocabulary in the order of their ids, from `first` on (from 0). */
  vocabulary(first: number, count: number): Promise<readonly Token[]>;
  /** Merges of the BPE in the order in which they were learned, from number `first` on (from 0). */
  merges(first: number, count: number): Promise<readonly Merge[]>;
}

export const INSPECTION = {
  architecture: { args: ['recipe: recipe', 'vocab: count'] },
  parameterCounts: { args: ['recipes: list', 'vocab: count'] },
  probe: { args: ['text: text', 'maxTokens?: count'], atAnyStep: true },
  untrainedHeads: { args: ['text: text', 'maxTokens: count'] },
  analyse: { args: ['text: text', 'maxTokens: count', 'isCut?: flag'], atAnyStep: true },
  tensors: { args: ['text: text', 'gradients: flag'], atAnyStep: true },
  tensor: { args: ['index: whole', 'slice: object'], atAnyStep: true },
  vocabulary: { args: ['first: whole', 'count: whole'] },
  merges: { args: ['first: whole', 'count: whole'] },
} satisfies CallTable<Inspection>;
