/** Calls that look inside a model: attention, losses of tokens, all tensors, merges. */
import type { HeadStatistics } from '../head-statistics.ts';
import type { WantedRecipe } from '../options.ts';
import type { CallTable } from './call.ts';

/** A token with its text or bytes. */
export interface Token {
  readonly id: number;
  /** Empty unless `kind` is `text`. */
  readonly text: string;
  /** `bytes`: part of a character, in `hex`. */
  readonly kind: 'text' | 'bytes' | 'bos';
  readonly hex: string;
}

/** Attention of every layer and head on one text. */
export interface Attention {
  readonly step: number;
  readonly tokens: readonly Token[];
  readonly layers: number;
  readonly heads: number;
  /** (layers, heads, tokens, tokens), row by row: row = query token, column = key token. */
  readonly weights: Float32Array<ArrayBuffer>;
  /** Tokens left out because of the context or `maxTokens`. */
  readonly omitted: number;
}

/** A possible next token and its probability by the model (temperature 1, no top-k or top-p). */
export interface Candidate {
  readonly token: Token;
  readonly probability: number;
}

/** The model's prediction at a token, from the tokens before it. */
export interface TokenScore {
  /** -ln of the probability, in nats. */
  readonly loss: number;
  readonly probability: number;
  /** 1 if no token was likelier. */
  readonly rank: number;
  /** Number of equally likely tokens that share the rank, including this one. */
  readonly tied: number;
  /** Entropy of the distribution in nats: 0 if the model is sure, ln V if it guesses. */
  readonly entropy: number;
  /** The likeliest tokens, descending; ties ascending by id. */
  readonly candidates: readonly Candidate[];
}

/** A token of an analysed text. */
export interface AnalysedToken {
  readonly token: Token;
  /** Null if no token precedes it (the first of a stream, or the BOS that begins a document). */
  readonly score: TokenScore | null;
}

/**
 * A text as the model reads it. If sequences are documents, every line is one, between two BOS;
 * empty lines are skipped, as in training. A stream longer than the context is read in windows half
 * a context apart, so that every token has at least half a context before it.
 */
export interface Analysis {
  /** Step of the weights. */
  readonly step: number;
  readonly tokens: readonly AnalysedToken[];
  /** Mean loss of the scored tokens in nats; NaN if no token is scored. */
  readonly meanLoss: number;
  /** Number of scored tokens. */
  readonly scored: number;
  /** Tokens at the end left out by `maxTokens`. */
  readonly omitted: number;
  /** Tokens beyond the context in their document: left out here as in training. */
  readonly cut: number;
}

/** Statistics of a tensor's numbers. NaNs are counted and otherwise ignored. */
export interface TensorStatistics {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Population standard deviation (divided by the count). */
  readonly deviation: number;
  /** Share of exact zeros. */
  readonly zeros: number;
  readonly nans: number;
}

/** A tensor of a model that is described but not allocated. */
export interface DescribedTensor {
  /** Name in the first block: `block0.attn.probs`, `h.0.attn.c_attn.weight`. */
  readonly name: string;
  readonly shape: readonly number[];
  /** Symbol of each length, such as `T` or `3C`; empty for a length independent of the sizes. */
  readonly letters: readonly string[];
}

/** A described node of the tape: its op, C function, inputs, and constants of the formula. */
export interface DescribedNode extends DescribedTensor {
  readonly op: string;
  readonly function: string;
  readonly inputs: readonly string[];
  readonly constants: Readonly<Record<string, number>>;
}

/**
 * The tape and the parameters for one sequence of full context length. Lists the first block only;
 * the others are equal.
 */
export interface ModelArchitecture {
  /** Number of all parameters together. */
  readonly weights: number;
  readonly layers: number;
  /** Values of the symbols: context, channels, heads, vocabulary. */
  readonly sizes: Readonly<Record<'T' | 'C' | 'H' | 'V', number>>;
  /** Ordered by computation. */
  readonly nodes: readonly DescribedNode[];
  readonly parameters: readonly DescribedTensor[];
}

/** A tensor whose values `tensor` returns. */
export interface NamedTensor {
  readonly index: number;
  /** Name in the engine: `block0.attn.probs`, `h.0.attn.c_attn.weight`. */
  readonly name: string;
  readonly kind: 'node' | 'parameter';
  /** Op and C function; empty for parameters. */
  readonly op: string;
  readonly function: string;
  readonly inputs: readonly string[];
  /** Constants of the formula by name, such as `epsilon` of a norm; empty for parameters. */
  readonly constants: Readonly<Record<string, number>>;
  readonly shape: readonly number[];
  readonly values: TensorStatistics;
  /** Null if not requested, or if the tensor has no gradient. */
  readonly gradients: TensorStatistics | null;
}

/** All tensors of one pass of a text: nodes in order of computation, then parameters. */
export interface Tensors {
  readonly step: number;
  readonly tokens: readonly Token[];
  /** Tokens at the end of the text beyond the context. */
  readonly omitted: number;
  readonly tensors: readonly NamedTensor[];
}

/**
 * Part of a tensor. Rows and columns are its last two dimensions (a vector is one row); `matrix`
 * counts along the dimensions before, so for (B,H,T,T) it is the head.
 */
export interface TensorSlice {
  readonly gradient: boolean;
  readonly matrix?: number;
  readonly firstRow?: number;
  readonly rows?: number;
  readonly firstColumn?: number;
  readonly columns?: number;
}

/** Values of part of a tensor, at most 65,536. */
export interface TensorValues {
  readonly index: number;
  /** Step of the weights; later than that of `tensors` if training continues. */
  readonly step: number;
  /** (rows, columns), row by row. */
  readonly values: Float32Array<ArrayBuffer>;
  readonly rows: number;
  readonly columns: number;
  readonly firstRow: number;
  readonly firstColumn: number;
  /** 1, or n if the part was too large and contains only every n-th row or column. */
  readonly rowStride: number;
  readonly columnStride: number;
}

/** A BPE merge: wherever `left` and `right` are neighbours they become `result`. */
export interface Merge {
  readonly left: Token;
  readonly right: Token;
  readonly result: Token;
  /** Occurrences of the pair when it was learned; 0 in a vocabulary from a file. */
  readonly occurrences: number;
}

/** Looks inside the current model, or at the model of a recipe without making it. */
export interface Inspection {
  /**
   * Tape and parameters of the model of `recipe` with `vocab` tokens. Allocates no model, so it may
   * exceed the memory.
   */
  architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture>;
  /** Parameters of each recipe's model with that vocabulary; NaN for an invalid recipe. */
  parameterCounts(recipes: readonly WantedRecipe[], vocab: number): Promise<readonly number[]>;
  /** Attention on the first `maxTokens` (default 64) tokens of `text`. */
  probe(text: string, maxTokens?: number): Promise<Attention>;
  /**
   * Scores of each head for five simple habits on `text`, in the model before its first step (same
   * seed). Null if unknown: weights from a file, a training text changed since, or no memory for a
   * second model.
   */
  untrainedHeads(text: string, maxTokens: number): Promise<readonly HeadStatistics[] | null>;
  /**
   * The model's predictions at the first `maxTokens` tokens of `text`. `isCut`: the last document
   * is unfinished, so its end is not scored.
   */
  analyse(text: string, maxTokens: number, isCut?: boolean): Promise<Analysis>;
  /** Lists every tensor of one pass of `text`, cut to the context. */
  tensors(text: string, gradients: boolean): Promise<Tensors>;
  /** Values of tensor `index` of the last list, recomputed if the weights have changed. */
  tensor(index: number, slice: TensorSlice): Promise<TensorValues>;
  /** Tokens of the vocabulary by id, from id `first`. */
  vocabulary(first: number, count: number): Promise<readonly Token[]>;
  /** Merges of the BPE in learned order, from number `first` (counted from 0). */
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
