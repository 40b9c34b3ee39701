/**
 * Identifies a text by the SHA-256 of its bytes, independent of name and source. Runs, saved texts
 * and the page compare texts by this key.
 */
import { sha256 } from '../sha256.ts';
import type { KeptText } from './text-source.ts';

const known = new WeakMap<Blob, Promise<string>>();

export function textKey({ content }: Pick<KeptText, 'content'>): Promise<string> {
  const before = known.get(content);
  if (before !== undefined) return before;
  const key = sha256(content);
  known.set(content, key);
  // An unreadable file may be readable later.
  key.catch(() => known.delete(content));
  return key;
}
