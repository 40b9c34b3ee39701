/**
 * Writing one token at a time with the weights of now. Its text and its cache live in the engine
 * beside everything else there: neither training nor other samples notice it.
 */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { GenerationState, Sampling, Trainer } from '../../engine/trainer.ts';
import type { CachePictureData } from './cache-picture.ts';
import { Folds } from '../../kit/folds.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { createTokenWriter } from './view.ts';
import type { TokenWriterData, WrittenToken } from './view.ts';
import { watchSight } from '../../kit/in-sight.ts';
import { messageOf } from '../../store/messages.ts';
import { Paced } from '../../kit/paced.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Milliseconds between two tokens of a text that plays: time to see each of them. */
const BEAT = 450;

/** A written token, and the work of the call that added it. */
interface Entry extends WrittenToken, Work {}

interface Work {
  /** Tokens that went through the model. */
  readonly computed: number;
  readonly work: number;
  readonly workWithout: number;
}

/** A text that is being written, whose cache the engine has: another language does not end it. */
class WrittenText {
  now: GenerationState | null = null;
  entries: Entry[] = [];
  /** The work of reading the prompt. */
  began: Work = { computed: 0, work: 0, workWithout: 0 };
  undone: Entry | null = null;
  /** What it was begun with: a run, a prompt and a seed. */
  begunWith = '';
  /** What its next token is drawn with. */
  drawnWith = '';
  /** One call of the engine after the other, in the order of the presses. */
  queue: Promise<void> = Promise.resolve();
  error: GlasshouseError | null = null;
  /** Whether one token comes after the other by itself. */
  playing = false;
}

export const createTokenWriterPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, isDark, session, site } = context;
  const writing = context.kept(WrittenText);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let destroyed = false;
  let request = state.ask;

  const view = createTokenWriter(container, {
    words,
    folds: context.kept(Folds),
    isDark,
    request,
    cachePage: site === null ? null : new URL(`docs/${words.lang}/kv-cache.html`, site).href,
    onNext: () => {
      if (canGoOn()) write((trainer) => trainer.nextToken());
    },
    onTake: (id) => {
      hold();
      write((trainer) => trainer.takeToken(id));
    },
    onUndo: () => {
      hold();
      write((trainer) => trainer.undoToken());
    },
    onAgain: () => {
      hold();
      writing.begunWith = '';
      update();
    },
    onPlay: (play) => {
      if (play) beginPlaying();
      else hold();
      show();
    },
    onChange: (changed) => {
      request = changed;
      actions.onAskChange(changed);
      update();
    },
  });
  const sight = watchSight(container, update);
  // As long as nothing is written, what may come follows the training.
  const following = new Paced(() => (sight.visible() ? begin() : Promise.resolve()));

  function canGoOn(): boolean {
    return (writing.now?.coming ?? null) !== null;
  }

  /** What a text should be begun with; empty while there is no model. */
  function wanted(): string {
    const run = session()?.run ?? null;
    if (run === null || run.number < 0) return '';
    const { prompt, seed } = request;
    return JSON.stringify([run.number, prompt, seed]);
  }

  function sampling(): Sampling {
    const { temperature, topK, topP } = request;
    return { temperature, topK, topP };
  }

  function begin(): Promise<void> {
    const target = wanted();
    const dice = JSON.stringify(sampling());
    const step = session()?.run?.step ?? 0;
    if (target === '') return Promise.resolve();
    const changed = writing.begunWith !== target;
    if (!changed && writing.drawnWith !== dice && writing.entries.length > 0) {
      // What is written stays: other dice at the same place show what they change.
      writing.drawnWith = dice;
      return call(async (trainer) => {
        take(await trainer.adjustSampling(sampling()));
      });
    }
    const current =
      writing.drawnWith === dice && (writing.entries.length > 0 || writing.now?.step === step);
    if (!changed && current) return Promise.resolve();
    writing.begunWith = target;
    writing.drawnWith = dice;
    if (changed) hold();
    return call(async (trainer) => {
      // Something was written while this waited.
      if (!changed && writing.entries.length > 0) return;
      const { prompt, seed } = request;
      const begun = await trainer.beginGeneration({ prompt, ...sampling(), seed });
      writing.entries = [];
      writing.undone = null;
      writing.began = workOf(begun);
      take(begun);
    });
  }

  /** Adds a token or takes one back. */
  function write(change: (trainer: Trainer) => Promise<GenerationState>): void {
    const dice = sampling();
    void call(async (trainer) => {
      const after = await change(trainer);
      writing.undone =
        after.count < writing.entries.length ? (writing.entries.at(-1) ?? null) : null;
      writing.entries = writing.entries.slice(0, after.count);
      const { choice, from, uniform, taken } = after;
      if (choice !== null && from !== null) {
        writing.entries = [
          ...writing.entries,
          { choice, from, uniform, taken, dice, ...workOf(after) },
        ];
      }
      take(after);
      if (after.coming === null) hold();
    });
  }

  function take(after: GenerationState): void {
    writing.now = after;
    writing.error = null;
    show();
  }

  /** One call of the engine after the other, in the order of the presses. */
  function call(action: (trainer: Trainer) => Promise<void>): Promise<void> {
    writing.queue = writing.queue.then(async () => {
      const trainer = session()?.trainer;
      if (trainer === undefined) return;
      try {
        await action(trainer);
      } catch (thrown) {
        hold();
        const failed = asError(thrown);
        // The run was begun anew: so is the text, by the next update.
        if (failed.code === 'state') writing.begunWith = '';
        else writing.error = failed;
        show();
      }
    });
    return writing.queue;
  }

  // ---- Playing ----------------------------------------------------------------------------------

  function beginPlaying(): void {
    writing.playing = true;
    beat();
  }

  function beat(): void {
    if (!writing.playing || destroyed) return;
    if (sight.visible() && canGoOn()) write((trainer) => trainer.nextToken());
    void writing.queue.then(() => {
      clearTimeout(timer);
      timer = setTimeout(beat, BEAT);
    });
  }

  function hold(): void {
    writing.playing = false;
    clearTimeout(timer);
  }

  // ---- Showing ----------------------------------------------------------------------------------

  function show(): void {
    if (destroyed) return;
    view.update({
      ready: writing.now !== null,
      step: writing.now?.step ?? 0,
      prompt: writing.now?.prompt ?? [],
      written: writing.entries,
      text: writing.now?.text ?? '',
      pending: writing.now?.pending ?? '',
      coming: writing.now?.coming ?? null,
      end: endOf(writing.now, writing.entries.at(-1)),
      reread: writing.now?.reread ?? false,
      undone: writing.undone,
      playing: writing.playing,
      cache: writing.now === null ? null : picture(writing.now),
      guessing: shownPlan(session())?.randomLoss ?? 1,
      error: writing.error === null ? '' : messageOf(writing.error, words),
    });
  }

  function picture(after: GenerationState): CachePictureData {
    const total = (of: (one: { work: number; workWithout: number }) => number): number =>
      [writing.began, ...writing.entries].reduce((sum, one) => sum + of(one), 0);
    const { cache } = after;
    // The end of a text is drawn, and put through nothing: the work shown is that of the step
    // before.
    const isEnd = cache.computed === 0 && !after.reread;
    const last = isEnd
      ? ([...writing.entries].reverse().find(({ computed }) => computed > 0) ?? writing.began)
      : workOf(after);
    return {
      context: after.context,
      capacity: cache.capacity,
      layers: cache.layers,
      channels: cache.channels,
      bytes: cache.bytes,
      computed: Math.min(last.computed, cache.rows),
      work: last.work,
      workWithout: last.workWithout,
      totalWork: total(({ work }) => work),
      totalWithout: total(({ workWithout }) => workWithout),
      refilled: after.refilled,
      reread: after.reread,
    };
  }

  function update(): void {
    // The other way of asking has the same fields.
    if (!sameRequest(request, state.ask)) {
      request = state.ask;
      view.setRequest(request);
    }
    if (!sight.visible()) return;
    if (wanted() === '') {
      writing.now = null;
      writing.entries = [];
      show();
    } else if (writing.begunWith !== wanted() || writing.drawnWith !== JSON.stringify(sampling())) {
      void begin();
    } else if (
      writing.entries.length === 0 &&
      writing.error === null &&
      writing.now?.step !== session()?.run?.step
    ) {
      following.request();
    }
  }

  // What was written before this panel was made, or is being written.
  void writing.queue.then(() => {
    show();
    beat();
  });
  return {
    update,
    resize: () => {
      view.resize();
    },
    destroy: () => {
      destroyed = true;
      clearTimeout(timer);
      following.destroy();
      sight.destroy();
      view.destroy();
    },
  };
};

function workOf({ cache }: GenerationState): Work {
  const { computed, multiplyAdds: work, multiplyAddsWithoutCache: workWithout } = cache;
  return { computed, work, workWithout };
}

function endOf(now: GenerationState | null, last?: Entry): TokenWriterData['end'] {
  if (now === null || now.coming !== null) return '';
  if (now.limitReached) return 'limit';
  return last?.choice.token.kind === 'bos' ? 'ended' : 'full';
}

function sameRequest(a: PromptRequest, b: PromptRequest): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
