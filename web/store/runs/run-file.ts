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
 * The manifest contains the facts of the run, and name, length and SHA-256 of each part. Parts are
 * written and read as blobs, so that no file is in the page's memory twice. The first 16 bytes are
 * the same in all versions, so that an older page can refuse a newer file by its number.
 */
import type * as v from 'valibot';
import { GlasshouseError, failure } from '../../engine/errors.ts';
import type { RunHistory } from '../../engine/trainer.ts';
import { hexOf, sha256 } from '../sha256.ts';
import { damaged, MANIFEST, MARKS, PARTS, readCurve, readPart } from './run-file-parts.ts';
import type { FiledFacts } from './run-file-parts.ts';
import type { RunSave } from './run-record.ts';

/** The version written; all versions from 1 on can be read. */
export const RUN_FILE_VERSION = 1;
/** Maximum bytes of a run file: enough for the largest text and model that are saved. */
export const LARGEST_RUN_FILE = 600e6;

const MAGIC = 'GLASSRUN';
const HEAD = 48;
/** Maximum bytes of a manifest; a longer one is damage. */
const LONGEST_MANIFEST = 1e6;

/** The content of a run file. */
export interface FiledRun {
  readonly facts: FiledFacts;
  readonly save: RunSave;
  /** Text of the run; null if the file omits it. */
  readonly text: Blob | null;
}

type Manifest = v.InferOutput<typeof MANIFEST>;
type Part = Manifest['parts'][number];

/** Writes a run file; throws `run-file-size` if it would be too large to open. */
export async function writeRunFile({ facts, save, text }: FiledRun): Promise<Blob> {
  const { stride = 1, losses, learningRates, gradientNorms, ...marks } = save.history;
  const contents: [Part['name'], Blob][] = [
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
  // Older versions, without https, saved texts under random keys instead of hashes.
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
 * Reads a run file and verifies every byte. Throws `run-file-…` and `file-read`; `name` is used in
 * errors.
 */
export async function readRunFile(file: Blob, name: string): Promise<FiledRun> {
  try {
    const { manifest, end } = await readManifest(file, name);
    const { parts, run } = manifest;
    if (parts.some((part, at) => part.name !== PARTS[at])) throw damaged('manifest');
    const { stride, probe, ...facts } = run;
    const [checkpoint, curve, samples, text = null] = await cutParts(file, end, parts);
    if (!checkpoint || !curve || !samples) throw damaged('manifest');
    if (text !== null && parts[3]?.sha256 !== facts.text.key) throw damaged('text');
    const numbers = readCurve(await curve.arrayBuffer(), facts.step, stride);
    const marks = readPart(MARKS, await samples.text(), 'samples');
    const history: RunHistory = { stride, ...numbers, ...marks };
    return { facts, save: { file: checkpoint, history, probe }, text };
  } catch (thrown) {
    if (thrown instanceof GlasshouseError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw failure('file-read', `the file could not be read: ${reason}`, [], name);
  }
}

/** Reads the manifest; `end` is the offset after it. */
async function readManifest(
  file: Blob,
  name: string,
): Promise<{ manifest: Manifest; end: number }> {
  if (file.size > LARGEST_RUN_FILE) throw tooLarge(file.size);
  const start = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const letters = new TextDecoder('latin1').decode(start);
  if (!letters.startsWith(MAGIC)) {
    // Safetensors files begin with the header length, followed by JSON.
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
  return { manifest: readPart(MANIFEST, await blob.text(), 'manifest'), end };
}

/** The parts as slices of the file, with verified hashes. */
async function cutParts(file: Blob, from: number, parts: readonly Part[]): Promise<Blob[]> {
  const end = parts.reduce((sum, { bytes }) => sum + bytes, from);
  if (file.size < end) throw tooShort(file.size, end);
  if (file.size > end) throw damaged('end');
  const blobs: Blob[] = [];
  let at = from;
  for (const { name, bytes, sha256: wanted } of parts) {
    const blob = file.slice(at, (at += bytes));
    if ((await sha256(blob)) !== wanted) throw damaged(name);
    blobs.push(blob);
  }
  return blobs;
}

/** Decodes hexadecimal digits. */
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
