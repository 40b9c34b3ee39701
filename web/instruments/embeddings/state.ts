/** What the page remembers of the embeddings: what is shown, what was chosen, and the axes. */
import { Frames } from './frame.ts';
import type { Shown } from './shown.ts';

export class PlaneState {
  shown: Shown = 'tokens';
  /** The chosen row, by what is shown of which run. */
  readonly chosen = new Map<string, number>();
  readonly frames = new Frames();
}
