/** Text files that are not in UTF-8: what is known for certain is read, all else stays as it is. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeForeign } from '../web/app/text-encoding.ts';

const sample = (file: string): string =>
  readFileSync(new URL(`../public/texts/${file}`, import.meta.url), 'utf8');
const poems = sample('tang-quatrains-zh.txt');
const moby = sample('moby-dick-en.txt').slice(0, 20_000);

function utf16(text: string, { little = true, mark = true } = {}): Uint8Array {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const all = mark ? [0xfeff, ...units] : units;
  return Uint8Array.from(
    all.flatMap((unit) => (little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  );
}

/** The bytes of a text in an encoding whose characters have one byte or two, by asking its decoder. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, number[]>();
  for (let first = 0x81; first < 0xff; first++) {
    for (let second = 0x40; second < 0xff; second++) {
      const bytes = [first, second];
      const one = decoder.decode(Uint8Array.from(bytes));
      if (!bytesOf.has(one)) bytesOf.set(one, bytes);
    }
  }
  for (let one = 0; one < 256; one++) {
    bytesOf.set(decoder.decode(Uint8Array.of(one)), [one]);
  }
  return Uint8Array.from(Array.from(text).flatMap((one) => bytesOf.get(one)!));
}

const korean = '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다\n'.repeat(9);
const japanese = 'すべての人間は、生まれながらにして自由であり、かつ、平等である。\n'.repeat(9);
const russian = 'Все люди рождаются свободными и равными в своём достоинстве и правах.\n'.repeat(9);
const traditional = '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心。\n'.repeat(9);
const french = 'Tous les êtres humains naissent libres et égaux en dignité.\n'.repeat(9);

test.each([
  ['little-endian with a mark', {}],
  ['big-endian with a mark', { little: false }],
  ['little-endian without', { mark: false }],
  ['big-endian without', { little: false, mark: false }],
])('UTF-16 is read: %s', (_, how) => {
  const encoding = 'little' in how && !how.little ? 'utf-16be' : 'utf-16le';
  expect(decodeForeign(utf16(moby, how))).toEqual({ text: moby, encoding });
});

test('UTF-16 of Chinese is read by its mark', () => {
  expect(decodeForeign(utf16(poems))).toEqual({ text: poems, encoding: 'utf-16le' });
});

test('GBK is read, a short text too', () => {
  const bytes = encoded(poems, 'gb18030');
  expect(decodeForeign(bytes)).toEqual({ text: poems, encoding: 'gb18030' });
  const short = poems.slice(0, 60);
  expect(decodeForeign(encoded(short, 'gb18030'))?.text).toBe(short);
});

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const cut = utf8(poems).slice(1);
const holes = utf8(poems).map((byte, at) => (at % 500 === 7 ? 0xff : byte));
test.each([
  ['UTF-8', utf8(moby)],
  ['Chinese in UTF-8', utf8(poems)],
  ['a part of a Chinese text in UTF-8', cut],
  ['Chinese in UTF-8 with broken bytes', holes],
  ['Korean (EUC-KR)', encoded(korean, 'euc-kr')],
  ['Japanese (EUC-JP)', encoded(japanese, 'euc-jp')],
  ['Japanese (Shift JIS)', encoded(japanese, 'shift_jis')],
  ['Chinese as in Taiwan (Big5)', encoded(traditional, 'big5')],
  ['Russian (Windows-1251)', encoded(russian, 'windows-1251')],
  ['French (Windows-1252)', encoded(french, 'windows-1252')],
  ['UTF-16 that is cut within a character', utf16(moby).slice(0, -1)],
  ['half a surrogate pair', utf16(`${moby}\ud83d`)],
  ['numbers of two bytes', Uint8Array.from({ length: 4000 }, (_, at) => (at % 2 ? 0 : at % 256))],
  ['nothing', new Uint8Array()],
])('what is not certain stays as it is: %s', (_, bytes) => {
  expect(decodeForeign(bytes)).toBeNull();
});
