/** What the model copied from its text, in a tab of its own and as marks on all that it writes. */
import { fileName } from '../../base/file-name.ts';
import { asError } from '../../engine/errors.ts';
import type { BaseRate, CopiedRun, TracedText, Yardsticks } from '../../engine/trainer.ts';
import { knownUnit } from '../../data/loss-data.ts';
import { tableName } from '../../data/table-name.ts';
import { download } from '../../kit/download.ts';
import { Folds } from '../../kit/folds.ts';
import type { ChartMark, LevelMark } from '../../kit/layers.ts';
import { markTexts } from '../../kit/marked-texts.ts';
import type { TextMark } from '../../kit/text-marks.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { TAB_SECTION } from '../../store/address/lesson.ts';
import { messageOf } from '../../store/messages.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { LinesToLeave } from '../../store/training/lines-to-leave.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { sampleAt, seenAt, stepLookedAt } from '../../store/timeline.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { foundCsv, foundJson } from './found-files.ts';
import { CopiedState } from './state.ts';
import type { Found } from './state.ts';
import { memorisedMark } from './memorised.ts';
import type { MemorisedData } from './memorised.ts';
import { ownLoss } from './own-loss.ts';
import { chanceOf } from './sentences.ts';
import { CopiedView } from './view.ts';
import type { CopiedData } from './view.ts';

/** Tables of more tokens lose about as much: their lines would lie on each other. */
const LAST_LINE = 3;
/** Tokens that a table writes. */
const TABLE_TOKENS = 120;

export const createCopied: CreateLaterPanel = (container, context) =>
  new CopiedPanel(container, context);

class CopiedPanel implements Panel {
  readonly #context: LaterContext;
  /** With what was known when another language was chosen. */
  readonly #state: CopiedState;
  readonly #view: CopiedView;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, textMarks, layers } = context;
    this.#context = context;
    const look = context.kept(CopiedState);
    this.#state = look;
    this.#view = new CopiedView(container, {
      words,
      textMarks,
      checked: look.checked,
      folds: context.kept(Folds),
      onMarks: (marks) => {
        look.marks = marks;
        this.#mark();
        this.update();
      },
      onLines: (lines) => {
        look.lines = lines;
        layers.changed();
        this.update();
      },
      onMemorised: (drawn) => {
        look.memorised = drawn;
        layers.changed();
      },
      onChecked: (text) => {
        look.checked = text;
      },
      onLookUp: async (text) => (await this.#traced(text))?.runs ?? [],
      onSave: (form) => {
        this.#save(form).catch((thrown: unknown) => this.#fail(thrown));
      },
      onWrite: (order) => this.#writeByTable(order),
      onLeaveOut: context.offers('twin') ? (line) => this.#leaveOut(line) : null,
    });
    layers.set('copied', () => [...this.#levels(), ...this.#shares()]);
    if (look.found !== null) this.#mark();
    look.onFound = () => {
      this.#mark();
      layers.changed();
      this.update();
    };
  }

  update(): void {
    if (this.#destroyed) return;
    const { session, words } = this.#context;
    const look = this.#state;
    const trace = this.#trace();
    const key = trace?.key ?? null;
    if (key !== (look.found?.key ?? null)) {
      const fresh = { base: null, yardsticks: null, newest: null, busy: false, error: null };
      look.found = key === null ? null : { key, ...fresh };
      this.#mark();
    }
    const { found } = look;
    const error = trace?.refusal ?? found?.error ?? null;
    if (trace !== null && found !== null && error === null) {
      this.#lookUp(found, trace).catch((thrown: unknown) => this.#fail(thrown));
    }
    this.#view.update({
      error: error === null ? '' : messageOf(error, words),
      progress: trace?.progress ?? (found?.busy === true ? 0 : null),
      marks: look.marks,
      lines: look.lines,
      documents: session()?.current?.info.documents ?? false,
      base: found?.base ?? null,
      hasTexts: this.#shownTexts() !== undefined,
      newest: found?.newest ?? null,
      baselines: this.#baselines(found?.yardsticks ?? null),
      memorised: this.#memorised(),
    });
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    markTexts(this.#context.textMarks, 'copied', null);
    this.#context.layers.set('copied', () => []);
    this.#view.destroy();
  }

  #leaveOut(line: number): void {
    const { kept, actions, goTo } = this.#context;
    kept(LinesToLeave).ask(String(line));
    actions.onTab('twin');
    goTo(TAB_SECTION);
  }

  /** Null until there is an engine that trains. */
  #trace(): TextTrace | null {
    const trace = this.#context.kept(KeptTrace).of(this.#context);
    if (trace !== null) trace.changed = () => this.update();
    return trace;
  }

  #fail(thrown: unknown): undefined {
    const error = asError(thrown);
    const { found } = this.#state;
    if (this.#destroyed || found === null) return;
    // Another run was on its way: now that it is there, its texts can be asked about.
    if (error.code !== 'cancelled') found.error = error;
    this.update();
  }

  // ---- Marks ------------------------------------------------------------------------------------

  #mark(): void {
    const { marks, found } = this.#state;
    const make = marks && found !== null && found.base !== null ? this.#marksOf : null;
    markTexts(this.#context.textMarks, 'copied', make);
  }

  /** Without an answer there are no marks; why is said in the tab. */
  readonly #marksOf = async (text: string): Promise<readonly TextMark[]> => {
    const { runs, base } = (await this.#traced(text)) ?? { runs: [], base: null };
    return base === null ? [] : runs.map((run) => this.#markOf(text, run, base));
  };

  async #traced(text: string): Promise<TracedText | undefined> {
    const asked = this.#trace()?.ask((trainer) => trainer.trace(text));
    return asked?.catch((thrown: unknown) => this.#fail(thrown));
  }

  #markOf(text: string, run: CopiedRun, base: BaseRate): TextMark {
    const { t } = this.#context.words;
    const { start, end, characters, isLine } = run;
    const chance = chanceOf(run, base);
    const line = chance === null ? t('copied.line') : t(`copied.line.${chance}`);
    return {
      start,
      end,
      sign: isLine ? '=' : String(characters),
      note: isLine ? line : t('copied.part', { characters }),
      onPress: (pressed) => {
        this.#view.open(pressed, text, run);
      },
    };
  }

  // ---- What the newest texts have ---------------------------------------------------------------

  /** Looks up the newest texts, until there are no newer ones. */
  async #lookUp(mine: Found, trace: TextTrace): Promise<void> {
    if (mine.busy) return;
    mine.busy = true;
    const isShown = (): boolean => mine === this.#state.found && !this.#destroyed;
    try {
      for (;;) {
        const entry = isShown() ? this.#shownTexts() : undefined;
        if (entry === undefined || mine.newest?.step === entry.step) return;
        await this.#lookUpTexts(mine, trace, entry);
        if (isShown()) this.update();
      }
    } finally {
      mine.busy = false;
      if (this.#destroyed) this.#state.onFound?.();
    }
  }

  /** Those of the step that is looked at. */
  #shownTexts(): SampleEntry | undefined {
    const session = this.#context.session();
    const step = stepLookedAt(this.#context.state.lookedAt, session?.run ?? null);
    return seenAt(session, step)?.samples.at(-1) ?? sampleAt(session?.run?.samples ?? [], step);
  }

  async #lookUpTexts(mine: Found, trace: TextTrace, { step, texts }: SampleEntry): Promise<void> {
    const traced: TracedText[] = [];
    for (const text of texts) traced.push(await trace.ask((trainer) => trainer.trace(text)));
    const isFirst = mine.newest === null;
    mine.newest = { step, texts, runs: traced.map(({ runs }) => runs) };
    mine.base = traced[0]?.base ?? null;
    mine.yardsticks ??= await trace.ask((trainer) => trainer.yardsticks());
    if (!isFirst || mine !== this.#state.found || this.#destroyed) return;
    this.#mark();
    this.#context.layers.changed();
  }

  async #save(form: 'json' | 'csv'): Promise<void> {
    const { session, runs } = this.#context;
    const { found } = this.#state;
    const now = session();
    const memorised = this.#memorised();
    const newest = found?.newest ?? null;
    if (found === null || newest === null || now === null || memorised === null) return;
    const name = fileName('copied', shownFile(now, runs), newest.step);
    const run = {
      textKey: now.current?.text?.key ?? '',
      memorised,
      model: ownLoss(now, found.yardsticks?.heldOut ?? false),
      receipt: (await now.trainer.receipt()).json,
    };
    const [text, type] =
      form === 'json'
        ? [foundJson(found, run), 'application/json']
        : [foundCsv(found, run), 'text/csv'];
    download(new Blob([text], { type }), `${name}.${form}`);
  }

  // ---- Tables -----------------------------------------------------------------------------------

  async #writeByTable(order: number): Promise<string> {
    const seed = this.#state.seed++;
    const asked = this.#trace()?.ask((trainer) =>
      trainer.writeByTable(order, '', TABLE_TOKENS, seed),
    );
    return (await asked?.catch((thrown: unknown) => this.#fail(thrown))) ?? '';
  }

  #baselines(all: Yardsticks | null): CopiedData['baselines'] {
    const { session, state } = this.#context;
    const now = session();
    if (all === null || now === null || now.run === null) return null;
    const unit = knownUnit(state.lossChoice.unit, now.tokensPerCharacter);
    return {
      heldOut: all.heldOut,
      unit,
      losses: all.yardsticks.map((table) => ({ order: table.order, loss: table[unit] })),
      model: ownLoss(now, all.heldOut)?.[unit] ?? NaN,
    };
  }

  #memorised(): MemorisedData | null {
    const current = this.#context.session()?.current ?? null;
    if (current === null) return null;
    const { prompts, documents } = current.info;
    const points = current.data.history.memorised;
    return { points, prompts, documents, drawn: this.#state.memorised };
  }

  /** What is continued word for word, below the loss curve. */
  #shares(): readonly ChartMark[] {
    const { points, drawn } = this.#memorised() ?? { points: [], drawn: false };
    return drawn && points.length > 0 ? [memorisedMark(points, this.#context.words)] : [];
  }

  /** The tables as lines in the loss curve of the run that they are of. */
  #levels(): readonly LevelMark[] {
    const { lines, found } = this.#state;
    const all = found?.yardsticks?.yardsticks;
    if (!lines || all === undefined || found?.key !== this.#trace()?.key) return [];
    return all
      .filter(({ order }) => order >= 0 && order <= LAST_LINE)
      .map(({ order, nats, bits }) => ({
        level: { nats, bits },
        label: tableName(order, this.#context.words),
      }));
  }
}
