/**
 * Parses the parts of a run file. The input is untrusted: wrong types and counts are refused as
 * damage. See run-file.ts.
 */
import * as v from 'valibot';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { RunHistory } from '../../engine/trainer.ts';
import { NUMBER, readStored, RECIPE } from '../stored.ts';
import { SAMPLE_TEXTS } from '../text/texts.ts';
import type { RunRecord } from './run-record.ts';

/** Maximum length of a string; longer ones are damage. */
const LONGEST = 100_000;

const TEXT = v.custom<string>((value) => typeof value === 'string' && value.length <= LONGEST);
const whole = (least: number) =>
  v.custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= least);
const COUNT = whole(0);

const FACTS = {
  name: TEXT,
  created: COUNT,
  recipe: RECIPE,
  text: v.object({
    key: TEXT,
    source: v.fallback(v.picklist([...SAMPLE_TEXTS.map(({ id }) => id), 'own'] as const), 'own'),
    fileName: TEXT,
    bytes: COUNT,
  }),
  step: COUNT,
  steps: COUNT,
  loss: v.fallback(v.nullable(v.number()), null),
  tokensPerCharacter: v.exactOptional(NUMBER),
};
/** The part of a record that does not belong to one browser. */
export type FiledFacts = Pick<RunRecord, keyof typeof FACTS>;

/** Names of the parts, in file order; the text may be missing. */
export const PARTS = ['checkpoint', 'curve', 'samples', 'text'] as const;

export const MANIFEST = v.object({
  run: v.object({ ...FACTS, stride: whole(1), probe: TEXT }),
  parts: v.array(v.object({ name: v.picklist(PARTS), bytes: COUNT, sha256: v.string() })),
});

/** Validation losses, memorised shares and samples. */
export const MARKS = v.object({
  validations: v.array(v.object({ step: COUNT, loss: NUMBER })),
  memorised: v.exactOptional(v.array(v.object({ step: COUNT, train: NUMBER, heldOut: NUMBER }))),
  samples: v.array(
    v.object({ step: COUNT, texts: v.array(v.string()), cut: v.exactOptional(v.array(COUNT)) }),
  ),
});

export function damaged(part: string): GlasshouseError {
  return failure('run-file-damaged', `the run file is damaged: ${part}`, [], part);
}

/** Parses a part by its schema; throws if it is damaged. */
export function readPart<Schema extends v.GenericSchema>(
  schema: Schema,
  json: string,
  part: string,
): v.InferOutput<Schema> {
  const value = readStored(schema, json);
  if (value === null) throw damaged(part);
  return value;
}

/** Losses, learning rates and gradient norms of every `stride`-th of `step` steps, as float32. */
export function readCurve(
  bytes: ArrayBuffer,
  step: number,
  stride: number,
): Pick<RunHistory, 'losses' | 'learningRates' | 'gradientNorms'> {
  const length = Math.ceil(step / stride);
  if (bytes.byteLength !== 3 * 4 * length) throw damaged('curve');
  const column = (index: number): Float32Array<ArrayBuffer> =>
    new Float32Array(bytes, index * 4 * length, length);
  return { losses: column(0), learningRates: column(1), gradientNorms: column(2) };
}
