/**
 * Compares the model's loss on each token with the best n-gram table, to show where the model knows
 * more than the last few tokens.
 */
import { signal } from '@preact/signals';
import { TRACES } from '../../base/form.ts';
import type { Analysis } from '../../engine/trainer.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import type { Question } from '../../store/ask.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';

export interface BesideTable {
  /** Context of the table with the lowest loss, in tokens. */
  readonly order: number;
  /** Loss of the table on each token, in nats; null for tokens without a loss by the model. */
  readonly losses: readonly (number | null)[];
  /** Mean loss of the table, in nats. */
  readonly mean: number;
}

/** Whether the reader compares with a table. */
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

/** Scores the tokens of an analysis by the best table, counted from the run's text. */
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

/**
 * Whether a BOS only marks the beginning of a document, which a table already knows from the start
 * of the text or the end mark before.
 */
function beginsDocument({ token, score }: ScoredToken, before: ScoredToken | undefined): boolean {
  const isAlone = token.kind === 'bos' && score === null;
  return isAlone && (before === undefined || before.token.kind === 'bos');
}
