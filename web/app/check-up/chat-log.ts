/**
 * Logs of chats and other conversations: who speaks, and the dates and times that programs write beside
 * each message. Pure functions of strings.
 */

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const DATE =
  `(?:${MONTH} \\d{1,2},? \\d{4}|\\d{1,2}\\.? ${MONTH},? \\d{4}|` +
  '\\d{4}(?:年|[-/.])\\d{1,2}(?:月|[-/.])\\d{1,2}日?|\\d{1,2}[-/.]\\d{1,2}[-/.](?:\\d{4}|\\d{2})|' +
  'today|yesterday|今天|昨天|前天|(?:星期|周)[一二三四五六日天])';
const TIME =
  '(?:(?:上午|下午|凌晨|早上|中午|晚上) ?)?\\d{1,2}[:：]\\d{2}(?:[:：]\\d{2})?(?:[ \\u00a0\\u202f]?[ap]\\.?m\\b\\.?)?';
const DATE_TIME = `${DATE}(?:,|，)?(?: at)?[ \\u00a0\\u202f]*${TIME}`;
const EITHER = `(?:${DATE_TIME}|${TIME})`;
// Where a line begins, a time without a date or brackets may be a verse of the Bible.
const BEFORE = new RegExp(
  `^[\\u200e\\u200f\\ufeff]*(?:\\[${EITHER}\\]|\\(${EITHER}\\)|【${EITHER}】|${DATE_TIME})(?:[ \\t]*[-–—]|:)?(?=\\s|$|\\p{L}|<)[ \\t]*`,
  'iu',
);
const BEHIND = new RegExp(
  `^(\\S.{0,31}?)[ \\t]*[,，—–-]?[ \\t]+(?:\\[${EITHER}\\]|\\(${EITHER}\\)|${EITHER})[ \\t]*$`,
  'iu',
);
/** The longest line that is looked at for a stamp at its end. */
const LONGEST_HEAD = 80;
// A name, or a few words of one, before a colon that is no part of a time or an address; or one in brackets.
const SPEAKER = /^(?:([\p{L}@][^:：\n]{0,30})[:：](?![/\d])|<([^<>\s]{1,32})>(?=\s))/u;

/** Stamps that are no chance, and the share of lines that have one. */
const FEWEST = 5;
const STAMPED = 0.15;
/** The share of lines that say who speaks, and how many lines each speaker has at least on average. */
const SPOKEN = 0.15;
const LINES_EACH = 4;
/** So many stamps stand by themselves, before a message, where they all do. */
const MOSTLY = 0.8;

/** What was seen of a conversation so far. */
export interface Talk {
  stamps: number;
  /** The first stamp. */
  example: string;
  spoken: number;
  readonly speakers: Set<string>;
}

export function startTalk(): Talk {
  return { stamps: 0, example: '', spoken: 0, speakers: new Set() };
}

/** Takes the next line in. */
export function hear(talk: Talk, line: string): void {
  const found = stampOf(line);
  if (found !== null) {
    talk.stamps += 1;
    if (talk.example === '') talk.example = found.stamp;
  }
  const speaker = speakerOf(found === null ? line : found.rest);
  if (speaker === null) return;
  talk.spoken += 1;
  talk.speakers.add(speaker);
}

/** The dates and times of messages, with one of them; null where there are none, or it is chance. */
export function stampsOf(talk: Talk, lines: number): { count: number; example: string } | null {
  const isLog = talk.stamps >= FEWEST && talk.stamps >= lines * STAMPED;
  return isLog ? { count: talk.stamps, example: talk.example } : null;
}

/** Whether people talk in turns: by their names, or by the times of what they say. */
export function isConversation(talk: Talk, lines: number): boolean {
  if (stampsOf(talk, lines) !== null) return true;
  const { spoken, speakers } = talk;
  return spoken >= FEWEST && spoken >= lines * SPOKEN && spoken >= speakers.size * LINES_EACH;
}

/**
 * Takes the dates and times out. Where they stand in a line of their own with who speaks, what is said
 * comes behind the name.
 */
export function removeStamps(text: string): string {
  const parts = text.split(/(\r\n?|\n)/);
  const found = parts.map((part, at) => (at % 2 === 0 ? stampOf(part) : null));
  const isMessage = (at: number): boolean => found[at] === null && (parts[at] ?? '').trim() !== '';
  const stamped = [...found.keys()].filter((at) => found[at] !== null);
  const heads = new Set(
    stamped.filter((at) => isMessage(at + 2) && speakerOf(found[at]!.rest) === null),
  );
  const areHeads = heads.size >= stamped.length * MOSTLY;
  for (const at of stamped) {
    const { rest } = found[at]!;
    const joins = areHeads && rest !== '' && heads.has(at);
    parts[at] = joins ? `${rest}${/\p{sc=Han}$/u.test(rest) ? '：' : ': '}` : rest;
    // Its line end goes, or that of a line of which nothing is left.
    if (joins || rest === '') parts[at + 1] = '';
  }
  return parts.join('');
}

/** The date and time of a line, and what is left without it; null where there is none. */
function stampOf(line: string): { stamp: string; rest: string } | null {
  const before = BEFORE.exec(line);
  if (before !== null) return { stamp: before[0].trim(), rest: line.slice(before[0].length) };
  const behind = line.length > LONGEST_HEAD ? null : BEHIND.exec(line);
  if (behind === null) return null;
  const rest = behind[1]!;
  return { stamp: line.slice(rest.length).trim(), rest };
}

function speakerOf(line: string): string | null {
  const found = SPEAKER.exec(line);
  return found === null ? null : (found[1] ?? found[2]!);
}
