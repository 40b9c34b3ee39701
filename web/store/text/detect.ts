/**
 * Ranks the encodings of a text that is not UTF-8 and has no byte order mark; loaded only for such
 * a text. `chardet` recognises languages by trigrams, and East Asian encodings, but no DOS and
 * Macintosh encodings, and errs on short texts. So each encoding is tried and the decoded text
 * scored: all letters should belong to one language.
 */
import { analyse } from 'chardet';
import { ENCODINGS, decoderOf } from './encodings.ts';

/** Letters besides a to z of languages with legacy encodings. */
const LETTERS: Readonly<Record<string, string>> = {
  cs: 'áčďéěíňóřšťúůýž',
  da: 'æøåé',
  de: 'äöüß',
  el: 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ',
  es: 'áéíñóúü¿¡',
  et: 'äõöüšž',
  fr: 'àâçéèêëîïôùûüœ',
  hr: 'čćđšž',
  hu: 'áéíóöőúüű',
  is: 'áðéíóúýþæö',
  it: 'àèéìòù',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž',
  pl: 'ąćęłńóśźż',
  pt: 'ãáâàçéêíóôõú',
  ro: 'ăâîşţ',
  ru: 'абвгдежзийклмнопрстуфхцчшщъыьэюяё',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  sr: 'абвгдежзиклмнопрстуфхцчшђјљњћџ',
  sv: 'åäöé',
  tr: 'çğıöşüâ',
  uk: 'абвгдежзийклмнопрстуфхцчшщьюяіїєґ',
};
/** Scripts of few legacy encodings, counted whole instead of by the letters of one language. */
const THAI = /\p{Script=Thai}/gu;
/**
 * Bytes of other encodings may decode to Thai consonants or, from EUC-JP, to other Thai characters;
 * only real Thai has vowels and tones among its consonants.
 */
const THAI_VOWELS = /[ะ-ฺเ-๎]/g;
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Hebrew}/gu,
  /[\p{Script=Arabic}،؛؟ـ]/gu,
  // Vietnamese: letters with combining tone marks.
  /[ăâđêôơưàèéáíóùú₫\p{Script=Inherited}]/giu,
];
/** A letter or sign in a place where its language never has it counts as this many faults. */
const MISPLACED_WEIGHT = 5;
const MISPLACED: readonly RegExp[] = [
  // Thai: vowels and tones without a neighbouring consonant, digits beside letters.
  /(?<![ก-ฮ\p{Mn}])(?=[\u0e30-\u0e4e])[\p{Mn}ะาำ]|[เ-ไ](?![ก-ฮ])|[๎๏๚๛]|[๐-๙](?=[ก-์])|(?<=[ก-์])[๐-๙]/gu,
  // Greek and Hebrew: final forms inside a word, and other forms at its end.
  /ς(?=\p{L})|(?<=\p{L})σ(?![\p{L}’'])|[ךםןףץ](?=\p{L})|[כמנצ](?![\p{L}\p{Mn}])/gu,
  // Greek: a letter with diaeresis and accent at the start of a word. Hebrew: vowel points that
  // follow no letter.
  /(?<!\p{L})[ΰΐ]|(?<![א-ת]\p{Mn}?)[\u05b0-\u05c2]/gu,
  // Cyrillic: a soft or hard sign at the start of a word or after a vowel.
  /(?<!\p{L})[ьъы]|[аеиоуыэюя][ьъ]/giu,
  // A symbol such as ½ between letters, or an opening punctuation mark after a letter.
  /(?<=\p{L})(?:[\p{S}\p{No}](?=\p{L})|[‚„¿¡])/gu,
];
const KANA = /[ぁ-ヿ]/gu;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-〿！-～]/gu;
/** Punctuation of any language in a plausible place. */
const MARKS = /(?<!\p{L})[“”„‘«»–—…§°€£©\u00a0]|[”’»–—…°€£©\u00a0](?!\p{L})|(?<=\p{L})’/gu;
/** A letter or digit of another script beside a Latin letter. */
const OTHER = '(?![\\p{Script=Latin}\\p{Script=Inherited}0-9])[\\p{L}\\p{M}\\p{Nd}]';
const MIXED = new RegExp(`[a-z]${OTHER}|${OTHER}[a-z]`, 'giu');
/** More consecutive letters beyond ASCII than Latin-script words have. */
const LONG_RUN = /(?:(?![a-z])\p{Script=Latin}){3,}/giu;
const ASIAN = new Set(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr']);

/** Bytes inspected, starting shortly before the first byte beyond ASCII. */
const LOOKED_AT = 16_384;
const BEFORE = 64;

const alphabets = Object.entries(LETTERS).map(
  ([language, letters]) =>
    [language, new Set((letters + letters.toUpperCase()).replaceAll(/[a-z]/gi, ''))] as const,
);

/** Ranks the encodings of `bytes`, best first. */
export function rankEncodings(bytes: Uint8Array): string[] {
  const first = Math.max(0, bytes.findIndex((byte) => byte > 127) - BEFORE);
  const sample = bytes.subarray(first, first + LOOKED_AT);
  const matches = analyse(sample);
  const readings = new Map<string, { encoding: string; score: number }>();
  for (const encoding of ENCODINGS.keys()) {
    if (encoding.startsWith('utf-')) continue;
    let text: string;
    try {
      text = decoderOf(encoding).decode(sample);
    } catch {
      // Some platforms lack some encodings.
      continue;
    }
    const match = matches.find(({ name }) => isSame(encoding, name.toLowerCase()));
    const score = scoreOf(text, encoding, match?.confidence ?? 0, match?.lang ?? '');
    const known = readings.get(text);
    if (known === undefined || known.score < score) readings.set(text, { encoding, score });
  }
  return [...readings.values()].sort((a, b) => b.score - a.score).map(({ encoding }) => encoding);
}

/** Whether `name` is chardet's name of `encoding`, or of a similar encoding. */
function isSame(encoding: string, name: string): boolean {
  return encoding === name || TWINS.some((pair) => pair.includes(encoding) && pair.includes(name));
}
const TWINS = [
  ['windows-1252', 'iso-8859-1'],
  ['windows-1252', 'iso-8859-15'],
  ['windows-1250', 'iso-8859-2'],
  ['windows-1253', 'iso-8859-7'],
  ['windows-1254', 'iso-8859-9'],
  ['windows-1255', 'iso-8859-8'],
  ['koi8-u', 'koi8-r'],
  ['x-mac-cyrillic', 'windows-1251'],
];

/**
 * Plausibility of a decoded text: 1 if all characters beyond ASCII belong to one language, less for
 * impossible characters and pairs, up to 1 more if `chardet` finds trigrams of that language.
 */
export function scoreOf(
  text: string,
  encoding: string,
  confidence: number,
  language: string,
): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const all = count(/[^\0-\x7f]/gu);
  if (all === 0) return 0;
  const marks = count(MARKS);
  const faults =
    10 * count(/[\ufffd\x80-\x9f\p{Co}\p{Cn}]/gu) +
    count(/\p{Ll}\p{Lu}/gu) +
    2 * count(MIXED) +
    MISPLACED_WEIGHT * MISPLACED.reduce((sum, letters) => sum + count(letters), 0) +
    0.05 * count(/\p{L}\p{Lu}/gu) +
    (text.match(LONG_RUN) ?? []).join('').length;
  const shareOf = (letters: ReadonlySet<string>): number => {
    let found = marks;
    for (const letter of text) if (letters.has(letter)) found += 1;
    return found / all;
  };
  if (ASIAN.has(encoding)) {
    const found = 0.8 * (count(EAST_ASIAN) + marks) + 0.1 * count(KANA);
    return (found - faults) / all + confidence / 100;
  }
  const shares = alphabets.map(([name, letters]) => [name, shareOf(letters)] as const);
  const scripts = SCRIPTS.map((script) => (count(script) + marks) / all);
  const thai = Math.min(0.7 * count(THAI) + 2 * count(THAI_VOWELS), 1.3 * count(THAI));
  scripts.push((thai + marks) / all);
  const best = Math.max(...shares.map(([, share]) => share), ...scripts);
  const own = shares.find(([name]) => name === language)?.[1] ?? Math.max(...scripts);
  return best - faults / all + (confidence / 100) * own;
}
