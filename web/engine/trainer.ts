/**
 * What the page knows of training: one interface, fulfilled by the engine itself (direct.ts) and by
 * a client that talks to it in a worker (client.ts). Everything that crosses it is plain data.
 */
import type { ErrorFacts } from './errors.ts';
import type { OptionTable, Recipe } from './options.ts';

/** What a recipe would make of the text, known before any memory of the model is taken. */
export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  /** Whether part of the text is held out, so that there will be validation losses. */
  readonly hasValidation: boolean;
  /** 0 when the text is one stream. */
  readonly documents: number;
  readonly cutDocuments: number;
  readonly cutCharacters: number;
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
  /** The text, or an empty string when `kind` says that there is none. */
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
}

export interface ValidationPoint {
  readonly step: number;
  readonly loss: number;
}

/** What a run has shown beside its losses, from its first step on. */
export interface RunHistory {
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
  readonly tokensPerSecond: number;
  readonly stepsPerSecond: number;
  readonly learningRate: number;
  readonly gradientNorm: number;
  /** Losses of the steps after `lossesFrom`: the first is that of step `lossesFrom + 1`. */
  readonly lossesFrom: number;
  readonly losses: Float64Array<ArrayBuffer>;
  readonly validations: readonly ValidationPoint[];
  readonly samples: readonly StepSample[];
  /** Only when it was asked for and is newer than the last one sent. */
  readonly attention: Attention | null;
  /** Why the probe gave nothing, or why the run stopped. */
  readonly attentionError: ErrorFacts | null;
  readonly error: ErrorFacts | null;
}

/** What the views want to see; nothing else is computed or sent. */
export interface Watch {
  /** Attention on this text, at most a few times a second; null for none. */
  readonly attention: { readonly text: string; readonly maxTokens: number } | null;
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
  /** The model itself ended the text, or its document was full. */
  readonly ended: boolean;
  /** How often the context was full and begun again with its last half. */
  readonly refills: number;
  readonly cancelled: boolean;
}

/** The files that a model is read from; those of Hugging Face beside the weights may be missing. */
export interface ModelFiles {
  readonly weights: Blob;
  readonly config: Blob | null;
  readonly vocab: Blob | null;
  readonly merges: Blob | null;
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

/** The files that a model can be saved as; the last four together open in transformers. */
export type SaveForm =
  'checkpoint' | 'weights' | 'model.safetensors' | 'config.json' | 'vocab.json' | 'merges.txt';

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
}

/**
 * A trainer of one text at a time. All calls are safe in any state: starting twice, pausing when
 * paused and changing things in mid-run do what they say once. Failures reject with
 * GlasshouseError.
 */
export interface Trainer {
  /** The options that recipes are made of. */
  options(): Promise<OptionTable>;
  /** Holds `bytes` as the text to learn. Takes the buffer over: the caller's view may be empty after. */
  setText(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** What `files` hold; changes nothing. */
  inspect(files: ModelFiles): Promise<ModelFacts>;
  /** What `recipe` would make of the text held now, or of the model in a file. */
  plan(recipe: Recipe, origin?: Origin): Promise<Plan>;
  /**
   * A fresh model at step 0, or the one in a file; replaces the model there was. When it fails, that
   * one stays (unless there was no room for both, and the file could then not be read to its end).
   */
  prepare(recipe: Recipe, origin?: Origin): Promise<RunInfo>;
  /** The model as a file; `note` is kept in it. */
  save(form: SaveForm, note: string): Promise<Blob>;
  /** The run with all that is needed to go on with it as if it had never stopped. */
  checkpoint(note: string): Promise<Checkpoint>;
  /** Trains until paused, finished or diverged; answers at once. */
  start(): Promise<void>;
  pause(): Promise<void>;
  /** Trains one step and stays paused. */
  step(): Promise<void>;
  /** Back to step 0 with the same initial weights and the same order of the data; stays paused. */
  rewind(): Promise<void>;
  /** Holds training back to so many steps a second, to be watched; 0 lets it run at full speed. */
  pace(stepsPerSecond: number): Promise<void>;
  /** Changes an option that may change during a run. */
  set(option: string, value: number): Promise<void>;
  /** Says what snapshots shall hold from now on. */
  watch(watch: Watch): Promise<void>;
  /** Writes one text; `onText` sees it grow. A newer request cancels an older one. */
  sample(request: SampleRequest, onText?: (text: string) => void): Promise<SampleResult>;
  cancelSample(): Promise<void>;
  /** Attention on `text` with the weights of now. */
  probe(text: string, maxTokens: number): Promise<Attention>;
  /** Calls `listener` with each snapshot until the function it returns is called. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
  /** Frees everything. */
  close(): void;
}
