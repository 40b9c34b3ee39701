/** Fingerprints of texts: SHA-256 (FIPS 180-4). */

/** What is read and hashed at once: some 20 ms of work, so that the page answers in between. */
const PART = 2 ** 21;

/**
 * 64 hexadecimal digits. The browser's own digest would copy a long text whole, on the page's
 * thread, and is missing on pages without https: there a library hashes it in parts.
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

/** Two digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
