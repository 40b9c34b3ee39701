/** Tests receipts on the page: creating, comparing and replaying. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventually, openSite } from './driver.ts';
import type { Driven } from './driver.ts';
import { launchChromium } from './harness.ts';

let browser: Browser;
const open: Driven[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});

afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
});

afterAll(async () => {
  await browser.close();
});

/** Trains a page to the end with this seed and number of steps; returns it and its receipt. */
async function finished(seed: number, steps: number): Promise<{ driven: Driven; line: string }> {
  const hash = `channels=16&layers=1&steps=${steps}&seed=${seed}&view=runs`;
  const permissions = ['clipboard-read', 'clipboard-write'];
  const driven = await openSite(browser, { hash, options: { permissions } });
  open.push(driven);
  await driven.start.click();
  await driven.reach('finished');
  // The layout is final once the run is saved.
  await driven.page.locator('.runs-table tbody tr').first().waitFor();
  const line = await eventually(
    async () => (await driven.page.locator('[data-part=receipt]').textContent()) ?? '',
    (text) => text.startsWith(`gh1-microgpt-s${seed}-${steps}-`),
  );
  return { driven, line };
}

it('says of two runs whether they are the same, and otherwise what differs first', async () => {
  const { driven, line } = await finished(7, 60);
  const { page } = driven;
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied.').waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(line);

  const field = page.getByRole('textbox', {
    name: 'Check another receipt: paste its short line or the full JSON',
  });
  const verdict = page.locator('[data-part=receipt-verdict]');
  const says = (text: RegExp) =>
    eventually(
      async () => (await verdict.textContent()) ?? '',
      (shown) => text.test(shown),
    );
  await field.fill(`  ${line}\n`);
  await says(/^Equal/);
  const other = await finished(8, 60);
  await field.fill(`Zhang San: ${other.line}`);
  await says(/^Another seed: 8 there, 7 here\.$/);
  const longer = await finished(7, 80);
  await field.fill(longer.line);
  // The number of steps is part of the recipe, so a longer run has another recipe.
  await says(
    /^Another step: 80 there, 60 here\. The recipe differs too: perhaps only in the number/,
  );
  const [engine, , seed, step, recipe] = line.split('-');
  await field.fill(line.replace(`-${step!}-`, '-40-'));
  await says(/^The same recipe, at another step: 40 there, 60 here\.$/);
  await field.fill(line.replace(recipe!, '00000000'));
  await says(/^Another recipe: settings/);
  await field.fill(`${engine!}-gpt2-${seed!}-9${line.slice(line.indexOf(recipe!) - 1)}`);
  await says(/^Another preset: gpt2 there, microgpt here\. Another step: 9 there, 60 here\.$/);
  const forged = `${line.slice(0, -1)}${line.endsWith('0') ? '1' : '0'}`;
  await field.fill(forged);
  await says(/other weights/);
  await field.fill('hello <b>there</b>');
  await says(/This is not a receipt/);
  await field.fill('{"a":1}');
  await says(/This is not a receipt/);
  await field.fill(`{"format":"glasshouse-receipt","engine":1,"line":"${line}"`);
  await says(/This receipt was altered, or not copied whole: something is missing/);
  // Two receipts at once, which the field rejects.
  await field.fill(`${line} ${other.line}`);
  await says(/or there are several/);
  expect(driven.problems).toEqual([]);
});

/** Forges a receipt: changes the loss at `step` and adjusts the hash in its line. */
function withLoss(json: string, step: number, bits: string): string {
  const receipt = JSON.parse(json) as { line: string; losses: string };
  const hash = (losses: string): string => {
    const stride = Buffer.alloc(8);
    stride.writeUInt8(1);
    const floats = Buffer.from(losses, 'hex').swap32();
    return createHash('sha256').update(stride).update(floats).digest('hex').slice(0, 8);
  };
  const at = 8 * (step - 1);
  const losses = receipt.losses.slice(0, at) + bits + receipt.losses.slice(at + 8);
  const line = receipt.line.replace(hash(receipt.losses), hash(losses));
  expect(line).not.toBe(receipt.line);
  return JSON.stringify({ ...receipt, line, losses });
}

it('says what it takes to compare a line before there is a run here', async () => {
  const driven = await openSite(browser, { hash: 'view=runs' });
  open.push(driven);
  const { page } = driven;
  const field = page.getByRole('textbox', {
    name: 'Check another receipt: paste its short line or the full JSON',
  });
  await field.fill('gh1-microgpt-s42-1500-1a2b3c4d-5e6f7081-92a3b4c5');
  const verdict = page.locator('[data-part=receipt-verdict]');
  await expect
    .poll(() => verdict.textContent())
    .toMatch(/^There is no run here to compare it with\. .* to step 1,500, or paste/);
  await driven.start.click();
  await expect.poll(() => verdict.textContent()).toMatch(/as soon as you pause it/);
});

it('replays a receipt beside the run: true when it is, and where it is not when it is not', async () => {
  const { driven } = await finished(7, 60);
  const { page } = driven;
  const finding = page.locator('[data-part=receipt-finding]');
  const finds = (what: string) =>
    expect.poll(() => finding.textContent(), { timeout: 30_000 }).toContain(what);
  const checkOwn = page.getByRole('button', { name: 'Check this run' });
  await checkOwn.click();
  await finds('True: all 60 steps came out the same');
  // A button pressed by keyboard keeps the focus.
  expect(await checkOwn.evaluate((button) => button === document.activeElement)).toBe(true);

  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the full receipt' }).click();
  const json = readFileSync(await (await coming).path(), 'utf8');
  const field = page.getByRole('textbox', {
    name: 'Check another receipt: paste its short line or the full JSON',
  });
  await field.fill(withLoss(json, 42, '40400000'));
  await page.getByRole('button', { name: 'Check it', exact: true }).click();
  await finds('Not true: the loss of step 42 differs first');

  // Changed losses without an adjusted hash give another message.
  const verdict = page.locator('[data-part=receipt-verdict]');
  const check = page.getByRole('button', { name: 'Check it', exact: true });
  await field.fill(json.replace(/"losses":"./, '"losses":"0'));
  await expect.poll(() => verdict.textContent()).toMatch(/^A full receipt/);
  await check.click();
  await finds(
    'This receipt was altered, or not copied whole: its short line does not fit the rest.',
  );
  await expect.poll(() => verdict.textContent()).toBe('');
  await field.fill(json.replace('"text_bytes":', '"text_bytes":-'));
  await check.click();
  await finds('its part “text_bytes” is wrong');
  await expect.poll(() => driven.step()).toBe(60);
  expect(driven.problems).toEqual([]);
});

it('stops a replay when asked to', async () => {
  const { driven } = await finished(7, 20_000);
  const { page } = driven;
  const finding = page.locator('[data-part=receipt-finding]');
  // Cancels as soon as the button appears; on fast machines the replay ends before a click.
  await page.evaluate(() => {
    new MutationObserver(() => {
      document.querySelector<HTMLElement>('.receipt-replay button')?.click();
    }).observe(document.querySelector('.receipt')!, { childList: true });
  });
  await page.getByRole('button', { name: 'Check this run' }).click();
  await expect.poll(() => finding.textContent(), { timeout: 30_000 }).toBe('Cancelled.');
  await expect.poll(() => driven.step()).toBe(20_000);
});

it('stays where it is for who is about to press in it, while a run of another tab comes into the list above', async () => {
  const options = { viewport: { width: 1280, height: 600 } };
  const driven = await openSite(browser, { hash: 'view=runs', options });
  open.push(driven);
  const { page } = driven;
  await page.getByText('No run is saved yet.').waitFor();
  await page
    .getByRole('textbox', { name: 'Check another receipt: paste its short line or the full JSON' })
    .focus();
  const title = page.getByRole('heading', { name: 'Receipt', exact: true });
  const top = async () => Math.round((await title.boundingBox())!.y);
  const list = async () => (await page.locator('.runs-list').boundingBox())!.height;
  const before = { top: await top(), list: await list() };

  const other = await openSite(browser, {
    hash: 'channels=16&layers=1&steps=20',
    context: page.context(),
  });
  await other.start.click();
  await other.reach('finished');
  await page.locator('.runs-table tbody tr').waitFor();
  await expect.poll(list).toBeGreaterThan(before.list + 40);
  // One pixel of tolerance, because browsers scroll by whole pixels.
  expect(Math.abs((await top()) - before.top)).toBeLessThan(2);
  expect(driven.problems).toEqual([]);
});
