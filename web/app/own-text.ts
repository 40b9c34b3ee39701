/**
 * The text of one's own: looking at a sample text does not lose it, a reload brings it back, and when
 * the text of an opened run takes its place it can come back.
 */
import { keep, recall } from './storage.ts';
import type { LoadedText } from './text-source.ts';

/** Texts up to this length, in UTF-16 units, come back after a reload. */
const KEEP_LENGTH = 1_000_000;

export class OwnText {
  readonly #keeps: boolean;
  #text: string | File;
  #replaced: string | File | null = null;

  /** `given` comes before what was kept in this tab; without `keeps` nothing is kept or comes back. */
  constructor(given: string | File | undefined, keeps: boolean) {
    this.#keeps = keeps;
    this.#text = given ?? (keeps ? recall('tab', 'text') : null) ?? '';
  }

  /** Empty while there is none. A file is what is not for the field to edit. */
  get text(): string | File {
    return this.#text;
  }

  /** Whether the text stands in the place of one that can come back. */
  get isInPlaceOfAnother(): boolean {
    return this.#replaced !== null;
  }

  /** Another text of one's own, which was typed, pasted, mended or opened. */
  set(text: string | File): void {
    this.#text = text;
    this.#replaced = null;
    // A file stays where it is: what was typed before it is still there after a reload.
    if (this.#keeps && typeof text === 'string') {
      keep('tab', 'text', text.length <= KEEP_LENGTH ? text : null);
    }
  }

  /** The text of an opened run, in the place of this one. */
  takePlace({ shown, readOnly, fileName, size, content }: LoadedText): void {
    const before = this.#text;
    // Only what is as it was typed is for the field to keep: all else stays the bytes that it is.
    const isTyped = !readOnly && fileName === '' && new TextEncoder().encode(shown).length === size;
    const text = isTyped ? shown : new File([content], fileName, { type: 'text/plain' });
    this.set(text);
    if (before !== '' && !isSame(before, text)) this.#replaced = before;
  }

  /** Gives the text back whose place another took, if one did. */
  bringBack(): void {
    if (this.#replaced !== null) this.set(this.#replaced);
  }
}

/** Whether two texts are one, as far as can be said without reading files. */
function isSame(one: string | File, other: string | File): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.name === other.name && one.size === other.size;
}
