/** State of the embeddings: the kind of points, the chosen rows, and the axes. */
import { signal } from '@preact/signals';
import { yieldTask } from '../../base/yield-task.ts';
import type { Token, Trainer } from '../../engine/trainer.ts';
import { Frames, makeFrame } from './frame.ts';
import { MOST_ROWS } from './read-rows.ts';
import type { Rows } from './read-rows.ts';
import type { Shown } from './shown.ts';
import { usedBytes } from './used-bytes.ts';

export class PlaneState {
  readonly shown = signal<Shown>('tokens');
  /** Chosen row, by key of the points. */
  readonly chosen = signal<Readonly<Record<string, number>>>({});
  readonly frames = new Frames();
  /** Number of finished computations of a frame, failed ones included. */
  readonly made = signal(0);
  #isMaking = false;
  #used: { readonly content: Blob; readonly bytes: Promise<ReadonlySet<number>> } | null = null;
  #vocabulary: { readonly run: number; readonly tokens: readonly Token[] } | null = null;

  /** The first MOST_ROWS tokens of the vocabulary of `run`, read once per run. */
  async vocabulary(trainer: Trainer, run: number): Promise<readonly Token[]> {
    if (this.#vocabulary?.run !== run) {
      this.#vocabulary = { run, tokens: await trainer.vocabulary(0, MOST_ROWS) };
    }
    return this.#vocabulary.tokens;
  }

  /** The bytes of a training text, found once per text. */
  usedBytes(content: Blob): Promise<ReadonlySet<number>> {
    if (this.#used?.content !== content) this.#used = { content, bytes: usedBytes(content) };
    return this.#used.bytes;
  }

  /** Computes the frame of `key` from these rows. Does nothing while another is being computed. */
  async makeAxes({ matrix, step }: Rows, run: number, key: string): Promise<void> {
    if (this.#isMaking) return;
    this.#isMaking = true;
    try {
      const frame = await makeFrame(matrix, step, yieldTask);
      // Another run may be shown by now.
      if (this.frames.run === run) this.frames.keep(key, frame);
    } finally {
      this.#isMaking = false;
      this.made.value += 1;
    }
  }
}
