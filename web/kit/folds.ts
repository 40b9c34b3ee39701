/**
 * Which disclosures the reader has opened, by name: a view that is made anew, as in another
 * language, shows them as they were.
 */
import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { Disclosure } from './dom.ts';

export class Folds {
  readonly #open = new Map<string, Signal<boolean>>();

  /** Whether the disclosure of this name is open; `open` at first. */
  isOpen(name: string, open = false): Signal<boolean> {
    const known = this.#open.get(name) ?? signal(open);
    this.#open.set(name, known);
    return known;
  }

  /** The same disclosure, open or closed as the last one of this name was. */
  keep(name: string, fold: Disclosure, open = false): Disclosure {
    const isOpen = this.isOpen(name, open);
    return fold.keep(isOpen.peek(), (stands) => {
      isOpen.value = stands;
    });
  }
}
