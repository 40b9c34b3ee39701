/** Chromium behind the interface of driven-page.ts, by way of Playwright. */
import { eventually } from '../driver.ts';
import { findChromium, launchChromium, openPage } from '../harness.ts';
import type { BrowserEngine, DrivenPage, InPage } from './driven-page.ts';

async function launch(): Promise<DrivenPage> {
  const browser = await launchChromium();
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  page.setDefaultTimeout(0); // the test's own limit counts
  const evaluate = <Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result> => page.evaluate<Result>(`(${body.toString()})(...${JSON.stringify(args)})`);
  return {
    problems: () => Promise.resolve(problems),
    evaluate,
    goto: async (url) => {
      await page.goto(url);
    },
    waitFor: (body, ...args) => eventually(() => evaluate(body, ...args), Boolean),
    click: (role, name) => page.getByRole(role, { name, exact: true }).click(),
    fill: (role, name, text) => page.getByRole(role, { name, exact: true }).fill(text),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

export const chromium: BrowserEngine = {
  name: 'chromium',
  missing: findChromium() === null ? 'there is no Chromium (Debian: chromium)' : null,
  launch,
};
