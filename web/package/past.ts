/**
 * The past of a trainer's run, for callers of the library: `at(step)`. Owns a copy of the text, and
 * a second engine, which is made at the first question about a run and closed with it.
 */
import { failure, ignore } from '../engine/errors.ts';
import type { Call } from '../engine/interface/call.ts';
import { PastRun, secondOf } from '../engine/past-run.ts';
import type { PastModel, VisitOptions } from '../engine/past-run.ts';
import type { Question } from '../engine/remote.ts';
import { bytesOf } from '../engine/text-bytes.ts';
import { CALLS } from '../engine/trainer.ts';
import type { Trainer } from '../engine/trainer.ts';

type Text = Uint8Array<ArrayBuffer> | string;

/** A trainer whose run can be asked about any of its steps. */
export interface TrainerWithPast extends Trainer {
  /**
   * The model as it was after `step` steps of the run of now, to the bit, while that goes on: from
   * the step at which the run was prepared to its newest. Resolves once a second engine has been
   * there; each question to the model goes there again, one after the other, whatever other steps
   * are asked about between (which ends a text that is written token by token). Rising steps are
   * fast: from one to the next is one step of training.
   *
   * Rejects with GlasshouseError: `argument` if `step` is not a whole number; `past` for a step
   * that the run does not have, or with no bytes for the past; `cancelled` by the signal. After
   * `prepare` or `rewind` a model of before answers `past`; a closed trainer's answers `worker`.
   */
  at(step: number, options?: VisitOptions): Promise<PastModel>;
}

/** Gives `trainer` a past of `bytes` in memory; `start` makes another engine of the same kind. */
export function withPast(
  trainer: Trainer,
  start: () => Promise<Trainer>,
  bytes: number,
): TrainerWithPast {
  const setText = trainer.setText.bind(trainer);
  const prepare = trainer.prepare.bind(trainer);
  const rewind = trainer.rewind.bind(trainer);
  const keeps = bytes === 0 ? Promise.resolve() : trainer.keepMoments(bytes);
  keeps.catch(ignore);
  /** The text that was set last, and that of the run. */
  const texts: Record<'last' | 'run', Text | null> = { last: null, run: null };
  let past: PastRun | null = null;
  let isClosed = false;

  const forget = (): void => {
    past?.close();
    past = null;
  };
  /** What gives the trainer another run: no model of before is asked after it. */
  const anew = async <Result>(action: () => Promise<Result>): Promise<Result> => {
    forget();
    return action().finally(forget);
  };
  void trainer.closed.then(() => {
    isClosed = true;
    forget();
  });

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
      // Without a run it says so.
      await trainer.moments();
      const text = texts.run;
      if (text === null) throw failure('past', 'the text of the run is not known');
      return secondOf(trainer, text, start, check);
    });
    return made;
  };

  return Object.assign(trainer, {
    setText: async (text: Text): Promise<void> => {
      const copy = bytes === 0 ? null : copyOf(text);
      await setText(text);
      texts.last = copy;
    },
    prepare: ((recipe, origin) =>
      anew(async () => {
        // Of all its steps, the first included.
        await keeps.catch(ignore);
        const text = texts.last;
        const info = await prepare(recipe, origin);
        texts.run = text;
        return info;
      })) satisfies Trainer['prepare'],
    rewind: () => anew(rewind),
    at: async (step: number, options?: VisitOptions): Promise<PastModel> => {
      if (!Number.isInteger(step)) {
        throw failure(
          'argument',
          `a step is a whole number, not ${JSON.stringify(step)}`,
          [],
          'step',
        );
      }
      if (options?.signal?.aborted === true) throw failure('cancelled', 'the signal was given');
      if (bytes === 0) throw failure('past', 'this trainer keeps no past', [step, NaN]);
      // What keeps the past from being kept is said here.
      await keeps;
      const run = (past ??= begin());
      await run.visit(step, () => Promise.resolve(), options);
      return onlyQuestions(run.at(step, options));
    },
  });
}

/** Bytes that nobody else writes to. */
function copyOf(text: Text): Text {
  return typeof text === 'string' ? text : bytesOf(text).slice();
}

/** The model without any other call of its engine, which callers without types could close. */
function onlyQuestions(model: PastModel): PastModel {
  const questions: Record<string, unknown> = { step: model.step };
  for (const [name, { atAnyStep }] of Object.entries(CALLS) as [Question, Call][]) {
    if (atAnyStep) questions[name] = model[name];
  }
  return questions as unknown as PastModel;
}
