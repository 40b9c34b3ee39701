/** The engine's bytes encoded as text, for single-file builds. */
import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../web/embed/bytes-as-text.ts';

test('bytes come back from one sign each, none of which readers of text drop or change', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const text = textOfBytes(all);
  expect(text).toHaveLength(256);
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(new TextDecoder().decode(new TextEncoder().encode(text))).toBe(text);
  expect(bytesOfText(text)).toEqual(all);
});
