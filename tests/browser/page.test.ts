/**
 * The page as a person uses it, in a real Chromium: from opening it to a model that has learned.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canvasContent, eventually, firstLoss, meanLoss } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const names = readFileSync(
  join(import.meta.dirname, '../../public/texts/first-names-en.txt'),
  'utf8',
);

const site = useSites();

describe('the first minute', () => {
  it('opens ready to train on names, with one press of Start', async () => {
    const { start, page, text, problems, requests } = await site();
    await expect.poll(() => start.isEnabled()).toBe(true);
    // The field holds the beginning until one enters it.
    expect(names).toContain(await text.inputValue());
    expect((await text.inputValue()).length).toBeGreaterThan(1000);
    await text.focus();
    await expect.poll(() => text.inputValue()).toBe(names);
    await expect.poll(() => page.getByRole('radio', { name: 'microgpt' }).isChecked()).toBe(true);
    await expect.poll(() => page.locator('[data-part=plan-vocab]').textContent()).toBe('27');
    await expect.poll(() => page.locator('[data-part=plan-random]').textContent()).toBe('3.30');
    expect(problems).toEqual([]);
    const home = new URL(siteUrl()).origin;
    expect(requests.filter((url) => new URL(url).origin !== home)).toEqual([]);
  });

  it('learns pasted text: loss falls, attention changes, samples appear', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const driven = await site({ options: { permissions } });
    const { page, text, start, pause, rewind, oneStep, problems } = driven;
    await page.evaluate((all) => navigator.clipboard.writeText(all), names);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
    await eventually(
      () => page.getByRole('radio', { name: 'Your own' }).isChecked(),
      (checked) => checked,
    );

    const map = page.locator('.attention-canvas');
    await map.waitFor();
    const untrained = await eventually(
      () => canvasContent(map),
      ({ colours }) => colours > 3,
    );

    await start.click();
    await eventually(driven.step, (step) => step >= 320);
    await pause.click();
    await driven.reach('paused');
    const stoppedAt = await driven.step();

    // Random guessing is ln 27 = 3.30; single names vary a lot, the mean of a hundred does not.
    await expect.poll(() => meanLoss(driven, '201–300')).toBeLessThan(2.7);
    await expect.poll(() => meanLoss(driven, '201–300')).toBeGreaterThan(1.5);
    const first = await firstLoss(driven);
    expect(Math.abs(Number(first) - Math.log(27))).toBeLessThan(0.3);

    const trained = await eventually(
      () => canvasContent(map),
      ({ print }) => print !== untrained.print,
    );
    expect(trained.colours).toBeGreaterThan(3);

    const samples = page.locator('.samples');
    await expect.poll(() => samples.getByText('step 0', { exact: true }).count()).toBe(1);
    await expect.poll(() => samples.locator('li').count()).toBeGreaterThan(2);
    // Texts beside each other are told apart.
    const line = samples.locator('.written').nth(1);
    await expect
      .poll(() => line.evaluate((text) => getComputedStyle(text).borderLeftStyle))
      .toBe('solid');

    // Paused means paused; one step is one step.
    await expect.poll(() => driven.step()).toBe(stoppedAt);
    await oneStep.click();
    await eventually(driven.step, (step) => step === stoppedAt + 1);
    // Each is announced: nothing that was said stays when it is no longer so.
    const spoken = driven.run.locator('[data-part=spoken]');
    for (const more of [1, 2]) {
      const at = (stoppedAt + more).toLocaleString('en');
      await spoken.filter({ hasText: new RegExp(`^Paused at step ${at}\\.?$`) }).waitFor({ state: 'attached' }); // prettier-ignore
      if (more === 1) await oneStep.click();
    }

    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByText(`Written at step ${(stoppedAt + 2).toLocaleString('en')}`).waitFor();

    await rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).toBe(first);
    expect(problems).toEqual([]);
  });

  it('gives other losses for a new seed, and the old ones again for the old seed', async () => {
    const driven = await site();
    const { page, oneStep } = driven;
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    const first = await firstLoss(driven);
    await page.getByRole('button', { name: 'New seed' }).click();
    await eventually(driven.step, (step) => step === 0);
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).not.toBe(first);

    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('42');
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).toBe(first);
  });

  it.each(['text=moby', 'validation=0.1'])('shows validation loss with %s', async (hash) => {
    const driven = await site({ hash: `${hash}&steps=50` });
    await driven.start.click();
    await driven.reach('finished');
    await driven.page.getByText('On the text that was kept back').waitFor();
  });
});

describe('the controls', () => {
  it('take impatient presses without harm', async () => {
    const driven = await site({ hash: 'pace=100' });
    const { page, start, problems } = driven;
    await start.dblclick();
    const main = page.locator('#run .primary');
    for (let press = 0; press < 6; press++) await main.click();
    // Presses are carried out in their order: after the rewind nothing of them may be left over.
    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step > 0);
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('work from the keyboard alone', async () => {
    const driven = await site();
    const { page, start, probe } = driven;
    await start.focus();
    await page.keyboard.press('Space');
    await eventually(driven.step, (step) => step > 50);
    await page.keyboard.press('Enter');
    await driven.reach('paused');
    // At its beginning nothing is left to rewind.
    const main = driven.run.locator('[data-control=main]');
    await page.getByRole('button', { name: 'Rewind' }).press('Enter');
    await driven.reach('ready');
    await expect.poll(() => main.evaluate((one) => one === document.activeElement)).toBe(true);

    // A field comes before the question that is asked of it.
    await page.getByRole('textbox', { name: 'Steps', exact: true }).press('Tab');
    const question = page.getByRole('button', { name: 'What is “Steps”?' });
    await expect.poll(() => question.evaluate((one) => one === document.activeElement)).toBe(true);

    // Past the two ways to draw a head to its map, and on to the other heads.
    await probe.focus();
    const map = page.locator('#attention .attention-canvas');
    const isFocused = (): Promise<boolean> => map.evaluate((one) => one === document.activeElement);
    for (let press = 0; press < 5 && !(await isFocused()); press++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page
      .getByText(/looks at .* with weight 0\.\d{3}/)
      .first()
      .waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Layer 1, head 2' }).waitFor();
  });

  it('are told of words of the address that nobody knows, and led on to the strip', async () => {
    const driven = await site({ hash: 'layers=abc&layes=3', state: 'blocked' });
    const notice = driven.page.locator('#notice');
    // What an option cannot be is said at its field, and in the strip.
    await notice.getByText('Unknown parameters: layes=3.').waitFor();
    await driven.page.getByText('Layers must be a number').first().waitFor();
    await notice.getByRole('button').press('Enter');
    const main = driven.run.locator('[data-control=main]');
    await expect.poll(() => main.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('keep settings in the address, so that a reload brings them back', async () => {
    const driven = await site();
    const { page } = driven;
    await page.getByRole('textbox', { name: 'Channels', exact: true }).fill('32');
    await page.getByRole('combobox', { name: 'Tokens', exact: true }).selectOption('Bytes');
    await page.waitForURL(/channels=32/);
    await page.reload();
    await driven.reach('ready');
    const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
    await expect.poll(() => channels.inputValue()).toBe('32');
    await expect.poll(() => page.locator('[data-part=plan-vocab]').textContent()).toBe('257');
  });

  it('stop a text that is being written', async () => {
    const driven = await site({ hash: 'preset=tinygpt&channels=256&layers=6&maxTokens=10000' });
    const { page } = driven;
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
  });

  it('writes anew while the temperature moves, and another text with a way back to the last', async () => {
    const driven = await site({ hash: 'text=moby&steps=20&maxTokens=30' });
    const { page } = driven;
    await driven.start.click();
    await driven.reach('finished');
    const ask = page.locator('#ask');
    const answer = ask.locator('[data-part=answer]');
    const said = (dice: string): Promise<void> =>
      ask.getByText(`Written at step 20, ${dice}:`).waitFor();
    const heat = ask.getByRole('slider', { name: 'Temperature' });
    // No press of a button: the slider asks, and its last place is the one that is answered.
    for (const value of ['0', '2', '0.8']) await heat.fill(value);
    await said('temperature 0.8, seed 1');
    const first = await answer.textContent();
    await ask.getByRole('button', { name: 'Another', exact: true }).click();
    await said('temperature 0.8, seed 2');
    expect(await answer.textContent()).not.toBe(first);
    await ask.getByRole('button', { name: 'Back to the last one' }).click();
    await said('temperature 0.8, seed 1');
    expect(await answer.textContent()).toBe(first);
    await expect
      .poll(() => ask.getByRole('button', { name: 'Back to the last one' }).count())
      .toBe(0);
    await ask.getByRole('button', { name: 'Write', exact: true }).click();
    await ask.getByText('It is the same text again').waitFor();
    expect(driven.problems).toEqual([]);
  });

  it('shows pasted and generated markup as text', async () => {
    const driven = await site();
    const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>\n';
    await driven.text.fill(nasty.repeat(30));
    await driven.page.getByRole('radio', { name: 'microgpt' }).check();
    await driven.start.click();
    await eventually(driven.step, (step) => step > 300);
    await driven.page.locator('.samples .written').first().waitFor();
    await expect.poll(() => driven.page.locator('img, main script').count()).toBe(0);
    await expect.poll(() => driven.page.title()).toContain('Glasshouse');
    expect(driven.problems).toEqual([]);
  });
});

it('prints dark ink on paper, whatever the colours of the screen', async () => {
  const { page } = await site({ options: { colorScheme: 'dark' } });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  const [red = 255] = ink.match(/\d+/g)!.map(Number);
  expect(red).toBeLessThan(64);
  // Nothing to press, either, but for what is also a heading.
  const pressed = page.locator('button:is(.primary, .secondary, .link), .zooms');
  await expect.poll(() => pressed.count()).toBeGreaterThan(3);
  expect(await pressed.evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0).length)).toBe(0); // prettier-ignore
});

it('keeps what the model writes and reads from the browser’s translation', async () => {
  const driven = await site({ hash: 'steps=30' });
  const { page } = driven;
  await driven.start.click();
  await driven.reach('finished');
  const translated = (css: string): Promise<boolean[]> =>
    page.locator(css).evaluateAll((all) => all.map((one) => (one as HTMLElement).translate));
  await expect.poll(() => translated('.samples .written:not(.muted)')).toContain(false);
  expect(await translated('.samples .written:not(.muted)')).not.toContain(true);
  await expect.poll(() => translated('.map-above')).toEqual([false]);
});
