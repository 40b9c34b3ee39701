/**
 * Values as JSON for the frozen fixtures: numbers keep all digits, bytes become their SHA-256, and
 * numbers that depend on the machine become the name of their type.
 */
import { createHash } from 'node:crypto';

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Members whose value depends on the machine, the clock or the engine's memory layout. */
const MACHINE = new Set([
  ...['cost', 'memoryBytes', 'totalBytes', 'limitBytes', 'indexBytes', 'message', 'moment'],
  ...['threads', 'tokensPerSecond', 'stepsPerSecond', 'lossesFrom'],
]);

/** Members of the last snapshot of a run that depend on when it was sent. */
const SNAPSHOT = new Set(['losses', 'learningRates', 'gradientNorms', 'validations', 'memorised', 'samples']); // prettier-ignore

export async function plain(value: unknown): Promise<unknown> {
  if (typeof value === 'function') return 'function';
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Blob) {
    const bytes = new Uint8Array(await value.arrayBuffer());
    return { blob: bytes.length, sha256: sha256(bytes) };
  }
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
    return { array: value.constructor.name, bytes: byteLength, sha256: sha256(bytes) };
  }
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map(plain));
    // Options and tensors, keyed by name: a later version may add some or reorder them.
    if (items.length === 0 || !items.every(hasName)) return items;
    return Object.fromEntries(items.map((item) => [item.name, item]));
  }
  if (value === null || typeof value !== 'object') return value;
  if ('prepare' in value) return 'trainer';
  const isSnapshot = 'lossesFrom' in value;
  const members = await Promise.all(
    Object.entries(value).map(async ([key, one]) => {
      const isHidden = MACHINE.has(key) || (isSnapshot && SNAPSHOT.has(key));
      return [key, isHidden ? typeof one : await plain(one)] as const;
    }),
  );
  return Object.fromEntries(members);
}

function hasName(item: unknown): item is { readonly name: string } {
  return typeof (item as { name?: unknown } | null)?.name === 'string';
}
