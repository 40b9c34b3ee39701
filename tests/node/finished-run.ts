/** Trains a run of the real module to its end and collects the input of its advice. */
import { factsOf, heldOutOf, largerThan, runTrial } from '../../web/instruments/after-run/trial.ts';
import type { Finished } from '../../web/instruments/after-run/trial.ts';
import type { Facts, Trial } from '../../web/instruments/after-run/rules.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import type { Recipe } from '../../web/engine/options.ts';
import type { Origin } from '../../web/engine/trainer.ts';
import { RunData } from '../../web/store/training/run-data.ts';
import { engineBytes } from './load-engine.ts';

export interface FinishedRun {
  readonly run: RunData;
  readonly finished: Finished;
  readonly facts: Facts;
  readonly checkpoint: Blob;
  /** The page's trial, on a machine with time for a tenth of the steps. */
  readonly trial: () => Promise<Trial | null>;
}

/** Trains `recipe` on `text` to its end; from `origin`, if given. */
export async function finishRun(
  text: string,
  recipe: Recipe,
  origin?: Origin,
): Promise<FinishedRun> {
  const trainer = new DirectTrainer(engineBytes());
  const run = new RunData(0);
  trainer.subscribe((snapshot) => {
    run.take(snapshot);
  });
  try {
    await trainer.setText(text);
    const [table, plan] = [await trainer.options(), await trainer.plan(recipe)];
    await trainer.prepare(recipe, origin);
    while (run.state !== 'finished') await trainer.step();
    const { validations, all } = run.history;
    const made = { table, recipe, plan };
    const finished: Finished = {
      ...{ ...made, steps: run.step, validations },
      larger: await largerThan(trainer, made),
      heldOut: await heldOutOf(trainer, made),
      // High enough to leave time for a tenth of the steps.
      stepsPerSecond: 1e6,
    };
    const checkpoint = await trainer.save('checkpoint', '');
    return {
      ...{ run, finished, checkpoint, facts: factsOf(finished, all) },
      trial: () =>
        runTrial(
          finished,
          () => Promise.resolve({ text: new TextEncoder().encode(text), checkpoint }),
          () => Promise.resolve(new DirectTrainer(engineBytes())),
          new AbortController().signal,
        ),
    };
  } finally {
    trainer.close();
  }
}
