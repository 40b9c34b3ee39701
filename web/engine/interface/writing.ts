/** Calls that write texts, as a whole or token by token. */
import type { CallTable } from './call.ts';
import type { Candidate, Token } from './inside.ts';

/** A request for one text. */
export interface SampleRequest {
  readonly prompt: string;
  readonly maxTokens: number;
  /** 0 takes the likeliest token. */
  readonly temperature: number;
  /** 0 keeps all tokens. */
  readonly topK: number;
  /** 1 keeps all tokens. */
  readonly topP: number;
  /** Seed of the text's own random stream, 0 to 2^53 - 1. */
  readonly seed: number;
}

/** A request with defaults: temperature 0.8, no top-k or top-p, 200 tokens, seed 1. */
export interface WantedSample extends Partial<SampleRequest> {
  /**
   * Whether newer requests wait for this text instead of cancelling it. Such a request cancels no
   * older one, and `cancelSample` has no effect on it.
   */
  readonly whole?: boolean;
}

export interface SampleResult {
  readonly step: number;
  readonly text: string;
  readonly tokens: number;
  /** Whether the model ended the text or the document filled the context. */
  readonly ended: boolean;
  /** Whether the written document filled the context, so that the model could not end it. */
  readonly full: boolean;
  /** How often a full context was restarted from its last half. */
  readonly refills: number;
  readonly cancelled: boolean;
  /** Whether the text reached the engine's limit of 65,536 bytes. */
  readonly limitReached: boolean;
}

/** A text to write one token at a time. */
export type GenerationRequest = Omit<SampleRequest, 'maxTokens'>;

/** Parameters that turn the model's probabilities into those of the draw. */
export type Sampling = Pick<SampleRequest, 'temperature' | 'topK' | 'topP'>;

/** A possible next token, before and after temperature, top-k and top-p. */
export interface Choice extends Candidate {
  /** Probability of the draw; 0 if top-k or top-p excludes it. */
  readonly adjusted: number;
  /**
   * Cumulative adjusted probability of smaller ids: a draw in [start, start + adjusted) gives this
   * token.
   */
  readonly start: number;
}

/** The distribution of the next token. */
export interface Distribution {
  /**
   * The likeliest tokens by the model, descending; all of them if the vocabulary has at most 64.
   */
  readonly choices: readonly Choice[];
  /** Sums over all other tokens. */
  readonly rest: {
    readonly count: number;
    readonly probability: number;
    readonly adjusted: number;
  };
  /** Number of tokens with adjusted probability above 0. */
  readonly drawable: number;
  /** Entropy in nats, by the model and adjusted. */
  readonly entropy: number;
  readonly adjustedEntropy: number;
}

/** The KV cache, and the work of the last call with and without the cache. */
export interface CacheFacts {
  /** Filled and available positions. */
  readonly rows: number;
  readonly capacity: number;
  /** Blocks of the model, each with its own cache, and numbers per row. */
  readonly layers: number;
  readonly channels: number;
  /** Bytes of keys and values in the filled rows of all layers. */
  readonly bytes: number;
  /** Tokens computed by the last call: the prompt, one token, or a re-read context. */
  readonly computed: number;
  /** Multiply-adds of that call in matrix products and attention. */
  readonly multiplyAdds: number;
  /** Multiply-adds if the whole context were recomputed. */
  readonly multiplyAddsWithoutCache: number;
}

/** State of a text written token by token, after one call. */
export interface GenerationState {
  /** Number of the text: a lower number is an earlier text. */
  readonly generation: number;
  /** Step of the weights that computed `coming`. */
  readonly step: number;
  /** Tokens of the prompt that fit the context, including BOS. */
  readonly prompt: readonly Token[];
  /** Tokens in the cache, one per row: the input of the model. */
  readonly context: readonly Token[];
  /** The token added by this call; null at the beginning. */
  readonly token: Token | null;
  /** Whether a person chose the token; then no random number was drawn. */
  readonly taken: boolean;
  /** The distribution of `token`; not the previous `coming` if training continued between. */
  readonly from: Distribution | null;
  /**
   * `token` with its probabilities in `from`, even if `from.choices` lacks it; null at the
   * beginning.
   */
  readonly choice: Choice | null;
  /**
   * The number in [0, 1) of the draw, inside the interval of `choice`; NaN if nothing was drawn.
   */
  readonly uniform: number;
  /** The text without the prompt, up to the last complete character. */
  readonly text: string;
  /** Bytes of an incomplete last character, in hexadecimal; usually empty. */
  readonly pending: string;
  readonly count: number;
  /** The distribution of the next token; null if the text has ended. */
  readonly coming: Distribution | null;
  /** Whether BOS was drawn or the document filled the context. */
  readonly ended: boolean;
  /** Whether the text reached the engine's limit of 65,536 bytes; there is no next token. */
  readonly limitReached: boolean;
  /** Whether this call restarted a full context from its last half. */
  readonly refilled: boolean;
  /** Whether the weights changed since the last call, so that the context was recomputed. */
  readonly reread: boolean;
  readonly cache: CacheFacts;
}

/** Calls that write texts. */
export interface Writing {
  /** Writes a text; `onText` receives it as it grows. A newer request cancels it unless `whole`. */
  sample(request: WantedSample, onText?: (text: string) => void): Promise<SampleResult>;
  cancelSample(): Promise<void>;
  /**
   * Begins a text that grows by one token per call. It has its own random stream and cache, and
   * affects neither training nor `sample`. `rewind` and `prepare` end it (`nextToken` then rejects
   * with `state`); training does not, see `reread`.
   */
  beginGeneration(request: Partial<GenerationRequest>): Promise<GenerationState>;
  /** Draws the next token. */
  nextToken(): Promise<GenerationState>;
  /** Appends token `id` without a draw. */
  takeToken(id: number): Promise<GenerationState>;
  /**
   * Removes the last token and its draw: the next draw uses the same random number. The other
   * tokens are re-read with the current weights. Rejects with `state` if there is no token.
   */
  undoToken(): Promise<GenerationState>;
  /** Changes the sampling parameters of the next draws; the text so far and its draws stay. */
  adjustSampling(sampling: Sampling): Promise<GenerationState>;
  /** Frees the cache. */
  endGeneration(): Promise<void>;
}

export const WRITING = {
  sample: {
    args: ['request: request', 'onText?: progress'],
    cancel: 'cancelSample',
    atAnyStep: true,
  },
  cancelSample: { args: [] },
  beginGeneration: { args: ['request: request'], atAnyStep: true },
  nextToken: { args: [], atAnyStep: true },
  takeToken: { args: ['id: whole'], atAnyStep: true },
  undoToken: { args: [], atAnyStep: true },
  adjustSampling: { args: ['sampling: object'], atAnyStep: true },
  endGeneration: { args: [] },
} satisfies CallTable<Writing>;
