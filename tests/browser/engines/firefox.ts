/** Implements the interface of driven-page.ts for Firefox, with Puppeteer over WebDriver BiDi. */
import puppeteer from 'puppeteer-core';
import type { ElementHandle } from 'puppeteer-core';
import { eventually } from '../driver.ts';
import {
  LOOK,
  clickMissed,
  clickUntilItComes,
  elementsThatMayBe,
  namesOfRole,
  pointToClick,
  roleSelectors,
} from './driven-page.ts';
import type { BrowserEngine, DrivenPage, InPage, Role } from './driven-page.ts';
import { findNamed } from './find-program.ts';
import { createSavedFiles } from './saved-files.ts';

const program = findNamed(
  'FIREFOX',
  'firefox-esr',
  'firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
);

/** Disables updates, telemetry and welcome pages. */
const preferences = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-US, en',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};

/**
 * Firefox's messages for aborted requests when a page is left: a request inside a service worker,
 * and a font in transit (NS_BINDING_ABORTED, 0x804B0002).
 */
const GIVEN_UP =
  /A ServiceWorker intercepted the request and encountered an unexpected error\.$|font: download failed .* status=2152398850 /;

async function launch(): Promise<DrivenPage> {
  if (program === null) throw new Error('there is no Firefox');
  const files = createSavedFiles();
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    extraPrefsFirefox: {
      ...preferences,
      'browser.download.folderList': 2, // 2: the folder in browser.download.dir
      'browser.download.dir': files.folder,
      'browser.download.alwaysOpenPanel': false,
    },
    protocolTimeout: 0, // no limit besides the test's own
  });
  const page = (await browser.pages())[0] ?? (await browser.newPage());
  await page.setViewport({ width: 1280, height: 900 });
  page.setDefaultTimeout(0);
  const problems: string[] = [];
  let leaving = false;
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    const text = error instanceof Error ? error.message : String(error);
    // Navigation aborts requests in transit, which is not an error of the page.
    if (leaving && GIVEN_UP.test(text)) return;
    problems.push(`exception: ${text}`);
  });
  const evaluate = <Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result> =>
    page.evaluate(`(${body.toString()})(...${JSON.stringify(args)})`) as Promise<Result>;

  /** Finds candidate elements by the role and name that Firefox computes. */
  async function findAll(role: Role, name: string): Promise<ElementHandle[]> {
    const source = `(${elementsThatMayBe.toString()})(${JSON.stringify(roleSelectors[role])}, ${JSON.stringify(name)})`;
    const list = await page.evaluateHandle(source);
    const wanted = namesOfRole(role).map(
      (one) => `::-p-aria([name=${JSON.stringify(name)}][role=${JSON.stringify(one)}])`,
    );
    const found: ElementHandle[] = [];
    for (const candidate of (await list.getProperties()).values()) {
      const element = candidate.asElement() as ElementHandle | null;
      const around = (await element?.$('xpath/..')) ?? null;
      if (element === null || around === null) continue;
      const named = await Promise.all(wanted.map((selector) => around.$$(selector)));
      for (const one of named.flat()) {
        const same = await one.evaluate((a, b) => a === b, element);
        if (same) found.push(element);
      }
    }
    return found;
  }

  /** Waits for the one visible element with this role and name. */
  async function find(role: Role, name: string, limit?: number): Promise<ElementHandle> {
    const found = await eventually(
      () => findAll(role, name).catch(() => []), // elements may be removed during the search
      (elements) => elements.length > 0,
      limit,
    );
    if (found.length > 1) throw new Error(`there are ${found.length} of ${role} "${name}"`);
    return found[0]!;
  }

  return {
    problems: () => Promise.resolve(problems),
    evaluate,
    goto: async (url) => {
      leaving = true;
      await page.goto(url);
      leaving = false;
    },
    waitFor: (body, ...args) => eventually(() => evaluate(body, ...args), Boolean),
    click: (role, name) =>
      clickUntilItComes({
        name,
        point: async (now) => (await find(role, now, LOOK)).evaluate(pointToClick),
        clickAt: ({ x, y }) => page.mouse.click(x, y),
        missed: () => evaluate(clickMissed),
      }),
    fill: async (role, name, text) => {
      const field = await find(role, name);
      await field.focus();
      await field.evaluate((element) => {
        (element as HTMLInputElement | HTMLTextAreaElement).select();
      });
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
    },
    choose: async (name, option) => {
      const list = await find('combobox', name);
      const value = await list.evaluate((select, text) => {
        const found = Array.from((select as HTMLSelectElement).options).find(
          (one) => one.text === text,
        );
        return found?.value ?? null;
      }, option);
      if (value === null) throw new Error(`"${name}" has no option "${option}"`);
      await list.select(value);
    },
    focus: async (role, name) => {
      const element = await find(role, name);
      await element.evaluate((one) => (one as HTMLElement | SVGElement).focus());
    },
    press: (key) => page.keyboard.press(key),
    saved: (ending) => files.take(ending),
    screenshot: () => page.screenshot(),
    close: async () => {
      await browser.close();
      files.remove();
    },
  };
}

export const firefox: BrowserEngine = {
  name: 'firefox',
  missing: program === null ? 'there is no Firefox (Debian: firefox-esr)' : null,
  launch,
};
