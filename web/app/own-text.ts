/**
 * The text of one's own: looking at a sample text does not lose it, a reload brings it back, and when
 * the text of an opened run takes its place it can come back.
 */
import { keep, recall } from './storage.ts';

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
  takePlace(text: string): void {
    const before = this.#text;
    this.set(text);
    if (before !== '' && before !== text) this.#replaced = before;
  }

  /** Gives the text back whose place another took, if one did. */
  bringBack(): void {
    if (this.#replaced !== null) this.set(this.#replaced);
  }
}
