// Contenders in pages of Chromium that train on request; page/worker.mjs defines the messages.
import { join } from 'node:path';
import { BROWSERS, openBrowser } from '../browsers.mjs';
import { serve } from '../serve.mjs';

const root = join(import.meta.dirname, '../../..');

/** Extra milliseconds before a page counts as failed: a crashed tab sends no message. */
const PATIENCE = 300_000;

/**
 * Starts our engine or a JavaScript peer in its own browser, without other pages. With several
 * threads the page is isolated; with one it is not, and each contender uses its build for such
 * pages.
 */
export async function inChromium(peer, name, threads) {
  if (!BROWSERS.chromium.program) throw new Error('Chromium is not installed');
  let heard;
  let answer;
  let broken; // an error that arrives while no promise is pending
  const fail = (error) => heard.reject((broken = error));
  /** Waits for the page's next message. */
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
