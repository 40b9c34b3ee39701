/** What a run leaves behind: a report, and every picture and number as a file. */
import type { Words } from '../../i18n/index.ts';
import { createTakeAway as createView } from '../../views/take-away.ts';
import { attentionPicture } from '../../views/attention-picture.ts';
import { download } from '../../views/download.ts';
import { lossCsv } from '../../views/loss-csv.ts';
import { PLAIN_LOOK } from '../../views/loss-data.ts';
import { lossPicture } from '../../views/loss-picture.ts';
import { landmarks } from '../../views/samples.ts';
import { shows } from '../lesson.ts';
import { lossData } from '../loss-data-of.ts';
import { runReport } from '../report.ts';
import { textTitle } from '../runs/run-title.ts';
import type { Session } from '../session.ts';
import { sha256 } from '../sha256.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createTakeAway: CreatePanel = (container, { words, lesson, session, goTo }) => {
  const attention = () => session()?.run?.attention ?? null;
  const heads = (): number => {
    const now = attention();
    return now === null ? 0 : now.layers * now.heads;
  };
  const losses = () => lossData(session(), words);
  const view = createView(container, {
    words,
    name: () => `glasshouse-step-${String(session()?.run?.step ?? 0)}`,
    onReport: async () => {
      const now = session();
      if (now === null) return;
      const file = new Blob([await makeReport(now, words)], { type: 'text/html;charset=utf-8' });
      download(file, `glasshouse-report-step-${String(now.run?.step ?? 0)}.html`);
    },
    drawLoss: () => {
      const data = losses();
      if (data.history.length === 0) return null;
      const title = words.t('loss.picture', { step: data.history.length });
      return lossPicture(data, PLAIN_LOOK, { words, title });
    },
    csv: () => lossCsv(losses().history),
    drawHead: (index) => {
      const now = attention();
      if (now === null) return null;
      const place = { layer: Math.floor(index / now.heads), head: index % now.heads };
      return attentionPicture(now, place, words);
    },
    onModel: () => {
      goTo('model');
    },
  });
  return panelOf(view, () => {
    const run = session()?.run ?? null;
    view.update({
      ready: run !== null && run.history.length > 0,
      heads: heads(),
      headsOfLayer: attention()?.heads ?? 0,
      savesModel: shows(lesson, 'model') && !lesson.lock.has('model'),
    });
  });
};

async function makeReport(session: Session, words: Words): Promise<string> {
  const { run, runRecipe, runPlan, runText, table, recipe } = session;
  const bytes = runText === null ? null : new Uint8Array(await runText.content.arrayBuffer());
  const source = runText?.source ?? 'own';
  const text = { key: '', source, fileName: runText?.fileName ?? '', bytes: bytes?.length ?? 0 };
  return runReport(
    {
      table,
      recipe: runRecipe ?? recipe,
      text: {
        name: textTitle({ text }, words),
        bytes: text.bytes,
        sha256: bytes === null ? '' : ((await sha256(bytes)) ?? ''),
      },
      model: {
        parameters: runPlan?.parameters ?? 0,
        vocab: runPlan?.vocab ?? 0,
        tokens: runPlan?.tokens ?? 0,
      },
      loss: lossData(session, words),
      samples: landmarks(run?.samples ?? []),
      attention: run?.attention ?? null,
      receipt: await receiptOf(session),
    },
    words,
  );
}

/** The line of the receipt; empty where there is none, as for models from other programs. */
async function receiptOf(session: Session): Promise<string> {
  try {
    return (await session.trainer.receipt()).line;
  } catch {
    return '';
  }
}
