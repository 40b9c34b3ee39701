/** Two moments of a run: texts on the way from one to the other, and what changed between them. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const RUN = 'steps=300&pace=full&view=moments';

/** The parts of the tab, which asks as long as it is in sight. */
const parts = async (page: Page) => {
  const tab = page.locator('.tab-moments');
  await tab.scrollIntoViewIfNeeded();
  return {
    tab,
    rows: tab.locator('.moments-texts li'),
    a: tab.getByRole('textbox'),
    b: tab.locator('[data-part=moments-b]'),
    most: tab.locator('[data-part=moments-most]'),
    mean: tab.locator('[data-part=moments-mean]'),
    losses: tab.locator('.moments-token .cell-loss'),
    mistake: tab.getByRole('alert'),
  };
};

it('writes the same prompt at steps of the run, each text that of the step, from noise to names', async () => {
  const driven = await site({ hash: RUN });
  const { page, problems, lookBack } = driven;
  await train(driven);
  const { tab, rows, b } = await parts(page);
  await expect.poll(() => rows.locator('button').allTextContents()).toEqual(['step 0', 'step 1', 'step 3', 'step 10', 'step 30', 'step 100', 'step 300']); // prettier-ignore
  const texts = await eventually(
    () => rows.locator('.written').allTextContents(),
    (all) => all.every((text) => text !== '…'),
  );
  expect(new Set(texts).size).toBeGreaterThan(4);
  expect(await b.textContent()).toBe('B: step 300, the newest');
  for (const [index, step] of [
    [0, '0'],
    [4, '30'],
  ] as const) {
    await rows.nth(index).getByRole('button').click();
    await expect.poll(() => lookBack.inputValue()).toBe(step);
    await expect.poll(() => b.textContent()).toBe(`B: step ${step}, which you look at`);
    await page.locator('#ask').getByRole('button', { name: 'Write', exact: true }).click();
    await expect.poll(() => page.locator('[data-part=answer]').textContent()).toBe(texts[index]);
    const pressed = rows.locator('button[aria-pressed=true]');
    expect(await pressed.allTextContents()).toEqual([`step ${step}`]);
  }
  // The rows are still those of the whole run.
  expect(await rows.locator('.written').allTextContents()).toEqual(texts);
  // Another prompt is asked at every step.
  await driven.prompt.fill('ma');
  await tab.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await rows.locator('.written').allTextContents()).every((text) => /^ma(?!…)/.test(text))).toBe(true); // prettier-ignore
  // Other panels go on showing the step that is looked at.
  const stamp = page.locator('#samples li').first().locator('.stamp');
  await expect.poll(() => stamp.textContent()).toBe('step 30');
  // A prompt that the model cannot read is said once.
  await driven.prompt.fill('ж');
  await tab.scrollIntoViewIfNeeded();
  await expect.poll(() => rows.count()).toBe(0);
  await tab.locator('.note.error', { hasText: 'ж' }).waitFor();
  expect(problems).toEqual([]);
});

it('says what attention and losses were at A and are at B; nothing differs from itself', async () => {
  const driven = await site({ hash: RUN });
  const { page, problems } = driven;
  await train(driven);
  const { tab, a, most, mean, losses } = await parts(page);
  await expect.poll(() => most.textContent()).toMatch(/^Most changed how .+ looks at .+: [\d.]+% at A, [\d.]+% at B\.$/); // prettier-ignore
  const [, before = '', after = ''] = await eventually(
    async () =>
      /^([\d.]+) nats per token at A, ([\d.]+) at B\.$/.exec((await mean.textContent()) ?? '') ??
      [],
    (found) => found.length > 0,
  );
  expect(Number(before)).toBeCloseTo(Math.log(27), 1);
  expect(Number(after)).toBeLessThan(Number(before) - 0.3);
  await tab.getByRole('button', { name: 'The largest changes as a table' }).click();
  const changes = tab.locator('.moments-attention table td:last-child');
  await expect.poll(async () => (await changes.first().textContent()) ?? '').toMatch(/^[+−]\d/);
  await a.fill('300');
  await expect.poll(() => most.textContent()).toBe('Nothing: this head looks the same way at A and at B.'); // prettier-ignore
  await expect.poll(() => mean.textContent()).toBe(`${after} nats per token at A, ${after} at B.`);
  expect(new Set(await changes.allTextContents())).toEqual(new Set(['0%']));
  expect(new Set((await losses.allTextContents()).slice(1))).toEqual(new Set(['0.0']));
  expect(problems).toEqual([]);
});

it('takes for A what is a step of the run, and says what is none', async () => {
  const driven = await site({ hash: RUN });
  const { page, problems } = driven;
  const { tab, a, mistake, rows } = await parts(page);
  await tab.getByText('Train first: then you can compare any two steps of the run.').waitFor();
  expect(await a.isVisible()).toBe(false);
  await train(driven);
  await tab.scrollIntoViewIfNeeded();
  await a.waitFor();
  for (const wrong of ['301', '-1', '1.5', 'abc', '']) {
    await a.fill(wrong);
    await expect.poll(() => mistake.textContent()).toBe('A must be a step of this run: a whole number from 0 to 300.'); // prettier-ignore
    expect(await a.getAttribute('aria-invalid')).toBe('true');
    expect(await rows.first().getByRole('button').textContent()).toBe('step 0');
  }
  await a.fill('280');
  await expect.poll(() => rows.locator('button').allTextContents()).toEqual(['step 280', 'step 281', 'step 283', 'step 290', 'step 300']); // prettier-ignore
  expect(await mistake.textContent()).toBe('');
  await a.press('ArrowUp');
  await expect.poll(() => rows.first().getByRole('button').textContent()).toBe('step 281');
  expect(problems).toEqual([]);
});

it('follows a run that trains, and begins anew with another one', async () => {
  const driven = await site({ hash: 'steps=3000&pace=100&view=moments' });
  const { page, problems } = driven;
  await driven.start.click();
  const { tab, b, rows, mean } = await parts(page);
  const newest = async (): Promise<number> =>
    Number(/^B: step ([\d,]+), the newest$/.exec((await b.textContent()) ?? '')?.[1]?.replace(',', '')); // prettier-ignore
  const early = await eventually(newest, (step) => step > 0);
  await eventually(newest, (step) => step > early + 30);
  await expect.poll(() => mean.textContent()).toMatch(/ at B\.$/);
  await expect.poll(() => rows.filter({ hasNotText: '…' }).count()).toBeGreaterThan(4);
  await driven.rewind.click();
  await tab.scrollIntoViewIfNeeded();
  await tab.getByText('Train first').waitFor();
  expect(problems).toEqual([]);
});

it('is in Chinese, by keyboard, and no wider than a phone', async () => {
  const driven = await site({
    hash: `${RUN}&lang=zh`,
    options: { viewport: { width: 360, height: 780 } },
  });
  const { page, problems, run } = driven;
  await run.locator('[data-control=main]').click();
  await driven.reach('finished');
  const { tab, rows, b } = await parts(page);
  await tab.scrollIntoViewIfNeeded();
  await expect.poll(() => b.textContent()).toBe('B：第 300 步，最新的');
  await rows.nth(2).getByRole('button', { name: '第 3 步' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => b.textContent()).toBe('B：第 3 步，你正在看的');
  await expect.poll(() => tab.locator('[data-part=moments-mean]').textContent()).toMatch(/奈特。$/);
  const canvas = tab.getByRole('img');
  await canvas.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => tab.locator('.readout').textContent()).toMatch(/个词元）：A 时/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(problems).toEqual([]);
});
