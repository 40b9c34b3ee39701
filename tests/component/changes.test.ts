/**
 * Changed settings during a recorded run: the run applies some at once, others need a new run, and
 * each button names the run that it starts.
 */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused, holdBack } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component } from './mount.ts';

const mount = useComponents();

const restart = ({ page }: Component): Locator =>
  page.getByRole('button', { name: 'Restart with these changes' });
const setting = ({ page }: Component, name: string): Locator =>
  page.getByRole('textbox', { name, exact: true });
const stepShown = ({ run }: Component): Promise<string | null> =>
  run.locator('[data-part=step]').textContent();

it('takes a press on Pause in the moment in which the run ends for no wish to go on', async () => {
  const component = await mount('settings', 'names', { stepwise: true });
  const { advance, reach, run, start } = component;
  const late = start.evaluate(
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
  await start.click();
  await reach('running');
  await advance(60);
  await late;
  expect(await run.getAttribute('data-state')).toBe('finished');
  expect(await stepShown(component)).toBe('60 / 60');
});

it('offers more steps at the end of a run, and writes them to the address', async () => {
  const component = await mount('settings', 'names', { step: 60 });
  await component.page.getByRole('button', { name: 'Train 60 more' }).click();
  await expect.poll(() => stepShown(component)).toBe('120 / 120');
  await component.reach('finished');
  await expect.poll(() => component.page.url()).toContain('steps=120');
});

it('keeps fewer steps than were made for another run', async () => {
  const component = await mount('settings', 'names', { step: 60 });
  await setting(component, 'Steps').fill('20');
  await component.page.getByText('Changed: Steps.').first().waitFor();
  expect(await stepShown(component)).toBe('60 / 60');
  await restart(component).click();
  await expect.poll(() => stepShown(component)).toBe('20 / 20');
});

it.each([
  ['Start', ({ start }: Component) => start.click(), 'Train 20 more'],
  ['One step', ({ oneStep }: Component) => oneStep.click(), 'Continue'],
  ['an address', ({ page }: Component) => page.evaluate(() => { location.hash += '&stop=9'; }), 'Continue'], // prettier-ignore
])('begins with the chosen text, however late that arrives: %s', async (_, begin, then) => {
  const { hold, letGo } = holdBack('**/texts/tang*');
  const hash = 'steps=20&layers=1&channels=16';
  const component = await mount(['text', 'settings'], 'untouched', {
    hash,
    before: async (page) => {
      // A document caches loaded texts, so the test needs a new document.
      await page.reload();
      await page.waitForFunction(() => 'stage' in window);
      await hold(page);
    },
  });
  await component.page.getByRole('radio', { name: /^Tang/ }).check();
  await begin(component);
  await component.run.getByRole('button', { name: 'Loading…' }).waitFor();
  letGo();
  // The run uses the chosen text; otherwise the button would offer a restart.
  await component.run.getByRole('button', { name: then }).waitFor();
});

/** Mounts a finished run with its attention map, and types a text that the run did not train on. */
async function withOtherText(): Promise<Component & { main: Locator; note: Locator }> {
  const ids = ['text', 'settings', 'plan', 'attention'];
  const component = await mount(ids, 'names', { step: 60 });
  await component.text.fill('tick tock\n'.repeat(30));
  const main = component.page.locator('#run button.primary');
  await main.filter({ hasText: 'Restart with these changes' }).waitFor();
  await component.page.getByText('You are still looking at the previous run.').first().waitFor();
  const note = component.run.locator('[data-part=run-message]');
  return Object.assign(component, { main, note });
}

it('fits the button with the longest words into the run bar at every width', async () => {
  const { page, run } = await withOtherText();
  for (const width of [1440, 1280, 1250, 1024, 900, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await run.evaluate((bar) => bar.scrollWidth - bar.clientWidth);
    expect([width, over]).toEqual([width, 0]);
  }
});

it('shortens the list of changes on a phone to the height of a button, and shows all at a press', async () => {
  const { note, page } = await withOtherText();
  await page.setViewportSize({ width: 360, height: 800 });
  const lines = (): Promise<number> =>
    note.evaluate((one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))); // prettier-ignore
  await expect.poll(lines).toBeLessThanOrEqual(2);
  await note.click();
  await expect.poll(() => note.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  // The lines are as wide as the bar, even with free space next to a button.
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(() => note.evaluate((one) => one.clientWidth)).toBeGreaterThan(280);
});

it('asks the model of the previous run nothing about a text that it has no tokens for', async () => {
  const { page, probe } = await withOtherText();
  await page.locator('#attention .attention-canvas').waitFor();
  await expect.poll(() => probe.inputValue()).toBe('elisabetta');
  await expect.poll(() => page.locator('#attention .error:visible').count()).toBe(0);
});

it('shows in the plan what figures are, and what they would become', async () => {
  const { main, page } = await withOtherText();
  const vocab = page.locator('[data-part=plan-vocab]');
  await expect.poll(() => vocab.textContent()).toBe('27 → 7');
  await main.click();
  await expect.poll(() => vocab.textContent()).toBe('7');
});

it('says which button begins the new run, and continues the previous one beside it', async () => {
  const component = await withOtherText();
  const { main, note, page, probe, reach } = component;
  await expect
    .poll(() => note.textContent())
    .toMatch(/previous run\. “Restart with these changes” starts a run with this change\.$/);
  await page.getByRole('button', { name: 'Previous run: 60 more' }).click();
  await expect.poll(() => stepShown(component)).toBe('120 / 120');
  await reach('finished');
  await main.filter({ hasText: 'Restart with these changes' }).click();
  await expect.poll(() => probe.inputValue()).toBe('tick tock');
  await reach('finished');
  expect(await stepShown(component)).toBe('120 / 120');
});

it('leads from the button for a new run to the setting that bars it, and trains nothing else', async () => {
  const component = await mount('settings', 'names', { step: 60 });
  const { page } = component;
  const heads = page.locator('#settings [data-option=heads] input');
  await heads.fill('7');
  await page.locator('[data-option=heads] .error').waitFor();
  const main = page.locator('#run button.primary');
  await expect.poll(() => main.textContent()).toBe('Restart with these changes');
  await main.click();
  await focused(heads);
  expect(await stepShown(component)).toBe('60 / 60');
  expect(await page.getByRole('button', { name: 'Previous run: 60 more' }).isVisible()).toBe(true);
});

it.each([1280, 390])(
  'says at the preset what was changed in it, and moves nothing by that, at %i pixels',
  async (width) => {
    const { page } = await mount('settings', 'untouched', { viewport: { width, height: 844 } });
    const preset = page.locator('#settings .preset-said');
    const tokens = page.getByRole('combobox', { name: 'Tokens', exact: true });
    await tokens.scrollIntoViewIfNeeded();
    const unchanged = preset.getByText('Names, short poems');
    await unchanged.waitFor();
    const before = await tokens.boundingBox();
    await tokens.selectOption({ label: 'Bytes' });
    await preset.getByText('Lines (microgpt), changed: Tokens.', { exact: true }).waitFor();
    await unchanged.waitFor({ state: 'hidden' });
    // Browsers scroll by whole pixels, but line heights are fractional.
    expect(Math.abs((await tokens.boundingBox())!.y - before!.y)).toBeLessThan(1);
    await preset.getByRole('button', { name: 'Back to the preset' }).press('Enter');
    await unchanged.waitFor();
    // The pressed button disappears: the focus moves to the adjacent control.
    const fold = page.getByRole('button', { name: 'All settings' });
    await focused(fold);
    expect(await preset.getByRole('button').count()).toBe(0);
  },
);

it('goes through the texts with the arrow keys, and into the field at a press', async () => {
  const { page, text } = await mount('text', 'untouched');
  const own = page.getByRole('radio', { name: 'Your own' });
  await page.getByRole('radio', { name: 'English names' }).press('ArrowLeft');
  await focused(own);
  await own.press('ArrowRight');
  await expect.poll(() => own.isChecked()).toBe(false);
  await own.check();
  await focused(text);
});

it('counts all that another preset changes as one change', async () => {
  const { page, run } = await mount(['text', 'settings'], 'untouched', { step: 1 });
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await run.getByText(/^Changed: the text, Preset\. /).first().waitFor(); // prettier-ignore
});

it('forgets a change of the text when the learned one comes back', async () => {
  const { page } = await mount('text', 'names', { step: 60 });
  const changed = page.getByText('Changed: the text.').first();
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await changed.waitFor();
  await page.getByRole('radio', { name: 'English names' }).check();
  await changed.waitFor({ state: 'hidden' });
});

it('passes over heads that do not divide the channels', async () => {
  const component = await mount('settings', 'untouched', { hash: 'channels=64&heads=4' });
  const [heads, channels] = [setting(component, 'Heads'), setting(component, 'Channels')];
  await heads.press('ArrowUp');
  await expect.poll(() => heads.inputValue()).toBe('8');
  await heads.fill('3');
  await channels.press('ArrowUp');
  await expect.poll(() => channels.inputValue()).toBe('96');
});

it('applies to a run under way what may change, and says what may not', async () => {
  const component = await mount(['settings', 'plan', 'attention'], 'names', { stepwise: true });
  const { advance, page, reach, start } = component;
  await start.click();
  await reach('running');
  await advance(10);
  await setting(component, 'Steps').fill('4000');
  await expect.poll(() => stepShown(component)).toBe('10 / 4,000');
  await setting(component, 'Layers').fill('3');
  await page.getByText('Changed: Layers.').first().waitFor();
  await restart(component).click();
  await reach('running');
  // The plan and the attention map show the new model.
  await expect
    .poll(() => page.locator('[data-part=plan-parameters]').textContent())
    .not.toMatch(/→/);
  await expect.poll(() => page.getByRole('radio', { name: /^Layer 3/ }).count()).toBe(4);
});

it('lists many changes one by one, with their former values, and leaves a phone room to read', async () => {
  const { page, run } = await mount('settings', 'names', { step: 60 });
  await page.evaluate(() => {
    location.hash += '&layers=3&heads=2&channels=32&context=16&batch=4&bias=1&activation=gelu';
  });
  await run.getByText('Changed: 7 settings.').first().waitFor();
  const list = run.getByRole('region', { name: 'The changes' });
  await expect.poll(() => list.isVisible()).toBe(false);
  await run.getByRole('button', { name: 'Show the changes' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(7);
  const items = await list.getByRole('listitem').allTextContents();
  expect(items).toContain('Layers: 2 → 3');
  expect(items).toContain('Biases: off → on');
  await page.setViewportSize({ width: 360, height: 640 });
  expect((await run.boundingBox())!.height).toBeLessThan(480);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await run.getByRole('button', { name: 'Restart with these changes' }).click();
  await list.waitFor({ state: 'hidden' });
});

it('lets a run go on as it was started while another text is chosen', async () => {
  const component = await mount(['text', 'settings'], 'names', { stepwise: true });
  const { advance, page, reach, start } = component;
  await start.click();
  await reach('running');
  await advance(10);
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await page
    .getByText('The current run continues with its old settings', { exact: false })
    .first()
    .waitFor();
  // The preset for the prose has 2,000 steps; this run keeps its 60.
  await advance(30);
  await expect.poll(() => stepShown(component)).toBe('30 / 60');
  expect(await component.run.getAttribute('data-state')).toBe('running');
});
