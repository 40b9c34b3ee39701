/**
 * Takes screenshots of a built site: the first screen before and after a short run, and each tab,
 * on phone and desktop, light and dark, in English and Chinese.
 */
/* global CSSStyleSheet, document, location */
import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preview } from 'vite';

const SCREENS = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 900 } },
};
const LOCALES = { en: 'en-US', zh: 'zh-CN' };
const TABS = [
  ...['tokens', 'write', 'story', 'model-parts', 'attention-closer', 'embeddings', 'moments'],
  ...['copied', 'merges', 'twin', 'take-away', 'runs', 'share'],
];
/** The run to show: bit-exact on every machine. */
const RUN = 'text=names&preset=microgpt&layers=2&steps=150&validation=0.1&pace=full';
/**
 * Parts that depend on clock and machine: speeds, disk space, time for more steps, and the
 * attention sparklines, sampled a few times a second. The sentences take no space, because their
 * lengths would move the content below.
 */
const HIDDEN = `[data-part=speed], [data-part=left], .spark { visibility: hidden !important }
  .after-line, .runs-facts { display: none !important }`;
/** The section of an open tab; the whole page in a version without this section. */
const SECTION = '#closer';
/** Identical screenshots in a row that end the wait; the browser is idle before each. */
const LOOKS = 4;
const MOST_LOOKS = 60;

/** A fixed address for any port, because the page displays addresses. */
const ADDRESS = 'http://glasshouse.localhost/';

/** Takes the screenshots whose names contain `only` into `out`; returns their names. */
export async function takePictures(launch, dist, out, only = '') {
  mkdirSync(out, { recursive: true });
  const site = await preview({
    ...{ configFile: false, logLevel: 'silent', build: { outDir: dist } },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const { host } = new URL(site.resolvedUrls.local[0]);
  const browser = await launch([`--host-resolver-rules=MAP glasshouse.localhost:80 ${host}`]);
  const names = [];
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const colorScheme of ['light', 'dark']) {
      for (const [lang, locale] of Object.entries(LOCALES)) {
        const wanted = ['first', 'trained', ...TABS]
          .map((shown) => ({ shown, name: `${screen}-${colorScheme}-${lang}-${shown}` }))
          .filter(({ name }) => name.includes(only));
        if (wanted.length === 0) continue;
        const context = await browser.newContext({
          ...{ ...options, colorScheme, locale, timezoneId: 'UTC' },
          ...{ reducedMotion: 'reduce', serviceWorkers: 'block' },
        });
        await takeEach(await openPage(context), wanted, (name, picture) => {
          writeFileSync(join(out, `${name}.png`), picture);
          names.push(name);
        });
        await context.close();
      }
    }
  }
  await browser.close();
  await site.close();
  return names;
}

/** Opens a page with a fixed date and the HIDDEN rules, on a machine of one core. */
async function openPage(context) {
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date('2026-01-02T03:04:05Z'));
  await page.addInitScript(() => {
    Object.defineProperty(globalThis.navigator, 'hardwareConcurrency', { value: 1 });
  });
  await page.addInitScript((rules) => {
    document.addEventListener('DOMContentLoaded', () => {
      // The content security policy allows style sheets only from its own files and from scripts.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    });
  }, HIDDEN);
  return page;
}

async function takeEach(page, wanted, keep) {
  const reach = (state) =>
    page.locator(`#run[data-state="${state}"]`).waitFor({ state: 'attached', timeout: 120_000 });
  await page.goto(`${ADDRESS}#${RUN}`);
  await reach('ready');
  for (const { shown, name } of wanted) {
    if (shown === 'first') {
      keep(name, await atRest(page, page));
      continue;
    }
    if (!(await page.locator('#run[data-state=finished]').count())) {
      await page.locator('#run button').first().click();
      await reach('finished');
    }
    if (shown === 'trained') {
      await page.evaluate(() => globalThis.scrollTo(0, 0));
      keep(name, await atRest(page, page, { fullPage: true }));
      continue;
    }
    await page.evaluate((tab) => {
      const params = new URLSearchParams(location.hash.slice(1));
      params.set('view', tab);
      location.hash = params.toString();
    }, shown);
    const section = page.locator(SECTION);
    const isThere = (await section.count()) > 0;
    if (isThere) await section.scrollIntoViewIfNeeded();
    keep(name, await (isThere ? atRest(page, section) : atRest(page, page, { fullPage: true })));
  }
}

/** Takes a screenshot of `target` once it no longer changes. */
async function atRest(page, target, options = {}) {
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  let [before, same] = [Buffer.alloc(0), 0];
  for (let look = 0; look < MOST_LOOKS && same < LOOKS; look++) {
    await page.evaluate(() => new Promise((resolve) => globalThis.requestIdleCallback(resolve)));
    const now = await target.screenshot({ ...options, animations: 'disabled' });
    same = now.equals(before) ? same + 1 : 1;
    before = now;
  }
  if (same < LOOKS) console.log('  a picture was taken of a page that did not come to rest');
  return before;
}
