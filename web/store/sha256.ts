/** Fingerprints of texts: SHA-256 (FIPS 180-4), which browsers compute on secure pages only. */

/** 64 hexadecimal digits; null where the page is not secure. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const { subtle } = globalThis.crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return null;
  return hexOf(new Uint8Array(await subtle.digest('SHA-256', bytes)));
}

/** Two digits for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
