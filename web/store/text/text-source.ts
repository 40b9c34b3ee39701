/**
 * The text to learn, from a sample text, the field, or a file. A file is decoded once: its text is
 * UTF-8 with LF from then on. Bytes that a host gives, or that a run was saved with, stay as they
 * are.
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

/** Larger files are refused before they are read: with tokens and model they would not fit. */
export const FILE_LIMIT = 256e6;
/** Longer texts are shown by their beginning only: a field with all of it would freeze the page. */
const SHOW_LIMIT = 1e6;
const PREVIEW_BYTES = 20_000;
const COPIED_AT_ONCE = 8e6;

/** A text as it can be kept, in UTF-8. */
export interface KeptText {
  readonly source: SourceId;
  /** Empty but for files. */
  readonly fileName: string;
  readonly content: Blob;
  /** The bytes of the file, if the text is not the same. */
  readonly raw?: Blob;
}

/** A text, with what the field shows of it. */
export interface LoadedText extends KeptText {
  /** For the engine to take over. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly size: number;
  readonly shown: string;
  readonly readOnly: boolean;
  /** How its file was read; null if it is not from a file that a reader opened. */
  readonly reading: Reading | null;
}

/** Why there is nothing to learn in a text, as the code of an error; null if there is something. */
export function whyUseless(text: LoadedText): 'blank' | 'rtf' | null {
  if (text.shown.startsWith('{\\rtf')) return 'rtf';
  return isBlank(text) ? 'blank' : null;
}

/** Whether all that a text has is blanks and line ends. */
function isBlank({ bytes, shown, readOnly }: LoadedText): boolean {
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
  return (file) => readSampleFrom(new URL(file, base));
}

/** Reads the sample text at an address. */
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
  // Pasted text may begin with a byte order mark, and a host's may have other line ends.
  const shown = withPlainEnds(typed.replace(/^\ufeff/, ''));
  const bytes = new TextEncoder().encode(shown);
  const content = new Blob([bytes]);
  const size = bytes.length;
  return {
    source: 'own',
    bytes,
    size,
    shown,
    readOnly: false,
    fileName: '',
    content,
    reading: null,
  };
}

/**
 * Whether what the field shows is all of a text, to the byte: it is the same as if it had been
 * typed.
 */
export function isAsTyped({ shown, readOnly, fileName, size }: LoadedText): boolean {
  if (readOnly || fileName !== '') return false;
  // What was no UTF-8 is shown so, and what has NUL may be another encoding.
  return (
    !/[\0\uFFFD]|^\uFEFF/.test(shown) &&
    withPlainEnds(shown) === shown &&
    new TextEncoder().encode(shown).length === size
  );
}

/** A longer name of a text is cut. */
export const NAME_LENGTH = 60;

/**
 * The text of a link or an element: with a name a file of that name, without one what would have
 * been typed, or else a file without a name.
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

/** The media type of a file whose bytes are the text, whatever they are. */
const RAW = 'application/octet-stream;charset=binary';

/** A file whose bytes are the text, and are not decoded. */
export function rawFile(content: BlobPart, name: string): File {
  return new File([content], name, { type: RAW });
}

/** The file with a note of how its reader wants it read. */
export function fileReadAs(file: File, { encoding, keepsEnds }: ReadingChoice): File {
  const charset = encoding === '' ? '' : `;charset=${encoding}`;
  return new File([file], file.name, { type: `text/plain${charset}${keepsEnds ? KEPT_ENDS : ''}` });
}

const KEPT_ENDS = ';line-ends=kept';

function choiceOf({ type }: File): ReadingChoice {
  const encoding = /^text\/plain;charset=([\w-]+)/.exec(type)?.[1] ?? '';
  return { encoding, keepsEnds: type.endsWith(KEPT_ENDS) };
}

/** A file that a reader opened, as text. What it was is kept in memory: the file may change. */
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

/** A copy, made in parts: at once, that of a long text would hold the page up. */
async function blobOf(bytes: Uint8Array<ArrayBuffer>): Promise<Blob> {
  const parts: Blob[] = [];
  for (let at = 0; at < bytes.length; at += COPIED_AT_ONCE) {
    if (at > 0) await yieldTask();
    parts.push(new Blob([bytes.subarray(at, at + COPIED_AT_ONCE)]));
  }
  return new Blob(parts);
}

/** The detector, loaded only for a text that is not UTF-8. */
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
  // A cut character at the end of a preview is dropped by streaming, not shown as broken.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const decoded = readOnly
    ? decoder.decode(bytes.subarray(0, PREVIEW_BYTES), { stream: true })
    : decoder.decode(bytes);
  // Fields know line feeds only; the bytes keep what the file has.
  const shown = decoded.replace(/\r\n?/g, '\n');
  return { ...text, bytes, size: bytes.length, shown, readOnly, reading: null };
}
