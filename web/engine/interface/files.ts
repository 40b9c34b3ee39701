/** The files that models are read from and written to. */
import type { ByteRange } from '../left-out.ts';
import type { Finding, RunReceipt } from '../receipt.ts';
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

/** What is read from files and written to them. */
export interface Files {
  /** What `files` hold; changes nothing. */
  inspect(files: ModelFiles): Promise<ModelFacts>;
  /**
   * The model as a file; `note` is kept in it. In a checkpoint, a note that is a JSON object gets
   * the validation losses so far as one more member.
   */
  save(form: SaveForm, note: string): Promise<Blob>;
  /** The run with all that is needed to go on with it as if it had never stopped. */
  checkpoint(note: string): Promise<Checkpoint>;
}

/** Receipts of runs. */
export interface Receipts {
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
}
