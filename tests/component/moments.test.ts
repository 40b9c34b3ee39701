/** Two steps of a run: samples at steps between them, and the changes from one to the other. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the tab of a fast-learning run and returns its parts by their visible names. */
async function mountMoments(options: MountOptions = {}, beside: readonly string[] = []) {
  const component = await mount(['moments', ...beside], 'small', {
    viewport: { width: 1280, height: beside.length > 0 ? 2400 : 1200 },
    ...options,
    hash: ['lr=0.03', options.hash ?? ''].filter(Boolean).join('&'),
  });
  const tab = component.page.locator('.tab-moments');
  const part = (name: string): Locator => tab.locator(`[data-part=moments-${name}]`);
  const rows = tab.locator('.moments-texts li');
  return Object.assign(component, {
    tab,
    rows,
    written: rows.locator('.written'),
    steps: () => rows.locator('button').allTextContents(),
    a: tab.getByRole('textbox'),
    b: part('b'),
    most: part('most'),
    mean: part('mean'),
    mistake: tab.getByRole('alert'),
  });
}

/** The texts of the rows, once none is pending. */
async function textsOf(written: Locator): Promise<string[]> {
  await expect.poll(() => written.allTextContents()).not.toContain('…');
  return written.allTextContents();
}

it('shows a text of each of some steps between the first and the newest', async () => {
  const { steps, written, b } = await mountMoments({ step: 60 });
  await expect.poll(steps).toEqual(['step 0', 'step 1', 'step 3', 'step 10', 'step 30', 'step 60']);
  expect(new Set(await textsOf(written)).size).toBeGreaterThan(4);
  expect(await b.textContent()).toBe('B: step 60, the newest');
});

it.each([
  [0, '0'],
  [3, '10'],
])('row %i leads to its step, where the model writes the text of the row', async (index, step) => {
  const moments = await mountMoments({ step: 60 }, ['ask', 'samples']);
  const { page, rows, written, b, lookBack } = moments;
  const texts = await textsOf(written);
  await rows.nth(index).getByRole('button').click();
  await expect.poll(() => lookBack.inputValue()).toBe(step);
  await expect.poll(() => b.textContent()).toBe(`B: step ${step}, shown on the page`);
  // Seed 1, as the rows. The first answer to an empty prompt has another.
  await page.locator('#ask').getByRole('button', { name: 'Write', exact: true }).click();
  await page.getByRole('button', { name: 'Length, seed and more' }).click();
  await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('1');
  await page.locator('#ask').getByRole('button', { name: 'Write', exact: true }).click();
  await expect.poll(() => page.locator('[data-part=answer]').textContent()).toBe(texts[index]);
  const pressed = rows.locator('button[aria-pressed=true]');
  await expect.poll(() => pressed.allTextContents()).toEqual([`step ${step}`]);
  // The rows still cover the whole run; other panels show the requested step.
  expect(await written.allTextContents()).toEqual(texts);
  const stamp = page.locator('#samples li').first().locator('.stamp');
  await expect.poll(() => stamp.textContent()).toBe(`step ${step}`);
});

it('begins with the token whose chance has risen most from A to B', async () => {
  const { tab } = await mountMoments({ step: 60 });
  const finding = tab.locator('.tab-finding');
  const text = /^At step 0 it gave .+ (?<a>[\d.]+)%; at step 60 it gives it (?<b>[\d.]+)%\./;
  await expect.poll(() => finding.textContent()).toMatch(text);
  const { a, b } = text.exec((await finding.textContent()) ?? '')!.groups!;
  const table = tab.locator('section', { hasText: 'Loss of each token' });
  await table.getByRole('button', { name: /as a table/ }).click();
  const rows = table.locator('tr');
  await rows.nth(1).waitFor();
  const losses = await rows.evaluateAll((all) =>
    all
      .slice(1)
      .map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.innerText))),
  );
  const chances = losses
    .filter(([before]) => Number.isFinite(before))
    .map(([before, after]) => [100 * Math.exp(-before!), 100 * Math.exp(-after!)] as const)
    .sort(([a1, b1], [a2, b2]) => b2 - a2 - (b1 - a1));
  // The table rounds losses to two decimals.
  expect(Math.abs(chances[0]![0] - Number(a))).toBeLessThan(0.6);
  expect(Math.abs(chances[0]![1] - Number(b))).toBeLessThan(0.6);
});

it('is printed as of the newest step, though it was left out of sight at another', async () => {
  const { page, b, lookBack, rest } = await mountMoments({ step: 60 });
  await lookBack.fill('30');
  await expect.poll(() => b.textContent()).toBe('B: step 30, shown on the page');
  await page.locator('.tab-moments').evaluate((tab) => {
    tab.style.position = 'relative';
    tab.style.top = '9000px';
    // Observers of an element hear in the order in which they were made: the panel before this one.
    return new Promise<void>((resolve) => {
      new IntersectionObserver((entries) => {
        if (entries.at(-1)?.isIntersecting === false) resolve();
      }).observe(tab);
    });
  });
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect.poll(() => lookBack.inputValue()).toBe('60');
  await rest();
  expect(await b.textContent()).toBe('B: step 30, shown on the page');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await b.textContent()).toBe('B: step 60, the newest');
});

it('asks every step with the prompt of the page', async () => {
  const { prompt, written } = await mountMoments({ step: 60 }, ['ask']);
  await textsOf(written);
  await prompt.fill('ma');
  const isNew = (text: string): boolean => /^ma(?!…)/.test(text);
  await expect.poll(async () => (await written.allTextContents()).filter(isNew).length).toBe(6);
});

it('says once that the model cannot read a prompt', async () => {
  const { prompt, rows, tab } = await mountMoments({ step: 60 }, ['ask']);
  await prompt.fill('ж');
  await expect.poll(() => rows.count()).toBe(0);
  await tab.locator('.note.error', { hasText: 'ж' }).waitFor();
});

it('says what attention and losses were at A and are at B', async () => {
  const { tab, most, mean } = await mountMoments({ step: 60 });
  await expect.poll(() => most.textContent()).toMatch(/^The largest change: .+ looks at .+, [\d.]+% at A, [\d.]+% at B\.$/); // prettier-ignore
  await expect.poll(() => mean.textContent()).toMatch(/^[\d.]+ nats per token at A, [\d.]+ at B\.$/); // prettier-ignore
  const [before, after] = (await mean.textContent())!.match(/\d+\.\d+/g)!.map(Number);
  expect(before).toBeCloseTo(Math.log(27), 1);
  expect(after).toBeLessThan(before! - 0.2);
  await tab.getByRole('button', { name: 'The largest changes as a table' }).click();
  const changes = tab.locator('.moments-attention table td:last-child');
  await expect.poll(() => changes.first().textContent()).toMatch(/^[+−]\d/);
});

it('finds no difference between a step and itself', async () => {
  const { tab, a, most, mean } = await mountMoments({ step: 60 });
  await tab.getByRole('button', { name: 'The largest changes as a table' }).click();
  await expect.poll(() => mean.textContent()).toMatch(/ at B\.$/);
  const after = /([\d.]+) at B/.exec((await mean.textContent())!)![1]!;
  await a.fill('60');
  await expect.poll(() => most.textContent()).toBe('No change: this head looks the same way at A and at B.'); // prettier-ignore
  await expect.poll(() => mean.textContent()).toBe(`${after} nats per token at A, ${after} at B.`);
  const changes = tab.locator('.moments-attention table td:last-child');
  expect(new Set(await changes.allTextContents())).toEqual(new Set(['0%']));
  const losses = await tab.locator('.moments-token .cell-loss').allTextContents();
  expect(new Set(losses.slice(1))).toEqual(new Set(['0.0']));
});

it('asks for training before it compares', async () => {
  const { tab, a, train } = await mountMoments();
  await tab.getByText('Train first; then you can compare any two steps of the run.').waitFor();
  expect(await a.isVisible()).toBe(false);
  await train(60);
  await a.waitFor();
});

it.each(['61', '-1', '1.5', 'abc', ''])('says that “%s” is no step of this run', async (wrong) => {
  const { a, mistake, rows } = await mountMoments({ step: 60 });
  await a.fill(wrong);
  await expect
    .poll(() => mistake.textContent())
    .toBe('A must be a step of this run: a whole number from 0 to 60.');
  expect(await a.getAttribute('aria-invalid')).toBe('true');
  expect(await rows.first().getByRole('button').textContent()).toBe('step 0');
});

it('begins at the step that is typed for A, and moves it with the arrow keys', async () => {
  const { a, mistake, steps } = await mountMoments({ step: 60 });
  await a.fill('40');
  await expect.poll(steps).toEqual(['step 40', 'step 41', 'step 43', 'step 50', 'step 60']);
  expect(await mistake.textContent()).toBe('');
  await a.press('ArrowUp');
  await expect.poll(async () => (await steps())[0]).toBe('step 41');
});

it('follows a run that trains, and begins anew with another one', async () => {
  const { start, advance, rewind, tab, b, rows, mean } = await mountMoments({ stepwise: true });
  await start.click();
  for (const step of [10, 30]) {
    await advance(step);
    await expect.poll(() => b.textContent()).toBe(`B: step ${String(step)}, the newest`);
  }
  await expect.poll(() => mean.textContent()).toMatch(/ at B\.$/);
  await expect.poll(() => rows.filter({ hasNotText: '…' }).count()).toBe(5);
  await rewind.click();
  await tab.getByText('Train first').waitFor();
});

it('asks again what failed once the run has gone on', async () => {
  const { start, advance, tab, fail, mean } = await mountMoments({ stepwise: true });
  const mistake = tab.locator('.note.error', { hasText: 'The browser refused' });
  await fail('analyse', 'allocation');
  await start.click();
  await advance(10);
  await mistake.waitFor();
  await fail('analyse', null);
  await advance(30);
  await expect.poll(() => mean.textContent()).toMatch(/ at B\.$/);
  await mistake.waitFor({ state: 'hidden' });
});

it('is in Chinese, by keyboard, and no wider than a phone', async () => {
  const { page, tab, rows, b, mean } = await mountMoments({
    hash: 'lang=zh',
    step: 60,
    viewport: { width: 360, height: 780 },
  });
  await expect.poll(() => b.textContent()).toBe('B：第 60 步，最新的');
  await rows.nth(2).getByRole('button', { name: '第 3 步' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => b.textContent()).toBe('B：第 3 步，页面正在显示');
  await expect.poll(() => mean.textContent()).toMatch(/纳特。$/);
  await tab.getByRole('application').focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => tab.locator('.readout').textContent()).toMatch(/个词元）：A 时/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
