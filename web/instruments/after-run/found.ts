/** Finds the advice after a run, from its loss curve and from a short trial. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { failure } from '../../engine/errors.ts';
import type { Recipe } from '../../engine/options.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { idle } from '../../kit/idle.ts';
import { bytesOfText } from '../../store/text/text-source.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import type { Session } from '../../store/training/session.ts';
import { useInstrument } from '../component.tsx';
import type { LaterContext } from '../panel.ts';
import { advise, untried } from './rules.ts';
import type { Advice, Trial } from './rules.ts';
import { factsOf, heldOutOf, largerThan, runTrial } from './trial.ts';
import type { Larger } from './trial.ts';

/** Findings about a finished run. */
export interface Found {
  /** Key of the run, from `finishedRun`. */
  readonly run: string;
  readonly advice: Advice | null;
  readonly larger: Larger | null;
  /** Recipe of the run that the advice starts; null if it starts none. */
  readonly recipe: Recipe | null;
  readonly trial: Trial | null;
}

/** The last result, kept when the panel is made again in another language. */
class LastFound {
  readonly found = signal<Found | null>(null);
}

interface Search {
  readonly run: string;
  readonly signal: AbortSignal;
  readonly onTrial: () => void;
}

/**
 * Findings about the shown run; null until they are known, or if the run is unfinished. Computed
 * while the page neither generates an answer nor opens a file. `isTrying`: a trial is training.
 */
export function useFound(): { readonly found: Found | null; readonly isTrying: boolean } {
  const context = useInstrument();
  const last = context.kept(LastFound).found;
  const [isTrying, setTrying] = useState(false);
  const now = context.session();
  const run = finishedRun(now);
  const found = run !== '' && last.value?.run === run ? last.value : null;
  const isWanted = run !== '' && found === null && !isBusy(context);
  useEffect(() => {
    if (!isWanted || now === null) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    const search = async (): Promise<void> => {
      await idle();
      const asked = { run, signal, onTrial: () => setTrying(true) };
      const result = signal.aborted ? null : await findOut(now, context, asked);
      if (!signal.aborted) last.value = result;
    };
    void search();
    return () => {
      stop.abort();
      setTrying(false);
    };
  }, [run, isWanted]);
  return { found, isTrying };
}

/**
 * Key of the finished run: its number and step. Empty if the run is unfinished or failed, or if
 * settings were changed since.
 */
export function finishedRun(now: Session | null): string {
  const run = now?.run ?? null;
  if (now === null || run?.state !== 'finished' || !now.trains) return '';
  if (now.error !== null || now.pending().length > 0) return '';
  const loss = run.history.smoothedLast() ?? NaN;
  // Advice on a failed run is shown below the curve.
  if (now.current === null || isWorse(loss, now.current.plan.randomLoss)) return '';
  return `${String(run.number)} ${String(run.step)}`;
}

/** Whether an answer is being generated or a file is being opened. */
function isBusy({ session, runs }: LaterContext): boolean {
  const now = session();
  return now?.answers.last?.busy === true || now?.opening === true || runs.opening;
}

async function findOut(
  now: Session,
  context: LaterContext,
  { run: name, signal, onTrial }: Search,
): Promise<Found | null> {
  const { current, table, trainer } = now;
  if (current === null) return null;
  const { data: run, recipe, plan, text, model } = current;
  // A model from a file has a fixed size.
  const larger = model === null ? await largerThan(trainer, { table, recipe, plan }) : null;
  const heldOut = model === null ? await heldOutOf(trainer, { table, recipe, plan }) : null;
  const { validations, all: losses } = run.history;
  const { step: steps, stepsPerSecond } = run;
  const finished = { table, recipe, plan, steps, validations, stepsPerSecond, larger, heldOut };
  const facts = factsOf(finished, losses, leastOf(context));
  // A trial would not repeat the option changes made during this run.
  const isOne = run.changed.every((option) => option === 'steps');
  const isTried = isOne && untried(facts) === null;
  const { startTrial } = context;
  const found = (trial: Trial | null): Found => {
    const advice = advise(facts, trial);
    const recipes = { model: larger?.recipe ?? null, heldOut };
    const begins = advice?.help === 'model' || advice?.help === 'heldOut';
    return { run: name, advice, larger, recipe: begins ? recipes[advice.help] : null, trial };
  };
  if (!isTried || text === null || startTrial === null) return found(null);
  const files = async (): ReturnType<Parameters<typeof runTrial>[1]> => ({
    text: await bytesOfText(text),
    checkpoint: await trainer.save('checkpoint', ''),
  });
  const start = async (): Promise<Trainer> => {
    onTrial();
    const started = await startTrial();
    if (started.place === 'worker') return started.trainer;
    // A trainer in the page's own thread would block the page.
    started.trainer.close();
    throw failure('no-worker', 'there is no worker for a trial');
  };
  return found(await runTrial(finished, files, start, signal).catch(() => null));
}

/** Lowest loss that a model can reach on this text; null if unknown. */
function leastOf({ layers }: LaterContext): number | null {
  const marks = layers.marks.filter((mark) => 'level' in mark);
  return marks.find(({ isLeast }) => isLeast === true)?.level.nats ?? null;
}
