/** What a save says of the run under way, and how a kept run is recognised by it. */
import { differingOptions } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import { noteOfText } from '../text/texts.ts';
import type { CurrentRun } from '../training/current-run.ts';
import type { RunFacts, RunRecord } from './run-record.ts';
import { checkpointBytes } from './save-pace.ts';

export interface SavedFacts {
  readonly facts: Pick<RunFacts, 'recipe' | 'text' | 'tokensPerCharacter'>;
  /** The text to keep with it. */
  readonly content: Blob;
  /** For the checkpoint. */
  readonly note: string;
  /** About how many bytes the checkpoint has. */
  readonly bytes: number;
}

/** Null for a run that is not saved: of no text, without a step, or diverged. */
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

/** Finds the kept run that is the same: a run that was opened from a file may be kept already. */
export class RecognisedRun {
  #run: RunRecord | null = null;
  /** The number of the run that was looked for. */
  #lookedFor = -1;

  /** The kept run that is the same as the one just opened, until that trains on; else null. */
  get run(): RunRecord | null {
    return this.#run;
  }

  forget(): void {
    this.#run = null;
  }

  /** More kept runs are known than before: it is looked for once more. */
  lookAgain(): void {
    this.#lookedFor = -1;
  }

  /** Whether the run may be kept already, and was not looked for: once trained it is another. */
  isUnknown({ model, data }: CurrentRun): boolean {
    return model?.purpose === 'resume' && this.#lookedFor !== data.number;
  }

  /** Whether it is kept already, as it is: a second copy of it would be one too many. */
  look(
    { data }: CurrentRun,
    { facts }: SavedFacts,
    kept: readonly RunRecord[],
    table: OptionTable,
  ): boolean {
    this.#lookedFor = data.number;
    const loss = data.history.smoothedLast() ?? null;
    this.#run = findSame(kept, { ...facts, step: data.step, loss }, table);
    return this.#run !== null;
  }
}

/** The kept run that is at the same step, on equal text with equal settings, to the last bit. */
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
