/** Decoding of files: detection of encodings, incomplete characters, refusal of binary files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeText, isBinary } from '../web/store/text/decode.ts';
import type { Reading, ReadingChoice } from '../web/store/text/decode.ts';
import { rankEncodings } from '../web/store/text/detect.ts';
import { decoderOf } from '../web/store/text/encodings.ts';
import { fileKind } from '../web/store/text/file-kind.ts';
import { FILE_KINDS } from './node/file-kinds.ts';

const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures/texts', name)));
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const latin = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0));

async function read(
  bytes: Uint8Array<ArrayBuffer>,
  choice: Partial<ReadingChoice> = {},
): Promise<Reading & { text: string }> {
  const wanted = { encoding: '', keepsEnds: false, ...choice };
  const { bytes: utf8, reading } = await decodeText(bytes, wanted, rankEncodings);
  return { ...reading, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8) };
}

function wide(text: string, size: 2 | 4, little: boolean): Uint8Array<ArrayBuffer> {
  const units =
    size === 2
      ? Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
      : Array.from(text, (one) => one.codePointAt(0)!);
  const bytes = new Uint8Array(units.length * size);
  const view = new DataView(bytes.buffer);
  for (const [at, unit] of units.entries()) {
    if (size === 2) view.setUint16(at * size, unit, little);
    else view.setUint32(at * size, unit, little);
  }
  return bytes;
}

/** Encodes a text in an encoding of one or two bytes by inverting its decoder. */
function encoded(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const bytesOfLetter = new Map<string, number[]>();
  const note = (...bytes: number[]): void => {
    const decoder = decoderOf(encoding);
    const letter = decoder.decode(Uint8Array.from(bytes)) + decoder.decode();
    if (!bytesOfLetter.has(letter)) bytesOfLetter.set(letter, bytes);
  };
  for (let one = 0; one < 256; one++) note(one);
  if (/gb|big5|jis|euc/.test(encoding)) {
    for (let one = 0x81; one < 0xff; one++) {
      for (let two = 0x40; two < 0xff; two++) note(one, two);
    }
  }
  return Uint8Array.from(Array.from(text).flatMap((letter) => bytesOfLetter.get(letter)!));
}

const HUNGARIAN = 'Az őszi eső hűvös volt, és a kis üzlet előtt várt a nővérem.';
const RUSSIAN = 'Вчера мы ходили к реке и видели двух цапель.';
const CHINESE = '昨天下了一场雨。我们在车站前的小店喝茶';

describe('a file is read in the encoding that it is in', () => {
  test.each([
    ['arabic-1256.txt', 'windows-1256', 'أمس نزل المطر ونسي أخي المظلة.'],
    ['chinese-big5.txt', 'big5', '昨天下了一場雨。我們在車站前的小店喝茶'],
    ['chinese-gbk.txt', 'gb18030', CHINESE],
    ['czech-1250.txt', 'windows-1250', 'Příliš dlouhá cesta vedla přes řeku a les.'],
    ['french-latin1.txt', 'windows-1252', "L'été dernier, ma soeur a trouvé un vieux cahier."],
    ['french-mac.txt', 'macintosh', "L'été dernier, ma soeur a trouvé un vieux cahier."],
    ['german-cp850.txt', 'ibm850', 'Der Bär saß müde vor der Hütte.'],
    ['hu.txt', 'windows-1250', 'erdő, mező\n'],
    ['hungarian-1250.txt', 'windows-1250', HUNGARIAN],
    ['japanese-sjis.txt', 'shift_jis', 'きのうは雨が降った。駅前の小さな店でお茶を飲んだ。'],
    ['polish-1250.txt', 'windows-1250', 'Wczoraj spadł deszcz, a źrebię stało pod drzewem.'],
    ['russian-1251.txt', 'windows-1251', RUSSIAN],
    ['russian-866.txt', 'ibm866', RUSSIAN],
    ['arabic-utf8.txt', 'utf-8', 'أمس نزل المطر ونسي أخي المظلة.'],
    ['russian-utf8.txt', 'utf-8', RUSSIAN],
    ['bom.txt', 'utf-8', 'anna\nbob\n'],
    ['names-bom.txt', 'utf-8', 'anna\nbela\n'],
    ['nul.txt', 'utf-8', 'one\0two\0three\0'],
    ['prose-utf16be-nobom.txt', 'utf-16be', 'the ferry left at nine'],
    ['prose-utf16le.txt', 'utf-16le', 'the ferry left at nine'],
    ['utf16-nobom-ru.txt', 'utf-16le', 'Вчера шёл дождь'],
  ])('%s: %s', async (name, encoding, start) => {
    const { text, ...reading } = await read(fixture(name));
    expect(text.slice(0, start.length)).toBe(start);
    expect(reading).toMatchObject({ encoding, leftOver: 0, unreadable: 0, ends: { count: 0 } });
    expect(reading.candidates[0]).toBe(encoding);
    expect(fileKind(fixture(name))).toBeNull();
    expect(isBinary(text, encoding)).toBe(false);
  });

  test.each([
    ['windows-1253', 'Καλημέρα, τι κάνεις σήμερα; Η Αθήνα είναι όμορφη πόλη.'],
    ['windows-1254', 'Güneş doğuyor, çocuklar oyun oynuyor. İstanbul’da yağmur yağıyor.'],
    ['windows-1255', 'שלום, מה שלומך היום? ירושלים היא עיר יפה.'],
    ['windows-1257', 'Labrīt, šodien ir ļoti silts, ģimene ēd brokastis.'],
    ['windows-1257', 'Ąžuolas auga šalia kelio, žmonės eina į miestą.'],
    ['windows-874', 'สวัสดีครับ วันนี้อากาศดีมาก'],
    ['koi8-r', RUSSIAN],
    ['x-mac-cyrillic', RUSSIAN],
    ['euc-jp', '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。'],
    ['euc-kr', '안녕하세요, 오늘 날씨가 좋습니다.'],
  ])('%s: %s', async (encoding, text) => {
    expect(await read(encoded(text, encoding))).toMatchObject({ encoding, text });
  });

  test.each([
    ['Ukrainian', 'windows-1251', 'Вчора ми їздили до річки і бачили двох чапель.'],
    ['Ukrainian capitals', 'windows-1251', 'ВЧОРА МИ ЇЗДИЛИ ДО РІЧКИ І БАЧИЛИ ДВОХ ЧАПЕЛЬ.'],
    ['Bulgarian', 'ibm866', 'Всички хора се раждат свободни и равни по достойнство.'],
    ['Russian', 'ibm866', 'Все люди рождаются свободными и равными в своём достоинстве.'],
    ['Russian', 'koi8-r', 'Все люди рождаются свободными'],
    ['Hebrew', 'windows-1255', 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.'],
    ['Hebrew', 'windows-1255', 'אתמול ירד גשם והלכנו לים. אחי ישן ואחותי שרה שיר.'],
    ['Arabic', 'windows-1256', 'يولد جميع الناس أحرارا'],
    ['Korean', 'euc-kr', '모든 인간은 태어날 때부터 자유로우며'],
    ['Chinese', 'gb18030', '你好，老师。今天我们学习论语。'],
    ['Chinese', 'gb18030', '同学们好，请坐。'],
    ['Thai itself', 'windows-874', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน'],
  ])('no bytes of another script are taken for Thai: %s, %s', async (_, encoding, text) => {
    const found = await read(encoded(text, encoding));
    expect(found).toMatchObject({ encoding, text });
  });

  test.each(['cost £20 and more', 'it is 20 °C', '© 2024 anna', 'he said “hi”'])(
    'the only sign beyond ASCII is one that every language has: %s',
    async (text) => {
      const bytes = encoded(text, 'windows-1252');
      expect(await read(bytes)).toMatchObject({ encoding: 'windows-1252', text });
    },
  );

  test('Italian of DOS is not taken for a text with signs of punctuation behind its letters', async () => {
    const text = 'Perché la città è così bella, più di ciò che già c’è lassù?'.replace('’', "'");
    expect(await read(encoded(text, 'ibm850'))).toMatchObject({ encoding: 'ibm850', text });
  });

  test.each([
    ['utf-32le', 4, true],
    ['utf-32be', 4, false],
    ['utf-16le', 2, true],
    ['utf-16be', 2, false],
  ] as const)('%s, with a byte order mark and without', async (encoding, size, little) => {
    for (const text of ['anna\nbob 😀\n', 'Привет, мир', '你好，世界。\n今天 14 度。\n']) {
      for (const mark of ['\ufeff', '']) {
        expect(await read(wide(mark + text, size, little))).toMatchObject({ encoding, text });
      }
    }
  });

  test('UTF-8 with a few broken characters is still UTF-8, which says how many', async () => {
    const bytes = Uint8Array.from([...bytesOf(RUSSIAN), 0xff, ...bytesOf(RUSSIAN)]);
    const text = `${RUSSIAN}\ufffd${RUSSIAN}`;
    expect(await read(bytes)).toMatchObject({ encoding: 'utf-8', text, unreadable: 1 });
    // U+FFFD itself is an ordinary character.
    const sign = await read(bytesOf('a\ufffdb'));
    expect(sign).toMatchObject({ encoding: 'utf-8', text: 'a\ufffdb', unreadable: 0 });
  });

  test('the reader’s choice comes before what was found, which stays on offer', async () => {
    const { text, candidates } = await read(fixture('hu.txt'), { encoding: 'windows-1252' });
    expect(text).toBe('erdõ, mezõ\n');
    expect(candidates.slice(0, 2)).toEqual(['windows-1250', 'windows-1252']);
    expect((await read(bytesOf('é'), { encoding: 'macintosh' })).text).toBe('√©');
  });
});

describe('a cut file is read up to its last whole character', () => {
  test.each([
    ['UTF-16 with one byte too many', fixture('utf16-odd.txt'), 'anna\nbob\n'],
    ['UTF-8', bytesOf('Привет').subarray(0, -1), 'Приве'],
    ['Shift_JIS', fixture('japanese-sjis.txt').subarray(0, 17), 'きのうは雨が降っ\ufffd'],
  ])('%s', async (_, bytes, text) => {
    expect(await read(bytes)).toMatchObject({ text: text.replace('\ufffd', ''), leftOver: 1 });
  });

  test.each([
    ['UTF-8 with one emoji', bytesOf('hi 😀').subarray(0, -1), 'utf-8', 3],
    ['UTF-8 with one Chinese character', bytesOf('hi 你').subarray(0, -1), 'utf-8', 2],
    ['UTF-16 within a surrogate pair', wide('\ufeffhi 😀', 2, true).subarray(0, -2), 'utf-16le', 2],
    ['UTF-16 within its half', wide('\ufeffhi 😀', 2, false).subarray(0, -1), 'utf-16be', 3],
  ])('%s', async (_, bytes, encoding, leftOver) => {
    expect(await read(bytes)).toMatchObject({ text: 'hi ', encoding, leftOver });
  });

  test('a last byte that begins no character of UTF-8 is not left over but unreadable', async () => {
    const bytes = Uint8Array.from([...bytesOf(RUSSIAN), 0xff]);
    expect(await read(bytes)).toMatchObject({ encoding: 'utf-8', leftOver: 0, unreadable: 1 });
  });

  test('the last letter of a Western text is not taken for a cut one of UTF-8', async () => {
    expect(await read(latin('un café'))).toMatchObject({ text: 'un café', leftOver: 0 });
  });
});

describe('every line ends with LF', () => {
  test.each([
    ['names-cr.txt', 47, ['CR']],
    ['names-nel.txt', 46, ['NEL']],
    ['names-u2028.txt', 47, ['U+2028']],
    ['names-mixed-ends.txt', 20, ['CR']],
    ['names-crlf.txt', 0, []],
  ])('%s', async (name, count, names) => {
    const { text, ends } = await read(fixture(name));
    const lines = (all: string): string[] => all.split('\n').filter((line) => line !== '');
    expect(lines(text)).toEqual(lines((await read(fixture('names-lf.txt'))).text));
    expect(ends).toEqual({ count, names });
  });

  test('unless the reader keeps lone ones; CR LF is LF in any case', async () => {
    const kept = await read(bytesOf('a\r\nb\rc\u2029'), { keepsEnds: true });
    expect(kept).toMatchObject({ text: 'a\nb\rc\u2029', ends: { count: 2 } });
  });

  test.each([0, 1, 2, 3])(
    'first in a late piece of a long file, wherever the pieces before it cut a character: %i',
    async (shift) => {
      // The size of a chunk is not a multiple of the character's three bytes.
      const before = 'x'.repeat(shift) + '漢'.repeat(100_000);
      expect(await read(bytesOf(before + '\r\nend'))).toMatchObject({ text: `${before}\nend` });
      const lost = await read(new Uint8Array([...bytesOf(before), 0xff, 0x61]), { encoding: 'utf-8' }); // prettier-ignore
      expect(lost).toMatchObject({ text: `${before}\ufffda`, unreadable: 1 });
      // UTF-8 input is returned without a copy.
      const same = bytesOf(before);
      const { bytes } = await decodeText(same, { encoding: '', keepsEnds: false }, rankEncodings);
      expect(bytes).toBe(same);
    },
  );

  test('also where a piece of a long file ends between CR and LF', async () => {
    const long = 'x'.repeat(262_143);
    expect(await read(bytesOf(`${long}\r\n${long}\r\r`))).toMatchObject({
      text: `${long}\n${long}\n\n`,
      ends: { count: 2 },
    });
  });
});

describe('a file that is no text is known by its first bytes', () => {
  test.each([
    ['ckpt.pt', { kind: 'model', format: 'PyTorch' }],
    ['chat.sqlite', { kind: 'database', format: 'SQLite' }],
    ['paper-noext', { kind: 'document', format: 'PDF' }],
  ])('%s', (name, kind) => {
    expect(fileKind(fixture(name))).toEqual(kind);
  });

  test.each([
    ...FILE_KINDS,
    ['document', 'RTF', '{\\rtf1\\ansi hello}'] as const,
    ['document', 'RTF', '\xef\xbb\xbf{\\rtf1 hello}'] as const,
  ])('%s %s', (kind, format, start) => {
    expect(fileKind(latin(start))).toEqual({ kind, format });
  });

  test('the page and the command line know the same formats, each of which is tested', () => {
    const formatsOf = (file: string, pattern: RegExp): Set<string> => {
      const source = readFileSync(join(import.meta.dirname, '..', file), 'utf8');
      return new Set([...source.matchAll(pattern)].map(([, format]) => format!));
    };
    const tested = new Set(FILE_KINDS.map(([, format]) => format));
    expect(formatsOf('c/cli/train_gpt_text.c', /"(?:an? )?\w+ \(([^)]+)\)"/g)).toEqual(tested);
    const onPage = formatsOf('web/store/text/file-kind.ts', /\[\s*'\w+',\s*'([^']+)',\s*\//g);
    // The command line recognises RTF after decoding.
    expect([...onPage].filter((format) => format !== 'RTF').sort()).toEqual([...tested].sort());
  });

  test.each([
    'MZ is a text',
    'BM',
    '<svg xmlns="">',
    'import a from "a";',
    'PK',
    '{"a": 1}',
    '{rtf}',
    'ID3 is',
    'GGUF is',
    'giraftype',
  ])('but %s is a text', (text) => {
    expect(fileKind(bytesOf(text))).toBeNull();
  });

  test('bytes of no known kind have too many control characters in every encoding', async () => {
    let state = 1;
    const noise = Uint8Array.from({ length: 5000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 255;
    });
    const { text, encoding } = await read(noise);
    expect(isBinary(text, encoding)).toBe(true);
  });

  test('numbers of four bytes, most of which are zeros, are no text', async () => {
    const numbers = Float64Array.from({ length: 600 }, (_, at) => -at / 4);
    const { text, encoding } = await read(new Uint8Array(numbers.buffer));
    expect(isBinary(text, encoding)).toBe(true);
  });

  test('the colours of a terminal are text', async () => {
    const { text, encoding } = await read(bytesOf('\x1b[31mred\x1b[0m and\n'.repeat(9)));
    expect(isBinary(text, encoding)).toBe(false);
  });
});
