/** The files that models are read from and written to. */
import type { ByteRange } from '../left-out.ts';
import type { Finding, RunReceipt } from '../receipt.ts';
import type { CallTable } from './call.ts';
import type { Checkpoint, RunHistory } from './training.ts';

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
  /** Bytes of its text that it never read, rising and apart. */
  readonly leftOut: readonly ByteRange[];
  /** Whether the run in it can go on, given the text that it learned from. */
  readonly resumable: boolean;
  /** Whether a fork of its run can be verified: the run itself can be repeated from its text. */
  readonly forkable: boolean;
  readonly step: number;
  readonly textBytes: number;
  /** What the page that saved it wrote there. */
  readonly note: string;
}

/**
 * What a model from a file is for: to go on with its run as if it had never stopped, to learn the
 * text held from step 0 on, or only to write. A `fork` learns like `train`, and its receipt holds
 * that of the run in the file, so that the texts of both verify it: the file must be `forkable`.
 */
export type Purpose = 'resume' | 'train' | 'fork' | 'generate';

/** Where the weights of a model come from, when it is not from chance. */
export interface Origin {
  readonly files: ModelFiles;
  readonly purpose: Purpose;
  /** What the run in the file had shown, when it goes on; snapshots then tell it again. */
  readonly history?: RunHistory;
  /** Nothing is told or measured of the steps so far: another trainer has done that. */
  readonly silent?: boolean;
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

/** The files that other programs open, made of a file of weights: what each is, see the README. */
export type ExportForm =
  | 'gguf'
  | 'gguf-f16'
  | 'onnx'
  | 'onnx-plain'
  | 'onnx-config.json'
  // As `save` makes them, of recipes too that GPT-2 has only in other words.
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

/** What a card says that is not in the weights. */
export interface Said {
  /** The language of a card; English unless it is named. */
  readonly language?: 'en' | 'zh';
  /** The name of the model's file. */
  readonly file?: string;
  /** The short form of its receipt. */
  readonly receipt?: string;
  /** In nats a token, as text. */
  readonly loss?: string;
  readonly validation?: string;
  /** What it writes after a prompt at temperature 0. */
  readonly prompt?: string;
  readonly sample?: string;
  /** Tokens that the commands of a card ask for, after the prompt. */
  readonly tokens?: string;
}

/** What is read from files and written to them. */
export interface Files {
  /** What `files` hold; changes nothing. */
  inspect(files: ModelFiles): Promise<ModelFacts>;
  /**
   * The model as a file; `note` is kept in it. In a checkpoint, a note that is a JSON object gets
   * the validation losses so far as one more member.
   */
  save(form: SaveForm, note?: string): Promise<Blob>;
  /**
   * A file of weights, as `save` writes it, in the form of another program; the run of now has no
   * part in it. `door` where that form cannot say the recipe; `questions` in the module that only
   * trains.
   */
  convert(weights: FileSource, form: ExportForm, said?: Said): Promise<Blob>;
  /** The bytes that `convert` would make; rejects as it would, and reads no more than a header. */
  measure(weights: FileSource, form: ExportForm): Promise<number>;
  /**
   * Another program's file, a GGUF say, as the files that `prepare` and `inspect` take. `file` for
   * one of no known form; `questions` as above.
   */
  translate(file: FileSource): Promise<ModelFiles>;
  /**
   * The run with all that is needed to go on with it as if it had never stopped. Subscribers have
   * been told of all steps until then.
   */
  checkpoint(note?: string): Promise<Checkpoint>;
}

/** Receipts of runs. */
export interface Receipts {
  /**
   * What the run so far was made of and what came out, to compare and to replay: see receipt.ts.
   */
  receipt(): Promise<RunReceipt>;
  /**
   * Replays the run of a receipt on `text` (taken over) in an engine of its own, beside the
   * training; a newer call, or `cancelVerify`, ends it with `cancelled`. A fork needs the texts of
   * all its runs, in any order. See verifyReceipt.
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
