/** Compares the current run with the visible earlier runs at one step. */
import type { AllWords } from '../../i18n/index.ts';
import { unitFactor } from '../../data/loss-data.ts';
import type { TokensPerCharacter } from '../../data/loss-data.ts';
import { LossHistory } from '../../data/loss-history.ts';
import type { TwinRun } from './twin-verdict.ts';
import type { RunData } from './run-data.ts';
import { differences, withDifferences } from './run-name.ts';
import type { OneRun } from './run-name.ts';
import type { Session } from './session.ts';
import type { GivenNames } from './shown-name.ts';

/** Maximum number of lines of a sample. */
const LINES = 3;

export interface ComparedRuns {
  /** The current run first; empty without a run. */
  readonly rows: readonly TwinRun[];
  /** The last step that all runs have reached. */
  readonly step: number;
}

/** The current run and the visible earlier runs, at the last step that all have reached. */
export function comparedRuns(
  session: Pick<Session, 'run' | 'named' | 'compared' | 'earlier' | 'table' | 'tokensPerCharacter'>,
  given: GivenNames,
  smoothing: number,
  words: AllWords,
): ComparedRuns {
  const { t } = words;
  const { run, named, compared: runs, earlier, table, tokensPerCharacter } = session;
  const shown = earlier.all.filter((one) => one.shown);
  if (run === null || named === null || run.history.length === 0) return { rows: [], step: 0 };
  const step = Math.min(run.history.length, ...shown.map((one) => one.run.history.length));
  // Each row lists its values of all differing options, so that a twin is identified by its value.
  const apart = (one: OneRun): string => differences(one, runs, table, words, Infinity);
  // Differences from a single other run need no further values.
  const alone = (one: OneRun, other: OneRun | undefined, name: string): string =>
    name !== '' || other === undefined ? name : differences(one, [other], table, words);
  // Puts the reader's name of the run first, if any.
  const calledApart = (one: OneRun, name: string): string =>
    name === '' ? apart(one) || t('earlier.same') : withDifferences(name, apart(one), words);
  const ourName = given.nameOf(run.number);
  const ours = ourName === '' ? apart(named) : calledApart(named, ourName);
  const all = [
    {
      name: ours === '' ? t('twin.this') : t('twin.this.named', { differs: ours }),
      apart: alone(named, shown.at(-1), ourName),
      text: named.textKey,
      run,
      tokens: tokensPerCharacter,
    },
    ...shown.map((one) => ({
      name: t('earlier.name', {
        number: one.id + 1,
        name: calledApart(one, given.nameOf(one.run.number)),
      }),
      apart: alone(one, named, given.nameOf(one.run.number)),
      text: one.textKey,
      run: one.run,
      tokens: one.tokensPerCharacter,
    })),
  ];
  // Validation losses of different steps are not comparable. Skips runs without validation.
  const measured = all
    .map((one) => one.run.history)
    .filter((history) => history.validationUntil(step) !== undefined);
  const validated = LossHistory.commonValidation(measured, step) ?? step;
  return {
    step,
    rows: all.map(({ name, apart, text, run, tokens }) => ({
      name,
      text,
      apart: apart === '' ? name : apart,
      ...compared(run, tokens, { step, validated, smoothing }),
    })),
  };
}

/**
 * Smoothed loss of a run at `step`, its newest sample up to `step`, and its newest validation loss
 * up to `validated`.
 */
export function compared(
  { history, samples }: RunData,
  tokens: TokensPerCharacter,
  at: { readonly step: number; readonly validated: number; readonly smoothing: number },
): Omit<TwinRun, 'name' | 'apart' | 'text'> {
  const { step, validated, smoothing } = at;
  const loss = history.at(step, smoothing)?.smoothed ?? NaN;
  const sample = samples.filter((one) => one.step <= step).at(-1);
  const bits = loss * unitFactor({ unit: 'bits' }, tokens.train);
  const validation = history.validationUntil(validated) ?? null;
  // A sample may be one long text, whose lines would push the next run out of sight.
  const lines = sample?.texts.slice(0, LINES).join('\n').split('\n').slice(0, LINES) ?? [];
  return { loss, bits, validation, heldOut: tokens.validation, sample: lines.join('\n') };
}
