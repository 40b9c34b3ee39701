/** Drives the page by role, accessible name and visible text. */
import { readFile } from 'node:fs/promises';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { REACH } from '../budgets.ts';
import { eventually } from '../wait.ts';
import { openPage, siteUrl } from './harness.ts';
import type { WatchedPage } from './harness.ts';

export { eventually };

/** Controls of the page, found by their visible names. */
export interface Controls {
  readonly start: Locator;
  readonly pause: Locator;
  readonly rewind: Locator;
  readonly oneStep: Locator;
  readonly text: Locator;
  readonly probe: Locator;
  readonly prompt: Locator;
  readonly run: Locator;
  /** The slider that selects a step of the run. */
  readonly lookBack: Locator;
  /** Reads the step number in the run bar. */
  readonly step: () => Promise<number>;
  /** Waits until the run is in this state. */
  readonly reach: (state: string, timeout?: number) => Promise<void>;
}

export interface Driven extends WatchedPage, Controls {}

/** Sets the browser's data-saver flag, which stops prefetching. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** Makes the page see this number of cores, regardless of the machine. */
const withCores = (page: Page, cores: number): Promise<unknown> =>
  page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
  }, cores);

/** Toggles of collapsed parts of the page. */
const FOLDED =
  '.loss-more > .fold, .all-settings > .fold, .model-file > .fold, #attention .attention-more > .fold, .plan-fold > .fold, .choices-fold > .fold, .cache-fold > .fold, .write-meaning > .fold';

/** Opens all closed folds; returns true if any was closed. */
export const openFolds = (page: Page): Promise<boolean> =>
  page.evaluate((folded) => {
    const folds = [...document.querySelectorAll<HTMLElement>(folded)];
    const closed = folds.filter((fold) => fold.getAttribute('aria-expanded') === 'false');
    for (const fold of closed) fold.click();
    return closed.length > 0;
  }, FOLDED);

/**
 * Waits until all panels are built and no frame is pending; in component tests, until all requests
 * are answered too.
 */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { stage } = window as { stage?: { rest: () => Promise<void> } };
    if (stage !== undefined) return stage.rest();
    // A press just before takes effect by the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
  await page.locator('#main[data-rest]').waitFor({ state: 'attached', timeout: REACH });
}

/** Waits until the element has focus. */
export const focused = (one: Locator): Promise<void> =>
  one.and(one.page().locator(':focus')).waitFor({ state: 'attached' });

/**
 * The share of the window's rows, at the worst scroll position, that is covered by elements that
 * stay there while the page scrolls.
 */
export const coveredShare = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    /** Distance of the tested rows, in CSS pixels. */
    const STEP = 4;
    const isStuck = (one: Element): boolean => {
      const { position, top, bottom } = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      const isAt = (edge: number, inset: string): boolean =>
        Math.abs(edge - Number.parseFloat(inset)) < 1;
      return (
        position === 'fixed' ||
        (position === 'sticky' && (isAt(box.top, top) || isAt(innerHeight - box.bottom, bottom)))
      );
    };
    const isCovered = (y: number): boolean => {
      let one = document.elementFromPoint(innerWidth / 2, y);
      while (one?.shadowRoot) one = one.shadowRoot.elementFromPoint(innerWidth / 2, y);
      while (one !== null && !isStuck(one)) one = one.parentElement;
      return one !== null;
    };
    const rows = Array.from({ length: innerHeight / STEP }, (_, row) => row * STEP);
    let most = 0;
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' });
      // Observers are notified in the next frame.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      most = Math.max(most, rows.filter(isCovered).length);
    }
    return most / rows.length;
  });

/**
 * The texts under "The model writes" with their steps, without the verdict, which comes later. Line
 * breaks depend on the layout, so whitespace is normalised.
 */
export async function writtenTexts(page: Page): Promise<string> {
  const texts = await page.locator('.samples').locator('.stamp, .written').allInnerTexts();
  return normalised(texts.join(' '));
}

/** The text with each run of whitespace as one space. */
export const normalised = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Selects an analysis tab, opening its tab group first. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.locator('#closer').getByRole('tab', { name, exact: true });
  const groups = page.locator('#closer .tab-group-button');
  await groups.first().waitFor();
  for (const group of await groups.all()) {
    if (await tab.isVisible()) break;
    if ((await group.getAttribute('aria-expanded')) === 'true') continue;
    await group.click();
    // The tabs are rendered with this attribute, by the next frame.
    await group.and(page.locator('[aria-expanded=true]')).waitFor();
  }
  await tab.click();
  await atRest(page);
  await openFolds(page);
}

/** Selects every analysis tab, group by group; calls `look` once each tab is at rest. */
export async function eachTab(page: Page, look?: () => Promise<unknown>): Promise<void> {
  const closer = page.locator('#closer');
  await closer.locator('.tab-group-button').first().waitFor();
  for (const group of await closer.locator('.tab-group-button').all()) {
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    for (const tab of await closer.getByRole('tab').all()) {
      await tab.click();
      if (look === undefined) continue;
      await atRest(page);
      await look();
    }
  }
}

/** Returns the controls of a page. */
export function controlsOf(page: Page): Controls {
  const run = page.locator('#run');
  const reach = async (wanted: string, timeout = REACH): Promise<void> => {
    try {
      await page.locator(`#run[data-state="${wanted}"]`).waitFor({ state: 'attached', timeout });
    } catch (failure) {
      if (page.isClosed()) throw failure;
      const last = await page.evaluate(() => {
        const bar = document.querySelector('#run');
        const step = bar?.querySelector('[data-part=step]')?.textContent ?? '?';
        return `${bar?.getAttribute('data-state') ?? 'no run'} at step ${step}`;
      });
      throw new Error(`not within ${timeout / 1000} s: a run that is ${wanted}; it was ${last}`, {
        cause: failure,
      });
    }
  };
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  return {
    run,
    reach,
    start: button('Start'),
    pause: button('Pause'),
    rewind: button('Rewind'),
    oneStep: button('One step'),
    text: page.getByRole('textbox', { name: 'The text to learn' }),
    probe: page.locator('#attention').getByRole('textbox', { name: 'Look at this text' }),
    prompt: page.getByRole('textbox', { name: 'Prompt' }),
    lookBack: run.getByRole('slider', { name: 'Look back' }),
    step: async () => {
      const shown = await run.locator('[data-part=step]').textContent();
      return Number((shown ?? '').split('/')[0]?.replaceAll(',', ''));
    },
  };
}

/** Opens the site with a URL hash and waits until the page is usable. */
export async function openSite(
  browser: Browser,
  {
    url = siteUrl(),
    hash = '',
    state = 'ready',
    before,
    cores = 1,
    unfold = true,
    preload = false,
    options = {},
    context,
  }: {
    /** URL of the site; by default the server with the published headers. */
    url?: string;
    hash?: string;
    /** State of the run to wait for, with the page at rest; empty string: no wait. */
    state?: string;
    before?: (page: Page) => Promise<unknown>;
    /**
     * Number of cores the page sees, hence of threads; null: the machine's own. The default is
     * small because two browsers share the test machine and waiting threads only slow the tests.
     * threads.test.ts covers threads.
     */
    cores?: number | null;
    /** Unfolds settings, model files and head figures; false: leaves the page as loaded. */
    unfold?: boolean;
    /** Prefetches everything, as for readers who do not save data. */
    preload?: boolean;
    options?: BrowserContextOptions;
    /** Context of another page, which makes this page another tab; by default a new context. */
    context?: BrowserContext;
  } = {},
): Promise<Driven> {
  const watched = await openPage(browser, { locale: 'en-US', ...options }, context);
  const { page } = watched;
  if (cores !== null) await withCores(page, cores);
  if (!preload) await page.addInitScript(saveData);
  await before?.(page);
  const controls = controlsOf(page);
  // A reload closes the folds, so each load event opens them again.
  const openLater = (): void => {
    atRest(page)
      .then(() => openFolds(page))
      .catch(() => undefined);
  };
  if (unfold && state === '') page.on('load', openLater);
  await page.goto(hash === '' ? url : `${url}#${hash}`);
  if (state !== '') {
    await controls.reach(state);
    await atRest(page);
    if (unfold) await openFolds(page);
    if (unfold) page.on('load', openLater);
  }
  // Uses a prototype chain because a copy would read `problems`, which counts as judging them.
  return Object.assign(Object.create(watched) as WatchedPage, controls);
}

/** Reads the loss of the first step in full precision from the table under the chart. */
export async function firstLoss({ page }: Driven): Promise<string> {
  const fold = page.getByRole('button', { name: 'The losses as a table' });
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  const digits = page.locator('[data-part=first-loss]');
  return eventually(
    async () => (await digits.textContent()) ?? '',
    (text) => /^\d/.test(text),
  );
}

/** Reads the mean loss in the table row for this range of steps. */
export async function meanLoss({ page }: Driven, range: string): Promise<number> {
  const fold = page.getByRole('button', { name: 'The losses as a table' });
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  const row = page.locator('#loss table tr').filter({
    has: page.getByRole('rowheader', { name: range, exact: true }),
  });
  const cell = await row.getByRole('cell').first().textContent();
  return Number(cell);
}

/** Returns a hash of a canvas's pixels and the number of distinct colours. */
export function canvasContent(canvas: Locator): Promise<{ print: number; colours: number }> {
  return canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const context = (element as HTMLCanvasElement).getContext('2d');
    const pixels = new Uint32Array(
      context?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0),
    );
    let print = 0;
    for (const pixel of pixels) print = (Math.imul(print, 31) + pixel) | 0;
    return { print, colours: new Set(pixels).size };
  });
}

/** Pauses requests that match a pattern until `letGo` is called; `hold` suits option `before`. */
export function holdBack(addresses: string): {
  readonly hold: (page: Page) => Promise<unknown>;
  readonly letGo: () => void;
} {
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const hold = (page: Page): Promise<unknown> =>
    page.route(addresses, async (route) => {
      await gone;
      // Falls through to the stage of component tests, or to the network.
      await route.fallback();
    });
  return { hold, letGo };
}

/** Trains to the last step. */
export async function train(driven: Driven): Promise<void> {
  await driven.start.click();
  await driven.reach('finished');
}

/** Presses a save button and reads the downloaded file. */
export async function saved(
  { page }: Driven,
  button: Locator,
): Promise<{ name: string; path: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = await download.path();
  // The page also announces the file, because some browsers show no download.
  const saved = page.getByText(
    new RegExp(`^Saved(?: at step [\\d,]+)?: ${download.suggestedFilename()}\\.?$`),
  );
  await saved.first().waitFor();
  return { name: download.suggestedFilename(), path, text: await readFile(path, 'latin1') };
}

/**
 * Waits until IndexedDB holds this number of text files. An earlier reload could interrupt the
 * write.
 */
export async function filesWritten({ page }: Driven, count: number): Promise<void> {
  const files = () =>
    page.evaluate(async () => {
      const databases = await indexedDB.databases();
      if (!databases.some(({ name }) => name === 'glasshouse-texts')) return 0;
      return new Promise<number>((resolve) => {
        const opening = indexedDB.open('glasshouse-texts');
        opening.onsuccess = () => {
          const counting = opening.result.transaction('files').objectStore('files').count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      });
    });
  await eventually(files, (found) => found === count);
}
