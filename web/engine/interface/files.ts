/** Calls that read and write model files, and receipts. */
import type { ByteRange } from '../left-out.ts';
import type { Finding, RunReceipt } from '../receipt.ts';
import type { CallTable } from './call.ts';
import type { Checkpoint, RunHistory } from './training.ts';

/** Layout of the weights: one safetensors file, shards with an index, or raw files. */
export type WeightsForm = 'safetensors' | 'index' | 'raw';

/** A file, or its bytes. */
export type FileSource = Blob | Uint8Array<ArrayBuffer>;

/** The files of a model. Those of Hugging Face beside the weights are optional. */
export interface ModelFiles {
  /** A .safetensors file, the index of its shards, or the JSON of the raw form. */
  readonly weights: FileSource;
  /** `safetensors` by default. */
  readonly form?: WeightsForm;
  /** The files that `weights` may name, by name. */
  readonly parts?: ReadonlyMap<string, FileSource>;
  /** config.json of another program's GPT-2; our own files need none of the following. */
  readonly config?: FileSource | null;
  /** vocab.json together with `merges`, or a tokenizer.json alone. */
  readonly vocab?: FileSource | null;
  /** merges.txt. */
  readonly merges?: FileSource | null;
  /** added_tokens.json. */
  readonly added?: FileSource | null;
}

/** Facts in the header of a file, readable before the weights. */
export interface ModelFacts {
  /** The value of every option. */
  readonly values: Readonly<Record<string, number>>;
  /** Byte ranges of its text that training skipped, ascending and disjoint. */
  readonly leftOut: readonly ByteRange[];
  /** Whether its run can be resumed, given its text. */
  readonly resumable: boolean;
  /** Whether a fork of its run can be verified: the run itself must be replayable from its text. */
  readonly forkable: boolean;
  readonly step: number;
  readonly textBytes: number;
  /** The note of the page that saved it. */
  readonly note: string;
}

/**
 * Use of a model from a file: `resume` continues its run as if it had never stopped; `train` learns
 * the current text from step 0; `generate` only writes. `fork` learns like `train`, and its receipt
 * contains that of the run in the file, so that both texts verify it; the file must be `forkable`.
 */
export type Purpose = 'resume' | 'train' | 'fork' | 'generate';

/** Files to take the initial weights from, in place of random ones. */
export interface Origin {
  readonly files: ModelFiles;
  readonly purpose: Purpose;
  /** History of a resumed run; subscribers receive it again. */
  readonly history?: RunHistory;
  /** Suppresses reports and measurements of the steps so far, because another trainer made them. */
  readonly silent?: boolean;
}

/**
 * Forms of `save`. All but the first two together are a model folder of the transformers library.
 */
export type SaveForm =
  | 'checkpoint'
  | 'weights'
  | 'model.safetensors'
  | 'config.json'
  | 'vocab.json'
  | 'merges.txt'
  | 'tokenizer_config.json';

/** Forms of `convert`: files of other programs, listed in the README. */
export type ExportForm =
  | 'gguf'
  | 'gguf-f16'
  | 'onnx'
  | 'onnx-plain'
  | 'onnx-config.json'
  // A model folder as by `save`, also for recipes that only an equivalent GPT-2 can express.
  | 'config.json'
  | 'model.safetensors'
  | 'tokenizer.json'
  | 'tokenizer_config.json'
  | 'special_tokens_map.json'
  | 'generation_config.json'
  | 'Modelfile'
  | 'card-gguf'
  | 'card-onnx'
  | 'card-hf';

/** Text fields of a model card that do not follow from the weights. */
export interface Said {
  /** Language of the card; English by default. */
  readonly language?: 'en' | 'zh';
  /** File name of the model. */
  readonly file?: string;
  /** Short form of the receipt. */
  readonly receipt?: string;
  /** Training and validation loss in nats per token, as text. */
  readonly loss?: string;
  readonly validation?: string;
  /** Prompt of the card's example, and its continuation at temperature 0. */
  readonly prompt?: string;
  readonly sample?: string;
  /** Number of tokens to generate, as text, in the card's commands and the Modelfile. */
  readonly tokens?: string;
}

/** Reads and writes model files. */
export interface Files {
  /** Reads the facts of `files`; changes nothing. */
  inspect(files: ModelFiles): Promise<ModelFacts>;
  /**
   * Saves the model; the file contains `note`. If the note of a checkpoint is a JSON object, the
   * validation losses so far are added to it as one more member.
   */
  save(form: SaveForm, note?: string): Promise<Blob>;
  /**
   * Converts a weights file made by `save` (for hosts and in the library also a checkpoint) to
   * another program's form; the current run is not
   * involved. Rejects with `door` if the form cannot express the recipe, with `format-bytes` if the
   * text has bytes that are not UTF-8 and the form has no tokens for them, with `questions` in the
   * module that only trains.
   */
  convert(weights: FileSource, form: ExportForm, said?: Said): Promise<Blob>;
  /** Size of the file that `convert` would make; reads only the header. */
  measure(weights: FileSource, form: ExportForm): Promise<number>;
  /**
   * Converts another program's file, such as a GGUF, to the files of `prepare` and `inspect`.
   * Rejects with `file` if the form is unknown, with `questions` like `convert`.
   */
  translate(file: FileSource): Promise<ModelFiles>;
  /**
   * Saves the run so that it can be resumed as if it had never stopped. Subscribers have been told
   * of every step that it contains.
   */
  checkpoint(note?: string): Promise<Checkpoint>;
}

/** Receipts: records of runs that anybody can replay. */
export interface Receipts {
  /** Receipt of the run so far: see receipt.ts. */
  receipt(): Promise<RunReceipt>;
  /**
   * Replays the run of a receipt on `text` (transferred) in a separate engine beside the training.
   * A fork needs the texts of all its runs, in any order. A newer call or `cancelVerify` ends it
   * with `cancelled`. See verifyReceipt.
   */
  verify(
    json: string,
    text: Uint8Array<ArrayBuffer> | readonly Uint8Array<ArrayBuffer>[],
    onProgress?: (finding: Finding) => void,
  ): Promise<Finding>;
  cancelVerify(): Promise<void>;
}

export const FILES = {
  inspect: { args: ['files: object'] },
  save: { args: ['form: text', 'note?: text'], atAnyStep: true },
  convert: { args: ['weights: file', 'form: text', 'said?: object'] },
  measure: { args: ['weights: file', 'form: text'] },
  translate: { args: ['file: file'] },
  checkpoint: { args: ['note?: text'] },
} satisfies CallTable<Files>;

export const RECEIPTS = {
  receipt: { args: [], atAnyStep: true },
  verify: { args: ['json: text', 'text: bytes', 'onProgress?: progress'], cancel: 'cancelVerify' },
  cancelVerify: { args: [] },
} satisfies CallTable<Receipts>;
