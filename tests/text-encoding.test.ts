/** Text files that are not in UTF-8: what is known for certain is read, all else stays as it is. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isUtf8, recode } from '../web/app/text-encoding.ts';

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
  const bytesOf = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, bytesOf);
  return Uint8Array.from(Array.from(text).flatMap((one) => bytesOf.get(one)!));
}

const tables = new Map<string, Map<string, number[]>>();

function tableOf(encoding: string): Map<string, number[]> {
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
  return bytesOf;
}

/** The text that `bytes` are read as, and their encoding; null where they stay as they are. */
async function read(bytes: Uint8Array): Promise<{ text: string; encoding: string } | null> {
  const found = await recode(bytes, () => Promise.resolve());
  if (found === null) return null;
  return { text: new TextDecoder().decode(found.bytes), encoding: found.encoding };
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
])('UTF-16 is read: %s', async (_, how) => {
  const encoding = 'little' in how && !how.little ? 'utf-16be' : 'utf-16le';
  expect(await read(utf16(moby, how))).toEqual({ text: moby, encoding });
});

test('UTF-16 of Chinese is read by its mark', async () => {
  expect(await read(utf16(poems))).toEqual({ text: poems, encoding: 'utf-16le' });
});

test('GBK is read, a short text too', async () => {
  const bytes = encoded(poems, 'gb18030');
  expect(await read(bytes)).toEqual({ text: poems, encoding: 'gb18030' });
  const short = poems.slice(0, 60);
  expect((await read(encoded(short, 'gb18030')))?.text).toBe(short);
});

test.each(['你好，老师。今天我们学习论语。', '同学们好，请坐。', '我爱你，妈妈'])(
  'GBK of a single line is read: %s',
  async (line) => {
    expect(await read(encoded(line, 'gb18030'))).toEqual({ text: line, encoding: 'gb18030' });
  },
);

test.each([
  ['Korean (EUC-KR)', korean, 'euc-kr'],
  ['Japanese (EUC-JP)', japanese, 'euc-jp'],
  ['Japanese (Shift JIS)', japanese, 'shift_jis'],
  ['Chinese as in Taiwan (Big5)', traditional, 'big5'],
  ['Russian (Windows-1251)', russian, 'windows-1251'],
  ['Russian (KOI8-R)', russian, 'koi8-r'],
  ['Russian capitals (Windows-1251)', russian.toUpperCase(), 'windows-1251'],
  ['French (Windows-1252)', french, 'windows-1252'],
])('no part of a line is taken for GBK: %s', async (_, text, encoding) => {
  const line = text.slice(0, text.indexOf('\n'));
  for (let from = 0; from < line.length; from++) {
    for (let to = from + 1; to <= Math.min(line.length, from + 19); to++) {
      const part = line.slice(from, to);
      expect(await read(encoded(part, encoding)), part).toBeNull();
    }
  }
});

const long = poems.repeat(30);
const pairs = '🀄'.repeat(200_000);
test.each([
  // With one letter more, other characters are cut.
  ['GBK', `x${long}`, encoded(`x${long}`, 'gb18030')],
  ['GBK by another byte', `xy${long}`, encoded(`xy${long}`, 'gb18030')],
  ['UTF-16 within surrogate pairs', pairs, utf16(pairs)],
])(
  'a long text is read in pieces, wherever they are cut, and others have their turn between: %s',
  async (_, text, bytes) => {
    let turns = 0;
    const pause = (): Promise<void> => {
      turns += 1;
      return Promise.resolve();
    };
    const found = await recode(bytes, pause);
    expect(new TextDecoder().decode(found?.bytes) === text).toBe(true);
    expect(turns).toBe(Math.ceil(bytes.length / 262_144) - 1);
    expect(turns).toBeGreaterThan(1);
    // What is wrong at the very end is found there: all of it stays as it is.
    expect(await recode(Uint8Array.from([...bytes, 0xff, 0xdc]), pause)).toBeNull();
  },
);

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
])('what is not certain stays as it is: %s', async (_, bytes) => {
  expect(await read(bytes)).toBeNull();
});

test('bytes are UTF-8 or not, wherever a long text of them is cut', async () => {
  const pause = (): Promise<void> => Promise.resolve();
  for (const front of ['', 'x', 'xy']) {
    const bytes = utf8(`${front}${long}`);
    expect(await isUtf8(bytes, pause)).toBe(true);
    expect(await isUtf8(bytes.slice(0, -2), pause)).toBe(false);
  }
  expect(await isUtf8(cut, pause)).toBe(false);
  expect(await isUtf8(new Uint8Array(), pause)).toBe(true);
});
