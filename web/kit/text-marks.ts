/**
 * Text marks: ranges of what the model wrote, which instruments mark wherever it is shown, without
 * knowing who shows it. An instrument marks with `markTexts` (kit/marked-texts.ts), whose code
 * comes with that of the instrument; a view shows what the model wrote with `TextMarks.show`.
 */
import { withControlSigns } from '../data/attention-data.ts';
import { setText } from './dom.ts';

/** A range of a text in UTF-16 code units, from `start` up to but not including `end`. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  /** Stands behind the range, such as its length; empty for nothing. */
  readonly sign: string;
  /** Describes the range to those who point at it or hear the page. */
  readonly note: string;
  /** The mark was pressed: what opens stands beside `mark`, and gives the focus back to it. */
  readonly onPress: (mark: HTMLElement) => void;
}

/**
 * Says what to mark in a text that the model wrote, at once or later. `gone` is aborted when
 * another text stands in its place: then the answer is dropped.
 */
export type MakeTextMarks = (
  text: string,
  gone: AbortSignal,
) => readonly TextMark[] | Promise<readonly TextMark[]>;

export interface TextMarker {
  show(element: HTMLElement, text: string, isMarked: boolean): void;
}

export class TextMarks {
  /** Null as long as no instrument marks anything. */
  marker: TextMarker | null = null;
  /** The marks would be others now: the panels show their texts again. */
  readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  /**
   * Shows `text`, which the model wrote, as all that is in `element`. Without marks if `isMarked`
   * is false: while the text grows, or if it is shown in part.
   */
  show(element: HTMLElement, text: string, isMarked: boolean): void {
    if (this.marker === null) setText(element, withControlSigns(text));
    else this.marker.show(element, text, isMarked);
  }
}
