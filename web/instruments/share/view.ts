/** View of a lesson to share: its form, the snippet, and a preview. */
import { createCopyLink } from '../../kit/copy-link.ts';
import type { CopyLink, CopyLinkOptions } from '../../kit/copy-link.ts';
import { el, freshId, scrollBehavior, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { LessonForm } from './lesson-form.ts';
import type { LessonFormOptions } from './lesson-form.ts';

export interface SharePanelOptions extends LessonFormOptions {
  /** URL of the teachers' page; null if the form has no documentation. */
  readonly teachersPage: string | null;
  /** Copies a text; returns whether that succeeded. */
  readonly onCopy: (text: string) => Promise<boolean>;
  /** The link to the page as it is now, or the reason why it cannot be made. */
  readonly onLink: CopyLinkOptions['onLink'];
  /** Saves the file named in the snippet. */
  readonly onFile: () => void;
}

export interface SharePanelData {
  readonly snippet: string;
  /** Size of the snippet, or the reason why it cannot be made. */
  readonly note: string;
  readonly error: boolean;
  /** Address of the preview; empty for none. */
  readonly preview: string;
  /** Name of the file that must be beside the page; empty for none. */
  readonly file: string;
  /** Describes what the link to this page contains. */
  readonly page: string;
  /** Whether the text is the reader's own and may have a name. */
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
  /** Address of the preview. */
  #address = '';

  /** Creates the panel and requests the first snippet. */
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
    this.#preview = button('secondary', t('share.preview'), () => this.#showPreview());
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
    // The style sheet does this.
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

  /** The snippet with its buttons and the preview. */
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

  #showPreview(): void {
    const { t } = this.#options.words;
    // Recreated, because a frame does not reload if only the fragment changes.
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
