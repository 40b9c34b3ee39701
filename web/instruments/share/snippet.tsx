/** The snippet of a lesson, with a button to copy it, its size, warnings, and a preview. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ignore } from '../../engine/errors.ts';
import { sentences } from '../../i18n/index.ts';
import { copyText } from '../../kit/copy-text.ts';
import { scrollBehavior } from '../../kit/dom.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { readStop } from '../../store/address/lesson.ts';
import { messageOf } from '../../store/messages.ts';
import { useInstrument } from '../component.tsx';
import { alsoIn, whyBroken } from './carried.ts';
import { lessonParams } from './lesson-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import { ADDRESSES, frameAddress, snippetOf } from './snippets.ts';
import type { Shared } from './snippets.ts';
import { useTextToShare, whyNotInMarkup } from './text-to-share.ts';

interface MadeSnippet {
  /** The snippet; empty if it cannot be made. */
  readonly text: string;
  /** Size of the snippet, or the reason why it cannot be made. */
  readonly note: string;
  readonly isError: boolean;
  /** Address of the preview; empty if the lesson needs a file beside its page. */
  readonly address: string;
  /** Name of the text file that must be beside the lesson's page; empty if none is needed. */
  readonly file: string;
}

export function Snippet({ choice }: { readonly choice: LessonChoice }) {
  const { words, actions } = useInstrument();
  const { t } = words;
  const id = useFreshId('snippet');
  const { text, note, isError, address, file } = useSnippet(choice);
  const field = useRef<HTMLTextAreaElement>(null);
  const frames = useRef<HTMLDivElement>(null);
  /** The message of the last button, shown until the snippet differs from `text`. */
  const [done, setDone] = useState({ text: '', told: '' });
  const [preview, setPreview] = useState({ address: '', count: 0 });
  useLayoutEffect(() => {
    if (preview.count === 0) return;
    frames.current?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  }, [preview]);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text);
    setDone({ text, told: t(isCopied ? 'share.copied' : 'share.copy.by-hand') });
    if (!isCopied) field.current?.select();
  };
  const saveFile = async (): Promise<void> => {
    const bytes = await actions.readBytes();
    download(new Blob([bytes], { type: 'text/plain' }), file);
    setDone({ text, told: saidSaved(t('export.saved', { name: file }), words) });
  };
  return (
    <>
      <label class="visually-hidden" for={id}>
        {t('share.snippet')}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={7}
        readOnly
        spellcheck={false}
        class="snippet"
        value={text}
      />
      <div class="share-buttons">
        <button type="button" class="primary" disabled={text === ''} onClick={() => void copy()}>
          {t('share.copy')}
        </button>
        {file === '' ? null : (
          <button type="button" class="secondary" onClick={() => void saveFile().catch(ignore)}>
            {t('share.file.save', { name: file })}
          </button>
        )}
        <button
          type="button"
          class="secondary"
          disabled={address === ''}
          onClick={() => {
            setPreview(({ count }) => ({ address, count: count + 1 }));
            setDone({ text, told: t('share.preview.shown') });
          }}
        >
          {t('share.preview')}
        </button>
        <span class="note" role="status">
          {done.text === text ? done.told : ''}
        </span>
      </div>
      <p class={isError ? 'note error' : 'note'}>{note}</p>
      <div ref={frames} class="share-preview">
        {preview.count === 0 ? null : (
          // Recreated, because a frame does not reload if only the fragment changes.
          <iframe key={preview.count} src={preview.address} title={t('share.preview.title')} />
        )}
      </div>
    </>
  );
}

function useSnippet(choice: LessonChoice): MadeSnippet {
  const context = useInstrument();
  const { words, state, home } = context;
  const { t } = words;
  const { text: own, error } = useTextToShare();
  const none = { text: '', address: '', file: '' };
  const isAddress = ADDRESSES.has(choice.form);
  // Markup contains the text unpacked; an address contains it packed, or the name of its file.
  const unfit = own?.text === null && !isAddress ? whyNotInMarkup(state.fileSize) : error;
  if (unfit !== null) return { ...none, note: messageOf(unfit, words), isError: true };
  if (choice.stop !== '' && readStop(choice.stop) === null) {
    return { ...none, note: t('share.stop.wrong'), isError: true };
  }
  if (state.source === 'own' && own === null) {
    return { ...none, note: t('share.packing'), isError: false };
  }
  const params = lessonParams(choice, context);
  const lesson: Shared = { home: home ?? '', params, own, title: t('share.frame.title') };
  const text = snippetOf(choice.form, lesson);
  const name = own?.file?.name ?? '';
  const file = isAddress ? name : '';
  const size =
    file === '' ? t('share.size', { length: text.length }) : t('share.file', { name: file });
  const broken = whyBroken(context);
  return {
    text,
    note: sentences([size, alsoIn(params, context), broken], words),
    isError: broken !== '',
    address: name === '' ? frameAddress(lesson) : '',
    file,
  };
}
