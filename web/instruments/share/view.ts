/** A lesson to share: what it shows and locks, its task, what to paste where, and a look at it. */
import { createCopyLink } from '../../kit/copy-link.ts';
import type { CopyLink, CopyLinkOptions } from '../../kit/copy-link.ts';
import { el, freshId, scrollBehavior, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { LessonForm } from './lesson-form.ts';
import type { LessonFormOptions } from './lesson-form.ts';

export interface SharePanelOptions extends LessonFormOptions {
  /** Where teachers read on; null where there is no documentation. */
  readonly teachersPage: string | null;
  /** Copies a text; answers whether that was possible. */
  readonly onCopy: (text: string) => Promise<boolean>;
  /** The link to this page as it is now, or why it cannot be made. */
  readonly onLink: CopyLinkOptions['onLink'];
  /** Saves the file that the snippet names. */
  readonly onFile: () => void;
}

export interface SharePanelData {
  readonly snippet: string;
  /** Its size, or why it cannot be made. */
  readonly note: string;
  readonly error: boolean;
  /** Address to look at; empty for none. */
  readonly preview: string;
  /** Name of the file that has to lie beside the page; empty for none. */
  readonly file: string;
  /** What the link to this page brings along, and what not. */
  readonly page: string;
  /** Whether the text is the reader's own, which can have a name. */
  readonly isOwn: boolean;
}

export class SharePanel implements View<SharePanelData> {
  readonly #container: HTMLElement;
  readonly #options: SharePanelOptions;
  readonly #form: LessonForm;
  readonly #pageNote = el('span', {});
  readonly #page: CopyLink;
  readonly #snippet: HTMLTextAreaElement;
  readonly #copy: HTMLButtonElement;
  readonly #file: HTMLButtonElement;
  readonly #preview: HTMLButtonElement;
  readonly #copied = el('span', { class: 'note', role: 'status' });
  readonly #note = el('p', { class: 'note' });
  readonly #frameBox = el('div', { class: 'share-preview' });
  /** Of the lesson to look at. */
  #address = '';

  /** Creates the panel in `container`; asks for a first snippet at once. */
  constructor(container: HTMLElement, options: SharePanelOptions) {
    const { words, onFile, onLink } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#form = new LessonForm(options);
    this.#page = createCopyLink({ words, look: 'secondary', onLink });
    this.#snippet = el('textarea', {
      id: freshId('snippet'),
      rows: 7,
      readonly: true,
      spellcheck: 'false',
      class: 'snippet',
    });
    this.#copy = button('primary', t('share.copy'), () => void this.#copySnippet());
    this.#file = button('secondary', '', onFile);
    this.#file.hidden = true;
    this.#preview = button('secondary', t('share.preview'), () => this.#lookAtIt());
    container.append(
      el('h3', {}, t('share.page')),
      el('p', { class: 'note' }, this.#pageNote),
      this.#page.root,
      el('h3', {}, t('share.lesson')),
      this.#createLead(),
      el('div', { class: 'lesson-maker' }, this.#form.root, this.#createResult()),
    );
    this.#form.tell();
  }

  update(data: SharePanelData): void {
    if (this.#snippet.value !== data.snippet) {
      this.#snippet.value = data.snippet;
      setText(this.#copied, '');
    }
    setText(this.#note, data.note);
    this.#note.classList.toggle('error', data.error);
    setText(this.#pageNote, data.page);
    this.#page.update(data.isOwn);
    this.#form.update(data.isOwn);
    this.#copy.disabled = data.snippet === '';
    this.#preview.disabled = data.preview === '';
    this.#address = data.preview;
    const { file: name } = data;
    this.#file.hidden = name === '';
    setText(this.#file, name === '' ? '' : this.#options.words.t('share.file.save', { name }));
  }

  resize(): void {
    // The style sheet does it.
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #createLead(): HTMLElement {
    const { words, teachersPage: href } = this.#options;
    const { t } = words;
    const lead = el('p', { class: 'note' }, t('share.lead'));
    if (href === null) return lead;
    lead.append(' ', el('a', { href, target: '_blank', rel: 'noopener' }, t('share.teachers')));
    return lead;
  }

  /** The snippet, what can be done with it, and a look at the lesson. */
  #createResult(): HTMLElement {
    const label = this.#options.words.t('share.snippet');
    return el(
      'div',
      { class: 'share-result' },
      this.#form.formRoot,
      this.#form.formHelp,
      el('label', { class: 'visually-hidden', for: this.#snippet.id }, label),
      this.#snippet,
      el('div', { class: 'share-buttons' }, this.#copy, this.#file, this.#preview, this.#copied),
      this.#note,
      this.#frameBox,
    );
  }

  async #copySnippet(): Promise<void> {
    const { t } = this.#options.words;
    const done = await this.#options.onCopy(this.#snippet.value);
    setText(this.#copied, done ? t('share.copied') : t('share.copy.by-hand'));
    if (!done) this.#snippet.select();
  }

  #lookAtIt(): void {
    const { t } = this.#options.words;
    // Made anew each time: a frame whose fragment alone changes would not load again by itself.
    const frame = el('iframe', { src: this.#address, title: t('share.preview.title') });
    this.#frameBox.replaceChildren(frame);
    this.#frameBox.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
    setText(this.#copied, t('share.preview.shown'));
  }
}

function button(kind: string, text: string, press: () => void): HTMLButtonElement {
  const made = el('button', { type: 'button', class: kind }, text);
  made.addEventListener('click', press);
  return made;
}
