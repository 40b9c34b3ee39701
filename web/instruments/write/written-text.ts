/** A text that is being written, whose cache the engine has: another language does not end it. */
import type { GlasshouseError } from '../../engine/errors.ts';
import type { GenerationState } from '../../engine/trainer.ts';
import type { CachePictureData } from './cache-picture.ts';
import type { WrittenData, WrittenToken } from './written-tokens.ts';

interface Work {
  /** Tokens that went through the model. */
  readonly computed: number;
  readonly work: number;
  readonly workWithout: number;
}

/** A written token, and the work of the call that added it. */
interface Entry extends WrittenToken, Work {}

export class WrittenText {
  now: GenerationState | null = null;
  entries: readonly Entry[] = [];
  undone: Entry | null = null;
  /** What it was begun with: a run, a prompt and a seed. */
  begunWith = '';
  /** What its next token is drawn with. */
  drawnWith = '';
  error: GlasshouseError | null = null;
  /** Whether one token comes after the other by itself. */
  playing = false;
  /** The work of reading the prompt. */
  #began: Work = { computed: 0, work: 0, workWithout: 0 };

  /** Begins with the prompt, as the engine has `begun`. */
  begin(begun: GenerationState): void {
    this.entries = [];
    this.undone = null;
    this.#began = workOf(begun);
  }

  /** Adds a token that was drawn with `dice` or takes one back, as the engine has done. */
  follow(after: GenerationState, dice: WrittenToken['dice']): void {
    this.undone = after.count < this.entries.length ? (this.entries.at(-1) ?? null) : null;
    this.entries = this.entries.slice(0, after.count);
    const { choice, from, uniform, taken } = after;
    if (choice === null || from === null) return;
    const entry = { choice, from, uniform, taken, dice, ...workOf(after) };
    this.entries = [...this.entries, entry];
  }

  /** Why the text has ended; empty while it goes on. */
  end(): WrittenData['end'] {
    if (this.now === null || this.now.coming !== null) return '';
    if (this.now.limitReached) return 'limit';
    return this.entries.at(-1)?.choice.token.kind === 'bos' ? 'ended' : 'full';
  }

  /** The cache, and the work that it saves; null until there is a model. */
  cache(): CachePictureData | null {
    if (this.now === null) return null;
    const { cache, context, refilled, reread } = this.now;
    const steps = [this.#began, ...this.entries];
    // The end of a text is drawn, and put through nothing: the work shown is that of the step
    // before.
    const isEnd = cache.computed === 0 && !reread;
    const before = [...this.entries].reverse().find(({ computed }) => computed > 0) ?? this.#began;
    const last = isEnd ? before : workOf(this.now);
    return {
      context,
      capacity: cache.capacity,
      layers: cache.layers,
      channels: cache.channels,
      bytes: cache.bytes,
      computed: Math.min(last.computed, cache.rows),
      work: last.work,
      workWithout: last.workWithout,
      totalWork: steps.reduce((sum, { work }) => sum + work, 0),
      totalWithout: steps.reduce((sum, { workWithout }) => sum + workWithout, 0),
      refilled,
      reread,
    };
  }
}

/** The texts of the two engines: who looks back finds the other as it was. */
export class WrittenTexts {
  /** By the model of now. */
  readonly now = new WrittenText();
  /** By the model of the step that is looked at. */
  readonly past = new WrittenText();
  /** One call of an engine after the other, in the order of the presses. */
  queue: Promise<void> = Promise.resolve();
}

function workOf({ cache }: GenerationState): Work {
  const { computed, multiplyAdds: work, multiplyAddsWithoutCache: workWithout } = cache;
  return { computed, work, workWithout };
}
