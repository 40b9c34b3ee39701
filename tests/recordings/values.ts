/**
 * Values of the trainer's interface as JSON, identical text for identical bits: typed arrays as
 * base64, and numbers that JSON lacks by name. It runs in Node and in pages.
 */
import { sha256 } from '@noble/hashes/sha2.js';

interface Base64Bytes extends Uint8Array<ArrayBuffer> {
  toBase64?: () => string;
}
interface Base64Constructor {
  fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}

/** An object for a value that JSON lacks; `$` names its type. */
interface Tagged {
  readonly $: string;
  readonly v: unknown;
}

const ARRAYS = { Float32Array, Float64Array, Uint8Array, Uint32Array } as const;

export function toBase64(bytes: Uint8Array<ArrayBuffer>): string {
  return (bytes as Base64Bytes).toBase64?.() ?? Buffer.from(bytes).toString('base64');
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const { fromBase64: read } = Uint8Array as Base64Constructor;
  return read?.(text) ?? new Uint8Array(Buffer.from(text, 'base64'));
}

/** SHA-256 in hexadecimal, of bytes or of a UTF-8 text. */
export function digest(content: Uint8Array<ArrayBuffer> | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Encodes `value` as a JSON value; `sorted`: with object keys in order. */
export function pack(value: unknown, sorted = false): unknown {
  const inside = (one: unknown): unknown => pack(one, sorted);
  if (typeof value === 'number') {
    const isPlain = Number.isFinite(value) && !Object.is(value, -0);
    return isPlain ? value : { $: 'number', v: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inside);
  for (const [name, type] of Object.entries(ARRAYS)) {
    if (!(value instanceof type)) continue;
    const { buffer, byteOffset, byteLength } = value;
    return { $: name, v: toBase64(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)) };
  }
  if (value instanceof Set) return { $: 'Set', v: [...value].map(inside) };
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, inside(one)]));
}

/** Decodes a value encoded by `pack`. */
export function unpack(packed: unknown): unknown {
  if (typeof packed !== 'object' || packed === null) return packed;
  if (Array.isArray(packed)) return packed.map(unpack);
  if (!('$' in packed)) {
    return Object.fromEntries(Object.entries(packed).map(([name, one]) => [name, unpack(one)]));
  }
  const { $: type, v } = packed as Tagged;
  if (type === 'number') return Number(v);
  if (type === 'Set') return new Set((v as unknown[]).map(unpack));
  const Made = ARRAYS[type as keyof typeof ARRAYS];
  return new Made(fromBase64(v as string).buffer);
}

/** The canonical text of a value. */
export const textOf = (value: unknown): string => JSON.stringify(pack(value, true));
