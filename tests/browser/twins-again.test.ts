/** Twins with more seeds: whether the difference of a pair is more than chance. */
import { expect, it } from 'vitest';
import { eventually, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('trains both runs of a pair with two more seeds, each with the bits that the page itself would give', async () => {
  const driven = await site({ hash: 'steps=60&validation=0.1&view=twin' });
  const { page, problems } = driven;
  await train(driven);
  const panel = page.getByRole('tabpanel');
  const go = panel.getByRole('button', { name: 'Is it chance? Train both with 2 more seeds' });
  expect(await go.isVisible()).toBe(false);
  await panel.getByRole('button', { name: 'Train the twin', exact: true }).click();
  await go.waitFor();
  await go.press('Enter');
  const rows = panel
    .getByRole('table', { name: /^The same two runs with other seeds, in nats/ })
    .locator('tbody tr');
  await panel.getByText(/^With 3 seeds “Learning rate 0.00\d” is [\d.]+ nats per token below/).waitFor(); // prettier-ignore
  await panel.getByText(/^With 3 seeds .* By a paired t-test at 5%/).waitFor();
  expect(await rows.getByRole('rowheader').allTextContents()).toEqual(['Seed 42', 'Seed 43', 'Seed 44']); // prettier-ignore
  const other = (await rows.nth(1).locator('td').allTextContents())[0]!;
  // The second engine is given back.
  await eventually(
    () => Promise.resolve(page.workers().length),
    (count) => count === 1,
  );
  await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('43');
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await driven.reach('finished');
  const ours = panel.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr').first(); // prettier-ignore
  await expect.poll(() => ours.locator('td[data-label^=Validation]').textContent()).toBe(other);
  // That pair is another one.
  await expect.poll(() => panel.getByText(/^With 3 seeds/).isVisible()).toBe(false);
  expect(problems).toEqual([]);
});

it('stops training a pair again when it is told to, and keeps what is on the page in reach of the keyboard', async () => {
  const driven = await site({ hash: 'steps=1500&validation=0.1&view=twin' });
  const { page, problems } = driven;
  await train(driven);
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'Train the twin', exact: true }).click();
  const go = panel.getByRole('button', { name: 'Is it chance?' });
  await go.press('Enter');
  await panel.getByText(/^Run \d of 4: step [\d,]+ of 1,500/).waitFor();
  const stop = panel.getByRole('button', { name: 'Stop this' });
  await expect.poll(() => stop.evaluate((one) => one === document.activeElement)).toBe(true);
  await stop.press('Enter');
  await expect.poll(() => go.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => page.workers().length).toBe(1);
  // Another run takes the place of the pair: what is trained for it ends too.
  await go.press('Enter');
  await panel.getByText(/^Run \d of 4: step [\d,]+ of 1,500/).waitFor();
  await page.getByRole('button', { name: 'New seed' }).click();
  await expect.poll(() => page.workers().length).toBe(1);
  expect(problems).toEqual([]);
});

it('leads from a line that the model copied to a twin without it, measured with three seeds', async () => {
  const driven = await site({ hash: 'preset=microgpt&steps=300&validation=0&view=copied' });
  const { page, problems, text } = driven;
  const names = 'anna bella clara dora emilia frieda gudrun hannelore zxqvwkk irmgard'.split(' ');
  await text.fill(names.join('\n'));
  await page.getByText('Learned line by line: 10 lines').waitFor();
  await train(driven);
  const copied = page.locator('.tab-copied');
  await copied.getByRole('textbox', { name: 'Check a text' }).fill('zxqvwkk');
  await copied.locator('[data-part=copied-found] .text-mark').press('Enter');
  const note = page.getByRole('dialog', { name: 'Line 9 of your text' });
  await note.getByRole('button', { name: 'Would it write this without that line?' }).press('Enter');
  const panel = page.locator('.tab-twin');
  const go = panel.getByRole('button', { name: 'Train a twin without them' });
  await expect.poll(() => go.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => panel.getByRole('textbox', { name: 'Leave lines out' }).inputValue()).toBe('9'); // prettier-ignore
  await go.press('Enter');
  await panel.getByText(/^Who has read this line loses/).waitFor();
  const again = panel.getByRole('button', { name: 'Is it chance?' });
  await again.press('Enter');
  const said = panel.getByText(/^With 3 seeds “With these lines” is [\d.]+ nats per token below/);
  await said.waitFor();
  expect(await said.textContent()).toContain('more than chance');
  expect(problems).toEqual([]);
});

it('keeps what is left out of a sample text in the address, so that a link makes the same twin', async () => {
  const driven = await site({ hash: 'steps=40&view=twin' });
  const { page, problems } = driven;
  await train(driven);
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('textbox', { name: 'Leave lines out' }).fill('2');
  await panel.getByRole('button', { name: 'Train a twin without them' }).click();
  // Forty steps come to forty of many lines, and not to that one.
  await panel.getByText(/^Both models lose the same on this line, to the last digit/).waitFor();
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/left_out=\d+(:|%3A)\d+/);
  const ours = panel.getByRole('region', { name: 'The runs side by side' }).locator('td').first();
  const loss = await ours.textContent();
  const other = await site({ hash: new URL(page.url()).hash.slice(1) });
  await train(other);
  await other.page.getByRole('tabpanel').getByRole('button', { name: 'Train the twin', exact: true }).click(); // prettier-ignore
  const twins = other.page.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr'); // prettier-ignore
  await expect.poll(() => twins.nth(1).locator('td').first().textContent()).toBe(loss);
  for (const one of [problems, other.problems]) expect(one).toEqual([]);
});
