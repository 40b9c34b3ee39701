/**
 * What is changed beside a run: what it takes up, what waits for another, and which button begins
 * what.
 */
import { expect, it } from 'vitest';
import { eventually, holdBack } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('offers more steps at the end of the run, to those who ask for them', async () => {
  const driven = await site({ hash: 'steps=120' });
  // Who was about to pause the run when it ended presses at that moment, and asks for nothing.
  const late = driven.start.evaluate(
    (button: HTMLElement) =>
      new Promise<void>((resolve) => {
        const isLate = (): boolean => button.ariaDisabled === 'true';
        let pressed = false;
        new MutationObserver(() => {
          if (!pressed && isLate()) button.click();
          pressed ||= isLate();
          if (pressed && !isLate()) resolve();
        }).observe(button, { attributes: true });
      }),
  );
  await driven.start.click();
  await late;
  expect(await driven.run.getAttribute('data-state')).toBe('finished');
  await expect.poll(() => driven.step()).toBe(120);
  await driven.page.getByRole('button', { name: 'Train 120 more' }).click();
  await eventually(driven.step, (step) => step === 240);
  await driven.reach('finished');
  expect(new URL(driven.page.url()).hash).toContain('steps=240');
  // Fewer than were made are for another run: of this one they are not taken away.
  await driven.page.getByRole('textbox', { name: 'Steps', exact: true }).fill('100');
  await driven.page.getByText('Changed: Steps.').first().waitFor();
  await expect.poll(() => driven.run.locator('[data-part=step]').textContent()).toBe('240 / 240');
  await driven.page.getByRole('button', { name: 'Restart with these changes' }).click();
  await eventually(
    () => driven.run.locator('[data-part=step]').textContent(),
    (text) => text === '100 / 100',
  );
});

it.each([
  ['Start', ({ start }: Driven) => start.click(), 'Train 20 more'],
  ['One step', ({ oneStep }: Driven) => oneStep.click(), 'Continue'],
  ['an address', ({ page }: Driven) => page.evaluate(() => { location.hash += '&stop=9'; }), 'Continue'], // prettier-ignore
])('begins with the text that was chosen, however late that comes: %s', async (_, begin, then) => {
  const { hold, letGo } = holdBack('**/texts/tang*');
  const driven = await site({ hash: 'steps=20', before: hold });
  await driven.page.getByRole('radio', { name: /^Tang/ }).check();
  await begin(driven);
  await driven.run.getByRole('button', { name: 'Loading…' }).waitFor();
  letGo();
  // The run is of that text: one of another would be offered to begin anew.
  await driven.run.getByRole('button', { name: then }).waitFor();
});

it('begins the new run with the large button once a text was changed, and offers the old one beside it', async () => {
  const driven = await site({ hash: 'steps=60' });
  const { page, text } = driven;
  await driven.start.click();
  await driven.reach('finished');
  await text.fill('tick tock\n'.repeat(30));
  const main = page.locator('#run button.primary');
  await main.filter({ hasText: 'Restart with these changes' }).waitFor();
  await page.getByText('You are still looking at the previous run.').first().waitFor();
  // Its words are longer than any other: at no width does the strip leave its column.
  for (const width of [1440, 1280, 1250, 1024, 900, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await driven.run.evaluate((strip) => strip.scrollWidth - strip.clientWidth);
    expect([width, over]).toEqual([width, 0]);
  }
  // On a phone what was changed is no taller than the button beside it, and whole once that is
  // asked for.
  const note = driven.run.locator('[data-part=run-message]');
  const lines = (): Promise<number> =>
    note.evaluate((one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))); // prettier-ignore
  await expect.poll(() => lines()).toBeLessThanOrEqual(2);
  await note.click();
  await expect.poll(() => note.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  // In lines as long as the strip, also where a button would have room beside it.
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => note.evaluate((one) => one.clientWidth)).toBeGreaterThan(280);
  await page.setViewportSize({ width: 1280, height: 720 });
  // The model of before has no tokens for the new text: it is not asked about it.
  await page.locator('#attention .attention-canvas').waitFor();
  await expect.poll(() => driven.probe.inputValue()).toBe('elisabetta');
  await expect.poll(() => page.locator('#attention .error:visible').count()).toBe(0);
  // Figures of the plan say what they are and what they would become.
  await eventually(
    () => page.locator('[data-part=plan-vocab]').textContent(),
    (vocab) => vocab === '27 → 7',
  );
  // What each of the two buttons begins is said: the smaller one is not for what was changed.
  await expect
    .poll(() => note.textContent())
    .toMatch(/previous run\. “Restart with these changes” starts one with this change\.$/);
  await page.getByRole('button', { name: 'Previous run: 60 more' }).click();
  await eventually(driven.step, (step) => step === 120);
  await driven.reach('finished');
  await main.filter({ hasText: 'Restart with these changes' }).waitFor();
  await main.click();
  await eventually(
    () => page.locator('[data-part=plan-vocab]').textContent(),
    (vocab) => vocab === '7',
  );
  await eventually(
    () => driven.probe.inputValue(),
    (probe) => probe === 'tick tock',
  );
  await driven.reach('finished');
  await expect.poll(() => driven.step()).toBe(120);
  // What stands in the way of a new run is where its button leads; it trains nothing else instead.
  const heads = page.locator('#settings [data-option=heads] input');
  await heads.fill('7');
  await page.locator('[data-option=heads] .error').waitFor();
  await expect.poll(() => main.textContent()).toBe('Restart with these changes');
  await main.click();
  await eventually(
    () => heads.evaluate((field) => field === document.activeElement),
    (focused) => focused,
  );
  await expect.poll(() => driven.step()).toBe(120);
  await expect
    .poll(() => page.getByRole('button', { name: 'Previous run: 120 more' }).isVisible())
    .toBe(true);
  expect(driven.problems).toEqual([]);
});

it.each([1280, 390])(
  'says at the preset what was changed in it, and moves nothing by that, at %i pixels',
  async (width) => {
    const { page, problems } = await site({ options: { viewport: { width, height: 844 } } });
    const preset = page.locator('#settings .preset-said');
    const tokens = page.getByRole('combobox', { name: 'Tokens', exact: true });
    await tokens.scrollIntoViewIfNeeded();
    const asItComes = preset.getByText('Names, short poems');
    await asItComes.waitFor();
    const before = await tokens.boundingBox();
    await tokens.selectOption({ label: 'Bytes' });
    await preset.getByText('Lines (microgpt), changed: Tokens.', { exact: true }).waitFor();
    await asItComes.waitFor({ state: 'hidden' });
    // Pages stand at whole pixels, lines need not.
    expect(Math.abs((await tokens.boundingBox())!.y - before!.y)).toBeLessThan(1);
    await preset.getByRole('button', { name: 'Back to the preset' }).press('Enter');
    await asItComes.waitFor();
    // The button that was pressed is gone: the keyboard stays beside it.
    const fold = page.getByRole('button', { name: 'All settings' });
    await expect.poll(() => fold.evaluate((one) => one === document.activeElement)).toBe(true);
    await expect.poll(() => preset.getByRole('button').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);

it('goes through the texts with the arrow keys, and into the field at a press', async () => {
  const { page, text, problems } = await site();
  const own = page.getByRole('radio', { name: 'Your own' });
  await page.getByRole('radio', { name: 'English names' }).press('ArrowLeft');
  await expect.poll(() => own.evaluate((one) => one === document.activeElement)).toBe(true);
  await own.press('ArrowRight');
  await expect.poll(() => own.isChecked()).toBe(false);
  await own.check();
  await expect.poll(() => text.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

it('counts what came with another preset as one change', async () => {
  const driven = await site();
  await driven.oneStep.click();
  await eventually(driven.step, (step) => step === 1);
  await driven.page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await driven.run
    .getByText(/^Changed: the text, Preset\. /)
    .first()
    .waitFor();
});

it('is not told of another text when the one it learned comes back', async () => {
  const driven = await site({ hash: 'steps=40' });
  const { page } = driven;
  await driven.start.click();
  await driven.reach('finished');
  const changed = page.getByText('Changed: the text.').first();
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await changed.waitFor();
  await page.getByRole('radio', { name: 'English names' }).check();
  await changed.waitFor({ state: 'hidden' });
  expect(driven.problems).toEqual([]);
});

it('passes over heads that do not divide the channels', async () => {
  const driven = await site({ hash: 'channels=64&heads=4' });
  const { page } = driven;
  const heads = page.getByRole('textbox', { name: 'Heads', exact: true });
  await heads.press('ArrowUp');
  await expect.poll(() => heads.inputValue()).toBe('8');
  const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
  await heads.fill('3');
  await channels.press('ArrowUp');
  await expect.poll(() => channels.inputValue()).toBe('96');
});

it('tell a run under way what may change, and say what may not', async () => {
  const driven = await site({ hash: 'pace=30' });
  const { page, start } = driven;
  await start.click();
  await eventually(driven.step, (step) => step > 5);
  await page.getByRole('textbox', { name: 'Steps', exact: true }).fill('4000');
  await page.getByText(/\/ 4,000/).waitFor();
  await page.getByRole('textbox', { name: 'Layers', exact: true }).fill('3');
  await page.getByText('Changed: Layers.').first().waitFor();
  const parameters = page.locator('[data-part=plan-parameters]');
  const before = await parameters.textContent();
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await eventually(
    () => parameters.textContent(),
    (text) => text !== before,
  );
  await driven.reach('running');
  // The map of attention follows with its next probe.
  await eventually(
    () => page.getByRole('radio', { name: /^Layer 3/ }).count(),
    (heads) => heads === 4,
  );
});

it('list many changes one by one, with what they were', async () => {
  const driven = await site({ hash: 'steps=20' });
  const { page, run } = driven;
  await driven.start.click();
  await driven.reach('finished');
  await page.evaluate(() => {
    location.hash += '&layers=3&heads=2&channels=32&context=16&batch=4&bias=1&activation=gelu';
  });
  await run.getByText('Changed: 7 settings.').first().waitFor();
  const list = run.getByRole('region', { name: 'The changes' });
  await expect.poll(() => list.isVisible()).toBe(false);
  await run.getByRole('button', { name: 'Show the changes' }).click();
  const items = await list.getByRole('listitem').allTextContents();
  expect(items).toHaveLength(7);
  expect(items).toContain('Layers: 2 → 3');
  expect(items).toContain('Biases: off → on');
  // On a phone the strip stays in sight, and leaves the page to be read.
  await page.setViewportSize({ width: 360, height: 640 });
  expect((await run.boundingBox())!.height).toBeLessThan(480);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await run.getByRole('button', { name: 'Restart with these changes' }).click();
  await list.waitFor({ state: 'hidden' });
});

it('lets a run go on as it was started while another text is chosen', async () => {
  const driven = await site({ hash: 'steps=100000' });
  await driven.start.click();
  await eventually(driven.step, (step) => step > 100);
  await driven.page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await driven.page.getByText('The current run carries on', { exact: false }).first().waitFor();
  // The preset that suits the prose has 2,000 steps: not those of this run.
  await eventually(driven.step, (step) => step > 3000);
  await expect
    .poll(() => driven.run.locator('[data-part=step]').textContent())
    .toContain('100,000');
  expect(driven.problems).toEqual([]);
});
