/** Builds lessons from the current state, for teachers to paste into course material. */
import { ignore } from '../../engine/errors.ts';
import { copyText } from '../../kit/copy-text.ts';
import { download } from '../../kit/download.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { alsoIn, pageNote, whyBroken } from './carried.ts';
import type { ShareChoice } from './lesson-form.ts';
import { SharePanel } from './view.ts';
import type { SharePanelData } from './view.ts';
import {
  ASKED_FOR,
  CONTROLS,
  FREE,
  LOCKS,
  PANELS,
  readStop,
  TAB_SECTION,
  TASK_LIMIT,
  writeLesson,
} from '../../store/address/lesson.ts';
import { linkToPage } from '../../store/address/page-link.ts';
import { messageOf } from '../../store/messages.ts';
import { NAME_LENGTH } from '../../store/text/text-source.ts';
import { ADDRESSES, frameAddress, SNIPPETS, snippetOf } from './snippets.ts';
import type { Shared, SharedText, SnippetForm } from './snippets.ts';
import { TextToShare, whyNotInMarkup } from './text-to-share.ts';
import { keep, recall } from '../../store/storage.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';

/** Initial choices: the panels of a short lesson. */
const FIRST_CHOICE: ShareChoice = {
  form: '',
  show: PANELS.filter((name) => !ASKED_FOR.has(name) && name !== TAB_SECTION && name !== 'model'),
  lock: [],
  hide: [],
  task: '',
  name: '',
  autostart: false,
  stop: '',
  lang: '',
  theme: 'auto',
};

export const createShare: CreateLaterPanel = (container, context) =>
  new LessonSharing(container, context);

class LessonSharing implements Panel {
  readonly #context: LaterContext;
  readonly #view: SharePanel;
  readonly #text: TextToShare;
  #chosen: ShareChoice | null = null;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, site } = context;
    this.#context = context;
    this.#text = new TextToShare(context, () => this.update());
    this.#view = new SharePanel(container, {
      words,
      teachersPage: site === null ? null : new URL(`docs/${words.lang}/teaching.html`, site).href,
      forms: SNIPPETS,
      panels: PANELS.filter((name) => name !== 'run'),
      chosen: recallChoice() ?? FIRST_CHOICE,
      locks: LOCKS,
      controls: CONTROLS,
      taskLimit: TASK_LIMIT,
      nameLimit: NAME_LENGTH,
      onChange: (choice) => this.#choose(choice),
      onCopy: copyText,
      onLink: () => linkToPage(context),
      onFile: () => this.#saveFile(),
    });
  }

  update(): void {
    if (this.#destroyed || this.#chosen === null) return;
    const { state, words } = this.#context;
    const isOwn = state.source === 'own';
    const said = { page: pageNote(this.#context), isOwn };
    const { text, error } = this.#text.now();
    const inMarkup = !ADDRESSES.has(this.#chosen.form);
    // Markup contains the text itself; an address contains it packed, or names a file.
    const unfit = text?.text === null && inMarkup ? whyNotInMarkup(state.fileSize) : error;
    const wrong = unfit === null ? whyNoStop(this.#chosen, words) : messageOf(unfit, words);
    if (wrong !== '' || (isOwn && text === null)) {
      const note = wrong === '' ? words.t('share.packing') : wrong;
      const none = { snippet: '', preview: '', file: '' };
      this.#view.update({ ...said, ...none, note, error: wrong !== '' });
      return;
    }
    this.#view.update({ ...said, ...this.#lessonData(this.#chosen, text) });
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#view.destroy();
  }

  #choose(choice: ShareChoice): void {
    this.#chosen = choice;
    // Keeps an unfinished lesson while the reader visits another tab.
    keep('tab', 'share', JSON.stringify(choice));
    // The first call comes before the view exists.
    queueMicrotask(() => this.update());
  }

  #saveFile(): void {
    const name = this.#text.now().text?.file?.name;
    if (name === undefined) return;
    this.#context.actions.readBytes().then((bytes) => {
      download(new Blob([bytes], { type: 'text/plain' }), name);
    }, ignore);
  }

  /** The snippet of the lesson, with its size and warnings. */
  #lessonData(choice: ShareChoice, own: SharedText | null): Omit<SharePanelData, 'page' | 'isOwn'> {
    const { words, home } = this.#context;
    const params = lessonParams(choice, this.#context);
    const title = words.t('share.frame.title');
    const lesson: Shared = { home: home ?? '', params, own, title };
    const snippet = snippetOf(choice.form as SnippetForm, lesson);
    const { length } = snippet;
    const name = own?.file?.name ?? '';
    const isBeside = name !== '' && ADDRESSES.has(choice.form);
    const size = isBeside ? words.t('share.file', { name }) : words.t('share.size', { length });
    const broken = whyBroken(this.#context);
    return {
      snippet,
      note: sentences([size, alsoIn(params, this.#context), broken], words),
      error: broken !== '',
      preview: name === '' ? frameAddress(lesson) : '',
      file: isBeside ? name : '',
    };
  }
}

/** The error of the step to stop at; empty if valid. */
function whyNoStop({ stop }: ShareChoice, { t }: AllWords): string {
  return stop === '' || readStop(stop) !== null ? '' : t('share.stop.wrong');
}

/** The link parameters of the lesson, based on those of this page. */
function lessonParams(choice: ShareChoice, { state, fragment }: LaterContext): URLSearchParams {
  const params = new URLSearchParams(fragment().slice(1));
  // The tab that happens to be open is no part of the lesson.
  params.delete('view');
  params.delete('lang');
  const shown = new Set(choice.show);
  // A text scored in a hidden panel is the teacher's own.
  if (!shown.has(TAB_SECTION)) params.delete('scored');
  const all = PANELS.every((name) => name === 'run' || shown.has(name) !== ASKED_FOR.has(name));
  writeLesson(
    {
      ...FREE,
      show: all ? null : shown,
      lock: new Set(choice.lock),
      hide: new Set(choice.hide),
      task: choice.task,
      autostart: choice.autostart,
      stop: readStop(choice.stop),
    },
    params,
  );
  if (choice.lang !== '') params.set('lang', choice.lang);
  if (choice.theme !== 'auto') params.set('theme', choice.theme);
  const isNamed = state.source === 'own' && choice.name.trim() !== '';
  if (isNamed) params.set('name', choice.name.trim());
  return params;
}

/** The choices saved for this tab; null if absent or unreadable. */
function recallChoice(): ShareChoice | null {
  try {
    const kept: unknown = JSON.parse(recall('tab', 'share') ?? 'null');
    if (typeof kept !== 'object' || kept === null) return null;
    const same = Object.entries(FIRST_CHOICE).every(([name, value]) => {
      const found = (kept as Record<string, unknown>)[name];
      return typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    });
    return same ? (kept as ShareChoice) : null;
  } catch {
    return null;
  }
}
