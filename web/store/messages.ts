/** Error messages in the reader's language: what happened, and what to do. */
import { widthTwin } from '../base/width-twin.ts';
import type { ErrorFacts } from '../engine/errors.ts';
import type { Words } from '../i18n/index.ts';
import { canChange } from './address/lesson.ts';
import type { Lesson } from './address/lesson.ts';
import { bytesLabel, spokenLabel, widthName } from '../data/attention-data.ts';

/** Errors whose numbers are byte counts. */
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
/** Errors shown at the text, because only another text helps. */
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
  'file-locked',
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

/** Maximum number of missing characters named in a message; further ones are counted. */
const NAMED = 5;

/** The message of an error. */
export function messageOf(error: ErrorFacts, words: Words): string {
  const values: Record<string, string | number> = { name: nameOf(error, words) };
  for (const [index, value] of error.values.entries()) {
    values[index] = IN_BYTES.has(error.code) ? words.bytes(value) : value;
  }
  if (error.code.startsWith('file-kind')) Object.assign(values, fileValues(error, words));
  return (
    // Prefers advice for the error's subject, such as the tokenizer that an export cannot express.
    words.find(`error.${error.code}.${error.subject}`, values) ??
    words.find(`error.${error.code}`, values) ??
    words.t('error.unexpected', values)
  );
}

/** Name and type of a file that is no text. */
function fileValues({ subject }: ErrorFacts, words: Words): Record<string, string> {
  const [name = '', kind = '', format = ''] = subject.split('\n');
  return { name, format, kind: words.find(`kind.${kind}`, { format }) ?? format };
}

/**
 * Name of a character, or the character with its code point. `hasTwin`: names its width, because a
 * look-alike of another width exists.
 */
function characterName(point: number, hasTwin: boolean, words: Words): string {
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  // 0xDC00 + b is the engine's code for an invalid UTF-8 byte b.
  if (point >= 0xdc80 && point < 0xdd00) return bytesLabel(number.slice(-2), words);
  if (point >= 0xd800 && point < 0xe000) return number;
  const text = String.fromCodePoint(point);
  const ofTwins = hasTwin ? widthName(text, words) : null;
  const name = ofTwins ?? spokenLabel({ kind: 'text', text, hex: '' }, words);
  return name === words.t('token.text', { text }) ? `${name} (${number})` : name;
}

/** The settings that a format cannot express, each as "name value". */
function unsupportedSettings({ subject }: ErrorFacts): string[] {
  return subject.split(', ');
}

/** A setting such as "bias false" in the words of the form. */
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
      // The look-alike has a token, or is missing as well.
      const hasTwin =
        subject.includes(text) || values.includes(widthTwin(text).codePointAt(0) ?? NaN);
      return characterName(point, hasTwin, words);
    });
    const list = names.join(words.t('list.separator'));
    const count = values.length - NAMED;
    return count > 0 ? words.t('list.more', { list, count }) : list;
  }
  if (code === 'export' || code === 'door') {
    return unsupportedSettings(error)
      .map((setting) => settingName(setting, words))
      .join(words.t('list.separator'));
  }
  if (words.find(`error.${code}`) === null || code === 'unexpected') return message;
  return words.find(`option.${subject}`) ?? subject;
}

/** Places where an error is shown: options, the text, or (both empty) the run bar. */
export function placeOf(error: ErrorFacts): { options: string[]; text: boolean } {
  if (error.code === 'export') {
    return {
      options: unsupportedSettings(error).map((setting) => setting.split(' ')[0]!),
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

/** The error to show at the text; null for none. */
export function textProblem(
  textError: ErrorFacts | null,
  session: { readonly error: ErrorFacts | null } | null,
): ErrorFacts | null {
  const error = session?.error ?? null;
  return textError ?? (error !== null && placeOf(error).text ? error : null);
}

/**
 * Whether a model that cannot resume needs the sample text it learned from. The reader's own text
 * is replaced only if it is empty or another text is needed.
 */
export function needsOtherText(error: ErrorFacts, isOwn: boolean): boolean {
  const { code } = error;
  if (code === 'text-differs' || isAwaited(error)) return true;
  return !isOwn && (code === 'character' || ABOUT_TEXT.has(code));
}

/** Replaces the error of a missing text for readers who cannot choose a text. */
export function textProblemFor(error: ErrorFacts, lesson: Lesson): ErrorFacts {
  const lacks = error.code !== 'text-awaited' && isAwaited(error);
  return lacks && !canChange(lesson, 'text') ? { ...error, code: 'text-locked' } : error;
}

const AWAITED = new Set(['empty', 'blank', 'text-awaited', 'text-unsent']);

/** Whether a text is merely missing, so that the page asks for one. */
export function isAwaited({ code }: ErrorFacts): boolean {
  return AWAITED.has(code);
}
