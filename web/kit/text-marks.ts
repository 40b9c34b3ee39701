/**
 * Text marks: ranges of generated texts that instruments mark in all panels, without depending on
 * them. An instrument calls `markTexts` (kit/marked-texts.ts), whose code is loaded with the
 * instrument; a panel shows generated text with `TextMarks.show`.
 */
import { showDrawn } from './unreadable.ts';

/** A range of a text in UTF-16 code units, from `start` up to but not including `end`. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  /** Describes the range in a tooltip. */
  readonly note: string;
  /**
   * Called when the mark is pressed. A note that opens must be placed beside `mark` and return the
   * focus to it.
   */
  readonly onPress: (mark: HTMLElement) => void;
}

/**
 * Returns the marks of a generated text in the element `place`, at once or later. `gone` is aborted
 * when the text was replaced, after which the result is ignored.
 */
export type MakeTextMarks = (
  text: string,
  gone: AbortSignal,
  place: HTMLElement,
) => readonly TextMark[] | Promise<readonly TextMark[]>;

export interface TextMarker {
  show(element: HTMLElement, text: string, isMarked: boolean): void;
}

export class TextMarks {
  /** Draws the marks; null until an instrument sets marks. */
  marker: TextMarker | null = null;
  /** Called when marks have changed, to show all texts again. */
  readonly changed: () => void;
  /** Name of a placeholder for unreadable characters. */
  readonly unreadable: string;

  constructor(changed: () => void, unreadable: string) {
    this.changed = changed;
    this.unreadable = unreadable;
  }

  /**
   * Shows generated `text` as the content of `element`; without marks if `isMarked` is false,
   * because the text is incomplete.
   */
  show(element: HTMLElement, text: string, isMarked: boolean): void {
    if (this.marker === null) showDrawn(element, text, this.unreadable);
    else this.marker.show(element, text, isMarked);
  }
}
