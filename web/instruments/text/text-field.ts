/**
 * The field of the text. Long texts must not block the page: the field holds only their beginning
 * until the reader enters it, buffers typing until a pause, and replaces long selections at once.
 */
import type { Words } from '../../i18n/index.ts';
import { AS_TYPED, el, freshId } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';

/** Minimum length, in characters, of a selection that is replaced at once. */
const LONG_SELECTION = 2000;

/**
 * Characters in the field before the reader enters it: layout of thousands of lines would delay the
 * first paint.
 */
const BEGINNING = 4000;

/**
 * Minimum length of a text, in characters, for buffered typing: encoding a long text is too slow
 * for each key.
 */
const LONG_TEXT = 20_000;
/** Milliseconds without a key press that count as a pause. */
const PAUSE = 150;

export class TextField {
  readonly area: HTMLTextAreaElement;
  readonly #onType: (text: string) => void;
  #shown = '';
  /** The end of the text, if the field holds only the beginning. */
  #rest = '';
  /** Whether the text came from `show` and nothing was typed since. */
  #isGiven = false;
  #scrolled = false;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /**
   * `noteId`: id of the description. `onUndo`: called for the browser's undo while the text is
   * unedited.
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
      // Browsers send no beforeinput if they have no edit to undo.
      event.preventDefault();
      onUndo();
    });
    addEventListener('pagehide', this.#settle);
  }

  /** Shows another text. Ignores the text typed here. */
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
    // Scrolls another text to its beginning. Skipped if the reader has not scrolled, because it
    // would force a layout of an unfinished page.
    if (!entered && this.#scrolled) area.scrollTop = 0;
    this.#scrolled = false;
  }

  #fill(): void {
    if (this.#rest === '') return;
    const text = this.#rest;
    this.#rest = '';
    const { area } = this;
    const all = area.selectionStart === 0 && area.selectionEnd === area.value.length;
    // Appending preserves caret, selection and scroll position.
    area.setRangeText(text, area.value.length, area.value.length, 'preserve');
    // A selection of all text includes the appended text.
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

  /** Replaces a long selection at once: browsers delete it line by line, for seconds. */
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

/** The text that replaces the selection; null if the browser should make the edit. */
function replacement({ inputType, data, dataTransfer }: InputEvent): string | null {
  if (inputType === 'deleteContentBackward' || inputType === 'deleteContentForward') return '';
  if (inputType === 'insertLineBreak') return '\n';
  if (inputType === 'insertText') return data;
  if (inputType === 'insertFromPaste') return data ?? dataTransfer?.getData('text/plain') ?? null;
  return null;
}
