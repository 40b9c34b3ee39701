/** What the loss chart and its pictures show of a session. */
import type { Words } from '../i18n/index.ts';
import type { LossData, LossLine } from '../views/loss-data.ts';
import { LossHistory } from '../views/loss-history.ts';
import { runName } from './earlier-runs.ts';
import { shownPlan } from './session.ts';
import type { Session } from './session.ts';

const NO_LOSSES = new LossHistory();
const UNKNOWN = { train: NaN, validation: NaN };

/** The losses of the shown run and the lines beside it. */
export function lossData(session: Session | null, words: Words): LossData {
  const run = session?.run ?? null;
  const plan = shownPlan(session);
  return {
    history: run?.history ?? NO_LOSSES,
    randomLoss: plan?.randomLoss ?? NaN,
    steps: run?.steps ?? 0,
    hasValidation: plan?.hasValidation ?? false,
    tokensPerCharacter: session?.tokensPerCharacter ?? UNKNOWN,
    lines: session === null ? [] : lines(session, words),
  };
}

function lines(session: Session, words: Words): LossLine[] {
  const { table, runRecipe, recipe, runTextNumber: text } = session;
  const than = { recipe: runRecipe ?? recipe, text };
  return session.earlier.all.map((one) => ({
    id: one.id,
    name: runName(one, than, table, words),
    history: one.run.history,
    tokensPerCharacter: one.tokensPerCharacter,
    shown: one.shown,
  }));
}
