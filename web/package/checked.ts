/**
 * Checks what callers without types hand over: a call with something else rejects with a
 * GlasshouseError that says what it takes, rather than to answer something wrong.
 */
import { failure } from '../engine/errors.ts';
import type { GlasshouseError } from '../engine/errors.ts';
import type { Trainer } from '../engine/trainer.ts';

interface Argument {
  readonly name: string;
  readonly what: string;
  readonly is: (value: unknown) => boolean;
}

const argument = (name: string, what: string, is: Argument['is']): Argument => ({ name, what, is });
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (name: string): Argument =>
  argument(name, 'a string', (value) => typeof value === 'string');
const number = (name: string): Argument =>
  argument(name, 'a number', (value) => typeof value === 'number');
const whole = (name: string, least = 0): Argument =>
  argument(
    name,
    `a whole number from ${String(least)} on`,
    (value) => Number.isSafeInteger(value) && Number(value) >= least,
  );
const yes = (name: string): Argument =>
  argument(name, 'true or false', (value) => typeof value === 'boolean');
const object = (name: string): Argument => argument(name, 'an object', isObject);
const list = (name: string): Argument => argument(name, 'a list', Array.isArray);
const file = (name: string): Argument =>
  argument(name, 'a Blob, a File or bytes', (value) => typeof value === 'object' && value !== null);
const call = (name: string): Argument =>
  argument(name, 'a function', (value) => typeof value === 'function');
const maybe = ({ name, what, is }: Argument): Argument =>
  argument(name, `${what}, or left out`, (value) => value === undefined || is(value));

/** Ranges of bytes, each with its first and the one behind its last. */
const areRanges = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every(
      (range) => Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger),
    ));

const recipe = argument(
  'recipe',
  'an object such as { preset: "microgpt", changes: { steps: 500 }, leftOut: [[5, 8]] }, or null',
  (value) =>
    value === null ||
    (isObject(value) &&
      (value['changes'] === undefined || isObject(value['changes'])) &&
      areRanges(value['leftOut'])),
);
const origin = argument(
  'origin',
  'an object with the files and the purpose',
  (value) => isObject(value) && isObject(value['files']) && typeof value['purpose'] === 'string',
);
const request = argument('request', 'an object such as { prompt: "a" }', isObject);
const pace = argument(
  'pace',
  'steps a second (0: all that go), or { seconds } for the whole run',
  (value) =>
    (typeof value === 'number' && value >= 0) ||
    (isObject(value) && typeof value['seconds'] === 'number'),
);

const ARGUMENTS: Partial<Record<keyof Trainer, readonly Argument[]>> = {
  inspect: [object('files')],
  save: [text('form'), maybe(text('note'))],
  convert: [file('weights'), text('form'), maybe(object('said'))],
  measure: [file('weights'), text('form')],
  translate: [file('file')],
  checkpoint: [maybe(text('note'))],
  architecture: [recipe, whole('vocab', 1)],
  parameterCounts: [list('recipes'), whole('vocab', 1)],
  probe: [text('text'), maybe(whole('maxTokens', 1))],
  untrainedHeads: [text('text'), whole('maxTokens', 1)],
  analyse: [text('text'), whole('maxTokens', 1), maybe(yes('isCut'))],
  tensors: [text('text'), yes('gradients')],
  tensor: [whole('index'), object('slice')],
  vocabulary: [whole('first'), whole('count')],
  merges: [whole('first'), whole('count')],
  trace: [text('text')],
  scoreByTable: [number('order'), list('ids')],
  writeByTable: [number('order'), text('prompt'), whole('maxTokens', 1), whole('seed')],
  plan: [recipe, maybe(origin)],
  prepare: [recipe, maybe(origin)],
  start: [maybe(whole('until', 1))],
  pace: [pace],
  rest: [number('milliseconds')],
  set: [text('option'), number('value')],
  watch: [object('watch')],
  subscribe: [call('listener')],
  sample: [request, maybe(call('onText'))],
  beginGeneration: [request],
  takeToken: [whole('id')],
  adjustSampling: [object('sampling')],
};

/** The trainer with checks before its calls. */
export function withChecks<Checked extends Trainer>(trainer: Checked): Checked {
  for (const [name, wanted] of Object.entries(ARGUMENTS) as [
    keyof Trainer,
    readonly Argument[],
  ][]) {
    const unchecked = (trainer[name] as (...given: unknown[]) => unknown).bind(trainer);
    const wrongOf = (given: readonly unknown[]): GlasshouseError | null => {
      const wrong = wanted.find(({ is }, at) => !is(given[at]));
      if (wrong === undefined) return null;
      return failure('argument', `${name}: ${wrong.name} is to be ${wrong.what}`, [], wrong.name);
    };
    const throwing = (...given: unknown[]): unknown => {
      const wrong = wrongOf(given);
      if (wrong !== null) throw wrong;
      return unchecked(...given);
    };
    const rejecting = (...given: unknown[]): unknown => {
      const wrong = wrongOf(given);
      return wrong === null ? unchecked(...given) : Promise.reject(wrong);
    };
    Object.assign(trainer, { [name]: name === 'subscribe' ? throwing : rejecting });
  }
  return trainer;
}
