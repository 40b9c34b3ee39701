/** Where the page begins. */
import 'uplot/dist/uPlot.min.css';
import engineUrl from '../../build/wasm/glasshouse.wasm?url';
import threadsUrl from '../../build/wasm-threads/glasshouse.wasm?url';
import { createApp } from './app.ts';
import { hasSimd } from './simd.ts';
import { applyTheme, recallTheme } from './theme.ts';

applyTheme(recallTheme());
const main = document.getElementById('main');
const stop = document.getElementById('nosimd');
if (main === null || stop === null) throw new Error('the page lacks a part');
if (hasSimd()) {
  createApp(main, {
    engine: new URL(engineUrl, location.href),
    threadedEngine: new URL(threadsUrl, location.href),
  });
} else {
  stop.hidden = false;
}
