/**
 * Open state of disclosures by name, kept while a view is recreated, for example in another
 * language.
 */
import { signal } from '@preact/signals-core';
import type { Signal } from '@preact/signals-core';

export class Folds {
  readonly #open = new Map<string, Signal<boolean>>();

  /** Whether the disclosure `name` is open; `open` is its initial value. */
  isOpen(name: string, open = false): Signal<boolean> {
    const known = this.#open.get(name) ?? signal(open);
    this.#open.set(name, known);
    return known;
  }
}
