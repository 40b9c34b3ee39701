/** Locked parts of a lesson keep their values under any press on the page. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eachTab, focused } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();
const LESSON = 'lock=text,model,settings,ask';

/** Reads the values of the controls in locked panels. */
const locked = (page: Page): Promise<string[]> =>
  page
    .locator('#text, #model, #settings, #ask')
    .evaluateAll((panels) =>
      panels.flatMap((panel) =>
        [...panel.querySelectorAll<HTMLInputElement>('input, select, textarea')].map((one) =>
          ['checkbox', 'radio'].includes(one.type) ? String(one.checked) : one.value,
        ),
      ),
    );

/** Presses, chooses and fills in every enabled control; returns the number of actions. */
const pressAll = (page: Page, within: string): Promise<number> =>
  page.locator(within).evaluate((part) => {
    const controls = [
      ...part.querySelectorAll<HTMLInputElement>(
        'button, input:not([type=file]), select, textarea',
      ),
    ].filter((one) => !one.matches(':disabled') && one.checkVisibility());
    for (const one of controls) {
      if (one instanceof HTMLSelectElement) {
        one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
      } else if (one instanceof HTMLButtonElement || ['checkbox', 'radio'].includes(one.type)) {
        one.click();
        continue;
      } else {
        one.value = '7';
      }
      for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, { bubbles: true }));
    }
    return controls.length;
  });

/** Presses every control in a part of the page, closes dialogs and compares locked values. */
async function tryAll(mounted: Component, part: string): Promise<number> {
  const { page, rest } = mounted;
  const before = await locked(page);
  const pressed = await pressAll(page, part);
  await page.keyboard.press('Escape');
  await rest();
  expect(await locked(page), part).toEqual(before);
  return pressed;
}

it('in the panels after a run that diverged', async () => {
  const mounted = await mount('page', 'diverged', { lesson: LESSON });
  await mounted.train();
  let pressed = 0;
  for (const part of ['#notice', '#run', '#loss', '#samples', '#plan', '#attention']) {
    pressed += await tryAll(mounted, part);
  }
  expect(pressed).toBeGreaterThan(10);
});

it('in each of the tabs after a finished run', { timeout: 120_000 }, async () => {
  const mounted = await mount('page', 'held', { lesson: LESSON, step: 60 });
  // The Share tab's preview loads the lesson's page.
  mounted.breaks(/embed\.html/);
  const preview = mounted.page.waitForResponse(/embed\.html/);
  expect((await locked(mounted.page)).length).toBeGreaterThan(10);
  let pressed = 0;
  await eachTab(mounted.page, async () => {
    pressed += await tryAll(mounted, '#closer [role=tabpanel]:not([hidden])');
    if ((await mounted.page.locator('#closer iframe').count()) > 0) await preview;
  });
  expect(pressed).toBeGreaterThan(40);
  // Last, because it rewinds the run.
  expect(await tryAll(mounted, '#run')).toBeGreaterThan(2);
});

it('is said at the end of a run, whose large button then adds no steps', async () => {
  const { page, run, step } = await mount('run', 'held', { lesson: 'lock=settings', step: 60 });
  const message = run.locator('[data-part=run-message]');
  await message.filter({ hasText: 'this lesson fixes its number of steps' }).waitFor();
  const more = page.getByRole('button', { name: 'Train 60 more' });
  expect(await more.getAttribute('aria-disabled')).toBe('true');
  await more.press('Enter');
  await focused(message);
  expect(await step()).toBe(60);
});

it('is said to be locked in the tabs that change nothing else, and at fields elsewhere', async () => {
  const { page } = await mount('twin', 'held', { lesson: 'lock=settings', step: 60 });
  await page.locator('#closer').getByText('Fixed for this lesson.').waitFor();
  expect(await page.getByRole('button', { name: 'Train the twin' }).isDisabled()).toBe(true);
});

it.each([
  ['free', 'task=Look', 0],
  ['locked', 'lock=ask', 2],
])('shows the fields of Write as %s where the request is', async (kind, lesson, notes) => {
  const { page } = await mount('write', 'names', { lesson });
  const tab = page.getByRole('tabpanel');
  await tab.getByRole('textbox', { name: 'Temperature' }).waitFor();
  const fields = await tab.getByRole('textbox').all();
  const off = await Promise.all(fields.map((field) => field.isDisabled()));
  expect(off).toEqual(Array(5).fill(kind === 'locked'));
  expect(await tab.getByText('Fixed for this lesson.').count()).toBe(notes);
  // Drawing tokens changes no locked value.
  await tab.getByRole('button', { name: 'Next token' }).click();
  await tab.getByText('The dice showed').waitFor();
});

it.each([
  ['free', 'task=Look', 1, false],
  ['locked', 'lock=settings', 0, true],
])(
  'offers settings beside text and model only where they are %s',
  async (_, lesson, count, off) => {
    const ids = ['text', 'settings', 'model-parts'];
    const { page } = await mount(ids, 'moby', { lesson, hash: 'preset=microgpt' });
    expect(await page.getByRole('button', { name: 'Use tinygpt' }).count()).toBe(count);
    const part = page.getByRole('button', { name: /^Query, key, value/ });
    await part.first().click();
    const channels = page.locator('.part-fields').getByRole('textbox', { name: 'Channels' });
    await channels.waitFor();
    expect(await channels.isDisabled()).toBe(off);
  },
);

it('shows the chosen text alone in place of a choice among texts', async () => {
  const { page } = await mount('text', 'names', { lesson: 'lock=text' });
  await expect
    .poll(() => page.locator('#text .sources label').allInnerTexts())
    .toEqual(['English names']);
});
