/**
 * Compares the model's loss on each token with that of the best n-gram table, to show where the
 * model gains from more than the last few tokens.
 */
import { signal } from '@preact/signals';
import { TRACES } from '../../base/form.ts';
import type { Analysis } from '../../engine/trainer.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import type { Question } from '../../store/ask.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';

export interface BesideTable {
  /** Order of the table with the lowest loss: its context in tokens. */
  readonly order: number;
  /** Loss of the table on each token, in nats; null for tokens that the model does not score. */
  readonly losses: readonly (number | null)[];
  /** Mean of these losses, in nats. */
  readonly mean: number;
}

/** The checkbox that compares the model with a table. */
export class TableChoice {
  readonly isOn = signal(false);
}

/** The question for an analysis, with its tokens scored by a table too; null without `trace`. */
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

/** Scores the tokens of an analysis by the best n-gram table of the run's text. */
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
 * Whether the token is a BOS that the table must not read: at the start of a text and after an end
 * mark, the table knows without it that a document begins.
 */
function beginsDocument({ token, score }: ScoredToken, before: ScoredToken | undefined): boolean {
  const isAlone = token.kind === 'bos' && score === null;
  return isAlone && (before === undefined || before.token.kind === 'bos');
}
