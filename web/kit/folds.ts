/**
 * Which disclosures the reader has opened, by name: those of views that are made anew stand as they
 * stood.
 */
import type { Disclosure } from './dom.ts';

export class Folds {
  readonly #open = new Set<string>();

  /** The same disclosure, open if the last one of this name was. */
  keep(name: string, fold: Disclosure): Disclosure {
    return fold.keep(this.#open.has(name), (open) => {
      if (open) this.#open.add(name);
      else this.#open.delete(name);
    });
  }
}
