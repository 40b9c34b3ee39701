/** A button that copies a link to this page, and a note with the link's contents or the error. */
import './copy-link.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AllWords } from '../i18n/index.ts';
import { copyText } from './copy-text.ts';
import { useFreshId } from './use-id.ts';

export interface CopyLinkProps {
  readonly words: AllWords;
  /** `secondary` for a button, `link` for a line of text. */
  readonly look: 'secondary' | 'link';
  /** Whether the link contains a text of the reader's own. */
  readonly isOwn: boolean;
  /** Version of the text. A new version hides the note, because the link would differ. */
  readonly version: number;
  /** Resolves to the link, or to the reason why it cannot be made; the other string is empty. */
  readonly onLink: () => Promise<{ readonly link: string; readonly why: string }>;
}

interface Note {
  readonly version: number;
  readonly text: string;
  readonly isError?: boolean;
  /** The link to copy by hand. */
  readonly link?: string;
}

export function CopyLink({ words, look, isOwn, version, onLink }: CopyLinkProps) {
  const { t } = words;
  const id = useFreshId('link-note');
  const [note, setNote] = useState<Note | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), [note]);
  const copy = async (): Promise<Note> => {
    const { link, why } = await onLink();
    if (why !== '') return { version, text: why, isError: true };
    if (!(await copyText(link))) return { version, text: t('share.copy.by-hand'), link };
    const key = isOwn ? 'share.copied.own' : 'share.copied';
    return { version, text: t(key, { count: link.length }) };
  };
  const { text, isError, link } = note?.version === version ? note : { text: '' };
  return (
    <div class="copy-link">
      <button
        type="button"
        class={look}
        aria-describedby={id}
        onClick={() => {
          setNote(null);
          void copy().then(setNote);
        }}
      >
        {t(isOwn ? 'share.page.copy.own' : 'share.page.copy')}
      </button>
      <span id={id} class={isError === true ? 'note error' : 'note'} role="status">
        {text}
      </span>
      {link === undefined ? null : (
        <input ref={field} type="text" readOnly value={link} aria-label={t('share.link')} />
      )}
    </div>
  );
}
