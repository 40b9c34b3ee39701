/**
 * Which disclosures the reader has opened, by name: a view that is made anew, as in another
 * language, shows them as they were.
 */
import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';

export class Folds {
  readonly #open = new Map<string, Signal<boolean>>();

  /** Whether the disclosure of this name is open; `open` at first. */
  isOpen(name: string, open = false): Signal<boolean> {
    const known = this.#open.get(name) ?? signal(open);
    this.#open.set(name, known);
    return known;
  }
}
