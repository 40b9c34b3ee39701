/** Twins on recorded runs: the form for one changed setting, and the comparison of both runs. */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the tab of a finished run of 60 steps with held-out text. */
const finished = (panels: readonly string[] = [], options: MountOptions = {}): Promise<Component> =>
  mount(['twin', ...panels], 'held', { step: 60, ...options });

const goButton = (page: Page): Locator => page.getByRole('button', { name: 'Train the twin' });
const changeField = (page: Page): Locator => page.getByRole('combobox', { name: 'Change' });
/** Chooses the option to change, and waits for the frame that shows its value. */
async function vary(field: Locator, label: string): Promise<void> {
  await field.selectOption({ label });
  await field.evaluate(() => new Promise(requestAnimationFrame));
}

const valueField = (page: Page): Locator => page.getByRole('textbox', { name: 'to', exact: true });
const sideBySide = (page: Page): Locator =>
  page.getByRole('region', { name: 'The runs side by side' });
const restart = (page: Page): Locator =>
  page.getByRole('button', { name: 'Restart with these changes' });

/** Trains a twin to its end; the table then shows both runs. */
async function trainTwin(page: Page): Promise<void> {
  await goButton(page).click();
  await expect.poll(() => sideBySide(page).getByRole('rowheader').count()).toBe(2);
  await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
}

it('calls a run by what it was made with, not by what was changed after its last step', async () => {
  const { page, reach } = await finished(['settings']);
  await page.getByRole('textbox', { name: 'Learning rate', exact: true }).fill('0.003');
  // A finished run does not apply the change; a new run would.
  await page.getByText('Changed: Learning rate.').first().waitFor();
  const panel = page.getByRole('tabpanel');
  await panel.getByText('now 0.01').waitFor();
  await restart(page).click();
  await reach('finished');
  await panel.getByRole('rowheader', { name: 'Run 1: Learning rate 0.01' }).waitFor();
  await panel.getByText('now 0.003').waitFor();
});

it('warns that the twin of a run with added steps differs in more than one setting', async () => {
  const { page, run } = await finished();
  const caution = page.locator('[data-part=twin-caution]');
  await expect.poll(() => caution.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Train 60 more' }).click();
  await expect.poll(() => run.locator('[data-part=step]').textContent()).toBe('120 / 120');
  await expect
    .poll(() => caution.textContent())
    .toMatch(/^Note: Steps was changed in the middle of this run\./);
});

it('trains no twin on another text', async () => {
  const { page, step, text } = await finished(['text']);
  await text.fill('anna\nhanna\nnina\n'.repeat(30));
  await restart(page).waitFor();
  await goButton(page).click();
  await page.getByText('The text has changed.').waitFor();
  expect(await step()).toBe(60);
});

it('calls no run better that learned another text', async () => {
  const { page, reach, text } = await finished(['text', 'loss']);
  await text.fill('anna\nhanna\nnina\n'.repeat(30));
  await restart(page).click();
  await reach('finished');
  await page.getByRole('checkbox', { name: /Run 1/ }).check();
  await page.getByText('These runs learned different texts').waitFor();
  expect(await page.getByText(/^Best on its training text/).count()).toBe(0);
});

it('scrolls to the curves of the twin that a press begins', async () => {
  const height = 700;
  const { page } = await finished([], { viewport: { width: 1200, height } });
  await goButton(page).evaluate((button: HTMLElement) => {
    button.scrollIntoView({ block: 'end' });
    button.click();
  });
  const curves = page.getByRole('img', { name: /^The losses of these runs/ });
  await expect
    .poll(async () => {
      const { y, height: tall } = (await curves.boundingBox()) ?? { y: NaN, height: NaN };
      return height - y - tall;
    })
    .toBeGreaterThanOrEqual(0);
});

it('names both runs by the changed setting, and says which is better on held-out text', async () => {
  const { page } = await finished();
  const finding = page.locator('.tab-twin .tab-finding');
  await expect.poll(() => finding.textContent()).toMatch(/^This run reached a loss of \d\.\d\d\./);
  await vary(changeField(page), 'Activation');
  await trainTwin(page);
  const rows = sideBySide(page).locator('tbody tr');
  await page.getByText('All runs at step 60').waitFor();
  const names = ['This run: Activation GELU', 'Run 1: Activation Squared ReLU'];
  await expect.poll(() => rows.getByRole('rowheader').allTextContents()).toEqual(names);
  const curves = page.getByRole('img', { name: /^The losses of these runs/ });
  await expect.poll(() => curves.getByText(names[1]!, { exact: true }).count()).toBe(1);
  const losses = await rows.locator('td:first-of-type').allTextContents();
  expect(losses[0]).not.toBe(losses[1]);
  const held = await rows.locator('td:nth-of-type(3)').allTextContents();
  const [ours, twin] = held.map(Number) as [number, number];
  const best = ours < twin ? 'Activation GELU' : 'Activation Squared ReLU';
  const verdict = await page.locator('[data-part=twin-verdict]').textContent();
  expect(verdict).toContain(`Best on held-out text at step 60: “${best}”.`);
  expect(verdict).toContain(`${Math.abs(ours - twin).toFixed(3)} nats per token below`);
});

it('marks each validation loss of an earlier run with a dot, and draws a line through them', async () => {
  const { page } = await finished(['loss']);
  await trainTwin(page);
  const curves = page.getByRole('img', { name: /^The losses of these runs/ });
  const corners = async (curve: Locator): Promise<number> =>
    ((await curve.getAttribute('d')) ?? '').match(/[ML]/g)?.length ?? 0;
  // A run of 60 steps measures at every second step and before the first.
  for (const path of [
    'path[stroke-dasharray="5 3"]:not([d*=h24])',
    'path[stroke-width="4"][stroke-linecap=round]',
    'path[stroke-dasharray="8 3"]:not([d*=h24])',
  ]) {
    await expect.poll(() => corners(curves.locator(path))).toBe(31);
  }
  await page.getByText('Dots in the colour of an earlier run: its validation loss.').waitFor();
});

/** The legend's lines: name, colour and dashes. The swatch precedes the name. */
const keyOf = (page: Page): Promise<(string | null)[][]> =>
  page
    .locator('.twin-curves svg path[d*=h24]')
    .evaluateAll((lines) =>
      lines.map((line) => [
        line.nextElementSibling!.textContent,
        line.getAttribute('stroke'),
        line.getAttribute('stroke-dasharray'),
      ]),
    );

it('draws a dashed validation curve of each run in the colour of its training curve, in both languages', async () => {
  const { page } = await finished();
  await trainTwin(page);
  await expect.poll(async () => (await keyOf(page)).length).toBe(5);
  const [ours, ourValidation, twin, twinValidation] = await keyOf(page);
  expect(ours![0]).toBe('This run: Learning rate 0.02');
  expect(ourValidation).toEqual([`${ours![0]!} · Validation`, ours![1], '5 3']);
  expect(twin).toEqual(['Run 1: Learning rate 0.01', expect.any(String), null]);
  expect(twinValidation).toEqual([`${twin![0]!} · Validation`, twin![1], '8 3']);
  expect(twin![1]).not.toBe(ours![1]);
  const note = page.locator('[data-part=twin-dashed]');
  expect(await note.textContent()).toMatch(/^Dashed: the validation loss of each run/);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await expect
    .poll(async () => (await keyOf(page)).map(([name]) => name))
    .toContain('这次训练 · 学习率：0.02 · 验证');
  expect(await note.textContent()).toMatch(/^虚线：各次训练的验证损失/);
});

it('draws the other run dashed where no text is held out', async () => {
  const { page } = await mount('twin', 'whole', { step: 60 });
  await trainTwin(page);
  await expect
    .poll(async () => (await keyOf(page)).map(([, , dashes]) => dashes))
    .toEqual([null, '8 3', '2 4']);
  expect(await page.locator('[data-part=twin-dashed]').count()).toBe(0);
});

it('keeps the chosen value in its field while the twin trains, and offers the next one then', async () => {
  const { advance, page, reach } = await finished([], { stepwise: true });
  await vary(changeField(page), 'Learning rate');
  await valueField(page).fill('0.003');
  await goButton(page).click();
  await reach('running');
  await advance(10);
  await page.getByText('now 0.003', { exact: true }).waitFor();
  expect(await valueField(page).inputValue()).toBe('0.003');
  await advance(60);
  await expect.poll(() => valueField(page).inputValue()).toBe('0.006');
});

it('names the same step in the table and in the curves while a twin trains', async () => {
  const { advance, page, reach } = await finished([], { stepwise: true });
  await goButton(page).click();
  await reach('running');
  await page.evaluate(() => {
    const seen = new Set<string>();
    const read = (): void => {
      const said = ['.twin-table caption', '.twin-curves title'].map(
        (part) => /\d+/.exec(document.querySelector(part)?.textContent ?? '')?.[0] ?? '',
      );
      if (said.every(Boolean)) seen.add(said.join(' '));
      document.body.dataset['seen'] = [...seen].join();
    };
    new MutationObserver(read).observe(document.querySelector('.tab-twin')!, {
      ...{ subtree: true, childList: true, characterData: true },
    });
  });
  const seen = (): Promise<string[]> =>
    page.evaluate(() => (document.body.dataset['seen'] ?? '').split(','));
  for (const step of [10, 30, 60]) {
    // The page redraws growing curves a few times a second, together with the readout.
    await expect
      .poll(async () => {
        await advance(step);
        return (await seen()).at(-1);
      })
      .toBe(`${String(step)} ${String(step)}`);
  }
  for (const pair of await seen()) expect(pair).toMatch(/^(\d+) \1$/);
});

it('leaves the finished run as it was made when its twin changes an option that a run can change', async () => {
  const { page } = await finished();
  await vary(changeField(page), 'Learning rate');
  await trainTwin(page);
  await expect
    .poll(() => sideBySide(page).getByRole('rowheader').allTextContents())
    .toEqual(['This run: Learning rate 0.02', 'Run 1: Learning rate 0.01']);
});

it('keeps the settings of the shown run where a twin does not fit into memory', async () => {
  const { page } = await finished(['settings']);
  const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
  const tooLarge = page.getByRole('tabpanel').getByText(/^This needs .* of memory/);
  await vary(changeField(page), 'Channels');
  await valueField(page).fill('8192');
  await goButton(page).click();
  await tooLarge.waitFor();
  await expect.poll(() => channels.inputValue()).toBe('8');
  expect(await page.getByText('Changed: Channels').count()).toBe(0);
  // A twin that fits into memory sets its options and clears the message.
  await valueField(page).fill('16');
  await trainTwin(page);
  await expect.poll(() => channels.inputValue()).toBe('16');
  await tooLarge.waitFor({ state: 'detached' });
});

it('focuses the field at a press while its value is impossible', async () => {
  const { page, run } = await finished();
  const [field, go] = [valueField(page), goButton(page)];
  await vary(changeField(page), 'Learning rate');
  await expect.poll(() => go.getAttribute('aria-disabled')).toBe('false');
  for (const value of ['-1', '99', '']) {
    await field.fill(value);
    await expect.poll(() => go.getAttribute('aria-disabled')).toBe('true');
    await go.click({ force: true });
    await focused(field);
    expect(await run.getAttribute('data-state')).toBe('finished');
  }
});

it('says of a learning rate of 0 that nothing is learned', async () => {
  const { page } = await finished();
  await vary(changeField(page), 'Learning rate');
  await valueField(page).fill('0');
  await expect.poll(() => goButton(page).getAttribute('aria-disabled')).toBe('false');
  const said = page.getByText('With a learning rate of 0 nothing is learned');
  await said.waitFor();
  await valueField(page).fill('0.02');
  await said.waitFor({ state: 'detached' });
});

it('keeps the focus on its button when the twin is trained', async () => {
  const { page } = await finished();
  await goButton(page).press('Enter');
  await page.getByRole('table', { name: /^All runs at step/ }).waitFor();
  await focused(goButton(page));
});

it('says at once in the words of the page which values are possible', async () => {
  const { page } = await finished();
  const [change, field, go] = [changeField(page), page.locator('.twin-form input'), goButton(page)];
  await vary(change, 'Learning rate');
  await field.fill('');
  await go.click({ force: true });
  await page.getByText(/^Learning rate must be a number from 0 to \d+\.$/).waitFor();
  await field.fill('0.01');
  await go.click();
  await page.getByText('Learning rate already has this value: choose another one.').waitFor();
  await vary(change, 'Final learning rate (share of the maximum)');
  await expect.poll(() => field.inputValue()).toBe('0.1');
  await vary(change, 'Learning rate');
  await expect.poll(() => field.inputValue()).toBe('0.02');
  await field.fill('99');
  await page.getByText(/^Learning rate must be a number from 0 to 10\.$/).waitFor();
  await vary(change, 'Heads');
  await expect.poll(() => field.inputValue()).toBe('2');
  await field.fill('3');
  await page.getByText('8 channels cannot be shared equally by 3 heads').waitFor();
  await vary(change, 'Learning rate');
  await field.fill('7');
  await expect.poll(() => page.locator('.tab-twin [role=status]').first().textContent()).toBe('');
});

it('has both runs on one screen of a phone, with the name of each figure', async () => {
  const { page } = await finished([], { viewport: { width: 390, height: 780 } });
  await vary(changeField(page), 'Activation');
  await trainTwin(page);
  const region = sideBySide(page);
  await page.getByText('All runs at step 60').waitFor();
  expect(await region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const cell = region.getByRole('row').last().getByRole('cell').first();
  expect(await cell.evaluate((one) => getComputedStyle(one, '::before').content)).toBe(
    '"Loss, smoothed (nats per token)"',
  );
  expect((await region.boundingBox())!.height).toBeLessThan(500);
  const picture = page.locator('.twin-curves svg');
  const key = await picture.textContent();
  expect(key).toContain('Squared ReLU');
  expect(key).not.toContain('…');
  // The vertical axis label does not overlap the numbers.
  const apart = await picture.evaluate((drawn) => {
    const texts = [...drawn.querySelectorAll('text')];
    const name = texts.find((one) => one.getAttribute('transform')?.includes('rotate'))!;
    const ticks = texts.filter((one) => one.getAttribute('text-anchor') === 'end');
    const left = Math.min(...ticks.map((one) => one.getBoundingClientRect().left));
    return left - name.getBoundingClientRect().right;
  });
  expect(apart).toBeGreaterThanOrEqual(5);
  expect(apart).toBeLessThan(100);
});
