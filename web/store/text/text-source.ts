/**
 * Loads the training text from a sample text, the field, or a file. Files are decoded (decode.ts);
 * bytes from a host or a saved run stay unchanged.
 */
import { GlasshouseError, failure } from '../../engine/errors.ts';
import { DETECTOR } from '../../base/form.ts';
import { withPlainEnds } from '../../base/line-ends.ts';
import { yieldTask } from '../../base/yield-task.ts';
import { decodeText, isBinary } from './decode.ts';
import type { Reading, ReadingChoice } from './decode.ts';
import { fileKind } from './file-kind.ts';
import { findSample } from './texts.ts';
import type { SourceId } from './texts.ts';

/**
 * Maximum bytes of a file. Larger ones are refused unread: tokens and model would not fit in
 * memory.
 */
export const FILE_LIMIT = 256e6;
/** Maximum bytes of a text that the field shows whole: a longer one would freeze the page. */
const SHOW_LIMIT = 1e6;
const PREVIEW_BYTES = 20_000;
const COPIED_AT_ONCE = 8e6;

/** A text as it is saved, in UTF-8. */
export interface KeptText {
  readonly source: SourceId;
  /** Name of the file; empty if the text is not from a file. */
  readonly fileName: string;
  readonly content: Blob;
  /** The bytes of the file, if decoding changed them. */
  readonly raw?: Blob;
}

/** A text, and the part of it that the field shows. */
export interface LoadedText extends KeptText {
  /** Bytes for the engine, which takes ownership of the buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly shown: string;
  readonly readOnly: boolean;
  /** How the file was decoded; null unless a reader opened a file. */
  readonly reading: Reading | null;
  /** Error code of a text with nothing to learn; null for other texts. */
  readonly useless: 'blank' | 'rtf' | null;
}

type Unchecked = Omit<LoadedText, 'useless'>;

function checked(text: Unchecked): LoadedText {
  const isRtf = text.shown.startsWith('{\\rtf');
  return { ...text, useless: isRtf ? 'rtf' : isBlank(text) ? 'blank' : null };
}

/** Whether a text is not empty, but consists of white space only. */
function isBlank({ bytes, shown, readOnly }: Unchecked): boolean {
  const hasNone = (text: string): boolean => !/\S/.test(text);
  // `shown` is only the beginning of a long text.
  return (
    bytes.length > 0 && hasNone(shown) && (!readOnly || hasNone(new TextDecoder().decode(bytes)))
  );
}

/** Reads a sample text by file name. */
export type SampleReader = (file: string) => Promise<Uint8Array<ArrayBuffer>>;

const samples = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** Loads a sample text, over the network only once. */
export async function loadSample(id: SourceId, read: SampleReader): Promise<LoadedText> {
  const sample = findSample(id);
  if (sample === undefined) throw failure('fetch', `there is no sample text called ${id}`);
  let loading = samples.get(id);
  if (loading === undefined) {
    loading = read(sample.file);
    samples.set(id, loading);
    // After a failure the next call tries again.
    loading.catch(() => samples.delete(id));
  }
  // The engine takes buffers, so it gets a copy.
  const bytes = (await loading).slice();
  return describe({ source: id, fileName: '', content: new Blob([bytes]) }, bytes);
}

/** Loads a text saved with a run. */
export async function keptText(text: KeptText): Promise<LoadedText> {
  return describe(text, await bytesOfText(text));
}

/** The bytes of a kept text. */
export async function bytesOfText({ content }: KeptText): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await content.arrayBuffer());
}

/** Reads sample texts from files below a URL. */
export function samplesBelow(base: string | URL): SampleReader {
  return (file) => readSampleFrom(new URL(file, base));
}

/** Reads the sample text at a URL. */
export async function readSampleFrom(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(String(response.status));
    return new Uint8Array(await response.arrayBuffer());
  } catch (thrown) {
    throw failure('fetch', `the sample text could not be loaded: ${String(thrown)}`);
  }
}

/** A text from the field. */
export function typedText(typed: string): LoadedText {
  // Pasted text may have a byte order mark, a host's text other line ends.
  const shown = withPlainEnds(typed.replace(/^\ufeff/, ''));
  const bytes = new TextEncoder().encode(shown);
  const content = new Blob([bytes]);
  const size = bytes.length;
  const whole = { source: 'own', fileName: '', content, bytes, size, shown } as const;
  return checked({ ...whole, readOnly: false, reading: null });
}

/** Whether the field shows a text completely and unchanged, as if it had been typed. */
export function isAsTyped({ shown, readOnly, fileName, size }: LoadedText): boolean {
  if (readOnly || fileName !== '') return false;
  // U+FFFD may replace invalid UTF-8, and NUL indicates another encoding.
  return (
    !/[\0\uFFFD]|^\uFEFF/.test(shown) &&
    withPlainEnds(shown) === shown &&
    new TextEncoder().encode(shown).length === size
  );
}

/** Maximum number of characters in the name of a text; longer names are cut. */
export const NAME_LENGTH = 60;

/**
 * A text from a link or element: with a name, a file of that name; without, a typed text if
 * possible, else a file without name.
 */
export function givenText(text: string | Uint8Array<ArrayBuffer>, name = ''): string | File {
  const line = name.replace(/[\s\p{C}]+/gu, ' ').trim();
  const isNamed = line !== '' && text.length > 0;
  if (typeof text === 'string') return isNamed ? givenText(typedText(text).bytes, name) : text;
  return isNamed
    ? rawFile(text, Array.from(line).slice(0, NAME_LENGTH).join(''))
    : unnamedText(text);
}

function unnamedText(bytes: Uint8Array<ArrayBuffer>): string | File {
  const content = rawFile(bytes, '');
  const text = describe({ source: 'own', fileName: '', content }, bytes);
  return isAsTyped(text) ? text.shown : content;
}

/** Media type of a file whose bytes are the text and need no decoding. */
const RAW = 'application/octet-stream;charset=binary';

/** A file whose bytes are the text and are not decoded. */
export function rawFile(content: BlobPart, name: string): File {
  return new File([content], name, { type: RAW });
}

/** The file with the reader's choice of decoding in its media type. */
export function fileReadAs(file: File, { encoding, keepsEnds }: ReadingChoice): File {
  const charset = encoding === '' ? '' : `;charset=${encoding}`;
  return new File([file], file.name, { type: `text/plain${charset}${keepsEnds ? KEPT_ENDS : ''}` });
}

const KEPT_ENDS = ';line-ends=kept';

function choiceOf({ type }: File): ReadingChoice {
  const encoding = /^text\/plain;charset=([\w-]+)/.exec(type)?.[1] ?? '';
  return { encoding, keepsEnds: type.endsWith(KEPT_ENDS) };
}

/** Loads a file opened by a reader. Its bytes are kept in memory, because the file may change. */
export async function loadFile(file: File): Promise<LoadedText> {
  if (file.size === 0) throw failure('file-empty', `${file.name} is empty`, [], file.name);
  if (file.size > FILE_LIMIT) {
    const message = `the file has ${String(file.size)} bytes, at most ${String(FILE_LIMIT)} can be opened`;
    throw failure('file-size', message, [file.size, FILE_LIMIT]);
  }
  try {
    const raw = new Uint8Array(await file.arrayBuffer());
    const text = { source: 'own', fileName: file.name } as const;
    if (file.type === RAW) return describe({ ...text, content: file }, raw);
    return await readFile(text, raw, choiceOf(file));
  } catch (thrown) {
    if (thrown instanceof GlasshouseError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw failure('file-read', `the file could not be read: ${reason}`, [], file.name);
  }
}

async function readFile(
  text: Pick<KeptText, 'source' | 'fileName'>,
  raw: Uint8Array<ArrayBuffer>,
  choice: ReadingChoice,
): Promise<LoadedText> {
  const { fileName } = text;
  const kind = fileKind(raw);
  if (kind !== null) throw noText(fileName, kind.kind, kind.format);
  const { bytes, same, reading } = await decodeText(raw, choice, rank, yieldTask);
  if (bytes.length === 0) throw failure('file-empty', `${fileName} is empty`, [], fileName);
  const start = new TextDecoder().decode(bytes.subarray(0, PREVIEW_BYTES));
  if (choice.encoding === '' && isBinary(start, reading.encoding))
    throw noText(fileName, 'bytes', '');
  const contents = same ? {} : { raw: new Blob([raw]) };
  const described = describe({ ...text, content: await blobOf(bytes) }, bytes);
  return { ...described, ...contents, reading };
}

/** A copy, made in parts, because copying a long text at once would block the page. */
async function blobOf(bytes: Uint8Array<ArrayBuffer>): Promise<Blob> {
  const parts: Blob[] = [];
  for (let at = 0; at < bytes.length; at += COPIED_AT_ONCE) {
    if (at > 0) await yieldTask();
    parts.push(new Blob([bytes.subarray(at, at + COPIED_AT_ONCE)]));
  }
  return new Blob(parts);
}

/** Loads the detector, only for a text that is not UTF-8. */
async function rank(bytes: Uint8Array): Promise<string[]> {
  if (!DETECTOR) return ['windows-1252'];
  return (await import('./detect.ts')).rankEncodings(bytes);
}

function noText(name: string, kind: string, format: string): GlasshouseError {
  const message = `${name} is not a text but ${format === '' ? 'binary data' : format}`;
  const code = kind === 'model' || kind === 'document' ? `file-kind-${kind}` : 'file-kind';
  return failure(code, message, [], [name, kind, format].join('\n'));
}

function describe(text: KeptText, bytes: Uint8Array<ArrayBuffer>): LoadedText {
  const readOnly = bytes.length > SHOW_LIMIT;
  // Streaming drops an incomplete last character instead of showing it as broken.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decoded = readOnly
    ? decoder.decode(bytes.subarray(0, PREVIEW_BYTES), { stream: true })
    : decoder.decode(bytes);
  // A text field holds LF only; `bytes` keeps the file's line ends.
  const shown = decoded.replace(/\r\n?/g, '\n');
  return checked({ ...text, bytes, size: bytes.length, shown, readOnly, reading: null });
}
