/**
 * What the page knows of training: one interface, fulfilled by the engine itself (direct.ts) and by
 * a client that talks to it in a worker (client.ts). Everything that crosses it is plain data.
 */
import type { ErrorFacts } from './errors.ts';
import type { HeadStatistics } from './head-statistics.ts';
import type { OptionTable, Recipe, WantedRecipe } from './options.ts';
import type { Finding, RunReceipt } from './receipt.ts';

/** What a recipe would make of the text, known before any memory of the model is taken. */
export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  /** Whether part of the text is held out, so that there will be validation losses. */
  readonly hasValidation: boolean;
  /** 0 when the text is one stream. */
  readonly documents: number;
  readonly cutDocuments: number;
  readonly cutTokens: number;
  readonly invalidBytes: number;
  readonly parameters: number;
  /** ln V: the loss of guessing every token with the same probability. */
  readonly randomLoss: number;
  readonly totalBytes: number;
  readonly limitBytes: number;
  readonly tokensPerStep: number;
}

export type RunState = 'none' | 'ready' | 'running' | 'paused' | 'finished' | 'diverged';

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

/** Texts that the model wrote at one step. */
export interface StepSample {
  readonly step: number;
  readonly texts: readonly string[];
  /**
   * Which documents among them, from 0, the model did not end: there was no room for more of them.
   * Runs that were saved earlier do not say.
   */
  readonly cut?: readonly number[];
}

export interface ValidationPoint {
  readonly step: number;
  readonly loss: number;
}

/** What a run has shown from its first step on; see Snapshot for what each is. */
export interface RunHistory {
  /** Steps from one of the numbers below to the next, the first being of step 1; 1 unless said. */
  readonly stride?: number;
  readonly losses: Float32Array<ArrayBuffer>;
  readonly learningRates: Float32Array<ArrayBuffer>;
  readonly gradientNorms: Float32Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  readonly samples: readonly StepSample[];
}

/** A run as it was at one moment: everything in it belongs to the same step. */
export interface Checkpoint {
  /** Goes on where it stopped; see `save`. */
  readonly file: Blob;
  /** Not in the file; `Origin.history` takes it back. */
  readonly history: RunHistory;
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** Milliseconds that training stood still for it. */
  readonly cost: number;
}

/** What has happened since the last snapshot, and where the run is now. */
export interface Snapshot {
  /** Counts models and rewinds; what carries an older number is of another run. */
  readonly run: number;
  readonly state: RunState;
  readonly step: number;
  readonly steps: number;
  /** That compute now, the one that leads them included. */
  readonly threads: number;
  readonly tokensPerSecond: number;
  readonly stepsPerSecond: number;
  readonly learningRate: number;
  readonly gradientNorm: number;
  /** Losses of the steps after `lossesFrom`: the first is that of step `lossesFrom + 1`. */
  readonly lossesFrom: number;
  readonly losses: Float64Array<ArrayBuffer>;
  /**
   * The learning rate of the same steps, and the length of the gradient over all parameters before
   * any clipping (the engine computes it in every step). NaN for steps that a file brought along.
   */
  readonly learningRates: Float64Array<ArrayBuffer>;
  readonly gradientNorms: Float64Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  readonly samples: readonly StepSample[];
  /** Those that were asked for and are newer than the last snapshot, in order of their steps. */
  readonly attentions: readonly Attention[];
  /** Why the probe gave nothing, or why the run stopped. */
  readonly attentionError: ErrorFacts | null;
  readonly error: ErrorFacts | null;
}

/** What the views want to see; nothing else is computed or sent. */
export interface Watch {
  /**
   * Attention on this text, null for none: at the steps of samples and, if `live`, a few times a
   * second besides.
   */
  readonly attention: {
    readonly text: string;
    readonly maxTokens: number;
    readonly live: boolean;
  } | null;
  /** Texts written at chosen steps; null for none. */
  readonly samples: { readonly count: number; readonly maxTokens: number } | null;
}

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

/** How the weights of a model are kept: in one file, or in several that a JSON names. */
export type WeightsForm = 'safetensors' | 'index' | 'raw';

/** A file, or its bytes. */
export type FileSource = Blob | Uint8Array<ArrayBuffer>;

/** The files that a model is read from; those of Hugging Face beside the weights may be missing. */
export interface ModelFiles {
  /** A .safetensors file, the index of its shards, or the JSON of the raw form. */
  readonly weights: FileSource;
  /** `safetensors` when it is left out. */
  readonly form?: WeightsForm;
  /** The files that `weights` may name, by their names; others are not looked at. */
  readonly parts?: ReadonlyMap<string, FileSource>;
  /** config.json of GPT-2 from elsewhere; files saved here need none, nor the following. */
  readonly config?: FileSource | null;
  /** vocab.json with `merges`, or a tokenizer.json, which holds all of it. */
  readonly vocab?: FileSource | null;
  /** merges.txt. */
  readonly merges?: FileSource | null;
  /** added_tokens.json. */
  readonly added?: FileSource | null;
}

/** What a file says of itself, before its weights are read. */
export interface ModelFacts {
  /** The value of every option in it. */
  readonly values: Readonly<Record<string, number>>;
  /** Whether the run in it can go on, given the text that it learned from. */
  readonly resumable: boolean;
  readonly step: number;
  readonly textBytes: number;
  /** What the page that saved it wrote there. */
  readonly note: string;
}

/**
 * What a model from a file is for: to go on with its run as if it had never stopped, to learn the
 * text held from step 0 on, or only to write.
 */
export type Purpose = 'resume' | 'train' | 'generate';

/** Where the weights of a model come from, when it is not from chance. */
export interface Origin {
  readonly files: ModelFiles;
  readonly purpose: Purpose;
  /** What the run in the file had shown, when it goes on; snapshots then tell it again. */
  readonly history?: RunHistory;
}

/** The files that a model can be saved as; all but the first two together open in transformers. */
export type SaveForm =
  | 'checkpoint'
  | 'weights'
  | 'model.safetensors'
  | 'config.json'
  | 'vocab.json'
  | 'merges.txt'
  | 'tokenizer_config.json';

/** What a model that was made or read is. */
export interface RunInfo {
  readonly run: number;
  /** 0 but for models from files. */
  readonly step: number;
  readonly steps: number;
  readonly context: number;
  /** Whether sequences are documents that begin with BOS. */
  readonly documents: boolean;
  readonly hasValidation: boolean;
  readonly memoryBytes: number;
  /** False when it was opened to write only. */
  readonly trains: boolean;
  /** Of its BPE; 0 for other tokenizers. */
  readonly merges: number;
  /** Of the text to learn; NaN without one. See bitsPerCharacter. */
  readonly trainTokensPerCharacter: number;
  /** Of what is held out; NaN when nothing is. */
  readonly validationTokensPerCharacter: number;
  /**
   * The held-out text from its beginning, some kilobytes at most; empty when nothing is held out.
   * Documents are lines, in the order in which they were drawn.
   */
  readonly heldOutText: string;
}

// ---- What the model thinks of a text ------------------------------------------------------------

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

// ---- Writing step by step -----------------------------------------------------------------------

/**
 * A request that leaves the rest to the defaults: temperature 0.8, all tokens, 200 of them, seed 1.
 */
export type WantedSample = Partial<SampleRequest>;

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

// ---- Every number inside ------------------------------------------------------------------------

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

/** The same with what computes it: the op, its C function, its inputs, and its formula's numbers. */
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

// ---- Merges -------------------------------------------------------------------------------------

/** One merge of a BPE: wherever `left` and `right` stand side by side they become `result`. */
export interface Merge {
  readonly left: Token;
  readonly right: Token;
  readonly result: Token;
  /** How often the pair stood in the text when it was learned; 0 in a vocabulary that was given. */
  readonly occurrences: number;
}

// ---- Fitting ------------------------------------------------------------------------------------

/** A recipe that suits a text. */
export interface Fit {
  readonly recipe: Recipe;
  /** What kind of text it was taken for: "prose", "list", "chat"...; see c/fit/fit.h. */
  readonly kind: string;
  /** Why the recipe is as it is: codes of c/fit/fit.h, each with its numbers. */
  readonly reasons: readonly { readonly code: string; readonly values: readonly number[] }[];
  /** Code points, and lines that are not empty. */
  readonly characters: number;
  readonly lines: number;
}

/**
 * A trainer of one text at a time. All calls are safe in any state: starting twice, pausing when
 * paused and changing things in mid-run do what they say once. Failures reject with
 * GlasshouseError.
 */
export interface Trainer {
  /** The options that recipes are made of. */
  options(): Promise<OptionTable>;
  /** Holds the text to learn. Takes bytes over: the caller's view may be empty after. */
  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void>;
  /** What `files` hold; changes nothing. */
  inspect(files: ModelFiles): Promise<ModelFacts>;
  /** What `recipe` would make of the text held now, or of the model in a file. */
  plan(recipe: WantedRecipe | null, origin?: Origin): Promise<Plan>;
  /**
   * What the model of `recipe` computes and owns on a vocabulary of `vocab` tokens; makes none, so
   * that it may be larger than the memory.
   */
  architecture(recipe: WantedRecipe, vocab: number): Promise<ModelArchitecture>;
  /** How many parameters each model has on that vocabulary; NaN for a recipe that is not valid. */
  parameterCounts(recipes: readonly WantedRecipe[], vocab: number): Promise<readonly number[]>;
  /** The recipe that suits the text held now, and why; a matter of the text alone. */
  fit(): Promise<Fit>;
  /**
   * A fresh model at step 0, or the one in a file; replaces the model there was. When it fails,
   * that one stays (unless there was no room for both, and the file could then not be read to its
   * end).
   */
  prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo>;
  /**
   * The model as a file; `note` is kept in it. In a checkpoint, a note that is a JSON object gets
   * the validation losses so far as one more member.
   */
  save(form: SaveForm, note: string): Promise<Blob>;
  /** The run with all that is needed to go on with it as if it had never stopped. */
  checkpoint(note: string): Promise<Checkpoint>;
  /**
   * What the run so far was made of and what came out, to compare and to replay: see receipt.ts.
   */
  receipt(): Promise<RunReceipt>;
  /**
   * Replays the run of a receipt on `text` (taken over) in an engine of its own, beside the
   * training; a newer call, or `cancelVerify`, ends it with `cancelled`. See verifyReceipt.
   */
  verify(
    json: string,
    text: Uint8Array<ArrayBuffer>,
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding>;
  cancelVerify(): Promise<void>;
  /** Trains until paused, finished or diverged; answers at once. */
  start(): Promise<void>;
  pause(): Promise<void>;
  /** Trains one step and stays paused. */
  step(): Promise<void>;
  /**
   * Back to step 0 with the same initial weights and the same order of the data; stays paused.
   * Answers the number of the run that begins there; see Snapshot.
   */
  rewind(): Promise<number>;
  /**
   * Holds training back to this many steps a second, to be watched; 0 lets it run at full speed.
   */
  pace(stepsPerSecond: number): Promise<void>;
  /**
   * Lets training rest for this many milliseconds, 500 at most, from the next step on: a caller
   * with much to draw has the machine's cores to itself meanwhile. What is computed does not
   * change.
   */
  rest(milliseconds: number): Promise<void>;
  /** Changes an option that may change during a run. */
  set(option: string, value: number): Promise<void>;
  /** Sets what snapshots hold from now on. */
  watch(watch: Watch): Promise<void>;
  /** Writes one text; `onText` sees it grow. A newer request cancels an older one. */
  sample(request: WantedSample, onText?: (text: string) => void): Promise<SampleResult>;
  cancelSample(): Promise<void>;
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
  /** Lists every tensor of one pass of `text` (its first tokens, as many as fit the context). */
  tensors(text: string, gradients: boolean): Promise<Tensors>;
  /** Values of tensor `index` of the last list; computed anew if the weights have changed since. */
  tensor(index: number, slice: TensorSlice): Promise<TensorValues>;
  /** Merges of the BPE in the order in which they were learned, from number `first` on (from 0). */
  merges(first: number, count: number): Promise<readonly Merge[]>;
  /**
   * Settles when the trainer was closed, or its worker is gone: nothing more is to be heard of it.
   */
  readonly closed: Promise<void>;
  /** Calls `listener` with each snapshot until the function it returns is called. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
  /** Frees everything. */
  close(): void;
}
