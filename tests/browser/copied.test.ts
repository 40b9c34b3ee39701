/** What the model copied: its tab, the marks on all that it writes, and what tables lose. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually, openTab, saved, train } from './driver.ts';
import { choose, useFolder } from './model-files.ts';
import { useSites } from './sites.ts';

const site = useSites();
const { save } = useFolder();

/** Six lines that a model soon knows by heart. */
const HEART = 'text=own&preset=tinygpt&channels=32&context=16&batch=4&steps=1200&validation=0';
const RHYME =
  'one two three four five\nonce I caught a fish alive\nsix seven eight nine ten\nthen I let it go again\n';

it('marks what a model wrote letter by letter from its text, and leads to the place', async () => {
  const driven = await site({ hash: HEART, state: '' });
  const { page, problems } = driven;
  await driven.text.fill(RHYME.repeat(4));
  await driven.reach('ready');
  await train(driven);
  const marks = page.locator('#samples .text-mark');
  expect(await marks.count()).toBe(0);
  await openTab(page, 'Copied or new?');
  const tab = page.locator('.tab-copied');
  await tab.getByText(/the longest part that stands in your text has \d+ characters/).waitFor();
  // Never without what chance alone would give.
  await tab.getByText(/95% of the parts .* would have at most \d+ character/).waitFor();
  await marks.first().waitFor();
  const written = (await marks.first().textContent()) ?? '';
  expect(RHYME.repeat(4)).toContain(written.trim());
  await marks.first().focus();
  await page.keyboard.press('Enter');
  const note = page.getByRole('dialog', { name: /^Line \d+ of your text/ });
  await note.waitFor();
  expect(await note.locator('mark').textContent()).toBe(written);
  await page.keyboard.press('Escape');
  await note.waitFor({ state: 'hidden' });
  await expect.poll(() => marks.first().evaluate((one) => one === document.activeElement)).toBe(true); // prettier-ignore
  await tab.getByRole('checkbox', { name: /^Mark copied parts/ }).uncheck();
  await expect.poll(() => marks.count()).toBe(0);
  expect(problems).toEqual([]);
});

it('says which names of a text are new, checks a text, and gives its worker back', async () => {
  const driven = await site({ hash: 'steps=300&validation=0.1&view=copied' });
  const { page, problems } = driven;
  await train(driven);
  const tab = page.locator('.tab-copied');
  await tab
    .getByText(/^Of 6 texts at step 300, \d (is|are) in your text as a whole line\.(?! The rest)/)
    .waitFor();
  await tab.getByText(/^Of the lines that it never saw, [\d.]+% are in the rest/).waitFor();
  const field = tab.getByRole('textbox', { name: 'Check a text' });
  await field.fill('anna\nzaphodine');
  const found = tab.locator('[data-part=copied-found] .text-mark');
  await expect.poll(() => found.allTextContents()).toEqual(['anna']);
  // A name of four letters says little.
  await tab
    .getByText('1 line of it stands in your text as a whole; that alone may be chance.', {
      exact: true,
    })
    .waitFor();
  expect(await found.getAttribute('title')).toMatch(/^A whole line .* this short .* by chance$/);
  await found.click();
  await page.getByRole('dialog', { name: /^Line \d+ of your text/ }).waitFor();
  await page.keyboard.press('Escape');
  await field.fill('zaphodine');
  await tab.getByText('No part of it stands in your text').waitFor();
  // What would hold the page up is not looked up, and says so.
  await field.fill('a'.repeat(20_001));
  await tab.getByText('Only a text of up to 20,000 characters is looked up here.').waitFor();
  // One worker trains, one has the index; another run takes its place.
  const workers = (): number => page.workers().length;
  await expect.poll(workers).toBe(2);
  for (const steps of ['40', '30']) {
    await page.getByRole('textbox', { name: 'Steps', exact: true }).fill(steps);
    await page.getByRole('button', { name: /^Restart/ }).first().click(); // prettier-ignore
    await eventually(driven.step, (step) => step === Number(steps));
    await tab.getByText(new RegExp(`at step ${steps},`)).waitFor();
  }
  await expect.poll(workers).toBe(2);
  expect(problems).toEqual([]);
});

it('says between which tables the loss lies, draws them in the curve, and lets one write', async () => {
  const driven = await site({ hash: 'steps=200&validation=0.1&view=copied' });
  const { page, problems } = driven;
  await train(driven);
  const rows = page.locator('[data-part=yardsticks] li');
  await expect.poll(() => rows.count()).toBe(8);
  const losses = (await rows.locator('.figure').allTextContents()).map(Number);
  expect(losses).toEqual([...losses].sort((a, b) => b - a));
  const own = page.locator('[data-part=yardsticks] li[aria-current]');
  expect(await own.textContent()).toMatch(/^Your model/);
  await page.locator('[data-part=yardsticks-said]').getByText(/^Your model is/).waitFor(); // prettier-ignore
  const curve = page.locator('#loss canvas').first();
  const picture = (): Promise<string> =>
    curve.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const drawn = await picture();
  await page.getByRole('checkbox', { name: 'Show the first of them in the loss curve' }).uncheck();
  await expect.poll(picture).not.toBe(drawn);
  const tab = page.locator('.tab-copied');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    tab.getByRole('button', { name: 'JSON' }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^glasshouse-copied-names-.*-step-200\.json$/);
  const file = JSON.parse(readFileSync(await saved.path(), 'utf8')) as {
    readonly texts: readonly unknown[];
    readonly yardsticks: { readonly yardsticks: readonly { readonly nats: number }[] };
  };
  expect(file.texts).toHaveLength(6);
  const told = file.yardsticks.yardsticks.map(({ nats }) => nats.toFixed(2));
  expect(losses.map((loss) => loss.toFixed(2))).toEqual(expect.arrayContaining(told));
  await tab.getByRole('button', { name: 'Write', exact: true }).click();
  const text = tab.locator('[data-part=table-text]');
  await expect.poll(() => text.textContent()).not.toBe('');
  expect(problems).toEqual([]);
});

it('says so where the text that a model learned from is not known', async () => {
  const driven = await site({ hash: 'steps=5' });
  const { page, problems } = driven;
  await train(driven);
  const file = await save(driven, 'Weights', 'names.safetensors');
  await choose(driven, file);
  await page.getByRole('radio', { name: 'Only write' }).click();
  await openTab(page, 'Copied or new?');
  await page.locator('[data-part=copied-status]').getByText(/not known here/).waitFor(); // prettier-ignore
  expect(problems).toEqual([]);
});

it('saves the run with what was found, and a report that has the model beside the tables', async () => {
  const driven = await site({ hash: 'steps=120&validation=0&view=copied' });
  const { page, problems } = driven;
  await train(driven);
  const rows = page.locator('[data-part=yardsticks] li');
  await expect.poll(() => rows.count()).toBe(8);
  const tab = page.locator('.tab-copied');
  const file = async (form: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      tab.getByRole('button', { name: form }).click(),
    ]);
    return readFileSync(await download.path(), 'utf8');
  };
  const json = JSON.parse(await file('JSON')) as Readonly<Record<string, object>>;
  expect(json.run).toMatchObject({
    line: expect.stringMatching(/^gh1-microgpt-s42-120-/) as string,
    options: { steps: 120, validation: 0 },
    text_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(json.yardsticks).toMatchObject({ of: 'left-out', model: { of: 'training', step: 120 } });
  expect(json.memorised).toMatchObject({ prompts: { heldOut: 0, train: 32 } });
  const kinds = (await file('CSV')).split('\r\n').map((line) => line.split(',')[0]);
  expect(new Set(kinds.filter((kind) => kind !== 'part'))).toEqual(
    new Set(['row', 'base', 'table', 'model', 'memorised', '']),
  );
  await openTab(page, 'Export');
  const report = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const html = await page.context().newPage();
  await html.setContent(readFileSync(report.path, 'utf8'));
  await html.getByText(/each token scored as if it were not in the text, in nats per token, bits per character/).waitFor(); // prettier-ignore
  const table = html.getByRole('table').filter({ hasText: 'Guessing' });
  await table.getByRole('rowheader', { name: 'Your model' }).waitFor();
  expect(await table.getByRole('row').count()).toBe(9);
  expect(problems).toEqual([]);
});
