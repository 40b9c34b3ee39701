/** Firefox behind the interface of driven-page.ts, by way of Puppeteer over WebDriver BiDi. */
import puppeteer from 'puppeteer-core';
import type { ElementHandle } from 'puppeteer-core';
import { eventually } from '../driver.ts';
import type { BrowserEngine, DrivenPage, InPage, Role } from './driven-page.ts';
import { findNamed } from './find-program.ts';

const program = findNamed(
  'FIREFOX',
  'firefox-esr',
  'firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
);

/** Nothing of its own business: no updates, no reports, no pages of welcome. */
const preferences = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'intl.accept_languages': 'en-US, en',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.enabled': false,
};

async function launch(): Promise<DrivenPage> {
  if (program === null) throw new Error('there is no Firefox');
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: program,
    headless: true,
    extraPrefsFirefox: preferences,
    protocolTimeout: 0, // the test's own limit counts
    defaultViewport: { width: 1280, height: 900 },
  });
  const page = (await browser.pages())[0] ?? (await browser.newPage());
  page.setDefaultTimeout(0);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    problems.push(`exception: ${error instanceof Error ? error.message : String(error)}`);
  });
  const evaluate = <Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result> =>
    page.evaluate(`(${body.toString()})(...${JSON.stringify(args)})`) as Promise<Result>;

  /** The one visible element of this role and name. */
  async function find(role: Role, name: string): Promise<ElementHandle> {
    const selector = `::-p-aria([name=${JSON.stringify(name)}][role=${JSON.stringify(role)}])`;
    const found = await eventually(
      async () => {
        const all = await page.$$(selector);
        const visible = await Promise.all(all.map((element) => element.isVisible()));
        return all.filter((_, index) => visible[index]);
      },
      (elements) => elements.length > 0,
    );
    if (found.length > 1) throw new Error(`there are ${found.length} of ${role} "${name}"`);
    return found[0]!;
  }

  return {
    problems: () => Promise.resolve(problems),
    evaluate,
    goto: async (url) => {
      await page.goto(url);
    },
    waitFor: (body, ...args) => eventually(() => evaluate(body, ...args), Boolean),
    click: async (role, name) => (await find(role, name)).click(),
    fill: async (role, name, text) => {
      const field = await find(role, name);
      await field.focus();
      await field.evaluate((element) => {
        (element as HTMLInputElement | HTMLTextAreaElement).select();
      });
      await page.keyboard.press('Delete');
      await page.keyboard.type(text);
    },
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

export const firefox: BrowserEngine = {
  name: 'firefox',
  missing: program === null ? 'there is no Firefox (Debian: firefox-esr)' : null,
  launch,
};
