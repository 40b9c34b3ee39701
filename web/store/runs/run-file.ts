/**
 * A whole run in one file: checkpoint, curve, samples and, if wanted, the text. Numbers are
 * little-endian:
 *
 *     offset  bytes
 *     0       8      "GLASSRUN"
 *     8       4      format version
 *     12      4      length of the manifest, M
 *     16      32     SHA-256 of the manifest
 *     48      M      manifest: JSON in UTF-8
 *     48 + M         the parts, one after another
 *
 * The manifest says what the run is, and the name, length and SHA-256 of each part. Parts are
 * joined and read as blobs: the page's memory never holds a second copy of a file. Later versions
 * keep the first 16 bytes, so that an older page can refuse them by their number.
 */
import { GlasshouseError, failure } from '../../engine/errors.ts';
import type { RunHistory } from '../../engine/trainer.ts';
import { hexOf, sha256 } from '../sha256.ts';
import { damaged, parsed, readCurve, readFacts, readMarks } from './run-file-parts.ts';
import type { FiledFacts } from './run-file-parts.ts';
import type { RunSave } from './run-record.ts';

/** The newest version, which is written; all from 1 on are read. */
export const RUN_FILE_VERSION = 1;
/** Bytes of a file at most: room for the largest text and the largest model that are kept here. */
export const LARGEST_RUN_FILE = 600e6;

const MAGIC = 'GLASSRUN';
const HEAD = 48;
/** A longer manifest is not one of ours. */
const LONGEST_MANIFEST = 1e6;
/** In the order in which they stand. */
const PARTS = ['checkpoint', 'curve', 'samples', 'text'] as const;
type PartName = (typeof PARTS)[number];

/** A run as it goes into a file and comes out of it. */
export interface FiledRun {
  readonly facts: FiledFacts;
  readonly save: RunSave;
  /** Null if the file is without it. */
  readonly text: Blob | null;
}

interface Part {
  readonly name: PartName;
  readonly bytes: number;
  readonly sha256: string;
}

/** The run as a file; throws `run-file-size` if that would be too large to be opened again. */
export async function writeRunFile({ facts, save, text }: FiledRun): Promise<Blob> {
  const { stride = 1, losses, learningRates, gradientNorms, ...marks } = save.history;
  const contents: [PartName, Blob][] = [
    ['checkpoint', save.file],
    ['curve', new Blob([losses, learningRates, gradientNorms])],
    ['samples', new Blob([JSON.stringify(marks)])],
  ];
  if (text !== null) contents.push(['text', text]);
  const size = contents.reduce((sum, [, { size: bytes }]) => sum + bytes, 0);
  if (size + HEAD + LONGEST_MANIFEST > LARGEST_RUN_FILE) throw tooLarge(size);
  const parts: Part[] = [];
  for (const [name, content] of contents) {
    parts.push({ name, bytes: content.size, sha256: await sha256(content) });
  }
  // Browsers without https once kept texts under keys that are no hash.
  const key = parts.find(({ name }) => name === 'text')?.sha256 ?? facts.text.key;
  const run = { ...facts, text: { ...facts.text, key }, stride, probe: save.probe };
  const manifest = new Blob([JSON.stringify({ run, parts })]);
  const head = new DataView(new ArrayBuffer(HEAD));
  const bytes = new Uint8Array(head.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  head.setUint32(8, RUN_FILE_VERSION, true);
  head.setUint32(12, manifest.size, true);
  bytes.set(bytesOf(await sha256(manifest)), 16);
  return new Blob([head.buffer, manifest, ...contents.map(([, content]) => content)]);
}

/**
 * Reads a file of that kind, and checks every byte of it. Throws `run-file-…` and `file-read`; the
 * file is called `name` in errors.
 */
export async function readRunFile(file: Blob, name: string): Promise<FiledRun> {
  try {
    const { manifest, end } = await readManifest(file, name);
    const parts = partsOf(manifest);
    const blobs = await cutParts(file, end, parts);
    const { facts, stride, probe } = readFacts((manifest as { run?: unknown }).run);
    const [checkpoint, curve, samples] = [
      blobs.get('checkpoint'),
      blobs.get('curve'),
      blobs.get('samples'),
    ];
    if (!checkpoint || !curve || !samples) throw damaged('manifest');
    const text = blobs.get('text') ?? null;
    if (text !== null && parts.find((part) => part.name === 'text')?.sha256 !== facts.text.key) {
      throw damaged('text');
    }
    const numbers = readCurve(await curve.arrayBuffer(), facts.step, stride);
    const history: RunHistory = { stride, ...numbers, ...readMarks(await samples.text()) };
    return { facts, save: { file: checkpoint, history, probe }, text };
  } catch (thrown) {
    if (thrown instanceof GlasshouseError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw failure('file-read', `the file could not be read: ${reason}`, [], name);
  }
}

/** The manifest, as JSON, and where it ends. */
async function readManifest(file: Blob, name: string): Promise<{ manifest: object; end: number }> {
  if (file.size > LARGEST_RUN_FILE) throw tooLarge(file.size);
  const start = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const letters = new TextDecoder('latin1').decode(start);
  if (!letters.startsWith(MAGIC)) {
    // Safetensors begin with the length of their header, which is JSON.
    const code = letters.startsWith('{"', 8) ? 'run-file-model' : 'run-file-kind';
    throw failure(code, `${name} is not a run file`, [], name);
  }
  if (start.length < HEAD) throw tooShort(file.size, HEAD);
  const head = new DataView(start.buffer);
  const [version, length] = [head.getUint32(8, true), head.getUint32(12, true)];
  if (version > RUN_FILE_VERSION) {
    const message = `the file has format ${String(version)}; ${String(RUN_FILE_VERSION)} is the newest known`;
    throw failure('run-file-newer', message, [version, RUN_FILE_VERSION]);
  }
  if (version === 0 || length > LONGEST_MANIFEST) throw damaged('head');
  const end = HEAD + length;
  if (file.size < end) throw tooShort(file.size, end);
  const blob = file.slice(HEAD, end);
  if ((await sha256(blob)) !== hexOf(start.subarray(16))) throw damaged('manifest');
  return { manifest: parsed(await blob.text()), end };
}

function partsOf(manifest: object): readonly Part[] {
  const { parts } = manifest as { parts?: unknown };
  if (!Array.isArray(parts)) throw damaged('manifest');
  for (const [index, part] of (parts as Partial<Part>[]).entries()) {
    const isSize = Number.isSafeInteger(part.bytes) && Number(part.bytes) >= 0;
    if (part.name !== PARTS[index] || !isSize) throw damaged('manifest');
  }
  return parts as Part[];
}

/** The parts as slices of the file, each with the bytes that it was written with. */
async function cutParts(
  file: Blob,
  from: number,
  parts: readonly Part[],
): Promise<Map<PartName, Blob>> {
  const end = parts.reduce((sum, { bytes }) => sum + bytes, from);
  if (file.size < end) throw tooShort(file.size, end);
  if (file.size > end) throw damaged('end');
  const blobs = new Map<PartName, Blob>();
  let at = from;
  for (const { name, bytes, sha256: wanted } of parts) {
    const blob = file.slice(at, at + bytes);
    if ((await sha256(blob)) !== wanted) throw damaged(name);
    blobs.set(name, blob);
    at += bytes;
  }
  return blobs;
}

/** The bytes that hexadecimal digits say. */
function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

function tooLarge(bytes: number): GlasshouseError {
  const message = `a run file of ${String(bytes)} bytes; at most ${String(LARGEST_RUN_FILE)}`;
  return failure('run-file-size', message, [bytes, LARGEST_RUN_FILE]);
}

function tooShort(bytes: number, wanted: number): GlasshouseError {
  const message = `the file has ${String(bytes)} bytes of ${String(wanted)}`;
  return failure('run-file-short', message, [bytes, wanted]);
}
