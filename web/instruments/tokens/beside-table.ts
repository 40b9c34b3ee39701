/**
 * What the best table of the last few tokens loses on each token of a text: where does the model
 * know more than the tokens just before?
 */
import { signal } from '@preact/signals';
import { TRACES } from '../../base/form.ts';
import type { Analysis } from '../../engine/trainer.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import type { Question } from '../../store/ask.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';

export interface BesideTable {
  /** Tokens before the one that is guessed: of all tables the one with the least loss. */
  readonly order: number;
  /** In nats, of each token that has a loss by the model; null for the others. */
  readonly losses: readonly (number | null)[];
  /** Their mean, in nats. */
  readonly mean: number;
}

/** Whether the reader wants it. */
export class TableChoice {
  readonly isOn = signal(false);
}

/** An analysis, and its tokens scored by a table; null without a trace to ask. */
export function besideTable(
  analysis: Question<Analysis>,
  trace: TextTrace | null,
): Question<readonly [Analysis, BesideTable | null]> {
  return {
    key: trace === null ? analysis.key : `beside a table ${analysis.key}`,
    ask: async (model) => {
      const answer = await analysis.ask(model);
      return [answer, TRACES && trace !== null ? await scoreBesideTable(trace, answer) : null];
    },
  };
}

/** Scores the tokens of an analysis by the best table that was counted from the text of the run. */
async function scoreBesideTable(trace: TextTrace, { tokens }: Analysis): Promise<BesideTable> {
  const { yardsticks } = await trace.ask((trainer) => trainer.yardsticks());
  const tables = yardsticks.filter(({ order }) => order >= 0);
  const { order } = tables.reduce((best, one) => (one.nats < best.nats ? one : best));
  const read = tokens.map((one, index) => !beginsDocument(one, tokens[index - 1]));
  const ids = tokens.flatMap(({ token }, index) => (read[index] === true ? [token.id] : []));
  const scored = await trace.ask((trainer) => trainer.scoreByTable(order, ids));
  let next = 0;
  const losses = tokens.map(({ score }, index) => {
    const loss = read[index] === true ? (scored[next++] ?? NaN) : NaN;
    return score === null ? null : loss;
  });
  const known = losses.filter((loss) => loss !== null);
  return { order, losses, mean: known.reduce((sum, loss) => sum + loss, 0) / known.length };
}

/** A BOS with nothing before it: for a table, the beginning or the end before says as much. */
function beginsDocument({ token, score }: ScoredToken, before: ScoredToken | undefined): boolean {
  const isAlone = token.kind === 'bos' && score === null;
  return isAlone && (before === undefined || before.token.kind === 'bos');
}
