/**
 * The page of component tests: mounts the app, or some of its instruments, on a recording. It
 * replaces web/page/main.ts in the site's own index.html.
 */
import instruments from 'virtual:instruments';
import { COLUMNS } from '../../../web/base/instrument.ts';
import { chooseLang, loadAllWords, loadCatalogue } from '../../../web/i18n/index.ts';
import { createApp } from '../../../web/page/app.ts';
import type { AppOptions } from '../../../web/page/app-options.ts';
import { fillHeader } from '../../../web/page/header.ts';
import { showPlace } from '../../../web/page/place-note.ts';
import { applyTheme, recallTheme } from '../../../web/page/theme.ts';
import { pageAddress } from '../../../web/store/address/address-store.ts';
import { FREE, readLesson } from '../../../web/store/address/lesson.ts';
import { readAddress } from '../../../web/store/address/page-settings.ts';
import type { App } from '../../../web/store/host/host.ts';
import { samplesBelow } from '../../../web/store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../../../web/store/text/texts.ts';
import '../../../web/styles/later.css';
import { Trainers } from '../../recordings/recorded-trainer.ts';
import { RecordedAnswers } from './recording.ts';
import { atRest, watchTimers } from './rest.ts';

/** The instruments to mount, and their options. */
export interface Mounted {
  readonly recording: string;
  /** Ids of panels or tabs; `page` for all. */
  readonly ids: readonly string[];
  /** Null: the address is not changed. */
  readonly hash: string | null;
  /** Parameters of a lesson: `lock=text&task=…`. */
  readonly lesson: string | null;
  readonly text: string | null;
  readonly textName: string | null;
  readonly keeps: boolean;
  readonly stepwise: boolean;
}

export interface Stage {
  mount(how: Mounted): Promise<void>;
  unmount(): void;
  /** Waits until the page is at rest. */
  rest(): Promise<void>;
  trainers: Trainers | null;
  app: App | null;
}

declare global {
  interface Window {
    stage: Stage;
  }
}

const root = document.documentElement;
const main = document.getElementById('main')!;
const kept = [...root.attributes].map(({ name, value }) => [name, value] as const);

/** Whether an id names a panel; other ids name tabs. */
const isPanel = (id: string): boolean =>
  ['page', 'closer'].includes(id) ||
  instruments.some((one) => one.id === id && COLUMNS.some((column) => column === one.place));

/** A lesson that shows only the requested panels. */
function lessonOf({ ids, lesson }: Mounted): Pick<AppOptions, 'lesson'> {
  const read = lesson === null ? null : readLesson(new URLSearchParams(lesson));
  if (ids.includes('page')) return read === null ? {} : { lesson: read };
  const panels = ids.map((id) => (isPanel(id) ? id : 'closer'));
  return { lesson: { ...(read ?? FREE), show: new Set([...panels, 'run']) } };
}

watchTimers();
// The stylesheet shows this element after some seconds unless a script removes its class.
document.getElementById('noload')!.classList.remove('late');

window.stage = {
  app: null,
  trainers: null,
  async mount(how) {
    if (this.app !== null) this.unmount();
    // Returns the same seeds on every mount, so that the recording contains their answers.
    let draws = 0;
    Math.random = () => (++draws * 0.618) % 1;
    const tab = how.ids.find((id) => !isPanel(id));
    if (how.hash !== null) {
      const view = tab === undefined ? '' : `view=${tab}`;
      const hash = [how.hash, view].filter(Boolean).join('&');
      history.replaceState(null, '', hash === '' ? location.pathname : `#${hash}`);
    }
    const trainers = new Trainers(new RecordedAnswers(how.recording));
    this.trainers = trainers;
    trainers.control.stepwise = how.stepwise;
    const open: AppOptions['startEngine'] = () =>
      Promise.resolve({ trainer: trainers.open(), place: 'worker', preload: null });
    const address = pageAddress();
    const lang = chooseLang(readAddress(address.read()).lang, navigator.languages);
    await Promise.all([loadCatalogue(lang), loadAllWords(lang)]);
    applyTheme(recallTheme(), root);
    const home = new URL('./', location.href).href;
    this.app = createApp(main, {
      ...{ startEngine: open, startSecond: open, startQuestions: open },
      ...{ address, root, home, site: home, samples: SAMPLE_TEXTS, keeps: how.keeps },
      readSample: samplesBelow(document.baseURI),
      ...lessonOf(how),
      ...(how.text === null ? {} : { text: how.text }),
      ...(how.textName === null ? {} : { textName: how.textName }),
      onPlace: showPlace,
      onWords: fillHeader,
    });
  },
  rest: () => atRest(main),
  unmount() {
    this.app?.destroy();
    this.app = null;
    this.trainers = null;
    for (const { name } of [...root.attributes]) root.removeAttribute(name);
    for (const [name, value] of kept) root.setAttribute(name, value);
    for (const name of [...main.attributes].map((one) => one.name)) {
      if (name !== 'id') main.removeAttribute(name);
    }
    localStorage.clear();
    sessionStorage.clear();
    scrollTo(0, 0);
    // The next Tab starts at the top, as on a newly opened page.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  },
};
