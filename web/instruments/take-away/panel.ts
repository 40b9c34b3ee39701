/** What a run leaves behind: a report, and every picture and number as a file. */
import { TRACES } from '../../base/form.ts';
import { FORMATS, offersOf, pack } from './formats/pack.ts';
import type { Format, Offer } from './formats/pack.ts';
import type { FormatData } from './formats/list.ts';
import { TakeAway } from './view.ts';
import { asError } from '../../engine/errors.ts';
import { messageOf } from '../../store/messages.ts';
import { fileName } from '../../base/file-name.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { lossCsv } from '../../store/training/loss-csv.ts';
import { fairUnit } from '../../data/loss-data.ts';
import { lossNotes } from '../../store/training/loss-reading.ts';
import { lossPicture } from '../../kit/pictures/loss-picture.ts';
import { shows } from '../../store/address/lesson.ts';
import { comparedRuns } from '../../store/training/compared-runs.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { runReport } from './report.ts';
import { readChanges } from '../../engine/receipt.ts';
import type { RunChange } from '../../engine/receipt.ts';
import { runPhrase, textTitle } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel, LaterContext } from '../panel.ts';

/** Changed settings that the title of a report has room for on a phone; below stand all of them. */
const IN_TITLE = 2;
const WEIGHT_BYTES = 4;
/** Bytes of weights that are copied without being asked to, at most. */
const MOST_BYTES = 64 * 2 ** 20;

export const createTakeAway: CreateLaterPanel = (container, context) => {
  const { words, state, lesson, runs, session, goTo } = context;
  const losses = () => lossData(session(), runs, words);
  const hasFormats = TRACES && context.startQuestions !== null;
  const offers = hasFormats ? new FormatOffers(context, () => panel.update()) : null;
  const view = new TakeAway(container, {
    words,
    lossName: () => fileName('loss', shownFile(session(), runs), losses().history.length),
    onReport: async () => {
      const now = session();
      if (now === null) return '';
      const { html, step } = await makeReport(now, context);
      const file = new Blob([html], { type: 'text/html;charset=utf-8' });
      const name = `${fileName('report', shownFile(now, runs), step)}.html`;
      download(file, name);
      return name;
    },
    drawLoss: () => {
      const data = losses();
      if (data.history.length === 0) return null;
      const title = words.t('loss.picture', { step: data.history.length });
      const { lossChoice } = state;
      const unit = fairUnit(lossChoice.unit, data);
      return lossPicture(data, { ...lossChoice, unit, window: null }, { words, title });
    },
    csv: () => lossCsv(losses().history, state.lossChoice.smoothing),
    onModel: () => {
      goTo('model');
    },
    onFormat: offers === null ? null : (format) => saveFor(format, context),
  });
  const panel = panelOf(view, () => {
    const run = session()?.run ?? null;
    const loss = losses();
    const unit = fairUnit(state.lossChoice.unit, loss);
    view.update({
      lossNotes: lossNotes(loss, { unit }, words),
      ready: run !== null && run.history.length > 0,
      run: run?.number ?? null,
      formats: offers?.of(run?.number ?? null, session()) ?? null,
      savesModel: shows(lesson, 'model') && !lesson.lock.has('model'),
    });
  });
  return panel;
};

/** What the formats offer of a run: looked up once, where its weights are soon copied. */
class FormatOffers {
  readonly #context: LaterContext;
  readonly #changed: () => void;
  #run: number | null = null;
  #known: Readonly<Record<Format, Offer>> | null = null;

  constructor(context: LaterContext, changed: () => void) {
    this.#context = context;
    this.#changed = changed;
  }

  of(run: number | null, session: Session | null): Readonly<Record<Format, FormatData>> {
    const { words } = this.#context;
    const bytes = WEIGHT_BYTES * (session?.current?.plan.parameters ?? 0);
    if (run !== this.#run && run !== null && session !== null && bytes <= MOST_BYTES) {
      this.#run = run;
      this.#known = null;
      void this.#measure(session);
    }
    const of = (format: Format): FormatData => {
      const offer = this.#known?.[format] ?? (format === 'gguf-f16' ? bytes / 2 : bytes);
      return typeof offer === 'number'
        ? { size: words.bytes(offer), why: '' }
        : { size: '', why: messageOf(offer, words) };
    };
    return Object.fromEntries(FORMATS.map((format) => [format, of(format)])) as Record<
      Format,
      FormatData
    >;
  }

  async #measure({ shownModel }: Session): Promise<void> {
    const { startQuestions } = this.#context;
    const run = this.#run;
    if (startQuestions === null) return;
    // What fails is said when somebody saves.
    const known = await offersOf(shownModel, startQuestions).catch(() => null);
    if (run !== this.#run) return;
    this.#known = known;
    this.#changed();
  }
}

/** Saves the model that is shown for other programs; answers what to say of it. */
async function saveFor(
  format: Format,
  { session, startQuestions, runs, words }: LaterContext,
): Promise<string> {
  const now = session();
  const current = now?.current ?? null;
  if (now === null || current === null || startQuestions === null) return '';
  const { history } = current.data;
  const name = fileName(format, shownFile(now, runs), now.shownStep);
  const { shownStep, firstStep, run } = now;
  const isKept = firstStep !== null && shownStep >= firstStep;
  const known = {
    language: words.lang,
    context: current.info.context,
    lossesAt: (step: number) => ({
      loss: history.lossAt(step),
      validation: history.at(step)?.validation,
    }),
  };
  try {
    // All files are of one step, though a run goes on.
    const goesOn = run?.state === 'running' && isKept;
    const model = goesOn ? await now.pastModel(shownStep) : now.shownModel;
    const file = await pack(format, { ...known, model }, name, startQuestions);
    download(file, `${name}.zip`);
    const size = words.bytes(file.size);
    return saidSaved(words.t('formats.saved', { name: `${name}.zip`, size }), words);
  } catch (thrown) {
    throw new Error(messageOf(asError(thrown), words), { cause: thrown });
  }
}

/** The head with this number, counted through the layers. */
/** The report, with the step that all of it is of. */
async function makeReport(
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
  // A run that trains goes on meanwhile: what is shown of it is taken in one moment, after all
  // waiting.
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
    makers.map((make) => make(context)),
    words,
  );
  return { html, step: loss.history.length };
}

/**
 * The receipt's line and changes; empty if the run has no receipt, as for models from other
 * programs.
 */
async function receiptOf(
  session: Session,
): Promise<{ receipt: string; changes: readonly RunChange[] }> {
  try {
    const receipt = await session.trainer.receipt();
    return { receipt: receipt.line, changes: readChanges(receipt) };
  } catch {
    return { receipt: '', changes: [] };
  }
}
