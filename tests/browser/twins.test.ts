/** Twins: a run trained once more with one thing changed, and both held against each other. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { eventually, openTab, saved, train } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SHORT = 'steps=60&validation=0.1';

it('calls a run by what it was made with, not by what was changed after its last step', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  await train(driven);
  const { page } = driven;
  await page.getByRole('textbox', { name: 'Learning rate', exact: true }).fill('0.003');
  // A run that is over takes nothing up: a new one would.
  await page.getByText('Changed: Learning rate.').first().waitFor();
  const panel = page.getByRole('tabpanel');
  await panel.getByText('now 0.001').waitFor();
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await driven.reach('finished');
  await panel.getByRole('rowheader', { name: 'Run 1: Learning rate 0.001' }).waitFor();
  await panel.getByText('now 0.003').waitFor();
  expect(driven.problems).toEqual([]);
});

it('says of a run that was given more steps that its twin is not quite one, and so does the report', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  await train(driven);
  const { page } = driven;
  const caution = page.locator('[data-part=twin-caution]');
  await expect.poll(() => caution.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Train 60 more' }).click();
  await eventually(driven.step, (step) => step === 120);
  await driven.reach('finished');
  await expect
    .poll(() => caution.textContent())
    .toMatch(/^Note: Steps was changed in the middle of this run\./);
  await openTab(page, 'Export');
  const { path } = await saved(driven, page.getByRole('button', { name: 'Save the report' }));
  const html = await readFile(path, 'utf8');
  expect(html).toContain('Changed during the run: Steps from 60 to 120 after step 60.');
});

it('trains a control on shuffled letters, which stops where theory says, and puts the text back', async () => {
  const driven = await site({ hash: 'steps=400&validation=0.1&view=twin' });
  const { page, text } = driven;
  const before = await text.inputValue();
  await train(driven);
  const panel = page.getByRole('tabpanel');
  await panel.getByRole('button', { name: 'letters', exact: true }).click();
  const said = panel.getByText(/no model gets below \d\.\d+ nats per token/);
  await said.waitFor();
  await driven.reach('finished');
  const [, best] = /below (\d\.\d+) nats/.exec((await said.textContent()) ?? '')!;
  const validation = panel.locator('tbody tr').first().locator('td[data-label^=Validation]');
  const lost = parseFloat((await validation.textContent()) ?? '');
  // It learns little more than the frequencies in so few steps, and never more.
  expect(lost).toBeGreaterThan(Number(best) - 0.03);
  expect(lost).toBeLessThan(Number(best) + 0.3);
  expect(await text.inputValue()).not.toBe(before);
  // Names are single words; and another control is of the text as it was, which stays to be had.
  await panel.getByRole('button', { name: 'words', exact: true }).click();
  await panel.getByText(/^No line here has several words/).waitFor();
  // What is refused changes nothing.
  expect(await text.inputValue()).not.toBe(before);
  await panel.getByRole('button', { name: 'Put the text back' }).waitFor();
  await panel.getByRole('button', { name: 'lines', exact: true }).click();
  await panel.getByText(/^The lines stand in another order/).waitFor();
  const known = await readFile('public/texts/first-names-en.txt', 'utf8');
  const lines = await eventually(
    async () => (await text.inputValue()).split('\n').slice(0, 50),
    (shown) => shown.every((line) => known.split('\n').includes(line)),
  );
  expect(lines).not.toEqual(before.split('\n').slice(0, 50));
  await panel.getByRole('button', { name: 'Put the text back' }).click();
  await expect.poll(() => text.inputValue()).toBe(before);
  expect(driven.problems).toEqual([]);
});

it('trains a twin that has not read two lines, and says what of them was learned by heart', async () => {
  const driven = await site({ hash: 'preset=microgpt&steps=500&validation=0&view=twin' });
  const { page, problems, text } = driven;
  const names = 'anna bella clara dora emilia frieda gudrun hannelore zxqvwkk irmgard'.split(' ');
  await text.fill(names.join('\n'));
  await page.getByText('Learned line by line: 10 lines').waitFor();
  const panel = page.getByRole('tabpanel');
  const field = panel.getByRole('textbox', { name: 'Leave lines out' });
  const go = panel.getByRole('button', { name: 'Train a twin without them' });
  await driven.oneStep.click();
  await eventually(driven.step, (step) => step === 1);
  await field.fill('1');
  await go.click();
  await panel.getByText('Train this run to its end first').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await driven.reach('finished');
  await field.fill('11');
  await go.click();
  await panel.getByText('Write numbers of lines of the text that are not empty').waitFor();
  await field.fill('9, 1');
  await go.click();
  const said = panel.getByText(/^Who has read these lines loses/);
  await said.waitFor();
  const [, seen, unseen] = /loses ([\d.]+) nats .* has not ([\d.]+):/.exec(
    (await said.textContent()) ?? '',
  )!;
  expect(Number(unseen)).toBeGreaterThan(Number(seen) + 1);
  await panel.getByRole('rowheader', { name: '9: zxqvwkk' }).waitFor();
  await panel.getByRole('rowheader', { name: 'This run: Left-out parts 2' }).waitFor();
  // Of two that have not read all lines none stands for one that has.
  await field.fill('２-３');
  await go.click();
  await panel.getByText(/^This run has itself not read some lines/).waitFor();
  await panel.getByRole('button', { name: 'Train a run with all lines' }).click();
  await panel.getByRole('rowheader', { name: 'This run: Left-out parts 0' }).waitFor();
  await driven.reach('finished');
  await go.click();
  await panel.getByText(/^Who has read these lines loses/).waitFor();
  await panel.getByRole('rowheader', { name: '3: clara' }).waitFor();
  // The settings say so. What was left out are no places of another text, such as a control's.
  const changed = page.locator('[data-part=preset-changed]');
  await expect.poll(() => changed.textContent()).toContain('Left-out parts');
  await panel.getByRole('button', { name: 'letters', exact: true }).click();
  await panel.getByRole('rowheader', { name: /^This run: .*Left-out parts 0/ }).waitFor();
  await driven.reach('finished');
  await expect.poll(() => changed.textContent()).not.toContain('Left-out parts');
  expect(problems).toEqual([]);
});

it('trains no twin on another text, and calls no run better that learned another', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  await train(driven);
  const { page, text } = driven;
  const go = page.getByRole('button', { name: 'Train the twin' });
  await text.fill('anna\nhanna\nnina\n'.repeat(30));
  await page.getByRole('button', { name: 'Restart with these changes' }).waitFor();
  await go.click();
  await page.getByText('The text has changed.').waitFor();
  await expect.poll(driven.step).toBe(60);
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await driven.reach('finished');
  await page.getByRole('checkbox', { name: /Run 1/ }).check();
  await page.getByText('These runs learned different texts').waitFor();
  await expect.poll(() => page.getByText(/^Best at what/).count()).toBe(0);
});

it('trains a twin with one setting changed and holds both runs against each other', async () => {
  const size = { width: 1200, height: 700 };
  const driven = await site({ hash: `${SHORT}&view=twin`, options: { viewport: size } });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Activation' });
  const go = page.getByRole('button', { name: 'Train the twin' });
  // At the lower edge: what comes below it is not yet in sight.
  await go.evaluate((button: HTMLElement) => {
    button.scrollIntoView({ block: 'end' });
    button.click();
  });
  const curves = page.getByRole('img', { name: /^The losses of these runs/ });
  await eventually(
    async () => {
      const drawn = await curves.boundingBox();
      return drawn === null ? NaN : size.height - drawn.y - drawn.height;
    },
    (room) => room >= 0,
  );
  const rows = page.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr');
  await page.getByText('All runs at step 60').waitFor();
  await driven.reach('finished');
  await eventually(
    async () => (await page.getByText('All runs at step 60').count()) + (await rows.count()),
    (count) => count === 3,
  );
  const losses = await rows.locator('td:first-of-type').allTextContents();
  expect(losses).toHaveLength(2);
  expect(losses[0]).not.toBe(losses[1]);
  await expect
    .poll(() => rows.getByRole('rowheader').allTextContents())
    .toEqual(
      ['This run: Activation GELU', 'Run 1: Activation Squared ReLU'], // prettier-ignore
    );
  await expect
    .poll(() => curves.getByText('Run 1: Activation Squared ReLU', { exact: true }).count())
    .toBe(1);
  // The other run's validation losses are dots in its colour, as many as this run's curve has
  // corners; its curve goes through them.
  const dots = curves.locator('path[stroke-width="4"][stroke-linecap=round]');
  const corners = async (curve: Locator): Promise<number> =>
    ((await curve.getAttribute('d')) ?? '').match(/[ML]/g)?.length ?? 0;
  const measured = await corners(curves.locator('path[stroke-dasharray="5 3"]:not([d*=h24])'));
  expect(measured).toBeGreaterThan(2);
  await expect.poll(() => corners(dots)).toBe(measured);
  const dashed = curves.locator('path[stroke-dasharray="8 3"]:not([d*=h24])');
  await expect.poll(() => corners(dashed)).toBe(measured);
  await page.getByText('Dots in the colour of an earlier run: its validation loss.').waitFor();
  const held = await rows.locator('td:nth-of-type(3)').allTextContents();
  const [ours, twin] = held.map(Number) as [number, number];
  const best = ours < twin ? 'Activation GELU' : 'Activation Squared ReLU';
  // It is said once the twin is done.
  const verdict = await eventually(
    async () => (await page.locator('[data-part=twin-verdict]').textContent()) ?? '',
    (text) => text !== '',
  );
  expect(verdict).toContain(`Best on text that it never learned, at step 60: “${best}”.`);
  expect(verdict).toContain(`${Math.abs(ours - twin).toFixed(3)} nats per token below`);
  expect(problems).toEqual([]);
});

it('draws a dashed validation curve of each run in the colour of its training curve, only where text is held out, in both languages', async () => {
  const held = await site({ hash: `${SHORT}&view=twin` });
  const none = await site({ hash: 'steps=60&validation=0&view=twin' });
  // Every line in the key and what it is called: the swatch stands before the name.
  const key = (page: Page): Promise<(string | null)[][]> =>
    page
      .locator('.twin-curves svg path[d*=h24]')
      .evaluateAll((lines) =>
        lines.map((line) => [
          line.nextElementSibling!.textContent,
          line.getAttribute('stroke'),
          line.getAttribute('stroke-dasharray'),
        ]),
      );
  for (const driven of [held, none]) {
    await train(driven);
    await driven.page.getByRole('button', { name: 'Train the twin' }).click();
    await driven.page.getByText('All runs at step 60').waitFor();
    await driven.reach('finished');
  }
  const drawn = await eventually(
    () => key(held.page),
    (lines) => lines.length === 5,
  );
  const [ours, ourValidation, twin, twinValidation] = drawn as [string, string, string | null][];
  expect(ours![0]).toBe('This run: Learning rate 0.002');
  expect(ourValidation).toEqual([`${ours![0]} · Validation`, ours![1], '5 3']);
  expect(twin).toEqual(['Run 1: Learning rate 0.001', expect.any(String), null]);
  expect(twinValidation).toEqual([`${twin![0]} · Validation`, twin![1], '8 3']);
  expect(twin![1]).not.toBe(ours![1]);
  const note = held.page.locator('[data-part=twin-dashed]');
  expect(await note.textContent()).toMatch(/^Dashed: the validation loss of each run/);
  // Without text held out there is neither: the other run's curve is dashed as on the chart above.
  const plain = await eventually(
    () => key(none.page),
    (lines) => lines.length === 3,
  );
  expect(plain.map(([, , dashes]) => dashes)).toEqual([null, '8 3', '2 4']);
  expect(await none.page.locator('[data-part=twin-dashed]').count()).toBe(0);
  await held.page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await expect
    .poll(async () => (await key(held.page)).map(([name]) => name))
    .toContain('这次训练 · 学习率：0.002 · 验证');
  expect(await note.textContent()).toMatch(/^虚线：各次训练的验证损失/);
  for (const { problems } of [held, none]) expect(problems).toEqual([]);
});

it('keeps what a twin was asked for in its field while it trains, and offers the next one then', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin&pace=30` });
  const { page, problems } = driven;
  await train(driven);
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Learning rate' });
  const value = page.getByRole('textbox', { name: 'to', exact: true });
  await value.fill('0.003');
  await page.getByRole('button', { name: 'Train the twin' }).click();
  await driven.reach('running');
  await page.getByText('now 0.003', { exact: true }).waitFor();
  await expect.poll(() => value.inputValue()).toBe('0.003');
  await eventually(driven.step, (step) => step > 5);
  await expect.poll(() => value.inputValue()).toBe('0.003');
  await driven.reach('finished');
  await expect.poll(() => value.inputValue()).toBe('0.006');
  expect(problems).toEqual([]);
});

it('leaves the run of now as it was when a twin has what can change during a run, and has table and curves speak of one step', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin&pace=100` });
  await train(driven);
  const { page, problems } = driven;
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Learning rate' });
  await page.getByRole('button', { name: 'Train the twin' }).click();
  const seen = await page.evaluate(async () => {
    const pairs = new Set<string>();
    for (let times = 0; times < 200 && !pairs.has('60 60'); times++) {
      const caption = document.querySelector('.twin-table caption')?.textContent;
      const title = document.querySelector('.twin-curves title')?.textContent;
      if (caption && title)
        pairs.add([caption, title].map((text) => /\d+/.exec(text)?.[0]).join(' '));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return [...pairs];
  });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.filter((pair) => pair.split(' ')[0] !== pair.split(' ')[1])).toEqual([]);
  await page.getByText('All runs at step 60').waitFor();
  const rows = page.getByRole('region', { name: 'The runs side by side' }).locator('tbody tr');
  await eventually(
    () => rows.count(),
    (count) => count === 2,
  );
  await expect
    .poll(() => rows.nth(1).getByRole('rowheader').textContent())
    .toBe('Run 1: Learning rate 0.001');
  expect(problems).toEqual([]);
});

it('leaves the settings those of the run that is shown where a twin cannot be', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  const { page, problems } = driven;
  await train(driven);
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Channels' });
  await page.getByRole('textbox', { name: 'to', exact: true }).fill('8192');
  await page.getByRole('button', { name: 'Train the twin' }).click();
  await page
    .getByRole('tabpanel')
    .getByText(/^This would need .* of memory/)
    .waitFor();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
    .toBe('64');
  expect(await page.getByText('Changed: Channels').count()).toBe(0);
  // One that can be is there with its settings, and the message is gone.
  await page.getByRole('textbox', { name: 'to', exact: true }).fill('32');
  await page.getByRole('button', { name: 'Train the twin' }).click();
  await driven.reach('finished');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
    .toBe('32');
  await expect.poll(() => page.getByText(/This would need .* of memory/).count()).toBe(0);
  expect(problems).toEqual([]);
});

// Proves that a button which would do nothing says so, and leads to what is to be mended.
it('takes no value that cannot be, and says of a learning rate of 0 that nothing is learned', async () => {
  const driven = await site({ hash: `${SHORT}&view=twin` });
  const { page, problems } = driven;
  await train(driven);
  const field = page.getByRole('textbox', { name: 'to', exact: true });
  const go = page.getByRole('button', { name: 'Train the twin' });
  const disabled = () => expect.poll(() => go.getAttribute('aria-disabled'));
  await page.getByRole('combobox', { name: 'Change' }).selectOption({ label: 'Learning rate' });
  await disabled().toBe('false');
  for (const value of ['-1', '99', '']) {
    await field.fill(value);
    await disabled().toBe('true');
    await go.click({ force: true });
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await driven.run.getAttribute('data-state')).toBe('finished');
  }
  await field.fill('0');
  await disabled().toBe('false');
  await page.getByText('With a learning rate of 0 nothing is learned').waitFor();
  await field.fill('0.002');
  await expect.poll(() => page.getByText('nothing is learned').count()).toBe(0);
  await go.click();
  await page.getByRole('table', { name: /^All runs at step/ }).waitFor();
  // Trained by a press of a key, it is where the next one is made.
  await expect.poll(() => go.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(problems).toEqual([]);
});

it('holds twins against each other on a phone, names and figures in sight', async () => {
  const driven = await site({
    hash: `${SHORT}&view=twin`,
    options: { viewport: { width: 390, height: 780 } },
  });
  await train(driven);
  const { page, problems } = driven;
  // What is no number is told in the words of the page, not of the browser.
  const change = page.getByRole('combobox', { name: 'Change' });
  const twin = page.getByRole('button', { name: 'Train the twin' });
  await change.selectOption({ label: 'Learning rate' });
  await page.locator('.twin-form input').fill('');
  // It is said to do nothing, and can be pressed all the same.
  await twin.click({ force: true });
  await page.getByText(/^Learning rate must be a number from 0 to \d+\.$/).waitFor();
  // Nor is a twin that is no other: what is offered always is one.
  await page.locator('.twin-form input').fill('0.001');
  await twin.click();
  await page.getByText('Learning rate is that already: choose another value.').waitFor();
  await change.selectOption({ label: 'Final share of the rate' });
  await expect.poll(() => page.locator('.twin-form input').inputValue()).toBe('0.1');
  await change.selectOption({ label: 'Learning rate' });
  // At once, as in the settings; so is what cannot be beside other settings.
  await page.locator('.twin-form input').fill('99');
  await page.getByText(/^Learning rate must be a number from 0 to 10\.$/).waitFor();
  await change.selectOption({ label: 'Heads' });
  await page.locator('.twin-form input').fill('3');
  await page.getByText('64 channels cannot be shared equally by 3 heads').waitFor();
  await change.selectOption({ label: 'Learning rate' });
  await page.locator('.twin-form input').fill('7');
  await expect.poll(() => page.locator('.tab-twin [role=status]').first().textContent()).toBe('');
  await change.selectOption({ label: 'Activation' });
  await twin.click();
  const region = page.getByRole('region', { name: 'The runs side by side' });
  await eventually(
    () => region.getByRole('rowheader').count(),
    (count) => count === 2,
  );
  await driven.reach('finished');
  await page.getByText('All runs at step 60').waitFor();
  await expect.poll(() => region.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const cell = region.getByRole('row').last().getByRole('cell').first();
  await expect
    .poll(() => cell.evaluate((one) => getComputedStyle(one, '::before').content))
    .toBe('"Loss, smoothed (nats per token)"');
  // Both runs on one screen: of a long text that is written, the beginning is enough.
  expect((await region.boundingBox())!.height).toBeLessThan(500);
  const key = await page.locator('.twin-curves svg').textContent();
  expect(key).toContain('Squared ReLU');
  expect(key).not.toContain('…');
  // The name of the vertical axis keeps clear of its numbers.
  const apart = await page.locator('.twin-curves svg').evaluate((picture) => {
    const texts = [...picture.querySelectorAll('text')];
    const name = texts.find((one) => one.getAttribute('transform')?.includes('rotate'))!;
    const { right } = name.getBoundingClientRect();
    const ticks = texts.filter((one) => one.getAttribute('text-anchor') === 'end');
    return Math.min(...ticks.map((one) => one.getBoundingClientRect().left)) - right;
  });
  expect(apart).toBeGreaterThanOrEqual(5);
  expect(Number.isFinite(apart)).toBe(true);
  expect(problems).toEqual([]);
});

it('holds still what one looks at when a run begins anew, in the tabs of twins and of the model', async () => {
  const driven = await site({
    hash: 'steps=120&view=twin',
    options: { viewport: { width: 390, height: 844 } },
  });
  await train(driven);
  const { page, problems } = driven;
  /** How high and how low the element stands in the window while `press` takes effect. */
  const travel = async (
    what: string,
    press: string,
  ): Promise<{ readonly highest: number; readonly lowest: number }> => {
    await page.locator(what).waitFor();
    return page.evaluate(
      async ([seen, button]) => {
        const element = document.querySelector(seen)!;
        scrollBy(0, element.getBoundingClientRect().top - 350);
        const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
        // What came before has come to rest: the press alone is looked at.
        for (let still = 0, last = NaN; still < 15;) {
          await wait(40);
          const { top } = element.getBoundingClientRect();
          still = top === last ? still + 1 : 0;
          last = top;
        }
        const places: number[] = [];
        // Not by the mouse: Playwright would scroll to the button.
        document.querySelector<HTMLButtonElement>(button)!.click();
        for (let times = 0; times < 60; times++) {
          places.push(element.getBoundingClientRect().top);
          await wait(20);
        }
        return { highest: Math.min(...places), lowest: Math.max(...places) };
      },
      [what, press] as const,
    );
  };
  // The page may go on to the curves below the form, but not beyond.
  const twin = await travel('.twin-form', '.twin-form .primary');
  expect(twin.highest).toBeGreaterThan(150);
  expect(twin.lowest).toBeLessThan(380);
  await driven.reach('finished');
  await page.evaluate(() => {
    location.hash = location.hash.replace('view=twin', 'view=model-parts');
  });
  await page.locator('.part-values .tensor-canvas').waitFor();
  const part = await travel('.part-values ~ .part-explanation', '#run [data-control=rewind]');
  expect(part.lowest - part.highest).toBeLessThan(10);
  expect(problems).toEqual([]);
});
