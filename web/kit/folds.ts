/**
 * Which disclosures the reader has opened or closed, by name: those of views that are made anew
 * stand as they stood.
 */
import type { Disclosure } from './dom.ts';

export class Folds {
  readonly #stood = new Map<string, boolean>();

  /** The same disclosure, as the last one of this name stood; the first as `open` says. */
  keep(name: string, fold: Disclosure, open = false): Disclosure {
    return fold.keep(this.#stood.get(name) ?? open, (stands) => {
      this.#stood.set(name, stands);
    });
  }
}
