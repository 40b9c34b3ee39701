/**
 * `at(step)`: the models of a run's earlier steps, for callers of the library. Owns a copy of the
 * text and a second engine. The first `at` of a run creates the engine; `prepare`, `rewind` and
 * `close` close it.
 */
import { failure, ignore } from '../engine/errors.ts';
import type { Call } from '../engine/interface/call.ts';
import { PastRun, secondOf } from '../engine/past-run.ts';
import type { PastModel, VisitOptions } from '../engine/past-run.ts';
import { plainWeights } from '../engine/plain-weights.ts';
import type { Question } from '../engine/remote.ts';
import { readText } from '../engine/read-text.ts';
import { bytesOf } from '../engine/text-bytes.ts';
import { CALLS } from '../engine/trainer.ts';
import type { FileSource, Origin, Plan, RunInfo, Trainer } from '../engine/trainer.ts';
import type { NamedRecipe, OptionName } from './names.ts';
import type { RunCalls } from './run.ts';

type Text = Uint8Array<ArrayBuffer> | string;

export interface ReadOptions {
  /** `as-is` learns the bytes of a text unchanged. */
  readonly read?: 'file' | 'as-is';
}

/** The model of an earlier step, with the questions about the text. */
export type TracedPastModel = PastModel & Pick<Trainer, 'trace' | 'yardsticks'>;

/** A trainer whose run can be asked about any of its steps. */
export interface TrainerWithPast extends Trainer, RunCalls {
  /**
   * Sets the training text. Bytes are those of a file, read like `readText`: without byte order
   * mark, with LF as line end; rejects with `argument` if they are not in their encoding. With
   * `read: 'as-is'`, and as a string, the text is learned as it is.
   */
  setText(text: Uint8Array<ArrayBuffer> | string, options?: ReadOptions): Promise<void>;
  // The same calls as in Trainer, for names that the compiler knows.
  plan(recipe: NamedRecipe | null, origin?: Origin): Promise<Plan>;
  prepare(recipe: NamedRecipe | null, origin?: Origin): Promise<RunInfo>;
  set(option: OptionName, value: number): Promise<void>;
  /**
   * The model after `step` steps of the current run, bit-identical. `step` is between the step at
   * which the run was prepared and its newest step; training may continue meanwhile. Resolves once
   * the second engine has reached the step. That engine answers one question at a time. After a
   * question about another step it first returns to `step`; a text written token by token then
   * ends. Ascending steps are fast: each costs one training step.
   *
   * Rejects with GlasshouseError: `argument` if `step` is no whole number, `state` without a run,
   * `past` if the run lacks the step or no memory was reserved, `cancelled` if the signal aborts.
   * After `prepare` or `rewind` an earlier model rejects with `past`, after `close` with `worker`.
   */
  at(step: number, options?: VisitOptions): Promise<TracedPastModel>;
}

/** Adds the call `at` to `trainer`. `bytes`: memory for snapshots; `start`: creates engines. */
export function withPast(
  trainer: Trainer & RunCalls,
  start: () => Promise<Trainer>,
  bytes: number,
): TrainerWithPast {
  const setText = trainer.setText.bind(trainer);
  const prepare = trainer.prepare.bind(trainer);
  const rewind = trainer.rewind.bind(trainer);
  const convert = trainer.convert.bind(trainer);
  const measure = trainer.measure.bind(trainer);
  const weightsOf = (file: FileSource): Promise<FileSource> => plainWeights(file, trainer, start);
  const keeping = bytes === 0 ? Promise.resolve() : trainer.keepMoments(bytes);
  keeping.catch(ignore);
  /** The text of the last `setText`, and the text of the current run; null if not stored. */
  const texts: Record<'last' | 'run', Text | null> = { last: null, run: null };
  let past: PastRun | null = null;
  let isClosed = false;

  const forget = (): void => {
    past?.close();
    past = null;
  };
  /** Runs an action that replaces the run; models of the old run are invalid from then on. */
  const replacingRun = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    forget();
    return action().finally(forget);
  };
  void trainer.closed.then(() => {
    isClosed = true;
    forget();
  });

  /** Questions about the text, which have the same answer at any step. */
  const traced: Pick<Trainer, 'trace' | 'yardsticks'> = {
    trace: (text) => trainer.trace(text),
    yardsticks: () => trainer.yardsticks(),
  };

  const begin = (): PastRun => {
    const check = (): void => {
      if (isClosed) throw failure('worker', 'the trainer was closed');
      if (past !== made) throw failure('past', 'the run is another one now');
    };
    const wayBack = async (step: number, have?: number) => {
      const way = await trainer.wayBack(step, have);
      check();
      return way;
    };
    const made = new PastRun({ wayBack }, async () => {
      check();
      // Called for its error: rejects with `state` if no run is prepared.
      await trainer.moments();
      const text = texts.run;
      if (text === null) throw failure('past', 'the text of the run is not known');
      return secondOf(trainer, text, start, check);
    });
    return made;
  };

  return Object.assign(trainer, {
    setText: async (given: Text, { read = 'file' }: ReadOptions = {}): Promise<void> => {
      const text = typeof given === 'string' || read === 'as-is' ? given : readText(given);
      const copy = bytes === 0 ? null : copyOf(text);
      await setText(text);
      texts.last = copy;
    },
    prepare: ((recipe, origin) =>
      replacingRun(async () => {
        // `prepare` waits for `keepMoments`, so that the run's first step has a snapshot.
        await keeping.catch(ignore);
        const text = texts.last;
        const info = await prepare(recipe, origin);
        texts.run = text;
        return info;
      })) satisfies Trainer['prepare'],
    rewind: () => replacingRun(rewind),
    convert: (async (file, form, said) =>
      convert(await weightsOf(file), form, said)) satisfies Trainer['convert'],
    measure: (async (file, form) =>
      measure(await weightsOf(file), form)) satisfies Trainer['measure'],
    at: async (step: number, options?: VisitOptions): Promise<TracedPastModel> => {
      if (!Number.isInteger(step)) {
        throw failure(
          'argument',
          `a step is a whole number, not ${typeof step} ${String(step)}`,
          [],
          'step',
        );
      }
      const isAny =
        options === undefined || (typeof options === 'object' && (options as unknown) !== null);
      const { signal } = (isAny && options) || {};
      if (!isAny || (signal !== undefined && !(signal instanceof AbortSignal))) {
        throw failure('argument', 'at: the options are { signal, onWay }', [], 'options');
      }
      if (options?.signal?.aborted === true) throw failure('cancelled', 'the signal was given');
      if (bytes === 0) throw failure('past', 'this trainer keeps no past', [step, NaN]);
      // Rejects with the reason if snapshots cannot be kept.
      await keeping;
      const run = (past ??= begin());
      await run.visit(step, () => Promise.resolve(), options);
      return { ...onlyQuestions(run.at(step, options)), ...traced };
    },
  });
}

/** A copy that nobody else writes to. */
function copyOf(text: Text): Text {
  return typeof text === 'string' ? text : bytesOf(text).slice();
}

/**
 * An object with the questions of `model` only. `model` itself passes any call to the engine, even
 * a `close` by an untyped caller.
 */
function onlyQuestions(model: PastModel): PastModel {
  const questions: Record<string, unknown> = { step: model.step };
  for (const [name, { atAnyStep }] of Object.entries(CALLS) as [Question, Call][]) {
    if (atAnyStep) questions[name] = model[name];
  }
  return questions as unknown as PastModel;
}
