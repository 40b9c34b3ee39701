/** Implements the interface of driven-page.ts for Chromium, with Playwright. */
import { join } from 'node:path';
import { eventually } from '../driver.ts';
import { findChromium, launchChromium, openPage } from '../harness.ts';
import { LOOK, clickMissed, clickUntilItComes, pointToClick } from './driven-page.ts';
import type { BrowserEngine, DrivenPage, InPage } from './driven-page.ts';
import { createSavedFiles } from './saved-files.ts';

async function launch(): Promise<DrivenPage> {
  const browser = await launchChromium();
  const watched = await openPage(browser, { locale: 'en-US' });
  const { page } = watched;
  page.setDefaultTimeout(20_000); // the limit of one Playwright action
  const files = createSavedFiles();
  // A failed save leaves no file, so the test that waits for the file fails.
  page.on('download', (file) => {
    file.saveAs(join(files.folder, file.suggestedFilename())).catch(console.error);
  });
  const evaluate = <Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result> => page.evaluate<Result>(`(${body.toString()})(...${JSON.stringify(args)})`);
  return {
    problems: () => Promise.resolve(watched.problems),
    evaluate,
    goto: async (url) => {
      await page.goto(url);
    },
    waitFor: (body, ...args) => eventually(() => evaluate(body, ...args), Boolean),
    click: (role, name) =>
      clickUntilItComes({
        name,
        point: (now) =>
          page
            .getByRole(role, { name: now, exact: true })
            .evaluate(pointToClick, undefined, { timeout: LOOK }),
        clickAt: ({ x, y }) => page.mouse.click(x, y),
        missed: () => evaluate(clickMissed),
      }),
    fill: (role, name, text) => page.getByRole(role, { name, exact: true }).fill(text),
    choose: async (name, option) => {
      await page.getByRole('combobox', { name, exact: true }).selectOption({ label: option });
    },
    focus: (role, name) => page.getByRole(role, { name, exact: true }).focus(),
    press: (key) => page.keyboard.press(key),
    saved: (ending) => files.take(ending),
    screenshot: () => page.screenshot(),
    close: async () => {
      await browser.close();
      files.remove();
    },
  };
}

export const chromium: BrowserEngine = {
  name: 'chromium',
  missing: findChromium() === null ? 'there is no Chromium (Debian: chromium)' : null,
  launch,
};
