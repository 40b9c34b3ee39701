/** A sentence about the shown texts, which one instrument makes and another shows below them. */
import { signal } from '@preact/signals-core';

/** A part of the sentence: words, or a button among them. */
export type NotePart =
  string | { readonly text: string; readonly onPress: (at: HTMLElement) => void };

export class NewestNote {
  /** Empty without a sentence. */
  readonly parts = signal<readonly NotePart[]>([]);
}
