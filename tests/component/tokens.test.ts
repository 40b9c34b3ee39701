/** The Token by token tab: the loss of each token, the chosen token, and the best n-gram table. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component, MountOptions, RecordingName } from './mount.ts';

const mount = useComponents();

/** Mounts the tab and returns its parts by their visible names. */
async function mountTokens(
  recording: RecordingName,
  options?: MountOptions,
  ids: string | readonly string[] = 'tokens',
): Promise<Component & { panel: Locator; cells: Locator; field: Locator; hash: () => string }> {
  const component = await mount(ids, recording, options);
  const panel = component.page.getByRole('tabpanel', { name: 'Token by token' });
  return Object.assign(component, {
    panel,
    cells: panel.getByRole('radio'),
    field: panel.getByRole('textbox', { name: 'Text to read' }),
    hash: () => new URL(component.page.url()).hash,
  });
}

/** Settings that the page does not show are not changed by a button. */
const WITH_SETTINGS = ['tokens', 'settings'];

/** The figure with this label, such as "Mean loss". */
async function figure(panel: Locator, name: string): Promise<number> {
  const entry = panel.locator('dl > div').filter({ hasText: name }).locator('dd');
  return parseFloat((await entry.textContent()) ?? '');
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

it('says that the text to read becomes part of the address, and puts it there', async () => {
  const { page, field, hash } = await mountTokens('names');
  const id = (await field.getAttribute('aria-describedby'))!.split(' ')[0]!;
  const described = page.locator(`#${id}`);
  await expect
    .poll(() => described.textContent())
    .toContain('up to 400 characters) becomes part of the address of this page');
  await field.fill('bella');
  await expect.poll(hash).toContain('scored=bella');
});

it('keeps a text of 401 characters out of the address, and says where reading stops', async () => {
  const { panel, field, hash } = await mountTokens('names', { hash: 'scored=bella' });
  await field.fill('b'.repeat(401));
  // Attention maps cut this line one token earlier; a note explains why.
  await panel
    .getByText(/not fit into the context.* The last token shown is guessed but not read/)
    .waitFor();
  await expect.poll(hash).not.toContain('scored=');
});

it('shows every token of the text, and the mean of their losses in nats and bits', async () => {
  const { panel, cells } = await mountTokens('names');
  // BOS, ten letters and the end token.
  await expect.poll(() => cells.count()).toBe(12);
  const nats = await figure(panel, 'Mean loss');
  expect(Math.abs(nats - Math.log(27))).toBeLessThan(0.2);
  expect(Math.abs((await figure(panel, 'Bits per character')) - nats / Math.LN2)).toBeLessThan(
    0.01,
  );
  // The table contains the same losses.
  await panel.getByRole('button', { name: 'The losses of these tokens as a table' }).click();
  const rows = panel.getByRole('table', { name: 'Loss and entropy in nats' }).locator('tbody tr');
  await rows.first().waitFor();
  const losses = await rows.evaluateAll((all) =>
    all.map((row) => parseFloat(row.querySelector('td')?.textContent ?? '')),
  );
  const scored = losses.filter((loss) => !Number.isNaN(loss));
  expect(scored).toHaveLength(11);
  expect(Math.abs(mean(scored) - nats)).toBeLessThan(0.002);
});

it('goes from token to token by keys and by press, and says what the model expected', async () => {
  const { page, panel } = await mountTokens('names');
  await panel.getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('Home');
  await panel.getByRole('heading', { name: 'Token 1: the beginning' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await panel.getByRole('heading', { name: 'Token 2: “e”' }).waitFor();
  const candidates = panel.getByRole('table', { name: 'What the model expected after' });
  const real = candidates.getByRole('row').filter({ hasText: 'this came' });
  await expect.poll(() => real.textContent()).toContain('“e”');
  await panel.getByRole('radio', { name: '“b”' }).click();
  await panel.getByRole('heading', { name: 'Token 7: “b”' }).waitFor();
});

it('compares each loss with that of the best table', async () => {
  const { panel } = await mountTokens('small', {
    step: 60,
    hash: 'layers=1&channels=8&scored=anna%0Abella',
  });
  const compare = panel.getByRole('checkbox', { name: 'Compare with simple counting' });
  await compare.check();
  const beside = panel.getByText(/^The best table, “Last \d tokens?”, has a loss of/);
  const [, byTable, own] = /a loss of ([\d.]+) .* the model ([\d.]+)\./.exec(
    (await beside.textContent()) ?? '',
  )!;
  expect(Number(own)).toBeCloseTo(await figure(panel, 'Mean loss'), 3);
  // The mean of the cells equals the difference of the two losses.
  const gains = await panel
    .locator('.cell-loss')
    .evaluateAll((all) =>
      all.map((one) => Number(one.textContent.replace('−', '-').replace('·', 'NaN'))),
    );
  const known = gains.filter((gain) => !Number.isNaN(gain));
  expect(known).toHaveLength(11);
  expect(Math.abs(mean(known) - (Number(byTable) - Number(own)))).toBeLessThan(0.06);
  await panel.getByText(/The table lost \d\.\d{3} here\./).waitFor();
  await panel.getByRole('button', { name: 'The losses of these tokens as a table' }).click();
  await panel.getByRole('columnheader', { name: 'Loss of the table' }).waitFor();
  await compare.uncheck();
  await expect.poll(() => beside.count()).toBe(0);
  await expect.poll(() => panel.locator('.cell-loss').nth(1).textContent()).not.toMatch(/[+−]/);
});

it('follows the training', async () => {
  const { panel, train } = await mountTokens('names');
  await panel.getByText('step 0', { exact: true }).waitFor();
  const untrained = await figure(panel, 'Mean loss');
  await train(60);
  await panel.getByText('step 60', { exact: true }).waitFor();
  await expect.poll(() => figure(panel, 'Mean loss')).toBeLessThan(untrained - 0.25);
});

it('takes its text from other places of the page, and keeps such a text out of the address', async () => {
  const names = (await readFile('public/texts/first-names-en.txt', 'utf8')).split('\n');
  const text = names.slice(0, 300).join('\n');
  const { panel, field, cells, hash } = await mountTokens('small', {
    hash: 'text=own&validation=0.1&probe=anna',
    text,
    step: 10,
  });
  await field.fill('anna\nbella');
  await expect.poll(() => cells.count()).toBe(13);
  await expect.poll(hash).toContain('scored=anna%0Abella');
  // A button may insert the reader's own text, so the address does not store it.
  await panel.getByRole('button', { name: 'The text of the attention maps' }).click();
  await expect.poll(() => cells.count()).toBe(6);
  await expect.poll(hash).not.toContain('scored=');
  await panel.getByRole('button', { name: 'What it wrote' }).click();
  expect((await field.inputValue()).length).toBeGreaterThan(3);
  // The held-out lines, complete.
  await panel.getByRole('button', { name: 'Held-out text' }).click();
  const linesOf = async (): Promise<string[]> => (await field.inputValue()).split('\n');
  await expect.poll(async () => (await linesOf()).length).toBeGreaterThan(20);
  const heldOut = await linesOf();
  expect(heldOut.filter((line) => !text.split('\n').includes(line))).toEqual([]);
  // A long text is divided into pages.
  await panel.getByRole('button', { name: 'Later tokens' }).click();
  await panel.getByText(/^161–/).waitFor();
});

it('chooses a token of the first page of a text, however strange a later page is', async () => {
  const text = `${'anna\n'.repeat(60)}xqzjvq`;
  const { panel, cells } = await mountTokens('names', {
    hash: `scored=${encodeURIComponent(text)}`,
    step: 60,
  });
  await expect.poll(() => cells.count()).toBe(160);
  expect(await panel.getByRole('radio', { checked: true }).count()).toBe(1);
});

it('names characters that the vocabulary lacks, and keeps what was there', async () => {
  const { panel, field, cells } = await mountTokens('names', { hash: 'scored=anna' });
  await expect.poll(() => cells.count()).toBe(6);
  await field.fill('été');
  await panel.getByText('é').first().waitFor();
  await expect.poll(() => cells.count()).toBe(6);
});

it('says when a loss is as high as it can be counted, and what the mean takes it for', async () => {
  const { panel } = await mountTokens('small', {
    text: 'ab\n'.repeat(60),
    hash: 'text=own&lr=3&schedule=constant&scored=ba',
    step: 60,
  });
  const said = panel.getByText(
    'Probabilities below 10⁻³⁰ (10⁻²⁸%) count as 10⁻³⁰, a loss of 69.08',
  );
  // Shown at the chosen token and at the summary figures.
  await expect.poll(() => said.count()).toBe(2);
  await panel.getByText('the model gave it <10⁻²⁸%').waitFor();
  const came = panel.getByRole('row').filter({ hasText: 'this came' });
  await expect.poll(() => came.textContent()).toContain('<10⁻²⁸%');
  // Tokens with probability 0 share a rank.
  await expect.poll(() => came.textContent()).toMatch(/no\. 2–\d \(tied\), this came/);
});

it('shows bytes that are part of a character as bytes, joined to the character', async () => {
  const { panel, cells } = await mountTokens('moby', {
    hash: `scored=${encodeURIComponent('a猫.')}`,
  });
  await panel.getByRole('radio', { name: 'byte E7, 1 of 3 of “猫”' }).click();
  await panel.getByRole('heading', { name: 'byte E7, 1 of 3 of “猫”' }).waitFor();
  expect(await cells.locator('.glyph').allTextContents()).toEqual(['a', 'E7', '8C', 'AB', '.']);
  await expect.poll(() => panel.locator('.byte-group').textContent()).toMatch(/E7.*8C.*AB.*猫/);
  // Digits of an incomplete character's bytes look different from letters of the text.
  await panel.getByRole('radio', { name: 'byte AB, 3 of 3 of “猫”' }).click();
  const after = 'What the model expected after “a” and the bytes E7 8C';
  await panel.getByRole('table', { name: after, exact: true }).waitFor();
});

it('fits a narrow phone in Chinese, and offers no list of more than a thousand tokens', async () => {
  const { page } = await mount('tokens', 'tang', {
    hash: 'lang=zh',
    viewport: { width: 360, height: 740 },
  });
  const panel = page.getByRole('tabpanel', { name: '逐个词元' });
  await panel.getByRole('table').first().waitFor();
  await expect.poll(() => panel.getByRole('button', { name: /^全部/ }).count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

it('says first what surprised the model most, and shows that token', async () => {
  const { page } = await mount('tokens', 'names', { step: 60 });
  const finding = page.locator('.tab-tokens .tab-finding');
  await finding.getByText(/^It was surprised most by “.”: it had given it [\d.]+%\./).waitFor();
  const name = /“(.)”/.exec(await finding.innerText())![1]!;
  await finding.getByRole('button', { name: 'Show this token' }).click();
  await page.getByText(new RegExp(`^Token \\d+: .*“${name}”`)).waitFor();
});

it('trains again with held-out text at a press, and offers that text then', async () => {
  const { page, panel, reach, hash } = await mountTokens('whole', { step: 60 }, WITH_SETTINGS);
  const heldOut = panel.getByRole('button', { name: 'Held-out text', exact: true });
  expect(await heldOut.isDisabled()).toBe(true);
  const press = panel.getByRole('button', { name: 'Hold out a tenth and train again' });
  await press.focus();
  await page.keyboard.press('Enter');
  await reach('finished');
  expect(hash()).toContain('validation=0.1');
  await press.waitFor({ state: 'detached' });
  await expect.poll(() => heldOut.isEnabled()).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.closest('#run') !== null)).toBe(true);
});

it('says without a button that nothing is held out where a lesson locks the settings', async () => {
  const { panel } = await mountTokens('whole', { lesson: 'lock=settings' }, WITH_SETTINGS);
  await panel.getByText('This run holds nothing out.').waitFor();
  expect(await panel.getByRole('button', { name: /^Hold out/ }).count()).toBe(0);
});
