/** The text to learn: sample texts to choose from, a field to type or paste, files to drop. */
import { el, freshId, setText, setAttribute } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Words } from '../../i18n/index.ts';
import { takeDrops } from './file-drop.ts';
import { TextField } from './text-field.ts';
import { TextNotes } from './text-notes.ts';
import type { TextNotesData, TextNotesOptions } from './text-notes.ts';

export interface TextPanelOptions extends TextNotesOptions {
  /** The sample texts: their id and title. */
  readonly samples: readonly { readonly id: string; readonly title: string }[];
  readonly onSample: (id: string) => void;
  readonly onType: (text: string) => void;
  readonly onFile: (file: File) => void;
  /** Files were dropped anywhere on the page. */
  readonly onDrop: (dropped: DataTransfer) => void;
}

export interface TextPanelData extends TextNotesData {
  /** The sample text that is chosen, or "own". */
  readonly source: string;
  /** What the reader's own text is called. */
  readonly own: string;
  /** What the field shows; for a large text only its beginning. */
  readonly shown: string;
  /** A large text is shown, not edited. */
  readonly readOnly: boolean;
  readonly error: string;
  /** Whether nothing is wrong: the text has only not come yet. */
  readonly awaited: boolean;
}

interface Source {
  readonly id: string;
  readonly input: HTMLInputElement;
  readonly name: HTMLElement;
  readonly label: HTMLElement;
}

export class TextPanel implements View<TextPanelData> {
  readonly #container: HTMLElement;
  readonly #sources: readonly Source[];
  readonly #field: TextField;
  readonly #notes: TextNotes;
  readonly #error: HTMLElement;
  readonly #page: Document | ShadowRoot;
  /** The text that was chosen before the present one, for undo; null if none, or undone. */
  #before: string | null = null;
  /** The text replaced another, which undo then brings back, as the button below the field does. */
  #canBringBack = false;
  #source = '';
  /** How a text was chosen last. */
  #isByPointer = false;
  readonly #stopDrops: () => void;
  /** A text is still to come, which is no mistake; and one was asked for all the same. */
  #awaited = false;
  #missed = false;

  /** Creates the panel in `container`. */
  constructor(container: HTMLElement, options: TextPanelOptions) {
    this.#container = container;
    const { t } = options.words;
    this.#sources = this.#createSources(options);
    this.#notes = new TextNotes(container, options);
    /** Calls `act` for a text that was not chosen among the sources. */
    const forgetting =
      <T>(act: (given: T) => void) =>
      (given: T): void => {
        this.#before = null;
        act(given);
      };
    this.#field = new TextField(options.words, this.#notes.id, forgetting(options.onType), () => {
      const before = this.#before;
      this.#before = null;
      if (before !== null) options.onSample(before);
      else if (this.#canBringBack) options.onBringBack();
    });
    const alert = { class: 'note error', role: 'alert', 'data-part': 'text-error' };
    this.#error = el('p', alert);
    const { area } = this.#field;
    const opener = el('span', {}, ...fileOpener(options.words, forgetting(options.onFile)));
    const segments = el('div', { class: 'segments' }, ...this.#sources.map(({ label }) => label));
    for (const kind of ['pointerdown', 'keydown'] as const) {
      segments.addEventListener(kind, () => {
        this.#isByPointer = kind === 'pointerdown';
      });
    }
    container.append(
      el('div', { class: 'head-row' }, el('h2', {}, t('text.title')), opener),
      el(
        'fieldset',
        { class: 'sources' },
        el('legend', { class: 'visually-hidden' }, t('text.choose')),
        segments,
      ),
      el('label', { for: area.id, class: 'visually-hidden' }, t('text.label')),
      area,
      this.#error,
      this.#notes.root,
    );
    this.#page = container.getRootNode() as Document | ShadowRoot;
    this.#page.addEventListener('pointerover', this.#point);
    this.#stopDrops = takeDrops(this.#page, container, forgetting(options.onDrop));
  }

  #createSources({ words, samples, onSample }: TextPanelOptions): Source[] {
    const group = freshId('source');
    return [...samples, { id: 'own', title: words.t('text.own') }].map(({ id, title }) => {
      const input = el('input', { type: 'radio', name: group, value: id });
      const name = el('span', {}, title);
      const label = el('label', { class: 'choice' }, input, name);
      input.addEventListener('change', () => {
        this.#before = this.#source;
        onSample(id);
        // The arrow keys go on to the next text from here.
        if (id === 'own' && this.#isByPointer) this.#field.area.focus();
      });
      return { id, input, name, label };
    });
  }

  readonly #point = ((event: PointerEvent): void => {
    this.#notes.point(event);
  }) as EventListener;

  #judge(): void {
    const wrong = !this.#awaited || this.#missed;
    this.#error.classList.toggle('error', wrong);
    const isInvalid = this.#error.textContent !== '' && wrong;
    setAttribute(this.#field.area, 'aria-invalid', String(isInvalid));
  }

  update(data: TextPanelData): void {
    this.#source = data.source;
    this.#canBringBack = data.replaced;
    for (const { id, input, name } of this.#sources) {
      input.checked = id === data.source;
      if (id === 'own') setText(name, data.own);
    }
    this.#field.show(data.shown);
    this.#field.area.readOnly = data.readOnly;
    this.#awaited = data.awaited;
    if (!this.#awaited) this.#missed = false;
    setText(this.#error, data.error);
    this.#judge();
    this.#error.hidden = data.error === '';
    this.#notes.update(data);
  }

  focus(): void {
    this.#field.area.focus();
    // Asked for in vain: what was a quiet word is said aloud.
    this.#missed = this.#awaited;
    this.#judge();
  }

  resize = (): void => undefined;

  destroy(): void {
    this.#field.destroy();
    this.#notes.destroy();
    this.#page.removeEventListener('pointerover', this.#point);
    this.#stopDrops();
    this.#container.replaceChildren();
  }
}

/** What opens a file, and its label. */
function fileOpener(words: Words, onFile: (file: File) => void): [HTMLElement, HTMLElement] {
  const file = el('input', { type: 'file', class: 'visually-hidden', id: freshId('file') });
  file.addEventListener('change', () => {
    const chosen = file.files?.[0];
    if (chosen !== undefined) onFile(chosen);
    // The same file may be chosen again after it was changed.
    file.value = '';
  });
  return [file, el('label', { class: 'link file-link', for: file.id }, words.t('text.open'))];
}
