/** What is found in texts before they are learned, and what mending makes of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  TELLING_LINE,
  examine,
  removeDuplicates,
  replaceRare,
  replacementsFor,
  shuffleLines,
  stripMarkup,
  suitablePreset,
  tidySpace,
  widenMarks,
} from '../web/app/check-up/corpus-doctor.ts';
import { mendGarbled } from '../web/app/check-up/mojibake.ts';
import { readWestern, westernIn } from '../web/app/check-up/western.ts';
import '../web/i18n/all.ts';
import { findingsOf } from './node/findings-of.ts';
import { intended, misread, misreadLatin } from './node/misread.ts';

const texts = join(import.meta.dirname, '../public/texts');
const sample = (name: string): string => readFileSync(join(texts, name), 'utf8');

describe('an examination', () => {
  test('counts characters as people do, not code units or bytes', () => {
    const found = findingsOf('月月😀\n月');
    expect(found.characters).toBe(5);
    expect(found.distinct).toBe(3); // two signs and the line end
    expect(found.rare).toEqual([{ character: '😀', count: 1 }]);
  });

  test('finds lines that came before, whatever their line ends', () => {
    const found = findingsOf('anna\r\nbea\nanna\n\n\nanna');
    expect(found.lines).toBe(4);
    expect(found.duplicates).toBe(2);
    expect(found.carriageReturns).toBe(1);
    expect(found.lineFeeds).toBe(4);
  });

  test('finds left-overs of web pages, but no ordinary signs', () => {
    expect(findingsOf('<p class="x">a &amp; b</p> &#39; 1 < 2 & 3 > 2').markup).toBe(4);
    expect(findingsOf('a < b and c > d & e;').markup).toBe(0);
    expect(findingsOf('<BR/><H2>&NBSP;</h2 ><img src="x">').markup).toBe(5);
    // In angle brackets, but no element: a chat log says so of what it leaves out.
    const chat = 'ann: <Media omitted>\nbob: <bob@mail.net> <https://x.org/a>, <b2> <sigh> <3\n';
    expect([findingsOf(chat).markup, stripMarkup(chat)]).toEqual([0, chat]);
  });

  test('finds untidy blanks', () => {
    expect(findingsOf('a\tb  c \nd\u00a0e\u2003').untidy).toBe(5);
    expect(findingsOf(' a\n b\n   c').untidy).toBe(3);
    // Read in pieces: no piece but the last ends where the line does.
    expect(findingsOf('word '.repeat(9000).trim()).untidy).toBe(0);
    expect(findingsOf('a b c\nd e').untidy).toBe(0);
    // More than one empty line in a row is one place, and so is one where the text begins.
    expect(findingsOf('a\n\nb\n\n\nc\n\n\n\n').untidy).toBe(2);
    expect(findingsOf('\na').untidy).toBe(1);
  });

  test.each([
    ['入海流。 欲穷', '入海流。欲穷'],
    ['他说：“好。” 然后', '他说：“好。”然后'],
    ['日落，　“更上”', '日落，“更上”'],
    ['（注） 《书》', '（注）《书》'],
    // Where blanks tell words apart, or nothing Chinese stands there, they stay.
    ['他说“好” and', '他说“好” and'],
    ['it’s “so” 好', 'it’s “so” 好'],
    ['春 眠', '春 眠'],
    ['hello, 你好', 'hello, 你好'],
  ])('finds and takes out blanks that Chinese does not write: %s', (given, tidy) => {
    expect(tidySpace(given)).toBe(tidy);
    expect(findingsOf(given).untidy).toBe(given === tidy ? 0 : 1);
    expect(findingsOf(tidy).untidy).toBe(0);
  });

  test('tells lines that are in order, with an exception or two', () => {
    const names = sample('first-names-en.txt').split('\n').slice(0, 60);
    const inOrder = [...new Set(names)].sort();
    expect(findingsOf(inOrder.join('\n')).sorted).toBe(true);
    expect(findingsOf([...inOrder].reverse().join('\r\n')).sorted).toBe(true);
    expect(findingsOf(['Zoo', ...inOrder].join('\n\n')).sorted).toBe(true);
    expect(findingsOf(inOrder.slice(0, 19).join('\n')).sorted).toBe(false);
    expect(findingsOf('anna\n'.repeat(99)).sorted).toBe(false);
    expect(findingsOf(sample('moby-dick-en.txt')).sorted).toBe(false);
    expect(findingsOf(sample('tang-quatrains-zh.txt')).sorted).toBe(false);
    const text = `${inOrder.join('\r\n')}\r\n\r\nlast\n`;
    const shuffled = shuffleLines(text);
    expect(findingsOf(shuffled).sorted).toBe(false);
    expect(shuffleLines(text)).toBe(shuffled);
    const ends = (lines: string) => lines.match(/\r?\n/g);
    expect(ends(shuffled)).toEqual(ends(text));
    expect(shuffled.split(/\r?\n/).sort()).toEqual(text.split(/\r?\n/).sort());
  });

  test('tells the middle, the longest and the outstanding lines', () => {
    const found = findingsOf(`${'abcde\n'.repeat(30)}${'x'.repeat(500)}\na`);
    expect([found.medianLine, found.longestLine]).toEqual([5, 500]);
    expect([found.longLines, found.shortLines]).toEqual([1, 1]);
  });

  test('stops often enough in a single line of a million characters', () => {
    for (const line of ['word '.repeat(200_000), '长'.repeat(1_000_000)]) {
      const examination = examine(line);
      let stops = 0;
      while (examination.next().done !== true) stops++;
      expect(stops).toBeGreaterThan(50);
    }
  });

  test('says nothing of an empty text', () => {
    const found = findingsOf('');
    expect([found.characters, found.lines, found.medianLine, found.longestLine]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test.each([
    ['first-names-en.txt', 'microgpt'],
    ['tang-quatrains-zh.txt', 'microgpt'],
    ['moby-dick-en.txt', 'tinygpt'],
  ])('of %s suggests its own preset', (name, preset) => {
    expect(suitablePreset(findingsOf(sample(name)))).toBe(preset);
  });
});

describe('mending', () => {
  test('removes repeated lines and keeps the first, and empty lines', () => {
    expect(removeDuplicates('b\na\n\nb\n\na\nc')).toBe('b\na\n\n\nc');
    // In running text a speaker's name stays.
    const play = 'HAMLET.\nTo be, or not to be: that is\n';
    expect(removeDuplicates(play + play, TELLING_LINE)).toBe(`${play}HAMLET.\n`);
    expect(findingsOf(removeDuplicates('x\nx\nx')).duplicates).toBe(0);
  });

  test('replaces rare characters by plain ones and leaves out signs that have none', () => {
    const text = `${'Andre and Zoe. '.repeat(5)}André “Zoë” ☃…`;
    const mended = replaceRare(text);
    expect(mended).toContain('Andre');
    expect(mended).not.toMatch(/[éë“”☃…]/);
    expect(findingsOf(mended).rare.map(({ character }) => character)).toEqual(['"']);
  });

  test('leaves letters and digits that have no common plain form: words stay whole', () => {
    const text = 'pizza 7 ☃\nécole 北京\n';
    expect(replaceRare(text)).toBe('pizza 7\nécole 北京\n');
    expect(replacementsFor(findingsOf(text))).toEqual([{ character: '☃', plain: '' }]);
    // With an "e" that is common, the accent can go.
    expect(replacementsFor(findingsOf(`${text}eee`))).toContainEqual({
      character: 'é',
      plain: 'e',
    });
  });

  test.each([
    ['punctuation stays', 'Où es-tu, mon amour? 🌙', 'Où es-tu, mon amour?'],
    ['of any script', '你好，世界！《书》：¿qué?', '你好，世界！《书》：¿qué?'],
    ['a picture goes as one', 'so ❤️ or 👩🏽‍🚀 or 👨‍👩‍👧 or 🇫🇷.', 'so or or or.'],
    ['no two blanks', 'a ☃ b ☃\nc', 'a b\nc'],
    ['no words run together', 'snow☃man ☃(cold)', 'snow man (cold)'],
    ['no blank where none is written', '你☃好 a\u00adb', '你好 ab'],
    ['a blank for a blank', 'a\tb\u00a0c \u3000d\t\ne', 'a b c d\ne'],
    ['quotation marks are made plain once', '“a” and ‘b’', '"a" and \'b\''],
    ['no letter becomes another one', 'が각й ' + 'かккии', 'が각й ' + 'かккии'],
    ['what becomes rare by it goes too', '👨‍🚀 👨 👨', ''],
  ])('of rare characters: %s', (_, text, mended) => {
    expect(replaceRare(text)).toBe(mended);
  });

  test('leaves nothing to do that it made itself', () => {
    const parts = [
      ...[
        'a',
        'b',
        'é',
        ' ',
        ' ',
        '\n',
        '\r\n',
        ',',
        '.',
        '“',
        '”',
        '’',
        '…',
        '—',
        '☃',
        '🌙',
        '❤️',
      ],
      ...[
        '👩🏽‍🚀',
        '🇫🇷',
        '1️⃣',
        '\t',
        '\u00a0',
        '\u200b',
        '\u00ad',
        '\u0301',
        '中',
        '，',
        '™',
        '\u0007',
      ],
    ];
    let seed = 1;
    const next = (below: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: next(24) }, () => parts[next(parts.length)]!).join('');
      const [before, after] = [findingsOf(text), findingsOf(replaceRare(text))];
      const said = JSON.stringify([text, replaceRare(text)]);
      expect(replacementsFor(after), said).toEqual([]);
      // A line of nothing but such signs is empty then, and may be one too many.
      const full = (all: string) => all.match(/^.*\S.*$/gmu)?.length ?? 0;
      const emptied = full(text) - full(replaceRare(text));
      expect(after.untidy, said).toBeLessThanOrEqual(before.untidy + emptied);
      expect(after.lineFeeds + after.carriageReturns, said).toBe(
        before.lineFeeds + before.carriageReturns,
      );
      const tidy = tidySpace(text);
      expect(findingsOf(tidy).untidy, JSON.stringify([text, tidy])).toBe(0);
      expect(tidySpace(tidy)).toBe(tidy);
    }
  });

  test('tidies blanks so that none are found any more', () => {
    const text = 'a\tb  c \r\n\r\n\r\n\r\nd\u00a0e\rf';
    expect(tidySpace(text)).toBe('a b c\n\nd e\nf');
    const { untidy, carriageReturns } = findingsOf(tidySpace(text));
    expect([untidy, carriageReturns]).toEqual([0, 0]);
    expect(tidySpace(' \n  first\n\tsecond')).toBe('first\nsecond');
  });

  test('takes markup out and keeps what it enclosed', () => {
    expect(stripMarkup('<b>Tom</b> &amp; &#20013;&#x6587; &nosuch; 1 < 2')).toBe(
      'Tom & 中文 &nosuch; 1 < 2',
    );
  });

  test.each([
    [
      '<p>春眠不觉晓，</p><p>处处闻啼鸟。</p><br>夜来风雨声，<br/>花落知多少。',
      '春眠不觉晓，\n处处闻啼鸟。\n夜来风雨声，\n花落知多少。',
    ],
    ['<ul>\r\n  <li>a</li>\r\n  <li>b <b>c</b></li>\r\n</ul>', '\r\n  a\r\n  b c\r\n'],
    ['one<div class="x">two</div>three', 'one\ntwo\nthree'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><th>c</th> <td>d</td></tr></table>', 'a b\nc d'],
    ['a<br>\n<br>\nb', 'a\n\nb'],
  ])('keeps lines apart that stood so: %j', (text, left) => {
    expect(stripMarkup(text)).toBe(left);
  });

  test.each([
    ['&nosuch; &#xd800;&#0; 1 &lt; 2', '&nosuch;  1 < 2'],
    ['<<b>i>x', 'x'],
    ['caf&eacute; &Eacute;t&eacute; &copy;&nbsp;&EURO; so&shy;ft', 'café Été © € soft'],
  ])('of the markup %j leaves none to be found', (text, left) => {
    expect(stripMarkup(text)).toBe(left);
    expect(findingsOf(left).markup).toBe(0);
  });

  test.each([
    ['&amp; &lt;b&gt; https', '& <b> https'],
    ['<p>Write &lt;p&gt; or &amp;lt;</p>', 'Write <p> or &lt;'],
    ['&amp;nbsp;', '&nbsp;'],
  ])('leaves the markup that %j speaks of, which a second press takes out', (text, left) => {
    expect(stripMarkup(text)).toBe(left);
    expect(findingsOf(left).markup).toBeGreaterThan(0);
    expect(findingsOf(stripMarkup(stripMarkup(left))).markup).toBe(0);
  });
});

describe('narrow marks among wide ones', () => {
  const mixed =
    '床前明月光,疑是地上霜。\n“举头望明月”, 低头思故乡.\n何为?!见第3.5节：3,000人...\n好，好！';

  test('are those of Chinese sentences, of marks that the text has wide as well', () => {
    const { count, marks } = findingsOf(mixed).narrow;
    // The text has no wide question mark: one width is as good as the other.
    expect([count, marks]).toEqual([4, [',', '.', '!']]);
    expect(findingsOf('春眠不觉晓,处处闻啼鸟.\n'.repeat(9)).narrow.count).toBe(0);
    expect(findingsOf('one, two. Three: four!\n“五”，六。').narrow.count).toBe(0);
    expect(findingsOf('一｡二。').narrow).toEqual({ count: 1, marks: ['｡'], wide: true });
  });

  test('become wide, and take in the blank behind them', () => {
    const mended = widenMarks(mixed);
    expect(mended).toBe(
      '床前明月光，疑是地上霜。\n“举头望明月”，低头思故乡。\n何为?！见第3.5节：3,000人...\n好，好！',
    );
    expect(findingsOf(mended).narrow.count).toBe(0);
    expect(widenMarks('one, two。三')).toBe('one, two。三');
  });
});

describe('UTF-8 that was read as something else', () => {
  test.each(intended)('is found and read again: %s', (text) => {
    for (const garble of [misread, misreadLatin, (given: string) => misread(misread(given))]) {
      const garbled = garble(text);
      expect(findingsOf(garbled).garbled?.count, garbled).toBeGreaterThan(0);
      expect(mendGarbled(garbled)).toBe(text);
    }
  });

  test('or Chinese in GBK that was read as Latin-1, is read again as a whole', () => {
    // "你好，世界。我们是一个人。他在山上，不来了。" and so on, in GBK (by Python's codec), as Latin-1.
    const hex =
      'c4e3bac3a3accac0bde7a1a3ced2c3c7cac7d2bbb8f6c8cba1a3cbfbd4dac9bdc9cfa3acb2bbc0b4c1cba1a30a';
    const garbled = Buffer.from(hex, 'hex').toString('latin1').repeat(3);
    const meant = '你好，世界。我们是一个人。他在山上，不来了。\n'.repeat(3);
    expect(findingsOf(garbled).garbled).toEqual({ count: 66, example: ['Äã', '你'] });
    expect(mendGarbled(garbled)).toBe(meant);
    // One character that Latin-1 has not, and it has come otherwise, however far behind.
    const other = `${garbled.repeat(700)}中`;
    expect(findingsOf(other).garbled?.example).not.toEqual(['Äã', '你']);
    expect(mendGarbled(other)).not.toContain('你');
    expect(findingsOf(meant).garbled).toBeNull();
  });

  test.each([
    ['ÄãºÃ£¬ÀÏÊ¦¡£½ñÌìÎÒÃÇÑ§Ï°ÂÛÓï¡£', '你好，老师。今天我们学习论语。'],
    ['Í¬Ñ§ÃÇºÃ£¬Çë×ø¡£', '同学们好，请坐。'],
  ])('or such Chinese in a single line: %s', (garbled, meant) => {
    expect(findingsOf(garbled).garbled?.example[1]).toBe(meant[0]);
    expect(mendGarbled(garbled)).toBe(meant);
  });

  test.each([
    ['浣犲ソ', '你好', ['浣犲ソ', '你好']],
    ['鈥淚 don鈥檛 know,鈥� she said. 鈥淣o.', '“I don’t know,� she said. “No.', ['鈥淚', '“I']],
    // As Python's codec "gb18030" reads it: a sign for the byte 0x80, and for the last one of an odd number.
    [
      '浣犲ソ锛屼笘鐣屻�傛垜浠\ue101槸涓�涓\ue043汉銆�\n浣犲ソ銆�?',
      '你好，世界。我们是一个人�\n你好�?',
      ['浣犲ソ', '你好'],
    ],
    // As converters leave it that write a question mark.
    ['浣犲ソ锛屼笘鐣?\n浣犲ソ', '你好，世�\n你好', ['浣犲ソ', '你好']],
  ])('or as GBK, is read again but for bytes that are gone: %s', (garbled, meant, example) => {
    expect(findingsOf(garbled).garbled?.example).toEqual(example);
    expect(mendGarbled(garbled)).toBe(meant);
    expect(findingsOf(meant).garbled).toBeNull();
  });

  test('or as GBK by a browser, is read again in texts of both scripts', () => {
    const dialogue = '“I don’t,” he said — “we’re 5 € short…”\n'.repeat(9);
    for (const text of [sample('tang-quatrains-zh.txt'), dialogue, '这是€，１２€。一€二€三']) {
      const garbled = new TextDecoder('gbk').decode(Buffer.from(text));
      const meant = text.split('\n');
      const lines = garbled.split('\n');
      let whole = 0;
      for (const [at, line] of mendGarbled(garbled).split('\n').entries()) {
        // There the last byte has nothing to pair with.
        if (lines[at]!.includes('\ufffd')) continue;
        whole++;
        expect(line).toBe(meant[at]);
      }
      expect(whole).toBeGreaterThan(0);
    }
  });

  test.each([
    // The file begins with a byte order mark: before Chinese, and before a plain letter.
    ['床前明月光，疑是地上霜。\n锘挎枃浠�\n', '床前明月光，疑是地上霜。\n文�\n', 5],
    ['举头望明月，锘縤mport os\n联通\n', '举头望明月，import os\n联通\n', 2],
  ])('or as GBK behind its byte order mark, beside what is in order: %j', (text, meant, count) => {
    expect(findingsOf(text).garbled?.count).toBe(count);
    expect(mendGarbled(text)).toBe(meant);
    expect(findingsOf(meant).garbled).toBeNull();
  });

  test('is not taken for what has one or two such characters by chance', () => {
    for (const plain of [
      '联通',
      '联通联通',
      '锘（No）是一种元素，锘可由锔制得。锘',
      '锟斤拷',
      '茅台酒',
      '浣',
      '川端康成の「雪国」',
      '€ 5,00',
    ]) {
      expect(findingsOf(plain).garbled, plain).toBeNull();
      expect(mendGarbled(plain)).toBe(plain);
    }
  });

  test('counts characters, also where they stand side by side', () => {
    const count = (text: string) => findingsOf(misread(text)).garbled?.count;
    expect(count('brûlée, é, ’')).toBe(4);
    // With a letter that is in order, what may be meant as it is stays and does not count.
    expect(findingsOf(`${misread('brûlée « là » été')} ß`).garbled?.count).toBe(7);
    const both = `ß ${misread('brûlée « là » été')}`;
    expect(mendGarbled(both)).toBe('ß brûlée « là » été');
  });

  test('is read again also where a no-break space has become a plain blank', () => {
    const meant =
      'Voilà une fête, là, à Köln (déjà).\nIl va à l’école là-bas, et là où l’on va à pied.';
    const garbled = misread(meant).replaceAll('\u00a0', ' ');
    // Where the blank might be meant, nobody knows what stood there: "así -" is Spanish.
    const left = meant.replace('là-bas', 'lÃ -bas');
    const letters = meant.match(/[^\0-\x7f]/g) ?? [];
    expect(findingsOf(garbled).garbled?.count).toBe(letters.length - 1);
    expect(mendGarbled(garbled)).toBe(left);
  });

  test.each([
    ['Portuguese', 'A IRMÃ  ÓRFÃ , E A MAÇÃ . Amanhã  à noite\n'.repeat(9)],
    ['letters by themselves', 'é, Ã , ï, Ã  and Ã . Nothing else is wrong'],
  ])('leaves an Ã before a blank in %s', (_, text) => {
    expect(mendGarbled(text)).toBe(text);
    // Garbled words beside it are no reason to touch capitals.
    const capitals = 'A IRMÃ  ÓRFÃ , E A MAÇÃ .\n';
    expect(mendGarbled(capitals + misread('já não é'))).toBe(`${capitals}já não é`);
  });

  test('loses its byte order mark, wherever that stands: it would be seen by nobody', () => {
    for (const garble of [misread, misreadLatin, (given: string) => misread(misread(given))]) {
      const text = `${garble('\ufeff')}one\ntwo ${garble('\ufeff')}three café\n`;
      expect(findingsOf(text).garbled?.count, text).toBeGreaterThan(0);
      expect(mendGarbled(text)).toBe('one\ntwo three café\n');
      expect(mendGarbled(`${garble('\ufeffété')} là`)).toBe('été là');
    }
  });

  test.each([
    ['an accented letter', 'one cafÃ© here', 'one café here'],
    ['an apostrophe', 'itâ€™s here', 'it’s here'],
  ])('is found where it is a single one: %s', (_, text, meant) => {
    expect(findingsOf(text).garbled?.count).toBe(1);
    expect(mendGarbled(text)).toBe(meant);
  });

  test('is found beside text that is in order, which stays', () => {
    const text = `«\u00a0Café\u00a0» – déjà vu. CAFÉ™\n`;
    const both = text + misread(intended[0]!);
    expect(findingsOf(both).garbled?.example).toEqual(['Ã¹', 'ù']);
    expect(mendGarbled(both)).toBe(text + intended[0]!);
  });

  test.each([
    ['French', 'L’été où j’ai déjà été là, à la fête.\n', 'Le café est fermé.\nVoilà une idée.\n'],
    ['Chinese', '床前明月光，疑是地上霜。\n', 'the café of a naïve one\na résumé\n'],
    ['English', 'The quick brown fox.\n', 'don’t go\nit’s “here”\n'],
    ['Portuguese', 'A MANHÔ – “AMANHÔ, não é São João.\n', 'um avião, pão\n'],
    ['Vietnamese', 'Xã hội, XÃ HỘI, đã là Ã. Ở đâu cũng có.\n', 'cà phê, xà\n'],
  ])('is found in a few words of a long text: %s', (_, line, few) => {
    const text = line.repeat(14);
    expect(findingsOf(text).garbled).toBeNull();
    const garbled = text + misread(few) + text;
    expect(findingsOf(garbled).garbled?.count).toBe(few.match(/[^\0-\x7f]/g)?.length);
    expect(mendGarbled(garbled)).toBe(text + few + text);
  });

  test.each([
    ['the text as it was meant', intended.join('\n')],
    ['tables of letters', 'aÁáÂâÃã «Ã» ‘Â’ “Ã” ÀÁÂÃÄÅ¡¿ ["Ã","©"] A–Ã–z\n'.repeat(9)],
    ['French with an Ã', 'Le nom São Paulo s’écrit SÃO PAULO, à l’été. «\u00a0Ça va\u00a0?\u00a0»'],
    ['a capital before a no-break space', 'A minha IRMÃ\u00a0mora em Lisboa.'],
    ['a capital before it, with others', 'A IRMÃ\u00a0mora em Lisboa e gosta de café.'],
    ['Vietnamese capitals', 'THỊ XÃ\u00a0nhỏ'],
    ['a word beside its garbled form', 'It said “cafÃ©” where it should say “café”.'],
    ['small signs behind capitals', 'CAFÉ™ MENÜ² «IRMû “É” NIÑ… É® 2×½'],
    ['a word on the matter', `${'Où est l’été à la fête, déjà ? '.repeat(20)} “Ã©” is é.`],
  ])('is not found in %s', (_, text) => {
    expect(findingsOf(text).garbled).toBeNull();
    expect(mendGarbled(text)).toBe(text);
  });

  test('is not found in any of the sample texts', () => {
    for (const name of ['first-names-en', 'moby-dick-en', 'tang-quatrains-zh']) {
      const { garbled, lost } = findingsOf(sample(`${name}.txt`));
      expect([name, garbled, lost]).toEqual([name, null, 0]);
    }
  });
});

/** The bytes of a text in Latin-1, or in Windows-1252 where its characters are named by their bytes. */
const latin = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('bytes that are no UTF-8', () => {
  test.each([
    ['a word', 'caf\xe9 au lait', 'café au lait', 1],
    ['quotation marks', '\x93It\x92s here\x94, he said\x85', '“It’s here”, he said…', 4],
    ['what looks like UTF-8 by chance', '\xab caf\xe9\xa0\xbb', '« café\u00a0»', 4],
  ])('are read as Windows-1252: %s', (_, text, meant, count) => {
    expect(westernIn(latin(text))?.count).toBe(count);
    expect(readWestern(latin(text))).toBe(meant);
  });

  test('are read so beside as many that are UTF-8', () => {
    const mixed = Buffer.concat([latin('caf\xe9 and '), Buffer.from('thé')]);
    expect(westernIn(mixed)).toEqual({ count: 1, example: ['caf\ufffd', 'café'] });
    expect(readWestern(mixed)).toBe('café and thé');
  });

  test.each([
    ['UTF-8', Buffer.from('le café est fermé')],
    [
      'UTF-8 with a broken character',
      Buffer.concat([Buffer.from('le café est fermé'), latin('\xc3')]),
    ],
    ['Cyrillic in an encoding of its own', latin('word \xcf\xf0\xe8\xe2\xe5\xf2 and more words')],
    ['signs', latin('a \xb1 b \xb6 c \xbc')],
    ['no text', latin('abc\0def \xe9')],
    ['mostly such bytes', latin('\xe9\xe8\xe0 a')],
  ])('are none of Western Europe: %s', (_, bytes) => {
    expect(westernIn(bytes)).toBeNull();
  });
});
