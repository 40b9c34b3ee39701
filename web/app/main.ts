/** Where the page begins. */
import 'uplot/dist/uPlot.min.css';
import { pageAddress } from './address.ts';
import { createApp } from './app.ts';
import { fillHeader } from './header.ts';
import { keepForOffline } from './offline-site.ts';
import { showPlace } from './place-note.ts';
import './math-styles.ts';
import { hasSimd } from './simd.ts';
import { sources } from './sources.ts';
import { recall } from './storage.ts';
import { applyTheme, keepTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
applyTheme(recallTheme(), root);
const main = document.getElementById('main');
const stop = document.getElementById('nosimd');
if (main === null || stop === null) throw new Error('the page lacks a part');
if (hasSimd()) {
  createApp(main, {
    ...sources(),
    address: pageAddress(),
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
} else {
  stop.hidden = false;
}
