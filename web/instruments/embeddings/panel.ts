/** Embeddings in the plane, at the step that is looked at, as long as somebody looks. */
import { fileName } from '../../base/file-name.ts';
import { yieldTask } from '../../base/yield-task.ts';
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { findOption, valueOf } from '../../engine/options.ts';
import type { Token, Trainer } from '../../engine/trainer.ts';
import { Folds } from '../../kit/folds.ts';
import { watchSight } from '../../kit/in-sight.ts';
import type { Sight } from '../../kit/in-sight.ts';
import { Paced } from '../../kit/paced.ts';
import { messageOf } from '../../store/messages.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { isOutgrown, makeFrame, seeIn } from './frame.ts';
import type { Frame } from './frame.ts';
import { PlaneState } from './state.ts';
import { MOST_ROWS, readRows } from './read-rows.ts';
import type { Rows } from './read-rows.ts';
import { choicesOf } from './shown.ts';
import type { Shown } from './shown.ts';
import { PlaneView } from './view.ts';
import type { PlanePoints } from './view.ts';

export const createEmbeddings: CreateLaterPanel = (container, context) =>
  new EmbeddingsPanel(container, context);

/** What is asked: of which run, at which step, what of it. */
interface Wish {
  readonly run: number;
  readonly step: number;
  readonly shown: Shown;
  /** Empty where a table is shown. */
  readonly text: string;
  /** The run has done all its steps. */
  readonly isFinished: boolean;
  /** An earlier step is looked at. */
  readonly isPast: boolean;
}

/** What a frame is of. */
function keyOf({ shown, text }: Wish): string {
  return `${String(shown)} ${text}`;
}

class EmbeddingsPanel implements Panel {
  readonly #context: LaterContext;
  readonly #state: PlaneState;
  readonly #view: PlaneView;
  readonly #sight: Sight;
  readonly #paced = new Paced(() => this.#ask());
  #points: PlanePoints | null = null;
  #error: GlasshouseError | null = null;
  /** The step at which not all numbers are finite; null if they are. */
  #broken: number | null = null;
  /** The last question that was answered. */
  #asked = '';
  /** The axes are to be those of the step that is shown. */
  #renews = false;
  #vocabulary: { readonly run: number; readonly tokens: readonly Token[] } | null = null;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, isDark, kept, session, runs } = context;
    this.#context = context;
    this.#state = kept(PlaneState);
    this.#view = new PlaneView(container, {
      words,
      isDark,
      folds: kept(Folds),
      chosen: this.#state.chosen,
      onShow: (shown) => {
        this.#state.shown = shown;
        this.#askNow();
      },
      onAxes: () => {
        this.#renews = true;
        this.#askNow();
      },
      fileName: (step) => fileName('embeddings', shownFile(session(), runs), step),
    });
    this.#sight = watchSight(container, () => this.update());
  }

  update(): void {
    if (this.#destroyed || !this.#sight.visible()) return;
    this.#show();
    const wish = this.#wish();
    if (wish === null || JSON.stringify(wish) === this.#asked) return;
    // Only questions to the trainer that trains cost the run its time.
    if (wish.isPast || this.#run()?.state !== 'running') this.#paced.hurry();
    else this.#paced.request();
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#paced.destroy();
    this.#sight.destroy();
    this.#view.destroy();
  }

  #askNow(): void {
    this.#asked = '';
    this.#show();
    this.#paced.hurry();
  }

  #run(): RunData | null {
    const run = this.#context.session()?.run ?? null;
    return run === null || run.number < 0 ? null : run;
  }

  /** Null without a model. */
  #wish(): Wish | null {
    const run = this.#run();
    const session = this.#context.session();
    if (run === null || session === null) return null;
    const { state } = this.#context;
    const shown = this.#shown();
    return {
      run: run.number,
      step: session.shownStep,
      shown,
      isPast: (session.past?.model ?? null) !== null,
      text: typeof shown === 'number' ? state.probe : '',
      isFinished: run.state === 'finished',
    };
  }

  /** What was chosen, but no block beyond the last. */
  #shown(): Shown {
    const { shown } = this.#state;
    return typeof shown === 'number' ? Math.min(shown, this.#layers()) : shown;
  }

  #layers(): number {
    const { table = null, current = null } = this.#context.session() ?? {};
    if (table === null || current === null || findOption(table, 'layers') === undefined) return 0;
    return valueOf(table, current.recipe, 'layers');
  }

  async #ask(): Promise<void> {
    const session = this.#context.session();
    const wish = this.#wish();
    const question = JSON.stringify(wish);
    if (session === null || wish === null || !this.#sight.visible()) return;
    if (question === this.#asked) return;
    try {
      const vocabulary = await this.#tokensOf(session.trainer, wish.run);
      const rows = await readRows(session, wish.shown, wish.text, vocabulary);
      const isFinite = rows?.matrix.values.every(Number.isFinite) ?? false;
      this.#error = null;
      if (rows !== null && isFinite) {
        // One frame for the whole run: that of its newest step, also if another is looked at first.
        const isFirst = wish.isPast && this.#state.frames.of(wish.run, keyOf(wish)) === null;
        const newest = isFirst
          ? await readRows(session, wish.shown, wish.text, vocabulary, session.trainer)
          : null;
        const isUsable = newest?.matrix.values.every(Number.isFinite) ?? false;
        await this.#place(wish, rows, newest !== null && isUsable ? newest : rows);
      }
      if (rows !== null) this.#broken = isFinite ? null : rows.step;
    } catch (thrown) {
      const error = asError(thrown);
      // Another run is on its way, and asks again.
      if (error.code === 'cancelled') return;
      this.#error = error;
    }
    this.#asked = question;
    // Behind the end of this question, so that the next one need not wait.
    setTimeout(() => this.update());
  }

  async #tokensOf(trainer: Trainer, run: number): Promise<readonly Token[]> {
    if (this.#vocabulary?.run !== run) {
      this.#vocabulary = { run, tokens: await trainer.vocabulary(0, MOST_ROWS) };
    }
    return this.#vocabulary.tokens;
  }

  /** Puts the rows into the frame of the run, which is made of `first` if it has none that fits. */
  async #place(wish: Wish, rows: Rows, first: Rows): Promise<void> {
    const { frames } = this.#state;
    const { run, shown } = wish;
    const key = keyOf(wish);
    const known = frames.of(run, key);
    const old =
      known === null ||
      known.plane.centre.length !== rows.matrix.columns ||
      (!wish.isPast && isOutgrown(known, rows.step, wish.isFinished));
    const isNew = old || this.#renews;
    this.#renews = false;
    const begin: Frame = isNew ? await makeFrame(first.matrix, first.step, yieldTask) : known;
    // Another run has begun meanwhile.
    if (this.#run()?.number !== run) return;
    const { frame, seen } = seeIn(begin, rows.matrix);
    frames.of(run, key);
    frames.keep(key, frame);
    this.#points = { ...rows, shown, key: `${String(run)} ${key}`, frame, seen };
  }

  #show(): void {
    const { state } = this.#context;
    const shown = this.#shown();
    const points = this.#run() === null ? null : this.#points;
    this.#view.update({
      choices: choicesOf(this.#layers()),
      shown,
      text: state.probe,
      points: this.#broken === null && this.#error === null ? points : null,
      status: this.#status(points),
    });
  }

  #status(points: PlanePoints | null): string {
    const { words } = this.#context;
    const { t, number } = words;
    if (this.#run() === null) return t('plane.empty');
    if (this.#error !== null) return messageOf(this.#error, words);
    if (this.#broken !== null) return t('plane.broken', { step: number(this.#broken) });
    return points === null ? t('plane.wait') : '';
  }
}
