/** SHA-256 of blobs (FIPS 180-4). */

/** Bytes hashed at once: about 20 ms of work, so that the page stays responsive. */
const PART = 2 ** 21;

/**
 * Returns the hash as 64 hexadecimal digits. The browser's digest would copy a long content whole
 * on the page's thread, and is missing without https; in both cases a library hashes in parts.
 */
export async function sha256(content: Blob): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle !== undefined && content.size <= PART) {
    return hexOf(new Uint8Array(await subtle.digest('SHA-256', await content.arrayBuffer())));
  }
  const hash = (await import('./long-hash.ts')).sha256.create();
  for (let at = 0; at < content.size; at += PART) {
    hash.update(new Uint8Array(await content.slice(at, at + PART).arrayBuffer()));
  }
  return hexOf(hash.digest());
}

/** Two hexadecimal digits per byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
