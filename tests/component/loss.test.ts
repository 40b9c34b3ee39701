/** The loss chart on recorded runs: units, advice, earlier runs and exported curves. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused, openTab, saved } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the chart of a finished run of 60 steps with held-out text. */
const finished = (panels: readonly string[] = [], options: MountOptions = {}): Promise<Component> =>
  mount(['loss', ...panels], 'held', { step: 60, ...options });

const chart = (page: Page): Locator => page.locator('#loss');
const bitsRadio = (page: Page): Locator =>
  chart(page).getByRole('radio', { name: 'bits per character' });
const earlierList = (page: Page): Locator => page.getByRole('list', { name: 'Earlier runs' });
const firstTick = (page: Page): Locator =>
  earlierList(page).getByRole('checkbox', { name: /^Run 1/ });
const smooth = (page: Page, strength: string): Promise<void> =>
  chart(page).getByRole('slider', { name: 'Smoothing' }).fill(strength);
const shownLoss = async ({ run }: Component): Promise<number> =>
  Number(await run.locator('[data-part=loss]').textContent());

/** Restarts the run with these parameters of the address. */
async function restartWith(page: Page, words: string): Promise<void> {
  await page.evaluate((more) => {
    location.hash += more;
  }, words);
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await firstTick(page).waitFor();
}

/** Trains a second run to its end. */
async function trainAnother({ page, reach }: Component, words: string): Promise<void> {
  await restartWith(page, words);
  await reach('finished');
}

async function fileOf(component: Component, form: string): Promise<string> {
  const button = chart(component.page).getByRole('button', { name: `Save as ${form}` });
  return (await saved(component, button)).text;
}

it('shows losses in the chosen unit in plan and chart, and in the run bar if it is not nats', async () => {
  const component = await finished(['plan']);
  const { page, run } = component;
  const plan = page.locator('#plan dl > div', { has: page.locator('[data-part=plan-random]') });
  const key = chart(page).locator('.key-random:visible');
  await expect.poll(() => plan.textContent()).toBe('Random guessing nats3.30');
  // In the run bar, nats are told to screen readers and in the note of the term alone.
  const unit = run.locator('.fact-loss dt');
  expect(await unit.textContent()).toBe('Loss nats');
  expect(await unit.locator('.fact-unit').count()).toBe(0);
  expect((await unit.getByText('nats').boundingBox())!.width).toBeLessThanOrEqual(1);
  expect(await key.allTextContents()).toEqual(['Guessing']);
  const nats = await shownLoss(component);
  await bitsRadio(page).check();
  await expect.poll(() => shownLoss(component)).toBeCloseTo(nats / Math.LN2, 1);
  expect(await run.getByText('bits/char.', { exact: true }).count()).toBe(1);
  expect(await plan.textContent()).toMatch(/^Random guessing bits\/char\.[45]\.\d\d$/);
  // ln V is in nats: the baseline has another label in other units.
  await expect.poll(() => key.allTextContents()).toEqual(['Guessing']);
  await chart(page).getByRole('button', { name: 'The losses as a table' }).click();
  await chart(page).getByText('Mean loss over blocks of steps, in bits per character').waitFor();
});

it('tells guessing by character for other tokens of the same text, and for no other text', async () => {
  const { page, text } = await finished(['plan', 'settings', 'text']);
  const plan = page.locator('#plan dl > div', { has: page.locator('[data-part=plan-random]') });
  await bitsRadio(page).check();
  const tokens = page.getByRole('combobox', { name: /^Tokens/ });
  await tokens.selectOption({ label: 'Bytes' });
  await expect.poll(() => plan.textContent()).toMatch(/4\.75 → 8\.01$/);
  await tokens.selectOption({ label: 'Characters' });
  await expect.poll(() => plan.textContent()).not.toContain('→');
  // The page does not know the tokens per character of a new text yet.
  const guessing = await plan.textContent();
  await text.fill('abc\n'.repeat(60));
  await page.getByText('You are still looking at the previous run.').first().waitFor();
  expect(await plan.textContent()).toBe(guessing);
});

it('smooths by one strength in the run bar, the summary, the curve, the CSV and the report', async () => {
  const component = await finished(['take-away']);
  const { page } = component;
  await bitsRadio(page).check();
  const before = await shownLoss(component);
  await smooth(page, '4');
  await expect.poll(() => shownLoss(component)).toBeGreaterThan(before + 0.05);
  await component.rest();
  const smoothed = await shownLoss(component);
  await chart(page)
    .getByText(`to ${smoothed.toFixed(2)} bits per character`)
    .waitFor();
  await chart(page)
    .getByRole('application', { name: /^The loss curve/ })
    .press('End');
  const point = chart(page).locator('[data-part=loss-summary]');
  await expect.poll(() => point.textContent()).toMatch(/smoothed [\d.]+ bits/);
  const read = /smoothed ([\d.]+) bits/.exec((await point.textContent()) ?? '')?.[1];
  expect(Number(read)).toBeCloseTo(smoothed, 1);
  const csv = await fileOf(component, 'CSV');
  const last = Number(csv.trim().split('\r\n').at(-1)?.split(',')[2]);
  expect(last / Math.LN2).toBeCloseTo(smoothed, 2);
  const button = page.getByRole('button', { name: 'Save the report' });
  const { text: report } = await saved(component, button);
  const told = /the smoothed loss was ([\d.]+) bits per char/.exec(report)?.[1];
  expect(Number(told)).toBeCloseTo(smoothed, 2);
  expect(report).toContain('>Mean loss over blocks of steps, in bits per character<');
});

it('writes nothing but the summary and the canvas at a new step', async () => {
  const { page, start, advance } = await mount('loss', 'held', { stepwise: true });
  await start.click();
  await advance(20);
  const watched = await page.evaluateHandle(() => {
    const parts = new Set<string>();
    const note = (changes: readonly MutationRecord[]): void => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement!;
        parts.add(element.closest('.loss-plot, .summary')?.className ?? element.outerHTML);
      }
    };
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(note).observe(document.querySelector('#loss')!, all);
    return parts;
  });
  await advance(22);
  const summary = page.locator('[data-part=loss-summary]');
  await expect.poll(() => summary.textContent()).toContain('After 22 steps');
  const written = await watched.evaluate((parts) => [...parts]);
  expect(written.filter((part) => part !== 'loss-plot')).toEqual(['summary']);
});

it('calls nothing smoothed without smoothing', async () => {
  const { page } = await finished();
  const legend = chart(page).locator('.legend > li:visible');
  await smooth(page, '4');
  await expect.poll(() => legend.allTextContents()).toContain('Smoothed');
  await smooth(page, '0');
  await expect.poll(() => legend.allTextContents()).not.toContain('Smoothed');
  expect((await legend.allTextContents())[0]).toBe('Each step');
});

it('keeps the head of the table in sight while its rows scroll', async () => {
  const { page } = await finished();
  await chart(page).getByRole('button', { name: 'The losses as a table' }).click();
  await chart(page).locator('.table-scroll thead th').first().waitFor();
  const below = await chart(page)
    .locator('.table-scroll')
    .evaluate((region: HTMLElement) => {
      // prettier-ignore
      region.style.maxHeight = '2rem';
      region.scrollTop = 1000;
      const head = region.querySelector('thead th')!;
      return head.getBoundingClientRect().top - region.getBoundingClientRect().top;
    });
  expect(Math.abs(below)).toBeLessThan(2);
});

it('takes up every choice where two are made within one frame', async () => {
  const { page } = await mount('loss', 'held');
  await expect.poll(() => bitsRadio(page).isEnabled()).toBe(true);
  await page.evaluate(() => {
    const boxes = document.querySelectorAll<HTMLElement>('#loss :is([type=radio], [type=checkbox])'); // prettier-ignore
    boxes[1]!.click();
    boxes[boxes.length - 1]!.click();
  });
  await chart(page).locator('[data-part=loss-beneath-note]').waitFor();
  await expect.poll(() => bitsRadio(page).isChecked()).toBe(true);
  const beneath = chart(page).getByRole('checkbox', {
    name: 'Also show learning rate and gradient norm',
  });
  expect(await beneath.isChecked()).toBe(true);
});

it('keeps the curve of a run that another one replaces, named by what differs and with its last loss', async () => {
  const { page } = await mount('loss', 'names', { step: 10, stepwise: true });
  expect(await earlierList(page).getByRole('listitem').count()).toBe(0);
  await restartWith(page, '&seed=7');
  // The run's name lists its differences from the new run and from its preset.
  const name = /^Run 1: English names \((?=.*Seed 42\b)(?=.*Steps 60\b)/;
  await earlierList(page).getByRole('checkbox', { name }).waitFor();
  const item = earlierList(page).getByRole('listitem');
  expect(await item.textContent()).toMatch(/nats per token at step 10/);
});

it('hides and shows the curve of an earlier run by keys, and keeps the focus', async () => {
  const component = await finished();
  const { page } = component;
  await trainAnother(component, '&seed=7');
  const tick = firstTick(page);
  await tick.focus();
  for (const state of ['detached', 'attached', 'detached'] as const) {
    await page.keyboard.press('Space');
    await page.locator('#loss .key-earlier .earlier-line').waitFor({ state });
    await expect.poll(() => tick.isChecked()).toBe(state === 'attached');
    await focused(tick);
  }
});

it('has the words of the empty chart in it only while no earlier curve is drawn', async () => {
  const { page } = await finished();
  await page.getByRole('button', { name: 'New seed' }).click();
  const hint = page.locator('#loss .loss-hint');
  await firstTick(page).waitFor();
  await hint.waitFor({ state: 'hidden' });
  await firstTick(page).uncheck();
  await hint.waitFor();
  await firstTick(page).check();
  await hint.waitFor({ state: 'hidden' });
});

it('leaves the focus at the title of the chart when the last earlier run is removed', async () => {
  const component = await finished();
  const { page } = component;
  await trainAnother(component, '&seed=7');
  await earlierList(page).getByRole('button', { name: /^Remove Run 1/ }).click(); // prettier-ignore
  await earlierList(page).waitFor({ state: 'hidden' });
  await focused(page.getByRole('heading', { name: 'Loss', exact: true }));
});

it('draws the curve of the run over those of earlier ones', async () => {
  const component = await finished();
  const { page } = component;
  // Tokens are characters, so this option changes nothing and both curves coincide.
  await trainAnother(component, '&vocabulary=300');
  /** Pixels of the first earlier run (blue) and of the present curve (green). */
  const drawn = (): Promise<readonly [blue: number, green: number]> =>
    page.locator('#loss .loss-plot canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      let [blue, green] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
        if (b > g + 50) blue++;
        else if (g > r + 50) green++;
      }
      return [blue, green] as const;
    });
  await expect.poll(async () => (await drawn())[1]).toBeGreaterThan(100);
  // The ends of the dashed line and the dots of its validation loss may show blue pixels.
  expect((await drawn())[0]).toBeLessThan(40);
});

it('puts curves of another text aside, and compares them by character once they are ticked', async () => {
  const component = await finished(['plan', 'text', 'settings']);
  const { page, reach, run, text } = component;
  await page.evaluate(() => {
    location.hash = 'text=tang&preset=microgpt&steps=20&layers=1&channels=16&tokenizer=bpe&validation=0.1'; // prettier-ignore
  });
  await expect.poll(() => text.inputValue()).toMatch(/\p{Script=Han}/u);
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await reach('finished');
  const tick = firstTick(page);
  await expect.poll(() => tick.isChecked()).toBe(false);
  const why = page.getByText(/^Runs on another text or with other tokens are hidden/);
  const texts = page.getByText(/^One of these runs learned another text/);
  await why.waitFor();
  expect(await texts.isVisible()).toBe(false);
  await tick.check();
  await why.waitFor({ state: 'hidden' });
  await texts.waitFor();
  await expect.poll(() => run.locator('.fact-loss').textContent()).toContain('bits/char.');
  await expect.poll(() => page.locator('#plan').textContent()).toContain('guessing bits/char.');
});

it('lists kept runs with their losses in the chosen unit, and says that their smoothing is another', async () => {
  const component = await finished(['runs'], { keeps: true });
  const { page } = component;
  await bitsRadio(page).check();
  await openTab(page, 'Runs');
  await page
    .getByRole('columnheader', { name: 'Loss (bits per character)', exact: true })
    .waitFor();
  const cell = page.locator('.runs-table tbody .runs-loss').first();
  await expect.poll(() => cell.textContent()).toBe(await component.run.locator('[data-part=loss]').textContent()); // prettier-ignore
  await smooth(page, '4');
  await page.getByRole('columnheader', { name: 'Loss, smoothed as usual (bits per character)' }).waitFor(); // prettier-ignore
});

it('advises a smaller learning rate where a run ends worse than guessing, and sets it at a press', async () => {
  const options = { hash: 'lr=1', step: 60 };
  const { page, reach } = await mount(['loss', 'settings'], 'small', options);
  const advice = page.locator('[data-part=loss-advice]');
  await expect
    .poll(() => advice.textContent())
    .toMatch(
      /^The learning rate, 1, is probably too large: the preset begins with 0\.001\. Rewind/,
    );
  await advice.getByRole('button').click();
  await reach('ready');
  const rate = page.getByRole('textbox', { name: 'Learning rate', exact: true });
  await expect.poll(() => rate.inputValue()).toBe('0.1');
  await expect.poll(() => advice.isVisible()).toBe(false);
});

it('saves the loss as CSV with all digits', async () => {
  const rows = (await fileOf(await finished(), 'CSV')).trim().split('\r\n');
  expect(rows).toHaveLength(61);
  expect(rows[1]).toMatch(/^1,3\.3057\d{10,},3\.3057\d+,[\d.]+,0\.01,[\d.]+,0,0$/);
});

it('saves the curve as SVG, with all that is drawn in its key', async () => {
  const component = await finished();
  const drawing = await fileOf(component, 'SVG');
  const read = await component.page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      bad: parsed.querySelector('parsererror') !== null,
      title: parsed.querySelector('title')?.textContent,
      paths: parsed.querySelectorAll('path').length,
      names: [...parsed.querySelectorAll('g text')].map(({ textContent }) => textContent),
    };
  }, drawing);
  expect(read).toMatchObject({ bad: false, title: 'Loss over 60 steps' });
  expect(read.paths).toBeGreaterThan(10);
  expect(read.names.slice(0, 4)).toEqual([
    'English names (Held-out share 0.1, Layers 1, Heads 1 and 3 more): Smoothed',
    ...['Each step', 'Validation', 'Guessing'],
  ]);
});

it('saves the curve as PNG of 1920 × 1080 pixels', async () => {
  const component = await finished();
  const button = chart(component.page).getByRole('button', { name: 'Save as PNG' });
  const png = await readFile((await saved(component, button)).path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1080]);
});

it('says why bits per character set the validation curve off, where folds are closed too', async () => {
  const text = `${'the cat sat on the mat. '.repeat(40)}${'鹅鹅鹅曲项向天歌'.repeat(30)}`;
  const hash = 'validation=0.2&tokenizer=byte&sequences=stream';
  const { page } = await mount('loss', 'small', { text, hash, step: 10, unfold: false });
  const why = page.getByText('The held-out text has more tokens per character');
  expect(await why.isVisible()).toBe(false);
  const more = page.locator('.loss-more > .fold');
  await more.click();
  await bitsRadio(page).check();
  await why.waitFor();
  await more.click();
  await bitsRadio(page).waitFor({ state: 'hidden' });
  expect(await why.isVisible()).toBe(true);
});

/** Random letters, without a rule to learn. */
function lettersByChance(count: number): string {
  let state = 1;
  const letter = (): string => {
    state = (state * 48271) % 2147483647;
    return 'abcdefgh'[state % 8]!;
  };
  return Array.from({ length: count }, letter).join('');
}

/** The validation losses of the exported CSV. */
async function validations(component: Component): Promise<{ step: string; loss: number }[]> {
  const rows = (await fileOf(component, 'CSV')).split('\r\n').map((row) => row.split(','));
  const measured = rows.slice(1).filter((row) => (row[3] ?? '') !== '');
  return measured.map(([step = '', , , loss]) => ({ step, loss: Number(loss) }));
}

it('says the newest loss on the text that was kept back, and at which step it was', async () => {
  const component = await mount('loss', 'held', { step: 60 });
  const loss = (await validations(component)).at(-1)!.loss.toFixed(2);
  const said = component.page.locator('#loss [data-part=loss-summary]');
  const expected = `On held-out text the loss was ${loss} at step 60.`;
  await expect.poll(() => said.textContent()).toContain(expected);
});

it('calls memorising by its name where the validation loss rises again', async () => {
  const component = await mount('loss', 'chance', { text: lettersByChance(100) });
  const { page, train } = component;
  const note = page.locator('#loss [data-part=loss-memorising]');
  expect(await note.isVisible()).toBe(false);
  await train(100);
  const measured = await validations(component);
  const best = measured.reduce((low, one) => (one.loss < low.loss ? one : low));
  const [step, loss] = [best.step, best.loss.toFixed(2)];
  const said = `From about step ${step} on the model gets worse on held-out text (validation loss ${loss} there): it begins to learn the text by heart.`; // prettier-ignore
  await expect.poll(() => note.textContent()).toContain(said);
  await note.getByRole('button', { name: 'More about it' }).click();
  await page.getByRole('dialog').getByText('Memorising (overfitting)').waitFor();
});

it('marks a loss that is far above the picture, of a step that has no dot, and says where it is', async () => {
  const component = await mount('loss', 'spike', { step: 1502 });
  const { page } = component;
  const note = page.locator('[data-part=loss-beneath-note]');
  const said =
    /^At (\d) steps? the loss is above the chart, marked at its top; the highest is [\d.]+, at step [\d,]+\.$/;
  await expect.poll(() => note.textContent()).toMatch(said);
  const count = Number(said.exec((await note.textContent()) ?? '')?.[1]);
  // The saved picture contains the same marks.
  const picture = await fileOf(component, 'SVG');
  expect(picture.match(/class="top-marks"/g)).toHaveLength(1);
  const marks = /<path d="(M[^"]*)"[^>]*class="top-marks"/.exec(picture)?.[1]?.match(/M/g);
  expect(marks).toHaveLength(count);
});

it('says nothing of losses above the picture of a run without losses', async () => {
  const { page } = await finished();
  expect(await page.locator('[data-part=loss-beneath-note]').isVisible()).toBe(false);
});

it('saves learning rate and gradient with the picture where they are drawn beneath', async () => {
  const component = await finished();
  const beneath = chart(component.page).getByRole('checkbox', {
    name: /learning rate and gradient/,
  });
  const gradient = 'Gradient norm, before clipping';
  expect(await fileOf(component, 'SVG')).not.toContain(gradient);
  await beneath.check();
  await component.page.locator('#loss .loss-small canvas').first().waitFor();
  const picture = await fileOf(component, 'SVG');
  expect(picture).toContain(gradient);
  expect(picture).toContain('>Learning rate<');
});
