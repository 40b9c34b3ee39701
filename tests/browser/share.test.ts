/**
 * Tests that lessons made on the page train in student pages. Texts of the tab and contents of
 * lessons are tested in tests/component/share.test.ts.
 */
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { sharedChromium } from './harness.ts';
import { html, startHost } from './hosts.ts';
import { usePages } from './sites.ts';

const { page: blank, closing } = usePages();

/** The page with the Share tab open, used by all tests. */
let teacher: Driven;

beforeAll(async () => {
  const browser = await sharedChromium();
  teacher = await openSite(browser, { hash: 'layers=1&steps=40&view=share' });
  await teacher.page.getByRole('tabpanel', { name: 'Share' }).waitFor();
});

afterAll(() => teacher.close());

/** Returns the snippet for this form. */
async function snippetOf(form: string, ready: (snippet: string) => boolean): Promise<string> {
  const { page } = teacher;
  await page.getByRole('radio', { name: form, exact: true }).check();
  return eventually(() => page.getByRole('textbox', { name: 'What to paste' }).inputValue(), ready);
}

/** Trains the lesson to the end. */
async function train(inside: Page | FrameLocator): Promise<void> {
  await inside.getByRole('button', { name: 'Start', exact: true }).click();
  await inside.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
  await expect.poll(() => inside.locator('[data-part=step]').textContent()).toBe('40 / 40');
}

it.each([
  ['Frame', '<iframe'],
  ['Element', '<glasshouse-gpt'],
])('a lesson trains as HTML on somebody’s page: %s', async (form, tag) => {
  const snippet = await snippetOf(form, (value) => value.includes(tag));
  const host = closing(await startHost());
  host.put('/week.html', html(snippet));
  const { page } = await blank();
  await page.goto(`${host.url}week.html`);
  const inside = form === 'Frame' ? page.frameLocator('iframe') : page;
  await inside.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
  if (form === 'Frame') {
    // The snippet's script resizes the frame, which moves its content; waits for a stable height.
    const height = (): Promise<number> =>
      page.locator('iframe').evaluate((frame) => frame.getBoundingClientRect().height);
    let last = 900;
    await eventually(height, (now) => {
      const rests = now !== 900 && now === last;
      last = now;
      return rests;
    });
  }
  await train(inside);
});

it('a lesson is shown to its teacher as students see it', async () => {
  const { page } = teacher;
  await page.setViewportSize({ width: 390, height: 700 });
  await snippetOf('Link', (value) => value.startsWith('http'));
  await page.getByRole('button', { name: 'Preview' }).click();
  // The preview opens below the button and scrolls into view.
  await page.getByText('The lesson is shown below.').waitFor();
  const top = async (): Promise<number> => (await page.locator('iframe').boundingBox())!.y;
  await eventually(top, (at) => at > 0 && at < 350);
  await train(page.frameLocator('iframe'));
});

it('a lesson opens from its link with its own text, task and locks alone', async () => {
  const page = teacher.page;
  const mine = 'anna\nbob\nclara & <dora>\n';
  await teacher.text.fill(mine);
  await page.getByRole('textbox', { name: 'Task' }).fill('Train it.\n\nThen look.');
  await page.getByRole('textbox', { name: 'Name of the text' }).fill('Three & a <name>');
  const box = (group: string, name: string) =>
    page.getByRole('group', { name: group }).getByRole('checkbox', { name });
  await box('Show', 'Attention').uncheck();
  await box('Lock (read-only for students)', 'Text').check();
  await box('Hide buttons', 'New seed').check();
  const isWhole = (value: string): boolean =>
    value.includes('packed=') && value.includes('hide=seed');
  const student = await blank();
  await student.page.goto(await snippetOf('Link', isWhole));
  await student.page.getByText('Then look.').waitFor();
  const field = student.page.getByRole('textbox', { name: 'The text to learn' });
  await expect.poll(() => field.inputValue()).toBe(mine);
  await student.page.getByRole('radio', { name: 'Three & a <name>' }).waitFor();
  expect(await field.isDisabled()).toBe(true);
  expect(await student.page.getByRole('button', { name: 'New seed' }).count()).toBe(0);
  expect(await student.page.locator('#attention').count()).toBe(0);
  await train(student.page);
});
