/** What a recipe makes of the text, in figures. */
import { valueOf } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import { Folds } from '../../kit/folds.ts';
import { createPlanLine } from './view.ts';
import type { PlanData } from './view.ts';
import { fairUnit, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import { pastBytes } from '../../store/past/reach.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { Session } from '../../store/training/session.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

/** Options that say which tokens a text becomes. */
const TOKEN_OPTIONS = ['tokenizer', 'sequences', 'vocabulary'];

/**
 * Targets over characters of a run that could be begun: as many more than those of the shown run as
 * the same text then has targets more. NaN for another text, whose characters nobody has counted
 * yet.
 */
function nextTokensOf(now: Session, plan: Counted | null, next: Counted | null): number {
  if (plan === null || next === null || now.pending().includes('text')) return NaN;
  return (now.tokensPerCharacter.train * targetsOf(next)) / targetsOf(plan);
}

type Counted = Pick<Plan, 'tokens'> & Partial<Pick<Plan, 'documents'>>;

/** Every token of a text is a target; of documents, so is the mark that ends each. */
function targetsOf({ tokens, documents = 0 }: Counted): number {
  return tokens + documents;
}

export const createPlan: CreatePanel = (container, { words, state, session, kept, home }) => {
  const view = createPlanLine(container, {
    words,
    pastBytes,
    folds: kept(Folds),
    unfolded: home === null,
  });
  /** The last plan that there was, and the tokens that it speaks of. */
  let last: { readonly plan: Plan; readonly tokens: string } | null = null;
  /** The model counted last that is too large for this tab; NaN while the engine is asked. */
  let counted = { of: '', parameters: NaN };

  function tokensOf({ table, recipe }: Session): string {
    return [state.version, ...TOKEN_OPTIONS.map((name) => valueOf(table, recipe, name))].join(' ');
  }

  /**
   * What can be told of a model that is too large for this tab; null for any other, or of unknown
   * tokens.
   */
  function tooLarge(now: Session): PlanData | null {
    const { error } = now;
    if (now.plan !== null || error?.code !== 'memory' || last?.tokens !== tokensOf(now))
      return null;
    const parameters = parametersOf(now, last.plan.vocab);
    if (Number.isNaN(parameters)) return null;
    // Of the text it makes the same as the last one did; what it would need, the engine has said.
    return { ...last.plan, parameters, totalBytes: error.values[0] ?? NaN };
  }

  /** NaN until the engine has answered, which updates the panel. */
  function parametersOf({ recipe, trainer }: Session, vocab: number): number {
    const of = JSON.stringify([recipe, vocab]);
    if (of === counted.of) return counted.parameters;
    counted = { of, parameters: NaN };
    trainer.parameterCounts([recipe], vocab).then(
      ([parameters = NaN]) => {
        if (counted.of !== of) return;
        counted = { of, parameters };
        panel.update();
      },
      // Asked for again with the next change.
      () => undefined,
    );
    return NaN;
  }

  const panel = panelOf(view, () => {
    const now = session();
    if (now !== null && now.plan !== null) last = { plan: now.plan, tokens: tokensOf(now) };
    const large = now === null ? null : tooLarge(now);
    const changed = now !== null && now.pending().length > 0;
    const plan = shownPlan(now) ?? large;
    const next = changed ? (now.plan ?? large) : null;
    const tokensPerCharacter = now?.tokensPerCharacter ?? UNKNOWN_TOKENS;
    const lines = now?.earlier.all ?? [];
    view.update({
      plan,
      next,
      tokensPerCharacter,
      unit: fairUnit(state.lossChoice.unit, { tokensPerCharacter, lines }),
      nextTokens: now === null ? NaN : nextTokensOf(now, plan, next),
    });
  });

  return panel;
};
