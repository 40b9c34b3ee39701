/**
 * A text that grows by one token per call, with everything that decides the token. Its own sampler
 * keeps training and other samples unaffected. The cache is valid for the weights that filled it:
 * if they changed, the context is re-read before the next token, and the answer says so.
 */
import { entropyOf, likeliest } from './distribution.ts';
import { failure, GlasshouseError } from './errors.ts';
import type { TokenTable } from './token-table.ts';
import { hexOf } from './token-table.ts';
import type {
  CacheFacts,
  Choice,
  Distribution,
  GenerationRequest,
  GenerationState,
  Sampling,
  Token,
} from './trainer.ts';
import type { EngineModel } from './binding/model.ts';
import type { EngineSampler } from './binding/sampler.ts';

/** Vocabularies up to this size are listed whole, larger ones by their likeliest CHOICES. */
const WHOLE_VOCABULARY = 64;
const CHOICES = 20;

/** Cache rows computed for one token, or for the prompt. */
interface Work {
  /** Number of rows computed; they are the last rows of the cache. */
  readonly computed: number;
  /** Whether all rows were computed, because a full context was restarted from its last half. */
  readonly refilled?: boolean;
}

/** The result of one call. */
interface CallResult
  extends
    Work,
    Partial<
      Pick<GenerationState, 'token' | 'taken' | 'from' | 'choice' | 'uniform' | 'limitReached'>
    > {
  /** Rows recomputed before the `computed` ones, because the weights had changed. */
  readonly reread?: number;
}

/** One text at a time, on one model. Invalid after the model is freed. */
export class Generation {
  readonly #model: EngineModel;
  readonly #table: TokenTable;
  /** Null before a text is begun and after its end; freed with the model at the latest. */
  #ownSampler: EngineSampler | null = null;
  #number = 0;
  #begun = false;
  #request: GenerationRequest | null = null;
  #prompt: readonly Token[] = [];
  /** The tokens after the prompt: whether each was drawn, and the rows it computed. */
  #written: { readonly id: number; readonly drawn: boolean; readonly did: Work }[] = [];
  /** Rows computed for the prompt. */
  #promptWork: Work = { computed: 0 };
  #coming: Distribution | null = null;
  #changes = 0;
  #step = 0;

  constructor(model: EngineModel, table: TokenTable) {
    this.#model = model;
    this.#table = table;
  }

  /** Throws `state` if no text was begun. */
  get #sampler(): EngineSampler {
    if (this.#ownSampler === null) throw failure('state', 'no text has been begun', [], 'sample');
    return this.#ownSampler;
  }

  /** Reads the prompt; ends the previous text. */
  begin(request: GenerationRequest): GenerationState {
    const { seed } = request;
    if (seed < 0) throw failure('range', 'the seed is negative', [seed, 0, 2 ** 53 - 1], 'seed');
    this.#number += 1;
    this.#begun = true;
    this.#request = request;
    this.#written = [];
    this.#ownSampler ??= this.#model.createSampler();
    this.#promptWork = { computed: this.#readPrompt(request) };
    this.#noteDistribution();
    return this.#state(this.#promptWork);
  }

  /**
   * Removes the last token. Reports cache and work of the call that wrote the token before it; if
   * the weights have changed, every row counts as recomputed.
   */
  undo(): GenerationState {
    const request = this.#request;
    if (!this.#begun || request === null || this.#written.length === 0) {
      throw failure('state', 'there is no token to take back', [], 'sample');
    }
    this.#written.pop();
    return this.#rebuild(request);
  }

  /** Changes the parameters of the next draws; text and used random numbers stay. */
  adjust(sampling: Sampling): GenerationState {
    const request = this.#request;
    if (!this.#begun || request === null) {
      throw failure('state', 'no text has been begun', [], 'sample');
    }
    const state = this.#rebuild({ ...request, ...sampling });
    this.#request = { ...request, ...sampling };
    return state;
  }

  /** Rebuilds text and cache from the prompt, because a refill may have overwritten rows. */
  #rebuild(request: GenerationRequest): GenerationState {
    const changed = this.#changes !== this.#model.changes;
    this.#readPrompt(request);
    for (const { id } of this.#written) this.#sampler.append(id);
    this.#sampler.skip(this.#written.filter(({ drawn }) => drawn).length);
    this.#noteDistribution();
    if (changed) return this.#state({ computed: 0, reread: this.#rows() });
    return this.#state(this.#written.at(-1)?.did ?? this.#promptWork);
  }

  /** Draws the next token (`id` null), or appends `id`. */
  next(id: number | null): GenerationState {
    if (!this.#begun) throw failure('state', 'no text has been begun', [], 'sample');
    const reread = this.#changes !== this.#model.changes ? this.#reread() : 0;
    const from = this.#coming;
    const choice = this.#chooser();
    const [refills, rows] = [this.#sampler.refills(), this.#rows()];
    const token = this.#add(id);
    if (token === null) return this.#state({ limitReached: true, reread, computed: 0 });
    const uniform = id === null && this.#request?.temperature ? this.#sampler.uniform() : NaN;
    const chosen = choice(token.id);
    this.#noteDistribution();
    const refilled = this.#sampler.refills() > refills;
    const did = { refilled, computed: refilled ? this.#rows() : this.#rows() - rows };
    this.#written.push({ id: token.id, drawn: !Number.isNaN(uniform), did });
    const taken = id !== null;
    return this.#state({ token, taken, from, choice: chosen, uniform, ...did, reread });
  }

  /** Frees the cache. */
  end(): void {
    this.#begun = false;
    this.#request = null;
    this.#coming = null;
    this.#ownSampler?.free();
    this.#ownSampler = null;
  }

  /** Fills the cache with the prompt; returns the number of rows computed. */
  #readPrompt({ prompt, temperature, topK, topP, seed }: GenerationRequest): number {
    const read = this.#sampler.begin(prompt, temperature, topK, topP, seed);
    this.#prompt = this.#table.tokens(this.#sampler.context());
    return Math.min(read, this.#prompt.length);
  }

  /** Adds a token and returns it; null if the text has reached its maximum length. */
  #add(id: number | null): Token | null {
    try {
      if (id === null) return this.#table.token(this.#sampler.next());
      this.#sampler.append(id);
      return this.#table.token(id);
    } catch (thrown) {
      if (isTooLong(thrown)) return null;
      throw thrown;
    }
  }

  #reread(): number {
    const tokens = this.#sampler.reread();
    this.#noteDistribution();
    return tokens;
  }

  /** Notes the distribution of the next token, and the weights it comes from. */
  #noteDistribution(): void {
    this.#changes = this.#model.changes;
    this.#step = this.#model.get('step');
    this.#coming = this.#sampler.isEnded() ? null : this.#distribution();
  }

  /** Returns a function that looks a token up in the current distribution. */
  #chooser(): (id: number) => Choice {
    const before = this.#sampler.probabilities(false);
    const after = this.#sampler.probabilities(true);
    const starts = new Float64Array(after.length);
    for (let id = 1; id < after.length; id++) {
      starts[id] = (starts[id - 1] ?? 0) + (after[id - 1] ?? 0);
    }
    return (id) => ({
      token: this.#table.token(id),
      probability: before[id] ?? NaN,
      adjusted: after[id] ?? NaN,
      start: starts[id] ?? NaN,
    });
  }

  #distribution(): Distribution {
    const before = this.#sampler.probabilities(false);
    const after = this.#sampler.probabilities(true);
    const shown = before.length <= WHOLE_VOCABULARY ? before.length : CHOICES;
    const choices = likeliest(before, shown).map(this.#chooser());
    const named = new Set(choices.map(({ token }) => token.id));
    // Summed directly: a difference of sums would leave rounding errors.
    const left = (values: Float32Array): number =>
      values.reduce((total, value, id) => (named.has(id) ? total : total + value), 0);
    return {
      choices,
      rest: {
        count: before.length - choices.length,
        probability: left(before),
        adjusted: left(after),
      },
      drawable: after.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0),
      entropy: entropyOf(before),
      adjustedEntropy: entropyOf(after),
    };
  }

  #rows(): number {
    return this.#sampler.context().length;
  }

  #state(now: CallResult): GenerationState {
    const { computed, reread = 0, ...facts } = now;
    const context = this.#table.tokens(this.#sampler.context());
    const limitReached = facts.limitReached ?? false;
    return {
      generation: this.#number,
      step: this.#step,
      prompt: this.#prompt,
      token: null,
      taken: false,
      from: null,
      choice: null,
      uniform: NaN,
      text: this.#sampler.text(),
      pending: this.#sampler.isEnded() ? '' : hexOf(incompleteTail(this.#sampler.bytes())),
      count: this.#written.length,
      ended: this.#sampler.isEnded(),
      refilled: false,
      ...facts,
      limitReached,
      context,
      coming: limitReached ? null : this.#coming,
      reread: reread > 0,
      cache: this.#cacheFacts(context.length, computed, reread),
    };
  }

  /** `computed`: last rows, computed by this call; `reread`: rows recomputed before them. */
  #cacheFacts(rows: number, computed: number, reread: number): CacheFacts {
    const [layers, channels, capacity, vocab] = ['layers', 'channels', 'context', 'vocab'].map(
      (name) => this.#model.get(name),
    ) as [number, number, number, number];
    const work = (first: number, count: number): number =>
      multiplyAdds({ layers, channels, vocab }, first, count);
    return {
      rows,
      capacity,
      layers,
      channels,
      bytes: rows * layers * channels * 2 * Float32Array.BYTES_PER_ELEMENT,
      computed: computed + reread,
      multiplyAdds: work(rows - computed, computed) + work(0, reread),
      multiplyAddsWithoutCache: work(0, computed + reread > 0 ? rows : 0),
    };
  }
}

/** The sizes that determine the work of a model. */
export interface ModelSize {
  readonly layers: number;
  readonly channels: number;
  readonly vocab: number;
}

/**
 * Multiply-adds of the forward pass for `count` tokens after `first` cached ones: per block 12 C^2
 * in matrices and 2 C per attended token; V C in the head, which runs for every computed token.
 */
export function multiplyAdds(size: ModelSize, first: number, count: number): number {
  const { layers, channels, vocab } = size;
  const seen = count * first + (count * (count + 1)) / 2;
  return (
    layers * (12 * channels * channels * count + 2 * channels * seen) + count * channels * vocab
  );
}

/** Whether the engine refused a token because the text has reached its maximum length. */
export function isTooLong(thrown: unknown): boolean {
  return thrown instanceof GlasshouseError && thrown.code === 'long' && thrown.subject === 'sample';
}

/** The trailing bytes that begin a character without completing it. */
export function incompleteTail(bytes: Uint8Array): Uint8Array {
  const decoder = new TextDecoder();
  const end = bytes.subarray(-4);
  decoder.decode(end, { stream: true });
  if (decoder.decode() === '') return bytes.subarray(bytes.length);
  let start = bytes.length - 1;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return bytes.subarray(start);
}
