/**
 * The field of the text. It holds long texts without keeping the page busy: what is below the
 * beginning is put in when somebody enters it, typing in long texts is taken at a pause, and long
 * selections are replaced in one piece.
 */
import type { Words } from '../../i18n/index.ts';
import { AS_TYPED, el, freshId } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';

/** Characters from which replacing a selection is done in one piece. */
const LONG_SELECTION = 2000;

/**
 * Characters of a text that the field shows until one enters it: laying out thousands of lines
 * would keep the page from its first paint, for a text that few read to its end.
 */
const BEGINNING = 4000;

/**
 * From this many characters on, typing is buffered until a pause: encoding a long text is too slow
 * for each key.
 */
const LONG_TEXT = 20_000;
/** Milliseconds without a key press that count as a pause. */
const PAUSE = 150;

export class TextField {
  readonly area: HTMLTextAreaElement;
  readonly #onType: (text: string) => void;
  #shown = '';
  /** What of the text the field does not hold yet. */
  #rest = '';
  /** The field's text came by `show`, and nothing was typed since. */
  #isGiven = false;
  #scrolled = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /**
   * `noteId` is that of what describes the text. `onUndo` is called for the browser's undo while
   * the text is as given.
   */
  constructor(words: Words, noteId: string, onType: (text: string) => void, onUndo: () => void) {
    this.#onType = onType;
    this.area = el('textarea', {
      id: freshId('text'),
      rows: 7,
      ...AS_TYPED,
      placeholder: hint(words, 'text.placeholder'),
      'aria-describedby': noteId,
    });
    const { area } = this;
    area.addEventListener('focus', () => {
      this.#fill();
    });
    area.addEventListener('scroll', () => {
      this.#scrolled = true;
      if (area.scrollTop + 2 * area.clientHeight > area.scrollHeight) this.#fill();
    });
    area.addEventListener('input', () => {
      this.#typed();
    });
    area.addEventListener('blur', this.#settle);
    area.addEventListener('beforeinput', (event) => {
      const { inputType } = event;
      if (this.#isGiven && (inputType === 'historyUndo' || inputType === 'historyRedo')) {
        // The browser would undo edits of the previous text.
        event.preventDefault();
        if (inputType === 'historyUndo') onUndo();
      } else this.#replace(event);
    });
    area.addEventListener('keydown', (event) => {
      const { ctrlKey, metaKey, shiftKey, key } = event;
      if (!this.#isGiven || !(ctrlKey || metaKey) || shiftKey || key.toLowerCase() !== 'z') return;
      // Where the browser has no edit to undo, it sends no beforeinput.
      event.preventDefault();
      onUndo();
    });
    addEventListener('pagehide', this.#settle);
  }

  /** Shows another text, unless it is what was typed here. */
  show(text: string): void {
    if (text === this.#shown) return;
    this.#shown = text;
    const { area } = this;
    if (area.value + this.#rest === text) return;
    this.#forget();
    this.#isGiven = true;
    const entered = area.matches(':focus');
    const end =
      entered || text.length < 2 * BEGINNING
        ? text.length
        : text.indexOf('\n', BEGINNING) + 1 || text.length;
    this.#rest = text.slice(end);
    area.value = text.slice(0, end);
    // Another text is read from its beginning. Where nobody has left that, there is nothing to do:
    // asking would lay out a page that is not all there.
    if (!entered && this.#scrolled) area.scrollTop = 0;
    this.#scrolled = false;
  }

  #fill(): void {
    if (this.#rest === '') return;
    const text = this.#rest;
    this.#rest = '';
    const { area } = this;
    const all = area.selectionStart === 0 && area.selectionEnd === area.value.length;
    // Put behind what is there: caret, selection and scroll position stay.
    area.setRangeText(text, area.value.length, area.value.length, 'preserve');
    // What was selected as a whole still is.
    if (all) area.select();
  }

  #typed(): void {
    this.#forget();
    this.#isGiven = false;
    if (this.area.textLength < LONG_TEXT) this.#take();
    else {
      this.#pause = setTimeout(() => {
        this.#take();
      }, PAUSE);
    }
  }

  #take(): void {
    this.#forget();
    this.#onType(this.area.value);
  }

  #forget(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  /** Flushes buffered typing when the reader leaves the field or the page. */
  readonly #settle = (): void => {
    if (this.#pause !== undefined) this.#take();
  };

  /** Browsers take a long selection apart line by line, for seconds: replaces it in one piece. */
  #replace(event: InputEvent): void {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const text = replacement(event);
    if (text === null || end - start < LONG_SELECTION) return;
    event.preventDefault();
    this.area.setRangeText(text, start, end, 'end');
    this.#typed();
  }

  destroy(): void {
    this.#settle();
    removeEventListener('pagehide', this.#settle);
  }
}

/** What an edit puts in place of the selection; null when the browser had better do it itself. */
function replacement({ inputType, data, dataTransfer }: InputEvent): string | null {
  if (inputType === 'deleteContentBackward' || inputType === 'deleteContentForward') return '';
  if (inputType === 'insertLineBreak') return '\n';
  if (inputType === 'insertText') return data;
  if (inputType === 'insertFromPaste') return data ?? dataTransfer?.getData('text/plain') ?? null;
  return null;
}
