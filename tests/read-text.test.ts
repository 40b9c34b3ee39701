/** Decoding of a file to a text: the same in the library and in receipt verification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { readingsOf, readText } from '../web/engine/read-text.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import { typedText } from '../web/store/text/text-source.ts';

const engine = new Uint8Array(readFileSync(join(import.meta.dirname, '../build/wasm/glasshouse.wasm'))); // prettier-ignore
const TEXT = 'anna\nbob\nzoë\n';
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
const utf32 = (text: string): Uint8Array =>
  new Uint8Array(Uint32Array.from(`\ufeff${text}`, (letter) => letter.codePointAt(0)!).buffer);

const FILES: readonly (readonly [name: string, file: Uint8Array])[] = [
  ['UTF-8', utf8(TEXT)],
  ['a byte order mark', utf8(`\ufeff${TEXT}`)],
  ['CR LF', utf8(TEXT.replaceAll('\n', '\r\n'))],
  ['CR', utf8(TEXT.replaceAll('\n', '\r'))],
  ['NEL', utf8(TEXT.replaceAll('\n', '\u0085'))],
  ['U+2028', utf8(TEXT.replaceAll('\n', '\u2028'))],
  ['UTF-16 with its mark', utf16(TEXT)],
  ['UTF-16 of the other order', utf16(TEXT).map((_, at, all) => all[at ^ 1]!)],
  ['UTF-32 with its mark', utf32(TEXT)],
  ['UTF-32 of the other order', utf32(TEXT).map((_, at, all) => all[at ^ 3]!)],
];

test.each(FILES)('%s is read as the same text', (_, file) => {
  expect(new TextDecoder().decode(readText(file))).toBe(TEXT);
});

test('what is handed over as a string is the text that its file would be', () => {
  expect(typedText(`\ufeff${TEXT.replaceAll('\n', '\r\n')}`).shown).toBe(TEXT);
});

test('what is no text is refused', () => {
  expect(() => readText(Uint8Array.of(97, 0xe9))).toThrow(/not UTF-8/);
  expect(() => readText(Uint8Array.of(0xff, 0xfe, 97))).toThrow(/not UTF-16LE/);
  expect(() => readText(utf32('a').subarray(0, 7))).toThrow(/not UTF-32LE/);
  expect(() => readText(Uint8Array.of(0xff, 0xfe, 0, 0, 0, 0, 0x11, 0))).toThrow(/not UTF-32LE/);
});

test('a receipt is verified with the file as it lies and as it is read', async () => {
  const file = utf8(`\ufeff${TEXT.replaceAll('\n', '\r\n')}`);
  for (const text of [file, readText(file)]) {
    const trainer = new DirectTrainer(engine);
    await trainer.setText(text);
    await trainer.prepare({ preset: 'microgpt', changes: { channels: 8, layers: 1 } });
    await trainer.step();
    const { json } = await trainer.receipt();
    trainer.close();
    expect((await verifyReceipt(engine, json, readingsOf(file))).same).toBe(true);
  }
  expect(readingsOf(utf8(TEXT))).toHaveLength(1);
  expect(readingsOf(Uint8Array.of(97, 0xe9))).toHaveLength(1);
});
