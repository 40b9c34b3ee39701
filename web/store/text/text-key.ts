/**
 * By which a text is known: the SHA-256 of its bytes. Equal texts have one key, whatever they are
 * called and however they came; runs, saved texts and the page all tell texts apart by it.
 */
import { sha256 } from '../sha256.ts';
import { randomId } from '../storage.ts';
import type { KeptText, LoadedText } from './text-source.ts';

const known = new WeakMap<Blob, Promise<string>>();

/** The key of a text. Before the engine takes the bytes over, no copy of them is needed. */
export function textKey({ content, bytes }: KeptText & Partial<LoadedText>): Promise<string> {
  const before = known.get(content);
  if (before !== undefined) return before;
  const key = keyOf(bytes, content);
  known.set(content, key);
  // A file that could not be read now may be readable later.
  key.catch(() => known.delete(content));
  return key;
}

async function keyOf(bytes: Uint8Array<ArrayBuffer> | undefined, content: Blob): Promise<string> {
  const all = bytes ?? new Uint8Array(await content.arrayBuffer());
  // The digest copies the bytes at once: they may be transferred while it computes.
  return (await sha256(all)) ?? foldOf(all);
}

/** Whether a key is a SHA-256, as it is on secure pages. */
export function isDigest(key: string): boolean {
  return key.length === 64;
}

/** Longer texts would hold the page up. */
const MOST_FOLDED = 2e6;

/**
 * Pages that are not secure have no digest: there FNV-1a from two beginnings tells short texts
 * apart, and each long one counts as another text.
 */
function foldOf(bytes: Uint8Array): string {
  if (bytes.length > MOST_FOLDED) return randomId();
  let [a, b] = [0x811c9dc5, 0x01000193];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte, 0x85ebca6b);
  }
  return [bytes.length, a >>> 0, b >>> 0].map((part) => part.toString(16)).join('-');
}
