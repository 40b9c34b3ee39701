/** Collects the data of the loss chart and its pictures from a session. */
import type { OptionTable } from '../../engine/options.ts';
import type { Words } from '../../i18n/index.ts';
import { UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import type { LossData, LossLine } from '../../data/loss-data.ts';
import { LossHistory } from '../../data/loss-history.ts';
import { sameKind } from './earlier-runs.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { differences, textTitle, withDifferences } from './run-name.ts';
import { shownPlan } from './shown-plan.ts';
import type { Session } from './session.ts';
import { shownFile, shownTitle } from './shown-name.ts';
import type { GivenNames } from './shown-name.ts';

const NO_LOSSES = new LossHistory();

/** The losses of the shown run and the lines beside it. */
export function lossData(session: Session | null, given: GivenNames, words: Words): LossData {
  const run = session?.run ?? null;
  const plan = shownPlan(session);
  return {
    name: () => shownTitle(session, given, words),
    file: () => shownFile(session, given),
    history: run?.history ?? NO_LOSSES,
    randomLoss: plan?.randomLoss ?? NaN,
    steps: run?.steps ?? 0,
    training: run?.state === 'running',
    hasValidation: plan?.hasValidation ?? false,
    tokensPerCharacter: session?.tokensPerCharacter ?? UNKNOWN_TOKENS,
    lines: session === null ? [] : lines(session, given, words),
  };
}

function lines(session: Session, given: GivenNames, words: Words): LossLine[] {
  const { named, table } = session;
  const other = (one: EarlierRun): boolean => named !== null && !sameKind(one, named, table);
  const begun = (session.run?.history.length ?? 0) > 0;
  return session.earlier.all.map((one) => ({
    id: one.id,
    name: earlierName(one, table, words, given.nameOf(one.run.number)),
    history: one.run.history,
    tokensPerCharacter: one.tokensPerCharacter,
    shown: one.shown,
    aside: !one.shown && other(one),
    otherText: begun && one.textKey !== named?.textKey,
  }));
}

interface Naming {
  readonly words: Words;
  readonly given: string;
  readonly name: string;
}

/** Cached names, because each step asks for them; only `words` and `given` change a name. */
const namings = new WeakMap<EarlierRun, Naming>();

/**
 * Name of an earlier run, constant while the run exists: its number, then the reader's name or else
 * its text, the changes to its preset, and the differences from the run before it.
 */
export function earlierName(one: EarlierRun, table: OptionTable, words: Words, given = ''): string {
  const known = namings.get(one);
  if (known?.words === words && known.given === given) return known.name;
  const name = workedOut(one, table, words, given);
  namings.set(one, { words, given, name });
  return name;
}

function workedOut(one: EarlierRun, table: OptionTable, words: Words, given: string): string {
  const { recipe, before, id } = one;
  const preset = { preset: recipe.preset, changes: {} };
  const others = [preset, ...(before === null ? [] : [before])].map((from) => ({
    ...one,
    recipe: from,
  }));
  const differs = differences(one, others, table, words);
  const name = given === '' ? withDifferences(textTitle(one.text, words), differs, words) : given;
  return words.t('earlier.name', { number: id + 1, name });
}
