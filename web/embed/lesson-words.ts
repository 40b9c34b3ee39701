/**
 * How a lesson is written: the words of a fragment for frames, and attributes of the same names for
 * the element. Also finds the text that they speak of. Everything here may come from a stranger's
 * link, so every part is checked, and limited in size.
 */
import { LESSON_ATTRIBUTES } from '../app/lesson.ts';
import { failure } from '../engine/errors.ts';
import { unpackText } from '../app/packed-text.ts';

/** A longer fragment is refused before it is looked at. */
export const FRAGMENT_LIMIT = 100_000;
/** A longer text beside the page is refused. */
const FILE_LIMIT = 16e6;

/** The words of a fragment for these attributes; `own` when the text is one's own. */
export function fragmentOf(read: (name: string) => string | null, own: boolean): string {
  const params = new URLSearchParams();
  for (const name of LESSON_ATTRIBUTES) {
    const value = read(name);
    if (value === null || name === 'settings') continue;
    params.set(name === 'sample' ? 'text' : name, value);
  }
  // Options have names of their own: `settings="layers=3&lr=0.01"`.
  for (const [name, value] of new URLSearchParams(read('settings') ?? '')) params.set(name, value);
  if (own) params.set('text', 'own');
  return `#${params.toString()}`;
}

/** Where the text of a frame comes from, by its fragment. */
export interface FrameText {
  /** The fragment for the app: it knows sample texts and one's own only. */
  readonly hash: string;
  readonly text?: string;
  /** The host will hand it over. */
  readonly awaited: boolean;
}

/** Finds the text that a frame's fragment speaks of; `base` is the address of the page. */
export async function readFrame(hash: string, base: string): Promise<FrameText> {
  if (hash.length > FRAGMENT_LIMIT) {
    throw failure('link-size', 'this link is too long', [hash.length, FRAGMENT_LIMIT]);
  }
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const packed = params.get('packed');
  const file = params.get('file');
  const awaited = params.get('text') === 'host';
  const sha256 = params.get('sha256') ?? '';
  for (const name of ['packed', 'file', 'sha256']) params.delete(name);
  if (packed === null && file === null && !awaited) {
    return { hash: `#${params.toString()}`, awaited };
  }
  params.set('text', 'own');
  const own = `#${params.toString()}`;
  if (packed !== null) return { hash: own, text: await unpackText(packed), awaited: false };
  if (file !== null)
    return { hash: own, text: await readBeside(file, sha256, base), awaited: false };
  return { hash: own, awaited };
}

/** A text file beside the page, which must be the very one that the link was made for. */
async function readBeside(file: string, sha256: string, base: string): Promise<string> {
  // Plain names below the page's own folder: no other host, no way up.
  const plain = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(file);
  if (!plain || !/^[0-9a-f]{64}$/i.test(sha256)) {
    throw failure(
      'link-file',
      'this link names its text file in a way that is not allowed',
      [],
      file,
    );
  }
  let bytes: ArrayBuffer;
  try {
    const response = await fetch(new URL(file, base));
    if (!response.ok) throw new Error(String(response.status));
    bytes = await response.arrayBuffer();
  } catch (thrown) {
    throw failure('fetch', `the text beside the page could not be loaded: ${String(thrown)}`);
  }
  if (bytes.byteLength > FILE_LIMIT) {
    throw failure('link-size', 'the text beside the page is too long', [
      bytes.byteLength,
      FILE_LIMIT,
    ]);
  }
  if ((await digest(bytes)) !== sha256.toLowerCase()) {
    throw failure(
      'link-hash',
      'the text beside the page is not the one that the link means',
      [],
      file,
    );
  }
  return new TextDecoder().decode(bytes);
}

/** SHA-256 in hexadecimal digits. Browsers compute it on secure pages only. */
async function digest(bytes: ArrayBuffer): Promise<string> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) {
    throw failure('link-insecure', 'the text cannot be checked on a page without https');
  }
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
