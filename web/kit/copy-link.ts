/** A button that copies a link to this page, and says what the link carries or why it cannot. */
import './copy-link.css';
import type { AllWords } from '../i18n/index.ts';
import { copyText } from './copy-text.ts';
import { el, freshId, setText } from './dom.ts';

export interface CopyLinkOptions {
  readonly words: AllWords;
  /** `secondary` for a button, `link` for a line of text. */
  readonly look: 'secondary' | 'link';
  /** The link, or why it cannot be made; the other one is empty. */
  readonly onLink: () => Promise<{ readonly link: string; readonly why: string }>;
}

export interface CopyLink {
  readonly root: HTMLElement;
  /** Whether the link carries a text of the reader's own. */
  update(isOwn: boolean): void;
  /** What was said is not true any more: the link would be another. */
  forget(): void;
}

export function createCopyLink({ words, look, onLink }: CopyLinkOptions): CopyLink {
  const { t } = words;
  const id = freshId('link-note');
  const button = el('button', { type: 'button', class: look, 'aria-describedby': id });
  const note = el('span', { id, class: 'note', role: 'status' });
  // Where the clipboard is refused, the link can be copied from here.
  const field = el('input', { type: 'text', readonly: true, hidden: true });
  field.setAttribute('aria-label', t('share.link'));
  const root = el('div', { class: 'copy-link' }, button, note, field);
  let own = false;
  const say = (text: string, isError = false): void => {
    setText(note, text);
    note.classList.toggle('error', isError);
  };
  const copy = async (): Promise<void> => {
    const isOwn = own;
    const { link, why } = await onLink();
    field.hidden = true;
    if (why !== '') {
      say(why, true);
    } else if (await copyText(link)) {
      say(t(isOwn ? 'share.copied.own' : 'share.copied', { count: link.length }));
    } else {
      field.value = link;
      field.hidden = false;
      field.select();
      say(t('share.copy.by-hand'));
    }
  };
  button.addEventListener('click', () => {
    say('');
    void copy();
  });
  return {
    root,
    forget() {
      say('');
      field.hidden = true;
    },
    update(isOwn) {
      own = isOwn;
      setText(button, t(isOwn ? 'share.page.copy.own' : 'share.page.copy'));
    },
  };
}
