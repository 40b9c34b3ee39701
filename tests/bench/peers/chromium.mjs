// Contenders in pages of Chromium that train when told to; see page/worker.mjs for what is said.
import { join } from 'node:path';
import { BROWSERS, openBrowser } from '../browsers.mjs';
import { serve } from '../serve.mjs';

const root = join(import.meta.dirname, '../../..');

/** Milliseconds that a page may take beyond what it is told: a tab that crashed says nothing. */
const PATIENCE = 300_000;

/**
 * Ours or a JavaScript peer in a browser of its own, where no other page is in its way. With
 * several threads the page is isolated; with one it is not, and each takes what it has for such
 * pages.
 */
export async function inChromium(peer, name, threads) {
  if (!BROWSERS.chromium.program) throw new Error('Chromium is not installed');
  let heard;
  let answer;
  let broken; // maybe while nobody listens
  const fail = (error) => heard.reject((broken = error));
  /** What the page says next. */
  const next = (patience) => {
    const said = new Promise((resolve, reject) => (heard = { resolve, reject }));
    const timer = setTimeout(() => fail(new Error('it took too long')), patience);
    return said.finally(() => clearTimeout(timer));
  };
  const site = await serve(root, {
    isolated: threads > 1,
    hear(told) {
      if (told.failed) fail(new Error(told.failed));
      else heard.resolve(told);
      return new Promise((resolve) => (answer = resolve));
    },
  });
  const ready = next(PATIENCE);
  const settings = new URLSearchParams({ peer, config: name, threads });
  const url = `${site.url}/tests/bench/peers/page/index.html?${settings}`;
  const browser = openBrowser('chromium', url, fail);
  const end = async () => {
    await browser.close();
    site.close();
  };
  try {
    await ready;
  } catch (error) {
    await end();
    throw error;
  }
  return {
    ...{ peer, engine: 'chromium', threads, group: browser.group },
    async train(seconds) {
      if (broken) throw broken;
      const trained = next(1000 * seconds + PATIENCE);
      answer({ seconds });
      return trained;
    },
    end,
  };
}
