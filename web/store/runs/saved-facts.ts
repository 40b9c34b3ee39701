/** Collects the facts of a run for its save, and finds a saved run with equal facts. */
import { differingOptions } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import type { Checkpoint } from '../../engine/trainer.ts';
import { noteOfText } from '../text/texts.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { FiledRun } from './run-file.ts';
import type { RunFacts, RunRecord } from './run-record.ts';
import { checkpointBytes } from './save-pace.ts';

export interface SavedFacts {
  readonly facts: Pick<RunFacts, 'recipe' | 'text' | 'tokensPerCharacter'>;
  /** The text to store with the run. */
  readonly content: Blob;
  /** Note in the checkpoint. */
  readonly note: string;
  /** Approximate size of the checkpoint. */
  readonly bytes: number;
}

/**
 * Facts of a run for its save; null for a run that is not saved: without text or steps, diverged,
 * or of a model that only generates.
 */
export function factsOf(run: CurrentRun): SavedFacts | null {
  const { recipe, text, tokensPerCharacter, info, plan, data } = run;
  if (text === null || !info.trains || data.step === 0 || data.state === 'diverged') return null;
  const { key, source, fileName, content } = text;
  const textFacts = { key, source, fileName, bytes: content.size };
  return {
    facts: { recipe, text: textFacts, tokensPerCharacter: tokensPerCharacter.train },
    content,
    note: noteOfText(source),
    bytes: checkpointBytes(plan.parameters, data.step),
  };
}

/**
 * The content of a run file for a checkpoint. `kept`: the run's record; null if it is not saved.
 */
export function filedRun(
  { facts, content }: SavedFacts,
  { file, history, step, steps }: Checkpoint,
  { data }: CurrentRun,
  kept: RunRecord | null,
  probe: string,
): FiledRun {
  const { name = '', created = Date.now() } = kept ?? {};
  // The checkpoint call reports the curve up to its step, and nothing was reported since.
  const loss = data.history.smoothedLast() ?? null;
  return {
    facts: { ...facts, name, created, step, steps, loss },
    save: { file, history, probe },
    text: content,
  };
}

/** Finds the saved run equal to a run opened from a file. */
export class RecognisedRun {
  #run: RunRecord | null = null;
  /** Number of the run for which an equal one was last searched. */
  #searchedRun = -1;

  /**
   * The saved run equal to the run just opened from a file, until the opened run trains; else null.
   */
  get run(): RunRecord | null {
    return this.#run;
  }

  forget(): void {
    this.#run = null;
  }

  /** Searches again, because more saved runs are known now. */
  searchAgain(): void {
    this.#searchedRun = -1;
  }

  /** Whether the run came from a file and no equal one was searched for yet. */
  isUnknown({ model, data }: CurrentRun): boolean {
    return model?.purpose === 'resume' && this.#searchedRun !== data.number;
  }

  /** Whether an equal run is saved, so that a second copy is not needed. */
  search(
    { data }: CurrentRun,
    { facts }: SavedFacts,
    kept: readonly RunRecord[],
    table: OptionTable,
  ): boolean {
    this.#searchedRun = data.number;
    const loss = data.history.smoothedLast() ?? null;
    this.#run = findSame(kept, { ...facts, step: data.step, loss }, table);
    return this.#run !== null;
  }
}

/** The saved run at the same step, with bit-equal loss, text and settings; null if none. */
export function findSame(
  kept: readonly RunRecord[],
  wanted: Pick<RunFacts, 'text' | 'step' | 'loss' | 'recipe'>,
  table: OptionTable,
): RunRecord | null {
  const isSame = ({ text, step, loss, recipe }: RunRecord): boolean =>
    text.key === wanted.text.key &&
    step === wanted.step &&
    loss === wanted.loss &&
    differingOptions(table, recipe, wanted.recipe).length === 0;
  return kept.find(isSame) ?? null;
}
