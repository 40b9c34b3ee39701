/**
 * Finds and removes the dates and times in exported chats. Stamps are recognised by structure, not
 * by language: by the position of date and time in a line, and a short name after them. Each text
 * has one form of stamp, used in most of its lines.
 */
import { ending } from './change.ts';
import type { Change, Found } from './change.ts';

const MARKS = '[\\u200e\\u200f\\ufeff]*';
const SPACE = '[\\s\\u200e\\u200f]';
// Fractions of a second occur in logs and subtitles, never in chats.
const TIME = '\\p{Nd}{1,2}[:：.]\\p{Nd}{2}(?:[:.]\\p{Nd}{2})?(?![:.,]?\\p{Nd})';
// Hours and minutes only: lines of log files also begin with two brackets, but have seconds.
const CLOCK = '\\p{Nd}{1,2}:\\p{Nd}{2}(?![:.,]?\\p{Nd})';
const DATE = `\\p{Nd}{1,4}(?:${SPACE}?[./年月년월-]${SPACE}?\\p{Nd}{1,4}){2}`;
// Words and punctuation around a time in any language: "p. m.", "klo", "at", "um", a comma.
const AROUND = '[^\\p{Nd}\\n\\[\\]<>]{0,12}?';
const DATE_TIME = `${DATE}${AROUND}${TIME}${AROUND}`;
const IN_BRACKETS = '[\\p{L}\\p{M}\\p{N}\\s\\u200e\\u200f.,،，:：/-]';
const BRACKETED = `(?=${IN_BRACKETS}{0,36}?${TIME})${IN_BRACKETS}{4,44}`;
const IN_ANY_BRACKETS = `(?:\\[${BRACKETED}\\]|\\(${BRACKETED}\\)|【${BRACKETED}】)`;
const NAME_ON_TOP = '(?<name>[\\p{L}\\p{N}@+~_][^:：]{0,31}?)';

interface Form {
  /**
   * The part to remove. If it contains the name, it is a whole line above the message, unless
   * `inLine`.
   */
  readonly stamp: RegExp;
  /** The sender, directly after the stamp. */
  readonly sender?: RegExp;
  /** Whether the line becomes name, colon and message; otherwise only its stamp is removed. */
  readonly inLine?: boolean;
  /** Lines to remove: they hold only the date of the messages below. */
  readonly day?: RegExp;
}

const COLON = new RegExp(
  `^${MARKS}(?<name>[\\p{L}\\p{N}@+~_(][^:：\\n]{0,40}?)${SPACE}?[:：](?![/\\p{Nd}])`,
  'u',
);
const ANGLE = /^<[ @+%&~]?(?<name>[^<>\s]{1,32})>/u;
const EITHER = new RegExp(`${COLON.source}|${ANGLE.source.replace('<name>', '<nick>')}`, 'u');

/** A date line such as "2024년 3월 12일 화요일", also between dashes or with a time. */
const DAY = new RegExp(`^(?:-+ )?${DATE}일${AROUND}(?:${TIME})?(?: -+)?$`, 'u');

const FORMS: readonly Form[] = [
  // [10.08.25, 18:00:05] Ada: hi
  { stamp: new RegExp(`^${MARKS}${IN_ANY_BRACKETS}[ \\t]*`, 'u'), sender: EITHER },
  // 20/6/2017 8:20 p. m. - Ada: hi
  { stamp: new RegExp(`^${MARKS}${DATE_TIME}\\s[–—-] `, 'u'), sender: COLON },
  // 18:00 <Ada> hi
  { stamp: new RegExp(`^(?:${DATE}${AROUND})?${TIME}[ \\t]+`, 'u'), sender: ANGLE },
  // Ada, [10.07.16 18:00], and the message below
  { stamp: new RegExp(`^${NAME_ON_TOP},?[ \\t]*${IN_ANY_BRACKETS}\\s*$`, 'u') },
  // Ada — Today at 6:04 PM
  { stamp: new RegExp(`^${NAME_ON_TOP}[ \\t]*[–—][ \\t]*${BRACKETED}$`, 'u') },
  // 小明 2024年3月12日 18:04
  {
    stamp: new RegExp(
      `^${NAME_ON_TOP}[ \\t]+(?:${DATE}${AROUND}|\\p{L}{0,9} ?)${TIME}${AROUND}$`,
      'u',
    ),
  },
  // 2024/3/12 18:04:11 小明
  { stamp: new RegExp(`^${DATE}${AROUND}${TIME}[ \\t]+${NAME_ON_TOP}\\s*$`, 'u') },
  // 2024년 3월 12일 오후 6:04, 민수 : 안녕
  {
    stamp: new RegExp(`^${DATE_TIME}, `, 'u'),
    sender: new RegExp(`^${NAME_ON_TOP} : `, 'u'),
    inLine: true,
    day: DAY,
  },
  // [민수] [오후 6:04] 안녕
  {
    stamp: new RegExp(`^\\[(?<name>[^\\[\\]]{1,40})\\] \\[${AROUND}${CLOCK}${AROUND}\\] `, 'u'),
    inLine: true,
    day: DAY,
  },
];
const HAS_TIME = /\p{Nd}[:：.]\p{Nd}{2}/u;
const WHOLE_DATE = new RegExp(DATE, 'u');
/** An hour and a minute that is not a multiple of five; not a minute and its seconds. */
const MINUTE = /(?<![:：.]\p{Nd})\p{Nd}[:：.]\p{Nd}([^05٠٥۰۵])/u;
const LOG_LEVEL = /\b(?:trace|debug|info|notice|warn|warning|error|fatal|critical|severe)\b/i;

/**
 * Number of code units at the start of a line in which a time is searched; also the maximum length
 * of a line with only a name and a stamp.
 */
const LONGEST_STAMP = 120;
/** Minimum number of messages in a chat, and their minimum share of all lines. */
const FEWEST = 5;
const SHARE = 0.15;
/** Minimum share of stamps that belong to a message with a name. */
const SPOKEN = 0.6;
/** Minimum number of messages per name, on average. */
const MESSAGES_EACH = 2;
/**
 * Minimum share of times whose minute is not a multiple of five. People write at any minute; items
 * of a programme start at multiples of five.
 */
const ANY_MINUTE = 0.5;

/** Counts the lines of one form. */
interface Tally {
  readonly form: Form;
  stamps: number;
  messages: number;
  /** Number of stamps whose minute (or second, if written) is not a multiple of five. */
  minutes: number;
  readonly names: Set<string>;
  first: Change | null;
  /** The line before, if it consists of a name and a stamp; else null. */
  above: { readonly name: string; readonly line: string } | null;
}

/** Reads a text line by line, then decides whether it is a chat with stamps. */
export class StampReader {
  readonly #tallies: readonly Tally[] = FORMS.map((form) => ({
    form,
    stamps: 0,
    messages: 0,
    minutes: 0,
    names: new Set<string>(),
    first: null,
    above: null,
  }));
  #lines = 0;

  line(line: string): void {
    const isEmpty = line.trim() === '';
    if (!isEmpty) this.#lines++;
    const mayHaveStamp = HAS_TIME.test(line.slice(0, LONGEST_STAMP));
    for (const tally of this.#tallies) {
      const found = mayHaveStamp ? stampOf(line, tally.form) : null;
      const { above } = tally;
      tally.above = null;
      if (above !== null && found === null && !isEmpty) {
        count(tally, above.name, `${above.line}\n${line}`, joined(above.name, line));
      }
      if (found === null) continue;
      tally.stamps++;
      if (found.isAtAnyMinute) tally.minutes++;
      if (found.isOnTop) tally.above = { name: found.name, line };
      else if (found.name !== '') count(tally, found.name, line, found.rest);
    }
  }

  /** Number of stamps, and the first change; null if the text is no chat with stamps. */
  get found(): Found | null {
    const best = this.#best();
    return best === null ? null : { count: best.stamps, change: best.first! };
  }

  /** Form of the stamps; null if the text is no chat with stamps. */
  get form(): Form | null {
    return this.#best()?.form ?? null;
  }

  #best(): Tally | null {
    const chats = this.#tallies.filter(
      ({ stamps, messages, minutes, names }) =>
        minutes >= stamps * ANY_MINUTE &&
        messages >= Math.max(FEWEST, this.#lines * SHARE, stamps * SPOKEN) &&
        messages >= names.size * MESSAGES_EACH,
    );
    return chats.sort((a, b) => b.messages - a.messages)[0] ?? null;
  }
}

function count(tally: Tally, name: string, before: string, after: string): void {
  tally.messages++;
  tally.names.add(name);
  tally.first ??= { before: ending(before), after: ending(after) };
}

interface Stamp {
  readonly name: string;
  /** The line without the stamp; name, colon and message if the form is `inLine`. */
  readonly rest: string;
  readonly isOnTop: boolean;
  readonly isAtAnyMinute: boolean;
}

function stampOf(line: string, { stamp, sender, inLine = false }: Form): Stamp | null {
  const isOnTop = sender === undefined && !inLine;
  if (isOnTop && line.length > LONGEST_STAMP) return null;
  const found = stamp.exec(line);
  if (found === null) return null;
  const behind = line.slice(found[0].length);
  const said = sender === undefined ? found : sender.exec(behind);
  const { name, nick } = said?.groups ?? {};
  const speaker = (name ?? nick ?? '').trim();
  if (LOG_LEVEL.test(speaker)) return null;
  const isAtAnyMinute = MINUTE.test(found[0].replace(WHOLE_DATE, ' '));
  const message = sender === undefined ? behind : behind.slice(said?.[0].length);
  const rest = inLine && said !== null ? joined(speaker, message) : behind;
  return { name: speaker, rest, isOnTop, isAtAnyMinute };
}

/** A message with the name of its sender before it. */
function joined(name: string, message: string): string {
  return `${name}${/\p{sc=Han}$/u.test(name) ? '：' : ': '}${message}`.trimEnd();
}

/** Removes dates and times of a chat. A name on its own line moves to the line of its message. */
export function removeStamps(text: string): string {
  const lines = text.split('\n');
  const reader = new StampReader();
  for (const line of lines) reader.line(line);
  const { form } = reader;
  if (form === null) return text;
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const found = stampOf(line, form);
    if (found === null) {
      if (form.day?.test(line) !== true) out.push(line);
    } else if (!found.isOnTop) out.push(found.rest);
    else {
      // A message without text, such as a photo, may have the next stamp below it.
      const below = lines[at + 1] ?? '';
      const isMessage = stampOf(below, form) === null;
      out.push(joined(found.name, isMessage ? below : ''));
      if (isMessage) at += 1;
    }
  }
  return out.join('\n');
}
