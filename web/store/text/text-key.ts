/**
 * By which a text is known: the SHA-256 of its bytes. Equal texts have one key, whatever they are
 * called and however they came; runs, saved texts and the page all tell texts apart by it.
 */
import { sha256 } from '../sha256.ts';
import type { KeptText } from './text-source.ts';

const known = new WeakMap<Blob, Promise<string>>();

/** The key of a text. */
export function textKey({ content }: Pick<KeptText, 'content'>): Promise<string> {
  const before = known.get(content);
  if (before !== undefined) return before;
  const key = sha256(content);
  known.set(content, key);
  // A file that could not be read now may be readable later.
  key.catch(() => known.delete(content));
  return key;
}
