/** The text to learn: sample texts to choose from, a field to type or paste, files to drop. */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, setText, setAttribute } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';
import { createRooms } from '../../kit/rooms.ts';

export interface TextPanelOptions {
  readonly words: Words;
  /** The sample texts: their id and title. */
  readonly samples: readonly { readonly id: string; readonly title: string }[];
  readonly onSample: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  readonly onEncoding: (encoding: string) => void;
  /** Converted line ends are taken back, or converted after all. */
  readonly onEnds: () => void;
  /** Files were dropped anywhere on the page. */
  readonly onDrop: (dropped: DataTransfer) => void;
  /** The preset that suits the text better is wanted. */
  readonly onSuggestion: () => void;
  readonly onBringBack: () => void;
  /** The settings that the text brought are not wanted. */
  readonly onKeep: () => void;
}

/** What is said of an opened file; all empty without one. */
export interface OpenedFile {
  /** Its name and size. */
  readonly line: string;
  /** The encoding that it is read in. */
  readonly encoding: string;
  /** What it can be read as, the likeliest first; empty if there is no choice. */
  readonly encodings: readonly { readonly id: string; readonly name: string }[];
  readonly notes: string;
  /** What became of its line ends, and the label of what changes that. */
  readonly ends: string;
  readonly endsAct: string;
}

export interface TextPanelData {
  /** The sample text that is chosen, or "own". */
  readonly source: string;
  /** What the reader's own text is called. */
  readonly own: string;
  /** What the field shows; for a large text only its beginning. */
  readonly shown: string;
  /** A large text is shown, not edited. */
  readonly readOnly: boolean;
  readonly file: OpenedFile;
  /** Facts about the text: how it will be read, what is cut. */
  readonly notes: readonly string[];
  /** Takes back what the last of these says, or empty. */
  readonly keep: string;
  /** A preset that suits this text better than the chosen one, or empty. */
  readonly suggestion: string;
  /** The text stands in the place of one that can come back. */
  readonly replaced: boolean;
  /** It does so as the text of an opened run. */
  readonly ofRun: boolean;
  readonly error: string;
  /** Whether nothing is wrong: the text has only not come yet. */
  readonly awaited: boolean;
}

export interface TextPanel extends View<TextPanelData> {
  focus(): void;
}

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

/** What an edit puts in place of the selection; null when the browser had better do it itself. */
function replacement({ inputType, data, dataTransfer }: InputEvent): string | null {
  if (inputType === 'deleteContentBackward' || inputType === 'deleteContentForward') return '';
  if (inputType === 'insertLineBreak') return '\n';
  if (inputType === 'insertText') return data;
  if (inputType === 'insertFromPaste') return data ?? dataTransfer?.getData('text/plain') ?? null;
  return null;
}

/** The line of an opened file, with how it was read. */
function createFileLine({ words, onEncoding, onEnds }: TextPanelOptions) {
  const name = el('span', {});
  const select = el('select', { id: freshId('encoding') });
  const label = el('label', { for: select.id }, words.t('text.encoding'));
  const choice = el('span', {}, label, ' ', select);
  const line = el('p', { class: 'note file-line' }, name, ' ', choice);
  const notes = el('p', { class: 'note' });
  const said = el('span', {});
  const act = el('button', { type: 'button', class: 'link' });
  const ends = el('p', { class: 'note' }, said, ' ', act);
  const root = el('div', { class: 'notes', 'data-part': 'file' }, line, notes, ends);
  select.addEventListener('change', () => {
    onEncoding(select.value);
  });
  act.addEventListener('click', onEnds);
  let listed = '';
  return {
    root,
    update(file: OpenedFile): void {
      const list = file.encodings.map(({ id }) => id).join();
      if (list !== listed) {
        listed = list;
        const options = file.encodings.map((one) => el('option', { value: one.id }, one.name));
        select.replaceChildren(...options);
      }
      select.value = file.encoding;
      setText(name, file.line);
      setText(notes, file.notes);
      setText(said, file.ends);
      setText(act, file.endsAct);
      root.hidden = file.line === '';
      choice.hidden = list === '';
      notes.hidden = file.notes === '';
      ends.hidden = file.ends === '';
    },
  };
}

/** Creates the text panel in `container`. */
export function createTextPanel(container: HTMLElement, options: TextPanelOptions): TextPanel {
  const { words, samples, onSample, onType, onFile, onDrop, onSuggestion, onBringBack, onKeep } =
    options;
  const opened = createFileLine(options);
  const { t } = words;
  const areaId = freshId('text');
  const noteId = freshId('text-note');
  const group = freshId('source');
  const radios = [...samples, { id: 'own', title: t('text.own') }].map(({ id, title }) => {
    const input = el('input', { type: 'radio', name: group, value: id });
    const name = el('span', {}, title);
    const label = el('label', { class: 'choice' }, input, name);
    input.addEventListener('change', () => {
      onSample(id);
      if (id === 'own') area.focus();
    });
    return { id, input, name, label };
  });
  const area = el('textarea', {
    id: areaId,
    rows: 7,
    spellcheck: 'false',
    placeholder: hint(words, 'text.placeholder'),
    'aria-describedby': noteId,
  });
  const file = el('input', { type: 'file', class: 'visually-hidden', id: freshId('file') });
  const open = el('label', { class: 'link file-link', for: file.id }, t('text.open'));
  let shown = '';
  let shownNotes = '';
  const notes = el('div', { id: noteId, class: 'notes' });
  const advice = el('span', {});
  const use = el('button', { type: 'button', class: 'link' });
  const suggestion = el('p', { class: 'note', hidden: true }, advice, ' ', use);
  use.addEventListener('click', onSuggestion);
  const keep = el('button', { type: 'button', class: 'link' });
  keep.addEventListener('click', onKeep);
  const bringBack = el('button', { type: 'button', class: 'link' }, t('text.replaced.back'));
  const why = el('span', {});
  const replaced = el('p', { class: 'note', hidden: true }, why, ' ', bringBack);
  bringBack.addEventListener('click', onBringBack);
  const below = el(
    'div',
    {},
    el('div', { class: 'notes' }, replaced, opened.root, notes, suggestion),
  );
  const error = el('p', { class: 'note error', role: 'alert', 'data-part': 'text-error' });
  container.append(
    el('div', { class: 'head-row' }, el('h2', {}, t('text.title')), el('span', {}, file, open)),
    el(
      'fieldset',
      { class: 'sources' },
      el('legend', { class: 'visually-hidden' }, t('text.choose')),
      el('div', { class: 'segments' }, ...radios.map(({ label }) => label)),
    ),
    el('label', { for: areaId, class: 'visually-hidden' }, t('text.label')),
    area,
    error,
    below,
  );

  const rooms = createRooms();
  container.addEventListener('focusin', () => {
    rooms.giveBack(below);
  });
  /** Who points above the room, or beside it, is not about to press what moves. */
  const point = ({ clientX, clientY }: PointerEvent): void => {
    if (!below.classList.contains('keeps-room')) return;
    const { left, right, top } = below.getBoundingClientRect();
    if (clientY < top || clientX < left || clientX > right) rooms.giveBack(below);
  };

  /** What of the text the field does not hold yet. */
  let rest = '';
  const fill = (): void => {
    if (rest === '') return;
    const text = rest;
    rest = '';
    const all = area.selectionStart === 0 && area.selectionEnd === area.value.length;
    // Put behind what is there: caret, selection and scroll position stay.
    area.setRangeText(text, area.value.length, area.value.length, 'preserve');
    // What was selected as a whole still is.
    if (all) area.select();
  };
  area.addEventListener('focus', fill);
  let scrolled = false;
  area.addEventListener('scroll', () => {
    scrolled = true;
    if (area.scrollTop + 2 * area.clientHeight > area.scrollHeight) fill();
  });

  let pause: ReturnType<typeof setTimeout> | undefined;
  const forget = (): void => {
    clearTimeout(pause);
    pause = undefined;
  };
  const take = (): void => {
    forget();
    onType(area.value);
  };
  /** Flushes buffered typing when the reader leaves the field or the page. */
  const settle = (): void => {
    if (pause !== undefined) take();
  };
  const typed = (): void => {
    forget();
    if (area.textLength < LONG_TEXT) take();
    else pause = setTimeout(take, PAUSE);
  };
  area.addEventListener('input', typed);
  area.addEventListener('blur', settle);
  addEventListener('pagehide', settle);

  // Browsers take a long selection apart line by line, for seconds: replace it in one piece.
  area.addEventListener('beforeinput', (event) => {
    const { selectionStart: start, selectionEnd: end } = area;
    const text = replacement(event);
    if (text === null || end - start < LONG_SELECTION) return;
    event.preventDefault();
    area.setRangeText(text, start, end, 'end');
    typed();
  });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen !== undefined) onFile(chosen);
    // The same file may be chosen again after it was changed.
    file.value = '';
  });

  // A file may be dropped anywhere on the page (or, inside another page, anywhere in our part of
  // it); the panel shows where it goes.
  const page = container.getRootNode() as Document | ShadowRoot;
  const carriesFile = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes('Files') ?? false;
  const over = (event: DragEvent): void => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    container.classList.add('drop');
  };
  const leave = (event: DragEvent): void => {
    if (event.relatedTarget === null) container.classList.remove('drop');
  };
  const drop = (event: DragEvent): void => {
    container.classList.remove('drop');
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    onDrop(event.dataTransfer);
  };
  page.addEventListener('pointerover', point as EventListener);
  page.addEventListener('dragover', over as EventListener);
  page.addEventListener('dragleave', leave as EventListener);
  page.addEventListener('drop', drop as EventListener);

  /** A text is still to come, which is no mistake; and one was asked for all the same. */
  let awaited = false;
  let missed = false;
  const judge = (): void => {
    const wrong = !awaited || missed;
    error.classList.toggle('error', wrong);
    setAttribute(area, 'aria-invalid', String(error.textContent !== '' && wrong));
  };

  return {
    update(data) {
      for (const { id, input, name } of radios) {
        input.checked = id === data.source;
        if (id === 'own') setText(name, data.own);
      }
      if (data.shown !== shown) {
        shown = data.shown;
        // What was typed here is there already.
        if (area.value + rest !== shown) {
          forget();
          const entered = area.matches(':focus');
          const end =
            entered || shown.length < 2 * BEGINNING
              ? shown.length
              : shown.indexOf('\n', BEGINNING) + 1 || shown.length;
          rest = shown.slice(end);
          area.value = shown.slice(0, end);
          // Another text is read from its beginning. Where nobody has left that, there is nothing
          // to do: asking would lay out a page that is not all there.
          if (!entered && scrolled) area.scrollTop = 0;
          scrolled = false;
        }
      }
      area.readOnly = data.readOnly;
      awaited = data.awaited;
      if (!awaited) missed = false;
      setText(error, data.error);
      judge();
      error.hidden = data.error === '';
      const preset = data.suggestion;
      const lines = data.notes;
      const flags = [data.replaced, data.ofRun].map(String);
      const file = JSON.stringify(data.file);
      const wanted = [preset, data.keep, ...flags, file, ...lines].join('\n');
      if (wanted === shownNotes) return;
      const first = shownNotes === '';
      shownNotes = wanted;
      // Said anew because of a press elsewhere: what was pressed may stand below, and stays there.
      // The first of them has no room to keep, and measuring would lay out a page that is not all
      // there.
      const alone = first || container.matches(':focus-within');
      if (alone) rooms.giveBack(below);
      else rooms.keep(below, below.offsetHeight, true);
      opened.update(data.file);
      replaced.hidden = !data.replaced;
      setText(why, t(data.ofRun ? 'text.replaced' : 'text.aside'));
      suggestion.hidden = preset === '';
      setText(advice, t('text.suggest', { preset }));
      setText(use, t('text.suggest.use', { preset }));
      setText(keep, data.keep);
      notes.replaceChildren(...lines.map((line) => el('p', { class: 'note' }, line)));
      if (data.keep !== '') notes.lastElementChild?.append(' ', keep);
    },
    focus() {
      area.focus();
      // Asked for in vain: what was a quiet word is said aloud.
      missed = awaited;
      judge();
    },
    resize: () => undefined,
    destroy() {
      settle();
      removeEventListener('pagehide', settle);
      rooms.destroy();
      page.removeEventListener('pointerover', point as EventListener);
      page.removeEventListener('dragover', over as EventListener);
      page.removeEventListener('dragleave', leave as EventListener);
      page.removeEventListener('drop', drop as EventListener);
      container.replaceChildren();
    },
  };
}
