/**
 * Ranks the encodings of a text that has no byte order mark and is not UTF-8. Loaded only for such
 * a text. `chardet` knows languages by their groups of three bytes, and the East Asian encodings;
 * it does not know those of DOS and Macintosh, and errs on short texts. Therefore each encoding is
 * tried, and the decoded text scored: all of its letters should be those of one language.
 */
import { analyse } from 'chardet';
import { ENCODINGS, decoderOf } from './encodings.ts';

/** Letters beyond a to z of languages that are written in older encodings. */
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
/** Letters of scripts that one older encoding has, or two that agree in them. */
const THAI = /\p{Script=Thai}/gu;
/**
 * Bytes of other encodings may happen to be Thai consonants, and bytes of Thai characters of
 * EUC-JP. Only Thai has vowels and tones in their places among its consonants.
 */
const THAI_VOWELS = /[ะ-ฺเ-๎]/g;
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Hebrew}/gu,
  /[\p{Script=Arabic}،؛؟ـ]/gu,
  // Vietnamese: letters with the marks of their tones behind them.
  /[ăâđêôơưàèéáíóùú₫\p{Script=Inherited}]/giu,
];
/** Letters and signs where no text of their language has them: each counts as several faults. */
const MISPLACED_WEIGHT = 5;
const MISPLACED: readonly RegExp[] = [
  // Thai: vowels and tones without a consonant before them (or after them), digits beside letters.
  /(?<![ก-ฮ\p{Mn}])(?=[\u0e30-\u0e4e])[\p{Mn}ะาำ]|[เ-ไ](?![ก-ฮ])|[๎๏๚๛]|[๐-๙](?=[ก-์])|(?<=[ก-์])[๐-๙]/gu,
  // Greek and Hebrew: forms of the end of a word elsewhere, and the others there.
  /ς(?=\p{L})|(?<=\p{L})σ(?![\p{L}’'])|[ךםןףץ](?=\p{L})|[כמנצ](?![\p{L}\p{Mn}])/gu,
  // Greek: two dots at the beginning of a word. Hebrew: points that stand at no letter.
  /(?<!\p{L})[ΰΐ]|(?<![א-ת]\p{Mn}?)[\u05b0-\u05c2]/gu,
  // Cyrillic: a sign at the beginning of a word, or behind a vowel.
  /(?<!\p{L})[ьъы]|[аеиоуыэюя][ьъ]/giu,
  // A sign or a digit like ½ inside a word, an opening mark behind it.
  /(?<=\p{L})(?:[\p{S}\p{No}](?=\p{L})|[‚„¿¡])/gu,
];
const KANA = /[ぁ-ヿ]/gu;
const EAST_ASIAN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-〿！-～]/gu;
/** Marks of any language, where they are not inside a word. */
const MARKS = /(?<!\p{L})[“”„‘«»–—…§°€£©\u00a0]|[”’»–—…°€£©\u00a0](?!\p{L})|(?<=\p{L})’/gu;
/** A letter of another script, or a digit of its, beside a Latin one. */
const OTHER = '(?![\\p{Script=Latin}\\p{Script=Inherited}0-9])[\\p{L}\\p{M}\\p{Nd}]';
const MIXED = new RegExp(`[a-z]${OTHER}|${OTHER}[a-z]`, 'giu');
/** More letters beyond ASCII in a row than words of Latin letters have. */
const LONG_RUN = /(?:(?![a-z])\p{Script=Latin}){3,}/giu;
const ASIAN = new Set(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'iso-2022-jp', 'euc-kr']);

/** As much of a text as is looked at, in bytes, from shortly before its first byte beyond ASCII. */
const LOOKED_AT = 16_384;
const BEFORE = 64;

const alphabets = Object.entries(LETTERS).map(
  ([language, letters]) =>
    [language, new Set((letters + letters.toUpperCase()).replaceAll(/[a-z]/gi, ''))] as const,
);

/** The likeliest encodings of `bytes`, the best first. */
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
      // Not every platform knows all.
      continue;
    }
    const match = matches.find(({ name }) => isSame(encoding, name.toLowerCase()));
    const score = scoreOf(text, encoding, match?.confidence ?? 0, match?.lang ?? '');
    const known = readings.get(text);
    if (known === undefined || known.score < score) readings.set(text, { encoding, score });
  }
  return [...readings.values()].sort((a, b) => b.score - a.score).map(({ encoding }) => encoding);
}

/** Whether the encoding is the one that `chardet` calls `name`, or holds all of its letters. */
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
 * How likely a decoded text is: 1 if all of its characters beyond ASCII are of one language, less
 * for characters and pairs that no text has, and up to 1 more if `chardet` finds the groups of
 * letters of that language.
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
