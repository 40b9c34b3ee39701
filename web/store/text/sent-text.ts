/**
 * Reads the text that a link contains or names. A link is untrusted input: every part is checked
 * and limited in size.
 */
import { failure } from '../../engine/errors.ts';
import { BESIDE_LIMIT, unpackText } from './packed-text.ts';
import { sha256 } from '../sha256.ts';

/** Maximum length of a fragment; a longer one is refused unread. */
export const FRAGMENT_LIMIT = 100_000;

/** Link parameters that contain or name a text; the app does not see them. */
export const TEXT_PARAMS = ['packed', 'file', 'sha256', 'name'] as const;

/** The text of a page according to its fragment. */
export interface SentText {
  /** The fragment for the app, which knows only sample texts and the reader's own. */
  readonly hash: string;
  readonly text?: Uint8Array<ArrayBuffer>;
  /** Name of the text; empty for none. */
  readonly textName: string;
  /** Whether the host will send the text. */
  readonly awaited: boolean;
}

/** Finds the text named by a fragment; `base` is the URL of the page. */
export async function readSent(hash: string, base: string): Promise<SentText> {
  if (hash.length > FRAGMENT_LIMIT) {
    throw failure('link-size', 'this link is too long', [hash.length, FRAGMENT_LIMIT]);
  }
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const packed = params.get('packed');
  const file = params.get('file');
  const awaited = params.get('text') === 'host';
  const wanted = params.get('sha256') ?? '';
  const textName = params.get('name') ?? '';
  for (const name of TEXT_PARAMS) params.delete(name);
  if (packed === null && file === null && !awaited) {
    return { hash: `#${params.toString()}`, textName, awaited };
  }
  params.set('text', 'own');
  const own = `#${params.toString()}`;
  if (packed === null && file === null) return { hash: own, textName, awaited };
  const text = await (packed === null ? readBeside(file!, wanted, base) : unpackText(packed));
  return { hash: own, text, textName, awaited: false };
}

/** The fragment without its text, which failed to load. */
export function withoutText(hash: string): string {
  if (hash.length > FRAGMENT_LIMIT) return '#text=own';
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  for (const name of TEXT_PARAMS) params.delete(name);
  params.set('text', 'own');
  return `#${params.toString()}`;
}

/** Loads a text file beside the page and verifies its SHA-256. */
async function readBeside(
  file: string,
  wanted: string,
  base: string,
): Promise<Uint8Array<ArrayBuffer>> {
  // Plain names in any script, below the page's folder: no other host, no parent folder.
  const part = '[\\p{L}\\p{N}_-][\\p{L}\\p{M}\\p{N}._-]*';
  const plain = new RegExp(`^${part}(/${part})*$`, 'u').test(file);
  if (!plain || !/^[0-9a-f]{64}$/i.test(wanted)) {
    throw failure(
      'link-file',
      'this link names its text file in a way that is not allowed',
      [],
      file,
    );
  }
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const response = await fetch(new URL(file, base));
    if (!response.ok) throw new Error(String(response.status));
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (thrown) {
    throw failure(
      'link-fetch',
      `the text beside the page did not come: ${String(thrown)}`,
      [],
      file,
    );
  }
  if (bytes.byteLength > BESIDE_LIMIT) {
    throw failure('link-size', 'the text beside the page is too long', [
      bytes.byteLength,
      BESIDE_LIMIT,
    ]);
  }
  if ((await sha256(new Blob([bytes]))) !== wanted.toLowerCase()) {
    throw failure(
      'link-hash',
      'the text beside the page is not the one that the link means',
      [],
      file,
    );
  }
  return bytes;
}
