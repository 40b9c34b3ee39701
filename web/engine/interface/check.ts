/**
 * Checks arguments by the tables of calls, for untyped callers of the library and for messages of
 * hosts.
 */
import { failure } from '../errors.ts';
import type { GlasshouseError } from '../errors.ts';
import type { Kind } from './call.ts';

interface Check {
  readonly what: string;
  readonly is: (value: unknown) => boolean;
}

const check = (what: string, is: Check['is']): Check => ({ what, is });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const whole = (least: number): Check =>
  check(`a whole number from ${String(least)} on`, (value) => isCount(value, least));

const isBytes = (value: unknown): boolean => ArrayBuffer.isView(value);
const isCount = (value: unknown, least = 1): boolean =>
  Number.isSafeInteger(value) && Number(value) >= least;
const isNullOr = (
  value: unknown,
  is: (members: Readonly<Record<string, unknown>>) => boolean,
): boolean => value === null || (isObject(value) && is(value));

/** Whether a value is undefined or a list of [first, end] byte ranges. */
const areRanges = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every(
      (range) => Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger),
    ));

const CHECKS: Readonly<Record<Kind, Check>> = {
  text: check('a string', (value) => typeof value === 'string'),
  number: check('a number', Number.isFinite),
  whole: whole(0),
  count: whole(1),
  flag: check('true or false', (value) => typeof value === 'boolean'),
  list: check('a list', Array.isArray),
  object: check('an object', isObject),
  recipe: check(
    'an object such as { preset: "microgpt", changes: { steps: 500 }, leftOut: [[5, 8]] }, or null',
    (value) =>
      value === null ||
      (isObject(value) &&
        (value['changes'] === undefined || isObject(value['changes'])) &&
        areRanges(value['leftOut'])),
  ),
  origin: check(
    'an object with the files and the purpose',
    (value) => isObject(value) && isObject(value['files']) && typeof value['purpose'] === 'string',
  ),
  request: check('an object such as { prompt: "a" }', isObject),
  pace: check(
    'steps a second (0: all that go), or { seconds } for the whole run',
    (value) =>
      (typeof value === 'number' && value >= 0) ||
      (isObject(value) && typeof value['seconds'] === 'number'),
  ),
  file: check('a Blob, a File or bytes', (value) => typeof value === 'object' && value !== null),
  watch: check(
    'an object such as { attention: { text: "a", maxTokens: 64, live: false }, samples: null, validations: 50 }',
    (value) =>
      isObject(value) &&
      isNullOr(
        value['attention'],
        ({ text, maxTokens }) => typeof text === 'string' && isCount(maxTokens),
      ) &&
      isNullOr(value['samples'], ({ count, maxTokens }) => isCount(count) && isCount(maxTokens)) &&
      (value['validations'] === undefined || isCount(value['validations'], 0)),
  ),
  way: check(
    'what wayBack answers',
    (value) =>
      isObject(value) &&
      isCount(value['step'], 0) &&
      isCount(value['from'], 0) &&
      (value['moment'] === null || isBytes(value['moment'])) &&
      Array.isArray(value['changes']),
  ),
  moments: check(
    'a list of { step, bytes }',
    (value) =>
      Array.isArray(value) &&
      value.every((one) => isObject(one) && isCount(one['step'], 0) && isBytes(one['bytes'])),
  ),
  bytes: check('a string or bytes in UTF-8, or a list of bytes', (value) =>
    (Array.isArray(value) ? value : [value]).every(
      (one) => typeof one === 'string' || isBytes(one),
    ),
  ),
  progress: check('a function', (value) => typeof value === 'function'),
};

/** The error for the first wrong argument of the call `name`; null if all are right. */
export function wrongOf(
  name: string,
  args: readonly string[],
  given: readonly unknown[],
): GlasshouseError | null {
  for (const [at, arg] of args.entries()) {
    const [subject, kind] = arg.split(/\??: /) as [string, Kind];
    const isOptional = arg.includes('?');
    const value = given[at];
    if ((isOptional && value === undefined) || CHECKS[kind].is(value)) continue;
    const what = `${CHECKS[kind].what}${isOptional ? ', or left out' : ''}`;
    return failure('argument', `${name}: ${subject} is to be ${what}`, [], subject);
  }
  return null;
}
