/** Requests for texts, and what comes of them, whole or token by token. */
import type { CallTable } from './call.ts';
import type { Candidate, Token } from './inside.ts';

/** A request for one text. */
export interface SampleRequest {
  readonly prompt: string;
  readonly maxTokens: number;
  /** 0 always takes the likeliest token. */
  readonly temperature: number;
  /** 0 keeps all tokens. */
  readonly topK: number;
  /** 1 keeps all tokens. */
  readonly topP: number;
  /** A stream of its own, from 0 to 2^53 - 1. */
  readonly seed: number;
}

/**
 * A request that leaves the rest to the defaults: temperature 0.8, all tokens, 200 of them, seed 1.
 */
export interface WantedSample extends Partial<SampleRequest> {
  /** Newer requests and `cancelSample` leave it alone, and it cancels none: they wait for it. */
  readonly whole?: boolean;
}

export interface SampleResult {
  readonly step: number;
  readonly text: string;
  readonly tokens: number;
  /** The model itself ended the text, or its document filled the context. */
  readonly ended: boolean;
  /** Of these two, the second. */
  readonly full: boolean;
  /** How often the context was full and begun again with its last half. */
  readonly refills: number;
  readonly cancelled: boolean;
  /** The engine keeps 65,536 bytes of one text: this one stops there for want of room. */
  readonly limitReached: boolean;
}

/** A text to be written one token at a time. */
export type GenerationRequest = Omit<SampleRequest, 'maxTokens'>;

/** How tokens are drawn from what the model says. */
export type Sampling = Pick<SampleRequest, 'temperature' | 'topK' | 'topP'>;

/** A token that may come next, before and after temperature, top-k and top-p. */
export interface Choice extends Candidate {
  /** Probability with which it is drawn; 0 when it is cut away. */
  readonly adjusted: number;
  /**
   * Adjusted probability of all tokens with smaller ids: where its part of the line from 0 to 1
   * begins.
   */
  readonly start: number;
}

/** What may come next. */
export interface Distribution {
  /**
   * The likeliest tokens as the model gives them, in order: all of them in a vocabulary of up to
   * 64.
   */
  readonly choices: readonly Choice[];
  /** All the other tokens together. */
  readonly rest: {
    readonly count: number;
    readonly probability: number;
    readonly adjusted: number;
  };
  /** Tokens that can be drawn at all. */
  readonly drawable: number;
  /** In nats, before and after. */
  readonly entropy: number;
  readonly adjustedEntropy: number;
}

/**
 * The cache of keys and values, and the work of the last step of the text with it and without it.
 */
export interface CacheFacts {
  /** Positions of the cache in all. */
  readonly rows: number;
  readonly capacity: number;
  /** Blocks of the model, each with a cache of its own, and numbers in each of its rows. */
  readonly layers: number;
  readonly channels: number;
  /** Bytes of the filled rows: keys and values of all layers. */
  readonly bytes: number;
  /** Tokens that the last step computed: the prompt, one, or those read anew. */
  readonly computed: number;
  /** Multiplications with additions of that in matrix products and attention. */
  readonly multiplyAdds: number;
  /** The same, had every token in the context been computed again. */
  readonly multiplyAddsWithoutCache: number;
}

/** Where a text written step by step is after one call. */
export interface GenerationState {
  /** Counts texts: what carries an older number is of another text. */
  readonly generation: number;
  /** Steps that the weights behind `coming` have been trained for. */
  readonly step: number;
  /** Tokens of the prompt, as far as the context has room; BOS included. */
  readonly prompt: readonly Token[];
  /** The tokens in the cache now, one a row: what the model sees. */
  readonly context: readonly Token[];
  /** The token that this call added; null at the beginning. */
  readonly token: Token | null;
  /** Whether a person chose it; `takeToken` does not draw from the random stream. */
  readonly taken: boolean;
  /**
   * What `token` was drawn or taken from: not what was shown before, if training had gone on since.
   */
  readonly from: Distribution | null;
  /** `token` as it stood in `from`; it need not be among the likeliest that are named there. */
  readonly choice: Choice | null;
  /**
   * The number in [0, 1) that it was drawn with: it lies in the part of `choice`. NaN without a
   * draw.
   */
  readonly uniform: number;
  /** Everything written so far without the prompt; an unfinished character is held back. */
  readonly text: string;
  /** Bytes of that unfinished character, in hexadecimal; mostly empty. */
  readonly pending: string;
  readonly count: number;
  /** What may come now; null when the text has ended. */
  readonly coming: Distribution | null;
  /** BOS came, or the document is as long as the context. */
  readonly ended: boolean;
  /** The text has 65,536 bytes, all that the engine keeps; there is no next token. */
  readonly limitReached: boolean;
  /** The context was full: it goes on with its last half, read anew. */
  readonly refilled: boolean;
  /** The weights had changed since the last call: the context was read anew with those of now. */
  readonly reread: boolean;
  readonly cache: CacheFacts;
}

/** Texts that the model writes. */
export interface Writing {
  /** Writes one text; `onText` sees it grow. A newer request cancels one that is not `whole`. */
  sample(request: WantedSample, onText?: (text: string) => void): Promise<SampleResult>;
  cancelSample(): Promise<void>;
  /**
   * Begins a text that grows by one token a call. It has a random stream and a cache of its own: it
   * disturbs neither training nor `sample`. Rewind and prepare end it (nextToken then rejects with
   * the code `state`); training between two calls does not, see `reread`.
   */
  beginGeneration(request: Partial<GenerationRequest>): Promise<GenerationState>;
  /** Draws the next token. */
  nextToken(): Promise<GenerationState>;
  /** Puts token `id` there instead of drawing one. */
  takeToken(id: number): Promise<GenerationState>;
  /**
   * Takes the last token back, and the draw that gave it: the next draw is the same again. The
   * others are put there once more, with the weights of now. Rejects with the code `state` if no
   * run is under way.
   */
  undoToken(): Promise<GenerationState>;
  /**
   * From here on draws with other settings; the text so far stays as it is, and so do its draws.
   */
  adjustSampling(sampling: Sampling): Promise<GenerationState>;
  /** Gives the memory of the cache back. */
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
