/**
 * State of the model-parts tab: the chosen part and its numbers, which other panels can also set.
 */
import { signal } from '@preact/signals-core';
import type { HeadPlace } from '../data/attention-data.ts';
import type { Cell } from '../base/cell.ts';

/** The id of the tab. */
export const PARTS_TAB = 'model-parts';

/** The chosen numbers of a part. */
export interface NumberChoice {
  /** The engine's name of the tensor; empty for the first tensor of the part. */
  readonly tensor: string;
  readonly gradient: boolean;
  /** Index of the matrix, such as a head. */
  readonly matrix: number;
  /** The cell to explain; null for none. */
  readonly cell: Cell | null;
  /** Centre of the window into a large tensor; null for the whole, thinned out. */
  readonly around: Cell | null;
}

const WHOLE = { matrix: 0, cell: null, around: null } as const;

/** Number of parameters, and memory of the model, before a change. */
export interface SizeBefore {
  readonly before: number;
  /** Size in bytes; null if unknown. */
  readonly bytes: number | null;
}

export class PartsState {
  readonly part = signal('attn.heads');
  readonly block = signal(0);
  readonly isUnfolded = signal(false);
  readonly numbers = signal<NumberChoice>({ ...WHOLE, tensor: '', gradient: false });
  /** The last change made in this tab, with the size before the change; null before the first. */
  readonly changed = signal<
    (SizeBefore & { readonly option: string; readonly value: number }) | null
  >(null);

  /** Chooses a part; `block` is -1 outside of the blocks. */
  choosePart(part: string, block: number): void {
    if (part !== this.part.value || (block >= 0 && block !== this.block.value)) {
      this.chooseNumbers({ tensor: '' });
    }
    this.part.value = part;
    if (block >= 0) this.block.value = block;
  }

  /** Sets the chosen numbers. A newly chosen tensor or gradient is shown as a whole. */
  chooseNumbers(choice: Partial<NumberChoice>): void {
    const isOther = choice.tensor !== undefined || choice.gradient !== undefined;
    this.numbers.value = { ...this.numbers.value, ...(isOther ? WHOLE : {}), ...choice };
  }

  /** Chooses one weight of a head. */
  askWeight({ layer, head }: HeadPlace, cell: Cell): void {
    this.choosePart('attn.heads', layer);
    const tensor = `block${String(layer)}.attn.probs`;
    this.chooseNumbers({ tensor, gradient: false, matrix: head, cell });
  }
}
