/** What the loss chart and its pictures show of a session. */
import type { Words } from '../i18n/index.ts';
import { UNKNOWN_TOKENS } from '../views/loss-data.ts';
import type { LossData, LossLine } from '../views/loss-data.ts';
import { LossHistory } from '../views/loss-history.ts';
import type { EarlierRun } from './earlier-runs.ts';
import { differences } from './run-name.ts';
import { shownPlan } from './session.ts';
import type { Session } from './session.ts';

const NO_LOSSES = new LossHistory();

/** The losses of the shown run and the lines beside it. */
export function lossData(session: Session | null, words: Words): LossData {
  const run = session?.run ?? null;
  const plan = shownPlan(session);
  return {
    history: run?.history ?? NO_LOSSES,
    randomLoss: plan?.randomLoss ?? NaN,
    steps: run?.steps ?? 0,
    training: run?.state === 'running',
    hasValidation: plan?.hasValidation ?? false,
    tokensPerCharacter: session?.tokensPerCharacter ?? UNKNOWN_TOKENS,
    lines: session === null ? [] : lines(session, words),
  };
}

function lines(session: Session, words: Words): LossLine[] {
  return session.earlier.all.map((one) => ({
    id: one.id,
    name: earlierName(one, session, words),
    history: one.run.history,
    tokensPerCharacter: one.tokensPerCharacter,
    shown: one.shown,
  }));
}

/** What an earlier run is called beside the others: its number, and what sets it apart. */
export function earlierName(
  one: EarlierRun,
  session: Session,
  words: Words,
  most?: number,
): string {
  const others = session.compared.filter((other) => other !== one);
  const differs = differences(one, others, session.table, words, most);
  const { t } = words;
  return t('earlier.name', { number: one.id + 1, differs: differs || t('earlier.same') });
}
