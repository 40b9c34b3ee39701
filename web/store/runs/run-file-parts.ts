/**
 * Parses the parts of a run file. The input is untrusted: wrong types and counts are refused as
 * damage. See run-file.ts.
 */
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { ByteRange } from '../../engine/left-out.ts';
import type { Recipe } from '../../engine/options.ts';
import type {
  MemorisedPoint,
  RunHistory,
  StepSample,
  ValidationPoint,
} from '../../engine/trainer.ts';
import { findSample } from '../text/texts.ts';
import type { RunRecord } from './run-record.ts';

/** The part of a record that does not belong to one browser. */
export type FiledFacts = Pick<
  RunRecord,
  'name' | 'created' | 'recipe' | 'text' | 'step' | 'steps' | 'loss' | 'tokensPerCharacter'
>;

type Numbers = Pick<RunHistory, 'losses' | 'learningRates' | 'gradientNorms'>;

/** Maximum length of a string; longer ones are damage. */
const LONGEST = 100_000;

export function damaged(part: string): GlasshouseError {
  return failure('run-file-damaged', `the run file is damaged: ${part}`, [], part);
}

/** Parses a JSON object; throws for any other value. */
export function parsed(json: string, part = 'manifest'): object {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported as damage below.
  }
  throw damaged(part);
}

/** Parses a manifest: facts of the run, stride of its curve, probe text. */
export function readFacts(given: unknown): { facts: FiledFacts; stride: number; probe: string } {
  const run = fieldsOf(given);
  const text = fieldsOf(run['text']);
  const [source, loss, tokens] = [stringOf(text['source']), run['loss'], run['tokensPerCharacter']];
  return {
    facts: {
      name: stringOf(run['name']),
      created: countOf(run['created']),
      recipe: recipeOf(run['recipe']),
      text: {
        key: stringOf(text['key']),
        source: findSample(source)?.id ?? 'own',
        fileName: stringOf(text['fileName']),
        bytes: countOf(text['bytes']),
      },
      step: countOf(run['step']),
      steps: countOf(run['steps']),
      loss: typeof loss === 'number' ? loss : null,
      ...(typeof tokens === 'number' ? { tokensPerCharacter: tokens } : {}),
    },
    stride: Math.max(1, countOf(run['stride'])),
    probe: stringOf(run['probe']),
  };
}

/** Losses, learning rates and gradient norms of every `stride`-th of `step` steps, as float32. */
export function readCurve(bytes: ArrayBuffer, step: number, stride: number): Numbers {
  const length = Math.ceil(step / stride);
  if (bytes.byteLength !== 3 * 4 * length) throw damaged('curve');
  const column = (index: number): Float32Array<ArrayBuffer> =>
    new Float32Array(bytes, index * 4 * length, length);
  return { losses: column(0), learningRates: column(1), gradientNorms: column(2) };
}

/** Validation losses, memorised shares and samples. */
export function readMarks(json: string): Pick<RunHistory, 'validations' | 'memorised' | 'samples'> {
  const { validations, memorised, samples } = fieldsOf(parsed(json, 'samples'), 'samples');
  return {
    validations: listOf(validations).map((one): ValidationPoint => {
      const { step, loss } = fieldsOf(one, 'samples');
      return { step: countOf(step, 'samples'), loss: numberOf(loss) };
    }),
    ...(memorised === undefined ? {} : { memorised: listOf(memorised).map(memorisedOf) }),
    samples: listOf(samples).map((one): StepSample => {
      const { step, texts, cut } = fieldsOf(one, 'samples');
      return {
        step: countOf(step, 'samples'),
        texts: listOf(texts).map((text) => stringOf(text, 'samples', Infinity)),
        ...(cut === undefined ? {} : { cut: listOf(cut).map((at) => countOf(at, 'samples')) }),
      };
    }),
  };
}

function memorisedOf(one: unknown): MemorisedPoint {
  const { step, train, heldOut } = fieldsOf(one, 'samples');
  return {
    step: countOf(step, 'samples'),
    train: numberOf(train),
    heldOut: numberOf(heldOut),
  };
}

/** JSON has no NaN. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}

function recipeOf(given: unknown): Recipe {
  const { preset, changes, leftOut } = fieldsOf(given);
  const values = Object.entries(fieldsOf(changes));
  if (values.some(([, value]) => typeof value !== 'number')) throw damaged('manifest');
  const recipe = {
    preset: stringOf(preset),
    changes: Object.fromEntries(values) as Recipe['changes'],
  };
  return leftOut === undefined ? recipe : { ...recipe, leftOut: listOf(leftOut).map(rangeOf) };
}

/** The engine checks the range against the text. */
function rangeOf(given: unknown): ByteRange {
  const [from, to] = listOf(given);
  if (typeof from !== 'number' || typeof to !== 'number') throw damaged('manifest');
  return [from, to];
}

function fieldsOf(value: unknown, part = 'manifest'): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw damaged(part);
  return value as Record<string, unknown>;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged('samples');
  return value;
}

function stringOf(value: unknown, part = 'manifest', longest = LONGEST): string {
  if (typeof value !== 'string' || value.length > longest) throw damaged(part);
  return value;
}

/** A whole number, 0 or more. */
function countOf(value: unknown, part = 'manifest'): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0) throw damaged(part);
  return value as number;
}
