/** Draws text marks (kit/text-marks.ts): each is a button within the text. */
import { characters } from '../base/characters.ts';
import { el } from './dom.ts';
import { keyOf } from './keys.ts';
import type { MakeTextMarks, TextMark, TextMarker, TextMarks } from './text-marks.ts';
import { drawnParts, showDrawn } from './unreadable.ts';

/**
 * Sets the marks of an instrument on all texts written by the model; null removes them. Each call
 * marks all shown texts again and so replaces outdated marks.
 */
export function markTexts(marks: TextMarks, instrument: string, make: MakeTextMarks | null): void {
  const marker =
    marks.marker instanceof MarkedTexts ? marks.marker : new MarkedTexts(marks.unreadable);
  marks.marker = marker;
  marker.set(instrument, make);
  marks.changed();
}

/** A text that has marks or waits for marks. */
interface Marked {
  readonly text: string;
  /** Value of `MarkedTexts.#round` when its marks were requested. */
  readonly round: number;
  readonly gone: AbortController;
}

class MarkedTexts implements TextMarker {
  readonly #makers = new Map<string, MakeTextMarks>();
  /** Version of `#makers`; marks of an earlier version are outdated. */
  #round = 0;
  readonly #marked = new WeakMap<HTMLElement, Marked>();
  /** Name of a placeholder for unreadable characters. */
  readonly #unreadable: string;

  constructor(unreadable: string) {
    this.#unreadable = unreadable;
  }

  set(instrument: string, make: MakeTextMarks | null): void {
    if (make === null) this.#makers.delete(instrument);
    else this.#makers.set(instrument, make);
    this.#round += 1;
  }

  show(element: HTMLElement, text: string, isMarked: boolean): void {
    const before = this.#marked.get(element);
    if (isMarked && before?.text === text && before.round === this.#round) return;
    before?.gone.abort();
    this.#marked.delete(element);
    // Marks of the same text stay until the new ones arrive.
    if (!isMarked || before?.text !== text) showDrawn(element, text, this.#unreadable);
    if (isMarked) void this.#mark(element, text);
  }

  async #mark(element: HTMLElement, text: string): Promise<void> {
    const gone = new AbortController();
    this.#marked.set(element, { text, round: this.#round, gone });
    const makers = [...this.#makers.values()];
    const answers = await Promise.all(
      makers.map((make) => answer(make, text, gone.signal, element)),
    );
    if (gone.signal.aborted) return;
    const marks = placed(text, answers.flat());
    if (marks.length === 0) showDrawn(element, text, this.#unreadable);
    else element.replaceChildren(...parts(text, marks, this.#unreadable));
  }
}

/** The marks of one instrument; empty after an error, so that marks of other instruments stay. */
async function answer(
  make: MakeTextMarks,
  text: string,
  gone: AbortSignal,
  place: HTMLElement,
): Promise<readonly TextMark[]> {
  try {
    return await make(text, gone, place);
  } catch (thrown) {
    if (!gone.aborted) reportError(thrown);
    return [];
  }
}

/**
 * Sorts marks by position, and cuts each to whole characters and to the range that earlier marks
 * leave free.
 */
export function placed(text: string, marks: readonly TextMark[]): TextMark[] {
  const within = (at: number): number => Math.min(Math.max(at, 0), text.length);
  const { before, after } = edgesOf(text);
  const whole = marks.map((mark) => ({
    ...mark,
    start: after[within(mark.start)] ?? 0,
    end: before[within(mark.end)] ?? 0,
  }));
  whole.sort((a, b) => a.start - b.start || b.end - a.end);
  let free = 0;
  return whole.flatMap((mark) => {
    const start = Math.max(mark.start, free);
    if (start >= mark.end) return [];
    free = mark.end;
    return [{ ...mark, start }];
  });
}

/** Start and end of the character around each position of a text. */
function edgesOf(text: string): { readonly before: number[]; readonly after: number[] } {
  const [before, after] = [[0], [0]];
  for (const { length } of characters(text)) {
    const start = before.length - 1;
    for (let at = 1; at <= length; at++) {
      before.push(at < length ? start : start + length);
      after.push(start + length);
    }
  }
  return { before, after };
}

function parts(
  text: string,
  marks: readonly TextMark[],
  unreadable: string,
): (string | HTMLElement)[] {
  const shown = (start: number, end: number): (string | HTMLElement)[] =>
    drawnParts(text.slice(start, end), unreadable);
  const starts = [0, ...marks.map(({ end }) => end)];
  return [
    ...marks.flatMap((mark, index) => [
      ...shown(starts[index] ?? 0, mark.start),
      markOf(mark, shown(mark.start, mark.end)),
    ]),
    ...shown(starts.at(-1) ?? 0, text.length),
  ];
}

/** Creates a mark. Not a `<button>`, which would not break across lines with the text. */
function markOf({ note, onPress }: TextMark, drawn: (string | HTMLElement)[]): HTMLElement {
  const kind = { class: 'text-mark', role: 'button', tabindex: 0 };
  const mark = el('span', { ...kind, title: note }, ...drawn);
  mark.addEventListener('click', () => {
    onPress(mark);
  });
  mark.addEventListener('keydown', (event) => {
    if (!['Enter', ' '].includes(keyOf(event))) return;
    event.preventDefault();
    onPress(mark);
  });
  return mark;
}
