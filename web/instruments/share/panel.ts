/** Lessons to share: from the current state to what a teacher pastes into course material. */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { copyText } from '../../kit/copy-text.ts';
import { download } from '../../kit/download.ts';
import { findOption } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import { readable } from '../../i18n/numbers.ts';
import type { AnyKey } from '../../i18n/index.ts';
import { createSharePanel } from './view.ts';
import type { ShareChoice } from './view.ts';
import {
  ASKED_FOR,
  CONTROLS,
  FREE,
  LOCKS,
  PANELS,
  TASK_LIMIT,
  writeLesson,
} from '../../store/address/lesson.ts';
import { linkToPage } from '../../store/address/page-link.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { optionText } from '../../store/training/run-name.ts';
import {
  BESIDE_LIMIT,
  PACKED_LIMIT,
  packText,
  tooLongToShare,
  UNPACKED_LIMIT,
} from '../../store/text/packed-text.ts';
import { NAME_LENGTH } from '../../store/text/text-source.ts';
import { sha256 } from '../../store/sha256.ts';
import { ADDRESSES, frameAddress, SNIPPETS, snippetOf } from './snippets.ts';
import type { Shared, SharedText, SnippetForm } from './snippets.ts';
import { keep, recall } from '../../store/storage.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Words of an address by what the page calls them: texts, which are long, and numbers. */
const SAID_TEXTS: Readonly<Record<string, AnyKey>> = {
  probe: 'attention.title',
  scored: 'tokens.title',
  prompt: 'ask.title',
};
const SAID_NUMBERS: Readonly<Record<string, AnyKey>> = {
  temperature: 'ask.temperature',
  topK: 'ask.topK',
  topP: 'ask.topP',
  maxTokens: 'ask.maxTokens',
  askSeed: 'ask.seed',
  pace: 'run.pace',
};

/** What is chosen before anything is: the panels of a short lesson. */
const FIRST_CHOICE: ShareChoice = {
  form: '',
  show: PANELS.filter((name) => !ASKED_FOR.has(name) && name !== 'closer' && name !== 'model'),
  lock: [],
  hide: [],
  task: '',
  name: '',
  autostart: false,
  lang: '',
  theme: 'auto',
};

/** The choice that was kept in this tab; null for none, or for one that cannot be read. */
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

export const createShare: CreateLaterPanel = (container, context) => {
  const { words, state, actions, home, fragment, session, site } = context;
  let chosen: ShareChoice | null = null;
  /** The version of the text that was read last, so that it is packed once. */
  let version = -1;
  let own: SharedText | null = null;
  let error: GlasshouseError | null = null;
  const view = createSharePanel(container, {
    words,
    teachersPage: site === null ? null : new URL(`docs/${words.lang}/teaching.html`, site).href,
    forms: SNIPPETS,
    panels: PANELS.filter((name) => name !== 'run'),
    chosen: recallChoice() ?? FIRST_CHOICE,
    locks: LOCKS,
    controls: CONTROLS,
    taskLimit: TASK_LIMIT,
    nameLimit: NAME_LENGTH,
    onChange: (choice) => {
      chosen = choice;
      // Keeps a half-made lesson while the reader looks something up in another tab.
      keep('tab', 'share', JSON.stringify(choice));
      // The first one comes before there is a view.
      queueMicrotask(() => {
        panel.update();
      });
    },
    onCopy: copyText,
    onLink: () => linkToPage(context),
    onFile: () => {
      const name = own?.file?.name;
      if (name === undefined) return;
      actions.readBytes().then((bytes) => {
        download(new Blob([bytes], { type: 'text/plain' }), name);
      }, ignore);
    },
  });

  /** What is to be shared; null while the reader's own text is being packed, or cannot be. */
  function shared(choice: ShareChoice): Shared | null {
    const params = new URLSearchParams(fragment().slice(1));
    // Which tab is open here says nothing about the lesson.
    params.delete('view');
    params.delete('lang');
    const shown = new Set(choice.show);
    // Texts that the teacher tried out where students will not look are nobody's business.
    if (!shown.has('closer')) params.delete('scored');
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
    const isNamed = state.source === 'own' && choice.name.trim() !== '';
    if (isNamed) params.set('name', choice.name.trim());
    const title = words.t('share.frame.title');
    if (state.source !== 'own') {
      // What was wrong with the reader's own text is not wrong with this one.
      version = -1;
      error = null;
      return { home: home ?? '', params, own: null, title };
    }
    if (state.version !== version) read();
    return own === null ? null : { home: home ?? '', params, own, title };
  }

  /** A text that an address holds, by where it was written; null for other words. */
  function saidText(name: string): string | null {
    const where = SAID_TEXTS[name];
    return where === undefined ? null : words.t('share.also.text', { name: words.t(where) });
  }

  /** Why these settings begin no run; empty where they do. */
  function whyBroken(): string {
    const wrong = session()?.error ?? null;
    if (wrong === null || placeOf(wrong).options.length === 0) return '';
    return sentences([words.t('share.broken'), messageOf(wrong, words)], words);
  }

  /** What the link to this page carries. */
  function pageNote(): string {
    const broken = whyBroken();
    if (broken !== '') return broken;
    const most = words.t('share.packed', { count: PACKED_LIMIT });
    const lead = words.t(state.source === 'own' ? 'share.page.own' : 'share.page.lead', { most });
    const list = [...new URLSearchParams(fragment().slice(1))].flatMap(([name, value]) =>
      value === '' ? [] : (saidText(name) ?? []),
    );
    if (list.length === 0) return lead;
    const also = words.t('share.page.also', { list: list.join(words.t('list.separator')) });
    return sentences([lead, also], words);
  }

  /**
   * What the lesson holds beside its text and what is chosen here: it comes from all over the page.
   */
  function alsoIn(params: URLSearchParams): string {
    const { table, recipe } = session() ?? {};
    const list = [...params].flatMap(([name, value]) => {
      if (name === 'preset') return [value];
      if (table !== undefined && recipe !== undefined && findOption(table, name) !== undefined) {
        return [optionText(table, recipe, name, words)];
      }
      const text = saidText(name);
      if (text !== null) return [text];
      const number = SAID_NUMBERS[name];
      return number === undefined
        ? []
        : [words.t('runs.value', { option: words.t(number), value: readable(value) })];
    });
    if (list.length === 0) return '';
    return words.t('share.also', { list: list.join(words.t('list.separator')) });
  }

  /** Reads the text, byte for byte: another text would be another lesson, with other receipts. */
  function read(): void {
    const reading = state.version;
    version = reading;
    own = null;
    error = null;
    actions
      .readBytes()
      .then((bytes) => sharedText(bytes, fileNameOf(state.fileName)))
      .then(
        (text) => {
          if (reading !== version) return;
          own = text;
          panel.update();
        },
        (thrown: unknown) => {
          if (reading !== version) return;
          error = asError(thrown);
          panel.update();
        },
      );
  }

  const panel = panelOf(view, () => {
    if (chosen === null) return;
    const said = { page: pageNote(), isOwn: state.source === 'own' };
    const lesson = shared(chosen);
    const text = lesson?.own;
    const inMarkup = !ADDRESSES.has(chosen.form);
    // Markup holds the text as it is; an address holds it packed, or names a file.
    const wrong = text?.text === null && inMarkup ? whyNotInMarkup(state.fileSize) : error;
    if (lesson === null || wrong !== null) {
      const note = wrong === null ? words.t('share.packing') : messageOf(wrong, words);
      view.update({ ...said, snippet: '', note, error: wrong !== null, preview: '', file: '' });
      return;
    }
    const snippet = snippetOf(chosen.form as SnippetForm, lesson);
    const { length } = snippet;
    const name = text?.file?.name ?? '';
    const isBeside = name !== '' && !inMarkup;
    const size = isBeside ? words.t('share.file', { name }) : words.t('share.size', { length });
    const broken = whyBroken();
    const note = sentences([size, alsoIn(lesson.params), broken], words);
    const preview = name === '' ? frameAddress(lesson) : '';
    const isWrong = broken !== '';
    view.update({ ...said, snippet, note, error: isWrong, preview, file: isBeside ? name : '' });
  });
  return panel;
};

/** Why a text cannot stand in markup: it is too long, or markup would change it. */
function whyNotInMarkup(size: number): GlasshouseError {
  if (size > UNPACKED_LIMIT) return tooLongToShare(size);
  return failure('share-bytes', 'the text is not UTF-8, or has a NUL');
}

/**
 * A text in all the ways in which a lesson can hold it; throws `share-size` if the text is too long
 * for all of them.
 */
async function sharedText(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<SharedText> {
  if (bytes.length > BESIDE_LIMIT) throw tooLongToShare(bytes.length, BESIDE_LIMIT);
  const text = bytes.length > UNPACKED_LIMIT ? null : asUtf8(bytes);
  try {
    return { text, packed: await packText(bytes), file: null };
  } catch {
    return { text, packed: '', file: { name, sha256: await sha256(new Blob([bytes])) } };
  }
}

/** Null for what markup would not keep: it has no way to write a NUL. */
function asUtf8(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A name that links may have: that of the text's own file, as far as that is one. */
function fileNameOf(fileName: string): string {
  const plain = fileName.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? 'text.txt' : plain;
}
