/** What the model copied from its text, in a tab of its own and as marks on all that it writes. */
import { fileName } from '../../base/file-name.ts';
import { asError } from '../../engine/errors.ts';
import type { CopiedRun, TracedText, Yardsticks } from '../../engine/trainer.ts';
import { knownUnit, unitFactor } from '../../data/loss-data.ts';
import { download } from '../../kit/download.ts';
import { markTexts } from '../../kit/marked-texts.ts';
import type { TextMark } from '../../kit/text-marks.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { messageOf } from '../../store/messages.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import type { CurrentRun } from '../../store/training/current-run.ts';
import { TextTrace } from '../../store/training/text-trace.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';
import { foundCsv, foundJson } from './found-files.ts';
import { CopiedLook } from './look.ts';
import type { Found } from './look.ts';
import { tableName } from './sentences.ts';
import { CopiedView } from './view.ts';
import type { CopiedData } from './view.ts';

/** Tables of more tokens lose about as much: their lines would lie on each other. */
const LAST_LINE = 3;
/** Tokens that a table writes. */
const TABLE_TOKENS = 120;

export const createCopied: CreateLaterPanel = (container, context) => {
  const { words, state, session, textMarks, layers, startQuestions } = context;
  const look = context.kept(CopiedLook);
  // What was known when another language was chosen.
  let { found } = look;
  let destroyed = false;

  /** Null until there is an engine that trains. */
  function traceOf(): TextTrace | null {
    const now = session();
    if (now === null) return null;
    const { trainer } = now;
    const current = (): CurrentRun | null => now.current;
    look.trace ??= new TextTrace({ trainer, start: startQuestions, current });
    look.trace.changed = changed;
    return look.trace;
  }

  function changed(): void {
    panel.update();
  }

  const view = new CopiedView(container, {
    ...{ words, textMarks, checked: look.checked },
    onMarks: (marks) => {
      look.marks = marks;
      mark();
    },
    onLines: (lines) => {
      look.lines = lines;
      layers.changed();
    },
    onChecked: (text) => {
      look.checked = text;
    },
    onSave: (form) => {
      if (found === null || found.newest === null) return;
      const name = fileName('copied', shownFile(session(), context.runs), found.newest.step);
      const [text, type] =
        form === 'json' ? [foundJson(found), 'application/json'] : [foundCsv(found), 'text/csv'];
      download(new Blob([text], { type }), `${name}.${form}`);
    },
    onWrite: async (order) => {
      const seed = look.seed++;
      const asked = traceOf()?.ask((trainer) =>
        trainer.writeByTable(order, '', TABLE_TOKENS, seed),
      );
      return (await asked?.catch(fail)) ?? '';
    },
  });

  function fail(thrown: unknown): undefined {
    const error = asError(thrown);
    if (destroyed || found === null) return;
    // Another run was on its way: now that it is there, its texts can be asked about.
    if (error.code !== 'cancelled') found.error = error;
    panel.update();
  }

  /** Without an answer there are no marks; why is said in the tab. */
  async function marksOf(text: string): Promise<readonly TextMark[]> {
    const traced = await traceOf()
      ?.ask((trainer) => trainer.trace(text))
      .catch(fail);
    return (traced?.runs ?? []).map((run) => markOf(text, run));
  }

  function markOf(text: string, run: CopiedRun): TextMark {
    const { start, end, characters, isLine } = run;
    return {
      ...{ start, end, sign: isLine ? '=' : String(characters) },
      note: isLine ? words.t('copied.line') : words.t('copied.part', { characters }),
      onPress: (pressed) => {
        view.open(pressed, text, run);
      },
    };
  }

  function mark(): void {
    markTexts(textMarks, 'copied', look.marks && found?.base !== null ? marksOf : null);
  }

  /** Looks up the newest texts, until there are no newer ones. */
  async function lookUp(mine: Found): Promise<void> {
    const trace = traceOf();
    if (mine.busy || trace === null) return;
    mine.busy = true;
    try {
      for (;;) {
        const entry = mine === found && !destroyed ? session()?.run?.samples.at(-1) : undefined;
        if (entry === undefined || mine.newest?.step === entry.step) return;
        await lookUpTexts(mine, trace, entry);
      }
    } finally {
      mine.busy = false;
    }
  }

  async function lookUpTexts(
    mine: Found,
    trace: TextTrace,
    { step, texts }: SampleEntry,
  ): Promise<void> {
    const traced: TracedText[] = [];
    for (const text of texts) traced.push(await trace.ask((trainer) => trainer.trace(text)));
    const isFirst = mine.base === null;
    mine.newest = { step, texts, runs: traced.map(({ runs }) => runs) };
    mine.base = traced[0]?.base ?? null;
    mine.yardsticks ??= await trace.ask((trainer) => trainer.yardsticks());
    if (mine !== found || destroyed) return;
    panel.update();
    if (!isFirst) return;
    mark();
    layers.changed();
  }

  function yardsticksOf(all: Yardsticks | null): CopiedData['yardsticks'] {
    const now = session();
    const run = now?.run ?? null;
    if (all === null || now === null || run === null) return null;
    const { tokensPerCharacter } = now;
    const unit = knownUnit(state.lossChoice.unit, tokensPerCharacter);
    const { train, validation } = tokensPerCharacter;
    const own = all.heldOut ? run.history.lastValidation?.loss : run.history.smoothedLast();
    return {
      ...{ heldOut: all.heldOut, unit },
      losses: all.yardsticks.map(({ order, nats, bits }) => ({
        order,
        loss: unit === 'nats' ? nats : bits,
      })),
      model: (own ?? NaN) * unitFactor({ unit }, all.heldOut ? validation : train),
    };
  }

  layers.set('copied', () => {
    const shows = look.lines && found !== null && found.key === traceOf()?.key;
    return (shows ? (found?.yardsticks?.yardsticks ?? []) : [])
      .filter(({ order }) => order >= 0 && order <= LAST_LINE)
      .map(({ order, nats, bits }) => ({ level: { nats, bits }, label: tableName(order, words) }));
  });
  const panel = panelOf(view, () => {
    const now = session();
    const key = traceOf()?.key ?? null;
    if (key !== (found?.key ?? null)) {
      const fresh = { base: null, yardsticks: null, newest: null, busy: false, error: null };
      found = look.found = key === null ? null : { key, ...fresh };
      mark();
    }
    const refusal = traceOf()?.refusal ?? null;
    if (found !== null && refusal === null && found.error === null) lookUp(found).catch(fail);
    const error = refusal ?? found?.error ?? null;
    view.update({
      error: error === null ? '' : messageOf(error, words),
      progress: traceOf()?.progress ?? 0,
      ...{ marks: look.marks, lines: look.lines },
      documents: now?.current?.info.documents ?? false,
      base: found?.base ?? null,
      newest: found?.newest ?? null,
      yardsticks: yardsticksOf(found?.yardsticks ?? null),
    });
  });
  if (found !== null) mark();
  return {
    ...panel,
    destroy: () => {
      destroyed = true;
      markTexts(textMarks, 'copied', null);
      layers.set('copied', () => []);
      panel.destroy();
    },
  };
};
