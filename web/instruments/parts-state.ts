/** What of the model is looked at, and what other panels ask to be shown of it. */
import type { HeadPlace } from '../data/attention-data.ts';
import type { Cell } from '../base/cell.ts';

/** The id of the tab. */
export const PARTS_TAB = 'model-parts';

/** A number of a part, to be shown with where it comes from. */
export interface AskedNumber {
  /** As the engine names it. */
  readonly tensor: string;
  readonly matrix: number;
  readonly cell: Cell;
}

export class PartsState {
  part = 'attn.heads';
  block = 0;
  unfolded = false;
  /** The last change made here, with the size before it. */
  changed: (SizeBefore & { readonly option: string; readonly value: number }) | null = null;
  /** Asked for by another panel, until it is shown. */
  asked: AskedNumber | null = null;

  /** One weight of a head is to be shown. */
  askWeight({ layer, head }: HeadPlace, cell: Cell): void {
    this.part = 'attn.heads';
    this.block = layer;
    this.asked = { tensor: `block${String(layer)}.attn.probs`, matrix: head, cell };
  }
}

/** Parameters and memory of the model before a change. */
export interface SizeBefore {
  readonly before: number;
  readonly bytes: number | null;
}
