/** What went wrong and what to do about it, in the reader's language. */
import { widthTwin } from '../base/width-twin.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import type { Words } from '../i18n/index.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import { bytesLabel, spokenLabel, widthName } from '../data/attention-data.ts';

/** Errors whose numbers are counts of bytes. */
const IN_BYTES = new Set([
  'memory',
  'allocation',
  'text-size',
  'file-size',
  'storage-large',
  'run-file-size',
  'run-text',
  'trace-large',
]);
/** Errors that are said at the text, since only another text mends them. */
const ABOUT_TEXT = new Set([
  'empty',
  'blank',
  'short',
  'text-size',
  'vocabulary',
  'file-size',
  'file-kind',
  'file-kind-model',
  'file-kind-document',
  'rtf',
  'file-empty',
  'file-read',
  'several-files',
  'text-left',
  'fetch',
  'language',
  'link-size',
  'link-text',
  'link-file',
  'link-fetch',
  'text-awaited',
  'text-unsent',
  'text-locked',
  'text-gone',
  'link-hash',
]);

/** Characters without a token that are named; more are only counted. */
const NAMED = 5;

/** The text of a failure. */
export function messageOf(error: ErrorFacts, words: Words): string {
  const values: Record<string, string | number> = { name: nameOf(error, words) };
  for (const [index, value] of error.values.entries()) {
    values[index] = IN_BYTES.has(error.code) ? words.bytes(value) : value;
  }
  if (error.code.startsWith('file-kind')) Object.assign(values, fileValues(error, words));
  return words.find(`error.${error.code}`, values) ?? words.t('error.unexpected', values);
}

/** A file that is no text: its name and its type. */
function fileValues({ subject }: ErrorFacts, words: Words): Record<string, string> {
  const [name = '', kind = '', format = ''] = subject.split('\n');
  return { name, format, kind: words.find(`kind.${kind}`, { format }) ?? format };
}

/**
 * A character by its name, or as it is with its number; told from one that looks alike, if there is
 * one.
 */
function characterName(point: number, hasTwin: boolean, words: Words): string {
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  // The engine's code of a byte that is not UTF-8 is 0xDC00 + the byte.
  if (point >= 0xdc80 && point < 0xdd00) return bytesLabel(number.slice(-2), words);
  if (point >= 0xd800 && point < 0xe000) return number;
  const text = String.fromCodePoint(point);
  const ofTwins = hasTwin ? widthName(text, words) : null;
  const name = ofTwins ?? spokenLabel({ kind: 'text', text, hex: '' }, words);
  return name === words.t('token.text', { text }) ? `${name} (${number})` : name;
}

/** The settings for which there is no place, each as "name value". */
function standingInTheWay({ subject }: ErrorFacts): string[] {
  return subject.split(', ');
}

/** A setting of the engine, "bias false", in the words of the form. */
function settingName(setting: string, words: Words): string {
  const [name = '', value = ''] = setting.split(' ');
  const option = words.find(`option.${name}`) ?? name;
  const onOff = value === 'true' ? words.t('twin.on') : words.t('twin.off');
  return words.t('runs.value', { option, value: words.find(`choice.${name}.${value}`) ?? onOff });
}

function nameOf(error: ErrorFacts, words: Words): string {
  const { code, subject, values, message } = error;
  if (code === 'character') {
    const names = values.slice(0, NAMED).map((point) => {
      const text = String.fromCodePoint(point);
      // Its look-alike is a token, or is lacking as well.
      const hasTwin =
        subject.includes(text) || values.includes(widthTwin(text).codePointAt(0) ?? NaN);
      return characterName(point, hasTwin, words);
    });
    const list = names.join(words.t('list.separator'));
    const count = values.length - NAMED;
    return count > 0 ? words.t('list.more', { list, count }) : list;
  }
  if (code === 'export' || code === 'door') {
    return standingInTheWay(error)
      .map((setting) => settingName(setting, words))
      .join(words.t('list.separator'));
  }
  if (words.find(`error.${code}`) === null || code === 'unexpected') return message;
  return words.find(`option.${subject}`) ?? subject;
}

/**
 * Where a failure is to be mended, and told if it is one of the plan: at options, at the text, or
 * nowhere.
 */
export function placeOf(error: ErrorFacts): { options: string[]; text: boolean } {
  if (error.code === 'export') {
    return {
      options: standingInTheWay(error).map((setting) => setting.split(' ')[0]!),
      text: false,
    };
  }
  if (error.code === 'heads') return { options: ['heads', 'channels'], text: false };
  if (
    error.code === 'file-model' ||
    error.code === 'range' ||
    error.code === 'whole' ||
    error.code === 'number'
  ) {
    return { options: [error.subject], text: false };
  }
  return { options: [], text: ABOUT_TEXT.has(error.code) };
}

/** What is wrong with the text, and is said there. */
export function textProblem(
  textError: ErrorFacts | null,
  session: { readonly error: ErrorFacts | null } | null,
): ErrorFacts | null {
  const error = session?.error ?? null;
  return textError ?? (error !== null && placeOf(error).text ? error : null);
}

/**
 * Whether the reason for which a model from a file only writes is one to give it the sample text
 * that it learned from: its run goes on with no other, and what somebody has written stays unless
 * it is nothing.
 */
export function needsOtherText(error: ErrorFacts, isOwn: boolean): boolean {
  const { code } = error;
  if (code === 'text-differs' || isAwaited(error)) return true;
  return !isOwn && (code === 'character' || ABOUT_TEXT.has(code));
}

/**
 * The same for readers who cannot choose a text: what to do about a missing one is none of their
 * doing.
 */
export function textProblemFor(error: ErrorFacts, lesson: Lesson): ErrorFacts {
  const lacks = error.code !== 'text-awaited' && isAwaited(error);
  return lacks && !canChange(lesson, 'text') ? { ...error, code: 'text-locked' } : error;
}

const AWAITED = new Set(['empty', 'blank', 'text-awaited', 'text-unsent']);

/** Whether nothing is wrong but that there is no text yet: then one is asked for. */
export function isAwaited({ code }: ErrorFacts): boolean {
  return AWAITED.has(code);
}
