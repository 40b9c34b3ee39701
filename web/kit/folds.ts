/**
 * Remembers by name which disclosures are open, so that a view made again, as in another language,
 * shows them unchanged.
 */
import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';
import type { Disclosure } from './dom.ts';

export class Folds {
  readonly #open = new Map<string, Signal<boolean>>();

  /** Whether the disclosure of this name is open; initially `open`. */
  isOpen(name: string, open = false): Signal<boolean> {
    const known = this.#open.get(name) ?? signal(open);
    this.#open.set(name, known);
    return known;
  }

  /** Opens or closes `fold` as the last disclosure of this name, and remembers later changes. */
  keep(name: string, fold: Disclosure, open = false): Disclosure {
    const isOpen = this.isOpen(name, open);
    return fold.keep(isOpen.peek(), (stands) => {
      isOpen.value = stands;
    });
  }
}
