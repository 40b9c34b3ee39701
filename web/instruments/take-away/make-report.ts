/** Collects the facts of the shown run and renders its report. */
import { readChanges } from '../../engine/receipt.ts';
import { comparedRuns } from '../../store/training/compared-runs.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { runPhrase, textTitle } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';
import type { LaterContext } from '../panel.ts';
import { runReport } from './report.tsx';
import type { ReportFacts } from './report.tsx';

/** Maximum changed settings in the title, which must fit on a phone; the report lists all. */
const IN_TITLE = 2;

/** Returns the report as HTML, and the step of its figures. */
export async function makeReport(
  session: Session,
  context: LaterContext,
): Promise<{ html: string; step: number }> {
  const { words, state, runs } = context;
  const { run, current, table } = session;
  const text = current?.text ?? null;
  const origin = { source: text?.source ?? 'own', fileName: text?.fileName ?? '' } as const;
  const name = run === null ? '' : runs.nameOf(run.number);
  const sole = { name, recipe: session.madeRecipe, text: origin };
  const [receipt, makers] = await Promise.all([receiptOf(session), context.sections()]);
  // The run may train on during an await, so all figures are read after the last one.
  const loss = lossData(session, runs, words);
  const html = runReport(
    {
      title: runPhrase(sole, table, words, IN_TITLE),
      table,
      recipe: sole.recipe,
      text: {
        name: textTitle(origin, words),
        origin,
        bytes: text?.content.size ?? 0,
        sha256: text?.key ?? '',
      },
      model: {
        parameters: current?.plan.parameters ?? 0,
        vocab: current?.plan.vocab ?? 0,
        tokens: current?.plan.tokens ?? 0,
      },
      loss,
      lossChoice: state.lossChoice,
      compared: comparedRuns(session, runs, state.lossChoice.smoothing, words),
      made: Date.now(),
      ...receipt,
    },
    makers.map((make) => make(context)).filter((section) => section !== null),
    words,
  );
  return { html, step: loss.history.length };
}

/** The run's receipt; empty if the trainer can only generate, for instance without its text. */
async function receiptOf({ trainer }: Session): Promise<Pick<ReportFacts, 'receipt' | 'changes'>> {
  try {
    const receipt = await trainer.receipt();
    return { receipt: receipt.line, changes: readChanges(receipt) };
  } catch {
    return { receipt: '', changes: [] };
  }
}
