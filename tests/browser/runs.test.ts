/** Tests saved runs in several tabs, in a sandboxed frame, and after divergence. */
import { describe, expect, it } from 'vitest';
import { eventually, focused } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import {
  names,
  notice,
  press,
  rows,
  savedAt,
  small,
  SMALL,
  tabOf,
  trainTo,
} from './kept-run-page.ts';
import { storedSaves, UnbrokenRun } from './saved-runs.ts';
import { usePages } from './sites.ts';

const { site, page: blank } = usePages();
const tab = tabOf(site);
const count = (driven: Driven) => async () => (await rows(driven)).length;

describe('the list of runs', () => {
  it('hands the focus on when another tab deletes a run, and keeps what is open in another tab', async () => {
    const driven = await site({ hash: `${SMALL}&view=runs` });
    const { page } = driven;
    for (const channels of ['16', '32']) {
      await page.getByRole('textbox', { name: 'Channels', exact: true }).fill(channels);
      await driven.reach('ready');
      await driven.oneStep.click();
      await expect.poll(count(driven)).toBe(Number(channels) / 16);
      if (channels === '16') await driven.rewind.click();
    }
    const first = 'English names (Layers 1, Channels 32, Steps 900)';
    const second = 'English names (Layers 1, Channels 16, Steps 900)';
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const other = await tab(driven, `${SMALL}&view=runs`);
    await button(`Rename: ${second}`).focus();
    await other.page.getByRole('button', { name: `Delete: ${second}` }).click();
    await focused(button(`Open: ${first}`));
    // A run cannot be deleted while another tab has it open.
    const remove = other.page.getByRole('button', { name: `Delete: ${first}` });
    expect(await remove.getAttribute('aria-disabled')).toBe('true');
    await expect
      .poll(() => remove.evaluate((one) => one.getAttribute('aria-describedby')))
      .toBe(await other.page.locator('.runs-place', { hasText: 'open in another tab' }).getAttribute('id')); // prettier-ignore
    await remove.press('Enter');
    await other.page.getByText('It is open in another tab. Delete it there').waitFor();
    expect((await rows(driven)).length).toBe(1);
    await page.close();
    const held = async (): Promise<unknown> => (await navigator.locks.query()).held?.length;
    await expect.poll(() => other.page.evaluate(held)).toBe(0);
    await remove.press('Enter');
    await other.page.getByText(`Deleted: ${first}.`).waitFor();
  });

  it('lets several tabs save at once, and never two under one name', async () => {
    const first = await site({ hash: `${SMALL}&steps=100000&view=runs` });
    await first.start.click();
    await expect.poll(count(first)).toBe(1);
    // Runs in use by another tab are not offered; opening one continues it as a separate run.
    const second = await tab(first, 'view=runs');
    await second.page.getByText('open in another tab').waitFor();
    expect((await notice(second.page).innerText()).trim()).toBe('');
    await press(second.page, 'Open: English names (Layers 1, Channels 16, Steps 100,000)');
    await second.reach('running');
    const both = await eventually(
      () => storedSaves(second.page),
      (saves) => new Set(saves.map(({ run }) => run)).size === 2,
    );
    const unbroken = await UnbrokenRun.begin(names, {
      preset: 'microgpt',
      changes: { channels: 16, layers: 1, steps: 100_000 },
    });
    for (const save of [...both].sort((a, b) => a.step - b.step)) {
      expect(save.digest).toBe(await unbroken.digestAt(save.step, 'names'));
    }
    unbroken.close();
  });
});

it('trains where nothing can be kept because the frame is sandboxed', async () => {
  const { page } = await blank();
  await page.setContent(
    `<iframe sandbox="allow-scripts" width="900" height="700" src="${siteUrl(`#${SMALL}`)}"></iframe>`,
  );
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Start', exact: true }).click();
  await frame.getByText('so the run ends with the tab').waitFor();
  await frame.getByRole('combobox', { name: 'Speed' }).selectOption('Full');
  await frame.locator('#run[data-state="finished"]').waitFor({ state: 'attached' });
});

it('says of a run that diverges when and why, and goes back to its last good state with a gentler rate', async () => {
  const driven = await site({ hash: `${SMALL}&schedule=constant&weight_decay=10` });
  const { page } = driven;
  const at = await trainTo(driven, 60);
  const rate = page.getByRole('textbox', { name: /^Learning rate/ }).first();
  await rate.fill('10');
  await press(page, 'Continue');
  await driven.reach('diverged');
  await notice(page).getByText(`At step ${at} the run was still fine.`).waitFor();
  await notice(page).getByText('The learning rate, 10, is probably too large').waitFor();
  await press(page, `Back to step ${at}, learning rate 0.001`);
  await driven.reach('paused');
  await expect.poll(() => driven.step()).toBe(at);
  await expect.poll(() => rate.inputValue()).toBe('0.001');
  // Earlier steps remain accessible.
  const stamp = page.locator('#samples li .stamp').first();
  await driven.lookBack.fill('37');
  await expect.poll(() => stamp.textContent()).toBe('step 37');
  await driven.lookBack.press('End');
  await press(page, 'Continue');
  await eventually(driven.step, (step) => step > at + 50);
  await driven.pause.click();
  await driven.reach('paused');
  const end = await driven.step();
  await savedAt(driven, end);
  // Compares with a run that never had the large learning rate.
  const unbroken = await UnbrokenRun.begin(names, {
    preset: 'microgpt',
    changes: { ...small.changes, schedule: 0, weight_decay: 10 },
  });
  const [newest] = (await storedSaves(page)).filter((save) => save.newest);
  expect(newest?.digest).toBe(await unbroken.digestAt(end, 'names'));
  unbroken.close();
});
