/** Draws text marks (kit/text-marks.ts): each is a button within the text. */
import { characters } from '../base/characters.ts';
import { withControlSigns } from '../data/attention-data.ts';
import { el } from './dom.ts';
import type { MakeTextMarks, TextMark, TextMarker, TextMarks } from './text-marks.ts';

/**
 * Has an instrument's marks drawn on all that the model wrote; null for none from now on. Called
 * again, it asks anew for every text that is shown: as when the answers of before hold no longer.
 */
export function markTexts(marks: TextMarks, instrument: string, make: MakeTextMarks | null): void {
  const marker = marks.marker instanceof MarkedTexts ? marks.marker : new MarkedTexts();
  marks.marker = marker;
  marker.set(instrument, make);
  marks.changed();
}

/** A text that is marked, or will be once all answers are there. */
interface Marked {
  readonly text: string;
  /** Whose marks, as counted by `MarkedTexts`. */
  readonly round: number;
  readonly gone: AbortController;
}

class MarkedTexts implements TextMarker {
  readonly #makers = new Map<string, MakeTextMarks>();
  /** Counts the changes of makers. */
  #round = 0;
  readonly #marked = new WeakMap<HTMLElement, Marked>();

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
    // Marks of the same text stay until the others are there.
    if (!isMarked || before?.text !== text) showPlain(element, text);
    if (isMarked) void this.#mark(element, text);
  }

  async #mark(element: HTMLElement, text: string): Promise<void> {
    const gone = new AbortController();
    this.#marked.set(element, { text, round: this.#round, gone });
    const makers = [...this.#makers.values()];
    const answers = await Promise.all(makers.map((make) => answer(make, text, gone.signal)));
    if (gone.signal.aborted) return;
    const marks = placed(text, answers.flat());
    if (marks.length === 0) showPlain(element, text);
    else element.replaceChildren(...parts(text, marks));
  }
}

/** What one instrument marks; what fails there takes no other's marks away. */
async function answer(
  make: MakeTextMarks,
  text: string,
  gone: AbortSignal,
): Promise<readonly TextMark[]> {
  try {
    return await make(text, gone);
  } catch (thrown) {
    if (!gone.aborted) reportError(thrown);
    return [];
  }
}

/** Leaves a text that is plain as it is: the reader may have selected a part of it. */
function showPlain(element: HTMLElement, text: string): void {
  const shown = withControlSigns(text);
  if (element.childElementCount > 0 || element.textContent !== shown) element.textContent = shown;
}

/**
 * Marks in the order of the text, each cut to the whole characters within it. Of one that overlaps
 * others before it, the rest is marked.
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

/** For each place in a text, where the character begins and ends within which it is. */
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

function parts(text: string, marks: readonly TextMark[]): (string | HTMLElement)[] {
  const shown = (start: number, end: number): string => withControlSigns(text.slice(start, end));
  const starts = [0, ...marks.map(({ end }) => end)];
  return [
    ...marks.flatMap((mark, index) => [
      shown(starts[index] ?? 0, mark.start),
      markOf(mark, shown(mark.start, mark.end)),
    ]),
    shown(starts.at(-1) ?? 0, text.length),
  ];
}

/** No `<button>`: that would not break into lines with the text. */
function markOf({ sign, note, onPress }: TextMark, text: string): HTMLElement {
  const kind = { class: 'text-mark', role: 'button', tabindex: 0 };
  const mark = el('span', { ...kind, 'data-sign': sign, title: note }, text);
  mark.addEventListener('click', () => {
    onPress(mark);
  });
  mark.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onPress(mark);
  });
  return mark;
}
