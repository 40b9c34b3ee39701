/**
 * Writing one token at a time with the weights of now. Its text and its cache live in the engine
 * beside everything else there: neither training nor other samples notice it.
 */
import { asError } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type { GenerationState, Sampling } from '../../engine/trainer.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { Folds } from '../../kit/folds.ts';
import { watchSight } from '../../kit/in-sight.ts';
import type { Sight } from '../../kit/in-sight.ts';
import { Paced } from '../../kit/paced.ts';
import { messageOf } from '../../store/messages.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { TokenWriter } from './view.ts';
import { WrittenTexts } from './written-text.ts';
import type { WrittenText } from './written-text.ts';

/** Milliseconds between two tokens of a text that plays: time to see each of them. */
const BEAT = 450;

export const createTokenWriterPanel: CreateLaterPanel = (container, context) =>
  new TokenWriterPanel(container, context);

class TokenWriterPanel implements Panel {
  readonly #context: LaterContext;
  readonly #texts: WrittenTexts;
  readonly #view: TokenWriter;
  readonly #sight: Sight;
  /** As long as nothing is written, what may come follows the training. */
  readonly #following = new Paced(() =>
    this.#sight.visible() ? this.#begin() : Promise.resolve(),
  );
  #request: PromptRequest;
  #shown: WrittenText | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, state, actions, isDark, site } = context;
    this.#context = context;
    this.#texts = context.kept(WrittenTexts);
    this.#request = state.ask;
    this.#view = new TokenWriter(container, {
      words,
      folds: context.kept(Folds),
      textMarks: context.textMarks,
      isDark,
      request: this.#request,
      cachePage: site === null ? null : new URL(`docs/${words.lang}/kv-cache.html`, site).href,
      onNext: () => this.#next(),
      onTake: (id) => {
        this.#hold();
        this.#write((trainer) => trainer.takeToken(id));
      },
      onUndo: () => {
        this.#hold();
        this.#write((trainer) => trainer.undoToken());
      },
      onAgain: () => {
        this.#hold();
        this.#text.begunWith = '';
        this.update();
      },
      onPlay: (play) => this.#play(play),
      onChange: (changed) => {
        this.#request = changed;
        actions.onAskChange(changed);
        this.update();
      },
    });
    this.#sight = watchSight(container, () => this.update());
    // What was written before this panel was made, or is being written.
    void this.#texts.queue.then(() => {
      this.#show();
      this.#beat();
    });
  }

  update(): void {
    const text = this.#text;
    const { now, past } = this.#texts;
    (text === now ? past : now).playing = false;
    if (text !== this.#shown) this.#show();
    const { ask } = this.#context.state;
    // The other way of asking has the same fields.
    if (JSON.stringify(this.#request) !== JSON.stringify(ask)) {
      this.#request = ask;
      this.#view.setRequest(ask);
    }
    if (!this.#sight.visible()) return;
    const wanted = this.#wanted();
    if (wanted === '') {
      text.now = null;
      text.entries = [];
      this.#show();
    } else if (text.begunWith !== wanted || text.drawnWith !== JSON.stringify(this.#sampling())) {
      void this.#begin();
    } else if (text.entries.length === 0 && text.error === null && text.now?.step !== this.#step) {
      this.#following.request();
    }
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    clearTimeout(this.#timer);
    for (const one of [this.#following, this.#sight, this.#view]) one.destroy();
  }

  // ---- What is asked for ------------------------------------------------------------------------

  /** What a text should be begun with; empty while there is no model. */
  #wanted(): string {
    const session = this.#context.session();
    const run = session?.run ?? null;
    if (run === null || run.number < 0) return '';
    const { prompt, seed } = this.#request;
    return JSON.stringify([run.number, session?.past?.model?.step, prompt, seed]);
  }

  /** The text of the engine whose model is shown. */
  get #text(): WrittenText {
    const { now, past } = this.#texts;
    return this.#context.session()?.past?.model ? past : now;
  }

  #sampling(): Sampling {
    const { temperature, topK, topP } = this.#request;
    return { temperature, topK, topP };
  }

  /** Steps that the run of now has been trained for; undefined without a run. */
  get #step(): number | undefined {
    return this.#context.session()?.shownStep;
  }

  // ---- Calls of the engine ----------------------------------------------------------------------

  #begin(): Promise<void> {
    const text = this.#text;
    const target = this.#wanted();
    const dice = JSON.stringify(this.#sampling());
    if (target === '') return Promise.resolve();
    const changed = text.begunWith !== target;
    const isWritten = text.entries.length > 0;
    if (!changed && text.drawnWith !== dice && isWritten) {
      // What is written stays: other dice at the same place show what they change.
      text.drawnWith = dice;
      return this.#call(async (trainer) => {
        this.#take(text, await trainer.adjustSampling(this.#sampling()));
      });
    }
    const isCurrent = isWritten || text.now?.step === (this.#step ?? 0);
    if (!changed && text.drawnWith === dice && isCurrent) return Promise.resolve();
    text.begunWith = target;
    text.drawnWith = dice;
    if (changed) this.#hold();
    return this.#call(async (trainer) => {
      // Something was written while this waited.
      if (!changed && text.entries.length > 0) return;
      const { prompt, seed } = this.#request;
      const begun = await trainer.beginGeneration({ prompt, ...this.#sampling(), seed });
      text.begin(begun);
      this.#take(text, begun);
    });
  }

  /** Adds a token or takes one back. */
  #write(change: (model: Model) => Promise<GenerationState>): void {
    const dice = this.#sampling();
    const text = this.#text;
    void this.#call(async (trainer) => {
      const after = await change(trainer);
      text.follow(after, dice);
      this.#take(text, after);
      if (after.coming === null) this.#hold();
    });
  }

  #take(text: WrittenText, after: GenerationState): void {
    text.now = after;
    text.error = null;
    this.#show();
  }

  /** Calls the engine whose model is shown at the press, after what was pressed before. */
  #call(action: (model: Model) => Promise<void>): Promise<void> {
    const texts = this.#texts;
    const text = this.#text;
    const model = this.#context.session()?.shownModel;
    texts.queue = texts.queue.then(async () => {
      if (model === undefined) return;
      try {
        await action(model);
      } catch (thrown) {
        this.#hold();
        const failed = asError(thrown);
        if (failed.code === 'state' || failed.code === 'cancelled') {
          // The run was begun anew, or another step is looked at: so is the text.
          text.begunWith = '';
          this.#following.request();
        } else text.error = failed;
        this.#show();
      }
    });
    return texts.queue;
  }

  // ---- Playing ----------------------------------------------------------------------------------

  #next(): void {
    if ((this.#text.now?.coming ?? null) !== null) this.#write((trainer) => trainer.nextToken());
  }

  #play(play: boolean): void {
    if (play) {
      this.#text.playing = true;
      this.#beat();
    } else this.#hold();
    this.#show();
  }

  #beat(): void {
    if (!this.#text.playing || this.#destroyed) return;
    if (this.#sight.visible()) this.#next();
    void this.#texts.queue.then(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#beat(), BEAT);
    });
  }

  #hold(): void {
    this.#text.playing = false;
    clearTimeout(this.#timer);
  }

  // ---- Showing ----------------------------------------------------------------------------------

  #show(): void {
    if (this.#destroyed) return;
    const { session, words } = this.#context;
    const text = this.#text;
    const { now, entries, undone, playing, error } = text;
    this.#shown = text;
    this.#view.update({
      ready: now !== null,
      step: now?.step ?? 0,
      prompt: now?.prompt ?? [],
      written: entries,
      text: now?.text ?? '',
      pending: now?.pending ?? '',
      coming: now?.coming ?? null,
      end: text.end(),
      reread: now?.reread ?? false,
      undone,
      playing,
      cache: text.cache(),
      guessing: shownPlan(session())?.randomLoss ?? 1,
      error: error === null ? '' : messageOf(error, words),
    });
  }
}
