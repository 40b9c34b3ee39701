/** Reads a safetensors file: u64 length, JSON header, the bytes. */
import { readFileSync } from 'node:fs';

/** One tensor of a file. */
export interface FileTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array | Int32Array;
}

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, FileTensor>;
  readonly metadata: Readonly<Record<string, string>>;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

export function readSafetensors(path: string): SafetensorsFile {
  const file = readFileSync(path);
  const size = Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString('utf8', 8, 8 + size)) as Record<string, Entry>;
  const metadata = (header['__metadata__'] ?? {}) as unknown as Record<string, string>;
  const tensors = new Map<string, FileTensor>();
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const [begin, end] = entry.data_offsets;
    // A copy of its own begins at an address that any element type accepts.
    const bytes = new Uint8Array(file.subarray(8 + size + begin, 8 + size + end));
    tensors.set(name, { shape: entry.shape, values: view(entry.dtype, bytes.buffer, name) });
  }
  return { tensors, metadata };
}

function view(dtype: string, buffer: ArrayBuffer, name: string): FileTensor['values'] {
  if (dtype === 'F32') return new Float32Array(buffer);
  if (dtype === 'F64') return new Float64Array(buffer);
  if (dtype === 'I32') return new Int32Array(buffer);
  throw new Error(`${name} has the type ${dtype}`);
}

/** The numbers of a tensor that must be there. */
export function valuesOf(file: SafetensorsFile, name: string): FileTensor['values'] {
  const tensor = file.tensors.get(name);
  if (!tensor) throw new Error(`the file has no ${name}`);
  return tensor.values;
}
