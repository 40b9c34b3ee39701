/**
 * The text to learn, wherever it comes from: a sample text, the field, or a file. Bytes stay bytes:
 * what is not valid UTF-8, and NUL, reach the engine as they are; the field shows a decoded copy.
 */
import { failure } from '../engine/errors.ts';
import { makeYield } from '../engine/yield-task.ts';
import { recode } from './text-encoding.ts';
import type { Encoding } from './text-encoding.ts';
import { findSample } from './texts.ts';
import type { SourceId } from './texts.ts';

/** Larger files are refused before they are read: with tokens and model they would not fit. */
export const FILE_LIMIT = 256e6;
/** Longer texts are shown by their beginning only: a field with all of it would freeze the page. */
const SHOW_LIMIT = 1e6;
const PREVIEW_BYTES = 20_000;

/** A text as it can be kept: its bytes stay where they are until they are read. */
export interface KeptText {
  readonly source: SourceId;
  /** Empty but for files. */
  readonly fileName: string;
  readonly content: Blob;
}

/** A text, with what the field shows of it. */
export interface LoadedText extends KeptText {
  /** For the engine to take over. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly shown: string;
  readonly readOnly: boolean;
  /** What its file was encoded in, where it is UTF-8 only now; null for all others. */
  readonly encoding: Encoding | null;
}

/** Longer texts, in bytes, are told apart by when they came: reading them would hold the page up. */
const COMPARED = 2e6;

/** Equal for texts of equal bytes; null for texts that are too long to compare. */
export function likenessOf({ bytes }: Pick<LoadedText, 'bytes'>): string | null {
  if (bytes.length > COMPARED) return null;
  // FNV-1a twice over, with two beginnings: as good as certain, and there at once.
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
  }
  return [bytes.length, a >>> 0, b >>> 0].join(' ');
}

/** Whether all that a text has is blanks and line ends. */
export function isBlank({ bytes, shown, readOnly }: LoadedText): boolean {
  const hasNone = (text: string): boolean => !/\S/.test(text);
  // Of a long text, what is shown is only its beginning.
  return (
    bytes.length > 0 && hasNone(shown) && (!readOnly || hasNone(new TextDecoder().decode(bytes)))
  );
}

/** The bytes of a sample text, by the name of its file. */
export type SampleReader = (file: string) => Promise<Uint8Array<ArrayBuffer>>;

const samples = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** A sample text; fetched once. */
export async function loadSample(id: SourceId, read: SampleReader): Promise<LoadedText> {
  const sample = findSample(id);
  if (sample === undefined) throw failure('fetch', `there is no sample text called ${id}`);
  let loading = samples.get(id);
  if (loading === undefined) {
    loading = read(sample.file);
    samples.set(id, loading);
    // A failed download may be tried again.
    loading.catch(() => samples.delete(id));
  }
  // The engine takes buffers over: it gets a copy.
  const bytes = (await loading).slice();
  return describe({ source: id, fileName: '', content: new Blob([bytes]) }, bytes);
}

/** A text that was kept with a run. */
export async function keptText(text: KeptText): Promise<LoadedText> {
  return describe(text, new Uint8Array(await text.content.arrayBuffer()));
}

/** Reads sample texts from files below an address. */
export function samplesBelow(base: string | URL): SampleReader {
  return async (file) => {
    try {
      const response = await fetch(new URL(file, base));
      if (!response.ok) throw new Error(String(response.status));
      return new Uint8Array(await response.arrayBuffer());
    } catch (thrown) {
      throw failure('fetch', `the sample text could not be loaded: ${String(thrown)}`);
    }
  };
}

/** A text from the field. */
export function typedText(text: string): LoadedText {
  const bytes = new TextEncoder().encode(text);
  const content = new Blob([bytes]);
  const size = bytes.length;
  return {
    ...{ source: 'own', bytes, size, shown: text, readOnly: false, fileName: '', content },
    encoding: null,
  };
}

/** Whether what the field shows is all of a text, to the byte: it is the same as if it had been typed. */
export function isAsTyped({ shown, readOnly, fileName, size }: LoadedText): boolean {
  if (readOnly || fileName !== '') return false;
  // What was no UTF-8 is shown so, and what has NUL may be another encoding.
  return !/[\0\uFFFD]/.test(shown) && new TextEncoder().encode(shown).length === size;
}

/** Bytes as the text that would have been typed, or else as a file that has no name. */
export function givenText(bytes: Uint8Array<ArrayBuffer>): string | File {
  const content = new File([bytes], '');
  const text = describe({ source: 'own', fileName: '', content }, bytes);
  return isAsTyped(text) ? text.shown : content;
}

/**
 * Kinds of files that hold no text, as far as the browser knows; of others any bytes can be learned.
 * Drawings in SVG are text, and what is called an MPEG stream may well be TypeScript.
 */
const NO_TEXT =
  /^(?:image\/(?!svg)|audio\/(?!.*mpegurl)|video\/(?!mp2t)|font\/|application\/(?:pdf|zip|gzip|vnd\.rar|java-archive|epub\+zip|msword|vnd\.(?:openxmlformats|oasis|ms-)|x-(?:7z|bzip|gzip|rar|tar|xz|zip|zstd)))/;

/** A file, read as bytes; what is text in another encoding for certain becomes UTF-8. */
export async function loadFile(file: File): Promise<LoadedText> {
  if (NO_TEXT.test(file.type)) {
    throw failure('file-kind', `${file.name} is no text but ${file.type}`, [], file.name);
  }
  if (file.size === 0) throw failure('file-empty', `${file.name} is empty`, [], file.name);
  if (file.size > FILE_LIMIT) {
    const message = `the file has ${String(file.size)} bytes, at most ${String(FILE_LIMIT)} can be opened`;
    throw failure('file-size', message, [file.size, FILE_LIMIT]);
  }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const text = { source: 'own', fileName: file.name } as const;
    const recoded = await recode(bytes, makeYield());
    if (recoded === null) return describe({ ...text, content: file }, bytes);
    const content = new Blob([recoded.bytes]);
    return { ...describe({ ...text, content }, recoded.bytes), encoding: recoded.encoding };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw failure('file-read', `the file could not be read: ${reason}`, [], file.name);
  }
}

function describe(text: KeptText, bytes: Uint8Array<ArrayBuffer>): LoadedText {
  const readOnly = bytes.length > SHOW_LIMIT;
  // A cut character at the end of a preview is dropped by streaming, not shown as broken.
  const decoded = readOnly
    ? new TextDecoder().decode(bytes.subarray(0, PREVIEW_BYTES), { stream: true })
    : new TextDecoder().decode(bytes);
  // Fields know line feeds only; the bytes keep what the file has.
  const shown = decoded.replace(/\r\n?/g, '\n');
  const { source, fileName, content } = text;
  return { source, fileName, content, bytes, size: bytes.length, shown, readOnly, encoding: null };
}
