/** Drives the page as a person would: by role, by name, and by what can be read on it. */
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

/** Controls of the page under the names that a reader knows them by. */
export interface Controls {
  readonly start: Locator;
  readonly pause: Locator;
  readonly rewind: Locator;
  readonly oneStep: Locator;
  readonly text: Locator;
  readonly probe: Locator;
  readonly prompt: Locator;
  readonly run: Locator;
  /** The slider over the steps of the run. */
  readonly lookBack: Locator;
  /** The number of the step that the strip shows. */
  readonly step: () => Promise<number>;
  /** Waits until the strip says that the run is in this state. */
  readonly reach: (state: string, timeout?: number) => Promise<void>;
}

/** The page with its controls. */
export interface Driven extends WatchedPage, Controls {}

/** Says to a page that its reader saves data: nothing is fetched ahead. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
}

/** Says to a page that the machine has this many cores; which it has, is of no matter then. */
const withCores = (page: Page, cores: number): Promise<unknown> =>
  page.addInitScript((count) => {
    Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
  }, cores);

/** What is folded away on the page until somebody asks for it. */
const FOLDED =
  '.loss-more > .fold, .all-settings > .fold, .model-file > .fold, #attention .attention-more > .fold, .plan-fold > .fold';

/** Opens the folds of the page that are closed; returns whether there was one. */
export const openFolds = (page: Page): Promise<boolean> =>
  page.evaluate((folded) => {
    const folds = [...document.querySelectorAll<HTMLElement>(folded)];
    const closed = folds.filter((fold) => fold.getAttribute('aria-expanded') === 'false');
    for (const fold of closed) fold.click();
    return closed.length > 0;
  }, FOLDED);

/**
 * Waits until all panels are made and nothing waits for a frame; in component tests, until every
 * question is answered too.
 */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { stage } = window as { stage?: { rest: () => Promise<void> } };
    if (stage !== undefined) return stage.rest();
    // A press just before has its effect by the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
  await page.locator('#main[data-rest]').waitFor({ state: 'attached', timeout: REACH });
}

/** Waits until the element has the focus. */
export const focused = (one: Locator): Promise<void> =>
  one.and(one.page().locator(':focus')).waitFor({ state: 'attached' });

/** Chooses a tab to look closer with, through its door. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.locator('#closer').getByRole('tab', { name, exact: true });
  const doors = page.locator('#closer .door');
  await doors.first().waitFor();
  for (const door of await doors.all()) {
    if (await tab.isVisible()) break;
    await door.click();
  }
  await tab.click();
  await atRest(page);
  await openFolds(page);
}

/** Chooses every tab to look closer with, door by door, and looks at each once it is at rest. */
export async function eachTab(page: Page, look?: () => Promise<unknown>): Promise<void> {
  const closer = page.locator('#closer');
  await closer.locator('.door').first().waitFor();
  for (const door of await closer.locator('.door').all()) {
    if ((await door.getAttribute('aria-expanded')) === 'false') await door.click();
    for (const tab of await closer.getByRole('tab').all()) {
      await tab.click();
      if (look === undefined) continue;
      await atRest(page);
      await look();
    }
  }
}

/** The controls of a page. */
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
    prompt: page.getByRole('textbox', { name: 'Begin with' }),
    lookBack: run.getByRole('slider', { name: 'Look back' }),
    step: async () => {
      const shown = await run.locator('[data-part=step]').textContent();
      return Number((shown ?? '').split('/')[0]?.replaceAll(',', ''));
    },
  };
}

/** Opens the page at a fragment and waits until it can be used. */
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
    /** Where the site is; the one with the published headers unless said otherwise. */
    url?: string;
    hash?: string;
    /** The state of the run to wait for, with the page at rest; empty: waits for nothing. */
    state?: string;
    before?: (page: Page) => Promise<unknown>;
    /**
     * Trains on as many threads; null: as the machine has. Two browsers share the machine where
     * tests run, and threads that wait for each other there only take time: threads have tests of
     * their own (threads.test.ts).
     */
    cores?: number | null;
    /** Settings, model files and the figures of a head are unfolded; false: as the page comes. */
    unfold?: boolean;
    /** Fetches everything ahead, as it does for a reader who does not save data. */
    preload?: boolean;
    options?: BrowserContextOptions;
    /** Where another page is already, to be a tab beside it; its own otherwise. */
    context?: BrowserContext;
  } = {},
): Promise<Driven> {
  const watched = await openPage(browser, { locale: 'en-US', ...options }, context);
  const { page } = watched;
  if (cores !== null) await withCores(page, cores);
  if (!preload) await page.addInitScript(saveData);
  await before?.(page);
  const controls = controlsOf(page);
  // Reloads close the folds again.
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
  // Beneath it, not copied: who reads the problems of a page is known.
  return Object.assign(Object.create(watched) as WatchedPage, controls);
}

/** The loss of the first step with all its digits, from the table behind the chart. */
export async function firstLoss({ page }: Driven): Promise<string> {
  const fold = page.getByRole('button', { name: 'The losses as a table' });
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  const digits = page.locator('[data-part=first-loss]');
  return eventually(
    async () => (await digits.textContent()) ?? '',
    (text) => /^\d/.test(text),
  );
}

/** The mean loss of the row of the table that has this range of steps. */
export async function meanLoss({ page }: Driven, range: string): Promise<number> {
  const fold = page.getByRole('button', { name: 'The losses as a table' });
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  const row = page.locator('#loss table tr').filter({
    has: page.getByRole('rowheader', { name: range, exact: true }),
  });
  const cell = await row.getByRole('cell').first().textContent();
  return Number(cell);
}

/** A fingerprint of what a canvas shows, and how many different colours it has. */
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

/** For `before`: holds back what a page asks for at such addresses until it is let go. */
export function holdBack(addresses: string): {
  readonly hold: (page: Page) => Promise<unknown>;
  readonly letGo: () => void;
} {
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const hold = (page: Page): Promise<unknown> =>
    page.route(addresses, async (route) => {
      await gone;
      // To the stage of component tests, or to the network.
      await route.fallback();
    });
  return { hold, letGo };
}

/** Trains to the end. */
export async function train(driven: Driven): Promise<void> {
  await driven.start.click();
  await driven.reach('finished');
}

/** Presses a button that saves, and reads the file. */
export async function saved(
  { page }: Driven,
  button: Locator,
): Promise<{ name: string; path: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const path = await download.path();
  // It is said as well: not every browser shows what it saves.
  const saved = page.getByText(
    new RegExp(`^Saved(?: at step [\\d,]+)?: ${download.suggestedFilename()}$`),
  );
  await saved.first().waitFor();
  return { name: download.suggestedFilename(), path, text: await readFile(path, 'latin1') };
}

/**
 * Waits until the browser has written this many files down: a reload in the same moment would be
 * too fast.
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
