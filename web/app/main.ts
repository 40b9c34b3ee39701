/** Where the page begins. */
import 'uplot/dist/uPlot.min.css';
import { pageAddress } from './address.ts';
import { chooseLang, loadCatalogue } from '../i18n/index.ts';
import { createApp } from './app.ts';
import { fillHeader } from './header.ts';
import { keepForOffline } from './offline-site.ts';
import { showPlace } from './place-note.ts';
import './math-styles.ts';
import { hasSimd } from './simd.ts';
import { sources } from './sources.ts';
import { readAddress } from './state.ts';
import { recall } from './storage.ts';
import { applyTheme, keepTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
applyTheme(recallTheme(), root);
const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
};

async function begin(): Promise<void> {
  const address = pageAddress();
  const site = sources();
  // The engine and the words set out together.
  const engine = site.startEngine();
  engine.catch(() => undefined);
  await loadCatalogue(chooseLang(readAddress(address.read()).lang, navigator.languages));
  createApp(part('main'), {
    ...site,
    startEngine: () => engine,
    address,
    root,
    onReady: keepForOffline,
    // A page on a disk has nothing that others could open.
    ...(location.protocol === 'file:' ? {} : { home: new URL('./', location.href).href }),
    onPlace: showPlace,
    onWords: (words, app) => {
      fillHeader(words, {
        theme: recallTheme(),
        toured: recall('always', 'tour') !== null,
        onTour: app.showAround,
        onLang: app.setLang,
        onTheme: (theme) => {
          applyTheme(theme, root);
          keepTheme(theme);
          app.recolour();
        },
      });
    },
  });
}

// It waits in the page to be shown where this script itself does not come.
const noload = part('noload');
noload.classList.remove('late');
if (hasSimd()) {
  begin().catch(() => {
    noload.hidden = false;
  });
} else {
  part('nosimd').hidden = false;
}
