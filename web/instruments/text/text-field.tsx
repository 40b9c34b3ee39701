/**
 * The field of the text. Long texts must not block the page: the field holds only their beginning
 * until the reader enters it, buffers typing until a pause, and replaces long selections at once.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { asTyped } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';
import { useEvents } from '../../kit/use-events.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { useFirstInstrument } from '../component.tsx';

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

export interface TextFieldProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** Id of the notes that describe the field. */
  readonly noteId: string;
  readonly isInvalid: boolean;
  readonly onType: (text: string) => void;
  /** Called for the browser's undo while the text is unedited. */
  readonly onUndo: () => void;
}

export function TextField({ area, noteId, isInvalid, onType, onUndo }: TextFieldProps) {
  const { words, state } = useFirstInstrument();
  const { shown, readOnly } = state;
  const id = useFreshId('text');
  const { current: field } = useRef({
    /** The end of the text, if the field holds only the beginning. */
    rest: '',
    /** Whether the text came from the page and nothing was typed since. */
    isGiven: false,
    isScrolled: false,
    pause: undefined as ReturnType<typeof setTimeout> | undefined,
  });
  const forget = (): void => {
    clearTimeout(field.pause);
    field.pause = undefined;
  };
  const send = (): void => {
    forget();
    onType(area.current!.value);
  };
  /** Flushes buffered typing when the reader leaves the field or the page. */
  const settle = (): void => {
    if (field.pause !== undefined) send();
  };
  const typed = (): void => {
    forget();
    field.isGiven = false;
    if (area.current!.textLength < LONG_TEXT) send();
    else field.pause = setTimeout(send, PAUSE);
  };
  const fill = (): void => {
    const { rest } = field;
    if (rest === '') return;
    field.rest = '';
    const { value, selectionStart, selectionEnd } = area.current!;
    // Appending preserves caret, selection and scroll position.
    area.current!.setRangeText(rest, value.length, value.length, 'preserve');
    // A selection of all text includes the appended text.
    if (selectionStart === 0 && selectionEnd === value.length) area.current!.select();
  };
  useLayoutEffect(() => {
    const { current } = area;
    // A text that was typed here is already in the field.
    if (current === null || current.value + field.rest === shown) return;
    forget();
    field.isGiven = true;
    const isEntered = current.matches(':focus');
    const end =
      isEntered || shown.length < 2 * BEGINNING
        ? shown.length
        : shown.indexOf('\n', BEGINNING) + 1 || shown.length;
    field.rest = shown.slice(end);
    current.value = shown.slice(0, end);
    // Scrolls another text to its beginning. Skipped if the reader has not scrolled, because it
    // would force a layout of an unfinished page.
    if (!isEntered && field.isScrolled) current.scrollTop = 0;
    field.isScrolled = false;
  }, [shown]);
  useLayoutEffect(() => asTyped(area.current), []);
  useEvents(window, { pagehide: settle });
  useLayoutEffect(() => settle, []);
  return (
    <>
      <label for={id} class="visually-hidden">
        {words.t('text.label')}
      </label>
      <textarea
        ref={area}
        id={id}
        rows={7}
        placeholder={hint(words, 'text.placeholder')}
        readOnly={readOnly}
        aria-describedby={noteId}
        aria-invalid={isInvalid}
        onFocus={fill}
        onBlur={settle}
        onInput={typed}
        onScroll={({ currentTarget }) => {
          field.isScrolled = true;
          const { scrollTop, clientHeight, scrollHeight } = currentTarget;
          if (scrollTop + 2 * clientHeight > scrollHeight) fill();
        }}
        onBeforeInput={(event) => {
          const { inputType } = event;
          if (field.isGiven && (inputType === 'historyUndo' || inputType === 'historyRedo')) {
            // The browser would undo edits of the previous text.
            event.preventDefault();
            if (inputType === 'historyUndo') onUndo();
            return;
          }
          // Replaces a long selection at once: browsers delete it line by line, for seconds.
          const { selectionStart: start, selectionEnd: end } = event.currentTarget;
          const text = replacement(event);
          if (text === null || end - start < LONG_SELECTION) return;
          event.preventDefault();
          event.currentTarget.setRangeText(text, start, end, 'end');
          typed();
        }}
        onKeyDown={(event) => {
          const { ctrlKey, metaKey, shiftKey, key } = event;
          const isUndo = (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'z';
          if (!field.isGiven || !isUndo) return;
          // Browsers send no beforeinput if they have no edit to undo.
          event.preventDefault();
          onUndo();
        }}
      />
    </>
  );
}

/** The text that replaces the selection; null if the browser should make the edit. */
function replacement({ inputType, data, dataTransfer }: InputEvent): string | null {
  if (inputType === 'deleteContentBackward' || inputType === 'deleteContentForward') return '';
  if (inputType === 'insertLineBreak') return '\n';
  if (inputType === 'insertText') return data;
  if (inputType === 'insertFromPaste') return data ?? dataTransfer?.getData('text/plain') ?? null;
  return null;
}
