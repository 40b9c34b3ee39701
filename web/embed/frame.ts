/** Entry of the page for frames; its fragment contains all settings. */
import { cleanFragment, ownAddress } from '../store/address/address-store.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { createApp } from '../page/app.ts';
import { chooseLang, loadCatalogue } from '../i18n/index.ts';
import type { Words } from '../i18n/index.ts';
import { readLesson } from '../store/address/lesson.ts';
import { showPlace } from '../page/place-note.ts';
import type { App } from '../store/host/host.ts';
import { hasSimd } from '../page/simd.ts';
import { failure } from '../engine/errors.ts';
import { readSent, withoutText } from '../store/text/sent-text.ts';
import type { SentText } from '../store/text/sent-text.ts';
import { sources } from '../page/sources.ts';
import { applyTheme, asTheme } from '../page/theme.ts';
import { pageParams } from './lesson-params.ts';
import { keepTaskInSight } from './task-bar.ts';

const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
};

/**
 * Address of the lesson. Each change of the address updates the link to the whole page, which opens
 * with the same settings.
 */
function frameAddress(hash: string, first: string): AddressStore {
  const own = ownAddress(hash);
  const home = part('home') as HTMLAnchorElement;
  const lead = (): void => {
    home.hash = pageParams(own.read(), first);
  };
  lead();
  return {
    ...own,
    write: (next, back) => {
      own.write(next, back);
      lead();
    },
  };
}

/** Starts the app; an error in the fragment is shown at the text. */
async function startFrame(hash: string): Promise<App> {
  const root = document.documentElement;
  const params = new URLSearchParams(hash.slice(1));
  applyTheme(asTheme(params.get('theme')), root);
  const lang = chooseLang(params.get('lang'), navigator.languages);
  const loading = loadCatalogue(lang);
  loading.catch(() => undefined);
  // Errors of a link are shown in the language of the link.
  let found: SentText = { hash: withoutText(hash), textName: '', awaited: false };
  let textError: unknown;
  try {
    found = await readSent(hash, document.baseURI);
    if (found.awaited) textError = failure('text-awaited', 'the text of the host is not here yet');
  } catch (thrown) {
    textError = thrown;
  }
  await loading;
  const main = part('main');
  let setTaskWords: ((words: Words) => void) | null = null;
  return createApp(main, {
    ...sources(),
    root,
    address: frameAddress(found.hash, hash),
    keeps: false,
    lesson: readLesson(new URLSearchParams(found.hash.slice(1))),
    ...(found.text === undefined ? {} : { text: found.text, textName: found.textName }),
    ...(textError === undefined ? {} : { textError }),
    onPlace: showPlace,
    onWords: (words) => {
      const { t } = words;
      setTaskWords ??= keepTaskInSight(main);
      setTaskWords(words);
      document.title = t('app.title');
      part('home').textContent = t('embed.home');
    },
  });
}

// The page shows this message if the script does not load.
const noload = part('noload');
noload.classList.remove('late');
if (hasSimd()) {
  const hash = cleanFragment(location.hash);
  // Another fragment is another lesson, which needs a new app.
  window.addEventListener('hashchange', () => {
    location.reload();
  });
  startFrame(hash).then(
    (app) => {
      if (window.parent === window) return;
      const hosts = new URLSearchParams(hash.slice(1)).get('host');
      const around = [import('./host-messages.ts'), import('./height.ts')] as const;
      void Promise.all(around).then(([{ isAllowed, parentWire, serveHost }, { tellHeight }]) => {
        const wire = parentWire();
        serveHost(wire, app, (origin) => isAllowed(origin, hosts, location.origin));
        tellHeight(part('frame'), wire);
      });
    },
    () => {
      noload.hidden = false;
    },
  );
} else {
  part('nosimd').hidden = false;
}
