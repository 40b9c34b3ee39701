import { signal } from '@preact/signals';

/** Remembers the tour when the page is recreated in another language. */
export class TourPlace {
  /** Index of the stop; null if the tour is closed. */
  readonly at = signal<number | null>(null);
}
