/** A reader of the safetensors format, independent of the engine's. */

export interface FileTensor {
  readonly dtype: string;
  readonly shape: number[];
  readonly bytes: Uint8Array<ArrayBuffer>; // a copy with its own buffer, at offset 0
}

export interface SafetensorsFile {
  readonly metadata: Record<string, string>;
  readonly tensors: Map<string, FileTensor>;
  /** Bytes before the first tensor. */
  readonly dataBegin: number;
}

/** Reads a file; throws on any violation of the format. */
export function readSafetensors(file: Uint8Array): SafetensorsFile {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const dataBegin = 8 + Number(view.getBigUint64(0, true));
  const text = new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, dataBegin));
  if (!text.startsWith('{')) throw new Error('the header must begin with {');
  const header = JSON.parse(text) as Record<string, unknown>;
  const metadata = (header['__metadata__'] ?? {}) as Record<string, unknown>;
  for (const value of Object.values(metadata)) {
    if (typeof value !== 'string') throw new Error('metadata must be strings');
  }
  const tensors = new Map<string, FileTensor>();
  let at = 0;
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const { dtype, shape, data_offsets } = entry as {
      dtype: string;
      shape: number[];
      data_offsets: [number, number];
    };
    const size = { F32: 4, F64: 8, I32: 4 }[dtype];
    if (size === undefined) throw new Error(`unexpected type ${dtype}`);
    const [begin, end] = data_offsets;
    if (begin !== at) throw new Error(`${name} leaves a gap`);
    if (end - begin !== size * shape.reduce((a, b) => a * b, 1)) throw new Error(`size of ${name}`);
    const bytes = new Uint8Array(file.subarray(dataBegin + begin, dataBegin + end)); // a copy
    tensors.set(name, { dtype, shape, bytes });
    at = end;
  }
  if (dataBegin + at !== file.length) throw new Error('bytes are left over');
  return { metadata: metadata as Record<string, string>, tensors, dataBegin };
}

/** Writes F32 tensors to a file. */
export function writeSafetensors(
  tensors: Map<string, { shape: number[]; data: Float32Array }>,
  metadata: Record<string, string>,
): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: metadata };
  let at = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + data.byteLength] };
    at += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + at);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  let end = 8 + text.length;
  for (const { data } of tensors.values()) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), end);
    end += data.byteLength;
  }
  return file;
}

/** The numbers of a tensor; throws if it is missing. */
export function valuesOf(
  file: SafetensorsFile,
  name: string,
): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> {
  const tensor = file.tensors.get(name);
  if (tensor === undefined) throw new Error(`the file has no ${name}`);
  const { dtype, bytes } = tensor;
  if (dtype === 'F64') return new Float64Array(bytes.buffer);
  return dtype === 'I32' ? new Int32Array(bytes.buffer) : new Float32Array(bytes.buffer);
}

/** The numbers of an F32 tensor. */
export function floats(tensor: FileTensor): Float32Array<ArrayBuffer> {
  return new Float32Array(tensor.bytes.buffer);
}
