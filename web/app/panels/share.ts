/** Lessons to share: from the current state to what a teacher pastes into course material. */
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { createSharePanel } from '../../views/share-panel.ts';
import type { ShareChoice } from '../../views/share-panel.ts';
import { ASKED_FOR, CONTROLS, FREE, LOCKS, PANELS, TASK_LIMIT, writeLesson } from '../lesson.ts';
import { messageOf } from '../messages.ts';
import { packText, tooLongToShare } from '../packed-text.ts';
import { ADDRESSES, frameAddress, SNIPPETS, snippetOf } from '../snippets.ts';
import type { Shared, SnippetForm } from '../snippets.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

export const createShare: CreatePanel = (container, { words, state, home, fragment }) => {
  let chosen: ShareChoice | null = null;
  /** The text that was packed last, so that it is packed once. */
  let packedText: string | null = null;
  let packed = '';
  let error: GlasshouseError | null = null;
  let destroyed = false;
  const view = createSharePanel(container, {
    words,
    forms: SNIPPETS,
    panels: PANELS.filter((name) => name !== 'run'),
    unchosen: new Set([...ASKED_FOR, 'closer', 'model']),
    locks: LOCKS,
    controls: CONTROLS,
    taskLimit: TASK_LIMIT,
    onChange: (choice) => {
      chosen = choice;
      // The first one comes before there is a view.
      queueMicrotask(update);
    },
    onCopy: async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        return false;
      }
    },
  });

  /** What is to be shared; null while a text of one's own is being packed, or cannot be. */
  function shared(choice: ShareChoice): Shared | null {
    const params = new URLSearchParams(fragment().slice(1));
    // Which tab is open here says nothing about the lesson.
    params.delete('view');
    params.delete('lang');
    const shown = new Set(choice.show);
    const all = PANELS.every((name) => name === 'run' || shown.has(name) !== ASKED_FOR.has(name));
    writeLesson(
      {
        ...FREE,
        show: all ? null : shown,
        lock: new Set(choice.lock),
        hide: new Set(choice.hide),
        task: choice.task,
        autostart: choice.autostart,
      },
      params,
    );
    if (choice.lang !== '') params.set('lang', choice.lang);
    if (choice.theme !== 'auto') params.set('theme', choice.theme);
    const title = words.t('share.frame.title');
    if (state.source !== 'own') return { home: home ?? '', params, own: null, title };
    const { shown: text, readOnly, fileSize } = state;
    // The field shows no more than the beginning of such a text: half a text would be another lesson.
    if (readOnly) {
      packedText = null;
      error = tooLongToShare(fileSize);
      return null;
    }
    if (text !== packedText) pack(text);
    // The other forms hold the text as it is.
    if (packed === '' && (error?.code !== 'share-packed' || ADDRESSES.has(choice.form)))
      return null;
    return { home: home ?? '', params, own: { text, packed }, title };
  }

  function pack(text: string): void {
    packedText = text;
    packed = '';
    error = null;
    packText(text).then(
      (letters) => {
        if (text !== packedText) return;
        packed = letters;
        update();
      },
      (thrown: unknown) => {
        if (text !== packedText) return;
        error = asError(thrown);
        update();
      },
    );
  }

  function update(): void {
    if (destroyed || chosen === null) return;
    const lesson = shared(chosen);
    if (lesson === null) {
      const note = error === null ? words.t('share.packing') : messageOf(error, words);
      view.update({ snippet: '', note, error: error !== null, preview: '' });
      return;
    }
    const snippet = snippetOf(chosen.form as SnippetForm, lesson);
    const { length } = snippet;
    const note = words.t('share.size', { length });
    const unpacked = lesson.own !== null && lesson.own.packed === '';
    view.update({ snippet, note, error: false, preview: unpacked ? '' : frameAddress(lesson) });
  }

  const panel = panelOf(view, update);
  return {
    ...panel,
    destroy: () => {
      destroyed = true;
      panel.destroy();
    },
  };
};
