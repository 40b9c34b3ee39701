/** What the loss chart says: units, advice, earlier runs, and what can be taken away. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually, openTab, saved, train } from './driver.ts';
import { storedSaves } from './saved-runs.ts';
import { useSites } from './sites.ts';

const site = useSites();
const SHORT = 'steps=60&validation=0.1';

it('shows losses in the chosen unit wherever they are, and keeps the choice for the next visit', async () => {
  const driven = await site({ hash: `${SHORT}&view=take-away` });
  await train(driven);
  const { page, problems } = driven;
  const loss = page.locator('#loss');
  const shown = async (): Promise<number> =>
    Number(await driven.run.locator('[data-part=loss]').textContent());
  const nats = await shown();
  const plan = page.locator('#plan dl > div', { has: page.locator('[data-part=plan-random]') });
  await expect.poll(() => plan.textContent()).toBe('Random guessing nats3.30');
  await expect.poll(() => driven.run.getByText('nats', { exact: true }).count()).toBe(1);
  await loss.getByRole('radio', { name: 'bits per character' }).check();
  await loss.getByRole('checkbox', { name: 'Loss logarithmic' }).check();
  const bits = await eventually(shown, (value) => value > nats);
  expect(bits).toBeCloseTo(nats / Math.LN2, 1);
  // Other tokens of the same text: as many more to a character as there are of them in all.
  const tokens = page.getByRole('combobox', { name: /^Tokens/ });
  await tokens.selectOption({ label: 'Bytes' });
  await expect.poll(() => plan.textContent()).toMatch(/4\.75 → 8\.01$/);
  await tokens.selectOption({ label: 'Characters' });
  await expect.poll(() => plan.textContent()).not.toContain('→');
  // How long the tokens of another text are is not known: its guess is not told in another unit.
  const guessing = await plan.textContent();
  await driven.text.fill('abc\n'.repeat(60));
  const pending = page.getByText('You are still looking at the previous run.').first();
  await pending.waitFor();
  await expect.poll(() => plan.textContent()).toBe(guessing);
  await page.getByRole('radio', { name: 'English names' }).check();
  await pending.waitFor({ state: 'hidden' });
  // One smoothing for all: what is said, where the curve ends, and what is taken away.
  await loss.getByRole('slider', { name: 'Smoothing' }).fill('4');
  const smooth = await eventually(shown, (value) => value > bits + 0.05);
  await loss.getByText(new RegExp(`to ${smooth.toFixed(2)} bits per character`)).waitFor();
  await loss.getByRole('img', { name: /^The loss curve/ }).focus();
  await page.keyboard.press('End');
  const point = loss.locator('[data-part=loss-summary]');
  const read = await eventually(
    async () => Number(/smoothed ([\d.]+) bits/.exec((await point.textContent()) ?? '')?.[1]),
    Number.isFinite,
  );
  expect(read).toBeCloseTo(smooth, 1);
  await page.keyboard.press('Escape');
  const { text: csv } = await saved(driven, loss.getByRole('button', { name: 'Save as CSV' }));
  const last = Number(csv.trim().split('\r\n').at(-1)?.split(',')[2]);
  expect(last / Math.LN2).toBeCloseTo(smooth, 2);
  const { text: report } = await saved(
    driven,
    page.getByRole('button', { name: 'Save the report' }),
  );
  const told = /the smoothed loss was ([\d.]+) bits per char/.exec(report)?.[1];
  expect(Number(told)).toBeCloseTo(smooth, 2);
  await expect.poll(() => driven.run.getByText('bits/char.', { exact: true }).count()).toBe(1);
  // ln V are nats: guessing stands in the same unit as all else, and is not called so.
  await expect.poll(() => plan.textContent()).toMatch(/^Random guessing bits\/char\.[45]\.\d\d$/);
  await expect
    .poll(() => loss.locator('.key-random:visible').allTextContents())
    .toEqual(['Guessing']);
  await loss.getByRole('button', { name: 'The losses as a table' }).click();
  await loss.getByText('Mean loss over blocks of steps, in bits per character').waitFor();
  const scrolled = loss.locator('.table-scroll');
  const below = await scrolled.evaluate((region) => {
    (region as HTMLElement).style.maxHeight = '2rem';
    region.scrollTop = 1000;
    const head = region.querySelector('thead th')!;
    return head.getBoundingClientRect().top - region.getBoundingClientRect().top;
  });
  expect(Math.abs(below)).toBeLessThan(2);
  // Where nothing is smoothed, nothing is called so.
  const legend = loss.locator('.legend > li:visible');
  await expect.poll(() => legend.allTextContents()).toContain('Smoothed');
  await loss.getByRole('slider', { name: 'Smoothing' }).fill('0');
  await eventually(
    () => legend.allTextContents(),
    (entries) => !entries.includes('Smoothed') && entries[0] === 'Each step',
  );
  await loss.getByRole('slider', { name: 'Smoothing' }).fill('4');
  expect(report).toContain('>Mean loss over blocks of steps, in bits per character<');

  await page.reload();
  await driven.reach('ready');
  await expect
    .poll(() => loss.getByRole('radio', { name: 'bits per character' }).isChecked())
    .toBe(true);
  await expect
    .poll(() => loss.getByRole('checkbox', { name: 'Loss logarithmic' }).isChecked())
    .toBe(true);
  await expect
    .poll(() => loss.getByRole('checkbox', { name: 'Steps logarithmic' }).isChecked())
    .toBe(false);
  await expect.poll(() => loss.getByRole('slider', { name: 'Smoothing' }).inputValue()).toBe('4');
  // Kept runs have their losses in the chosen unit, and say that their smoothing is another.
  await openTab(page, 'Runs');
  await page.getByRole('columnheader', { name: 'Loss, smoothed as usual (bits per character)' }).waitFor(); // prettier-ignore
  const cell = page.locator('.runs-table tbody .runs-loss').first();
  await eventually(
    async () => Number(await cell.textContent()),
    (value) => Math.abs(value - bits) < 0.02,
  );
  expect(problems).toEqual([]);
});

it('keeps the curve of a run that another one replaces, to hide or to remove, after a reload too', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const earlier = page.getByRole('list', { name: 'Earlier runs' });
  await expect.poll(() => earlier.getByRole('listitem').count()).toBe(0);
  await eventually(
    () => storedSaves(page),
    (saves) => saves.some(({ step, newest }) => newest && step === 60),
  );
  await page.evaluate(() => {
    location.hash += '&layers=1';
  });
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  // The first is told from the one that takes its place, beside what was changed in its preset.
  const tick = earlier.getByRole('checkbox', {
    name: /^Run 1: English names \((?=.*Layers 2\b)(?=.*Steps 60\b)/,
  });
  await tick.waitFor();
  await tick.uncheck();
  await eventually(
    () => tick.isChecked(),
    (checked) => !checked,
  );
  // By keys as well, as often as one likes: what is ticked keeps the focus.
  const isFocused = (one: Locator): Promise<boolean> =>
    one.evaluate((box) => box === document.activeElement);
  await tick.focus();
  for (const wanted of [true, false]) {
    await page.keyboard.press('Space');
    await page.locator('#loss .key-earlier .earlier-line').waitFor({ state: wanted ? 'attached' : 'detached' }); // prettier-ignore
    await expect.poll(() => tick.isChecked()).toBe(wanted);
    expect(await isFocused(tick)).toBe(true);
  }
  const ended = await earlier.getByRole('listitem').textContent();
  expect(ended).toMatch(/nats per token at step 60/);
  await page.reload();
  await driven.reach('ready');
  await tick.waitFor();
  await expect.poll(() => tick.isChecked()).toBe(false);
  await expect.poll(() => earlier.getByRole('listitem').textContent()).toBe(ended);
  // Words for an empty chart stand in it only as long as it is empty.
  const hint = driven.page.locator('#loss .loss-hint');
  await expect.poll(() => hint.isVisible()).toBe(true);
  await tick.check();
  await hint.waitFor({ state: 'hidden' });
  await earlier.getByRole('button', { name: /^Remove Run 1/ }).click();
  await earlier.waitFor({ state: 'hidden' });
  expect(await isFocused(page.getByRole('heading', { name: 'Loss', exact: true }))).toBe(true);
  // And what was removed does not come back.
  await eventually(
    () => page.evaluate(() => sessionStorage.getItem('glasshouse.earlier')),
    (noted) => noted === null,
  );
  expect(problems).toEqual([]);
});

it('draws the curve of the run over those of earlier ones', async () => {
  const driven = await site({ hash: 'steps=200&layers=1&channels=16&heads=1' });
  await train(driven);
  const { page } = driven;
  // Where tokens are characters, that changes nothing: the curves are one.
  await page.evaluate(() => {
    location.hash += '&vocabulary=300';
  });
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await page.getByRole('checkbox', { name: /^Run 1/ }).waitFor();
  await driven.reach('finished');
  await eventually(driven.step, (step) => step === 200);
  /** Pixels of the first earlier line, which is blue, and of the present curve, which is green. */
  const drawn = (): Promise<readonly [number, number]> =>
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
  // At its ends, a dash may show beside the curve.
  expect((await drawn())[0]).toBeLessThan(40);
});

it('advises a smaller learning rate, and no slower pace, where a run ends worse than guessing', async () => {
  const driven = await site({ hash: 'lr=1&steps=1000&layers=1&channels=16&heads=1&context=8' });
  await train(driven);
  const advice = driven.page.locator('[data-part=loss-advice]');
  await expect
    .poll(() => advice.textContent())
    .toMatch(
      /^The learning rate, 1, is probably too large: the preset begins with 0\.001\. Rewind/,
    );
  await advice.getByRole('button').click();
  await driven.reach('ready');
  const rate = driven.page.getByRole('textbox', { name: 'Learning rate', exact: true });
  await expect.poll(() => rate.inputValue()).toBe('0.1');
  await expect.poll(() => advice.isVisible()).toBe(false);
  expect(driven.problems).toEqual([]);
});

it('saves the loss as CSV with all digits, and the curve as SVG and PNG', async () => {
  const driven = await site({ hash: SHORT });
  await train(driven);
  const { page, problems } = driven;
  const save = (form: string): Locator =>
    page.locator('#loss').getByRole('button', { name: `Save as ${form}` });
  const rows = (await saved(driven, save('CSV'))).text.trim().split('\r\n');
  expect(rows).toHaveLength(61);
  expect(rows[1]).toMatch(/^1,3\.2760\d{10,},3\.276\d+,[\d.]+,0\.001,[\d.]+,0,0$/);
  const { text: drawing } = await saved(driven, save('SVG'));
  const read = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      bad: parsed.querySelector('parsererror') !== null,
      title: parsed.querySelector('title')?.textContent,
      paths: parsed.querySelectorAll('path').length,
      names: [...parsed.querySelectorAll('g text')].map(({ textContent }) => textContent),
    };
  }, drawing);
  expect(read.bad).toBe(false);
  expect(read.title).toBe('Loss over 60 steps');
  expect(read.paths).toBeGreaterThan(10);
  // Its key names all that is drawn, the dots of single steps too.
  expect(read.names.slice(0, 4)).toEqual([
    ...[
      'English names (Held-out share 0.1, Steps 60): Smoothed',
      'Each step',
      'Validation',
      'Guessing, ln V',
    ],
  ]);
  const { path } = await saved(driven, save('PNG'));
  const png = await readFile(path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 1080]);
  expect(problems).toEqual([]);
});

it('takes up every choice where two are made within one frame', async () => {
  const { page } = await site({ hash: SHORT });
  const loss = page.locator('#loss');
  const bits = loss.getByRole('radio', { name: 'bits per character' });
  const beneath = loss.getByRole('checkbox', { name: 'Learning rate and gradient beneath' });
  await eventually(
    () => bits.isEnabled(),
    (enabled) => enabled,
  );
  await page.evaluate(() => {
    const boxes = document.querySelectorAll<HTMLElement>(
      '#loss [type=radio], #loss [type=checkbox]',
    );
    boxes[1]!.click();
    boxes[boxes.length - 1]!.click();
  });
  await loss.locator('[data-part=loss-beneath-note]').waitFor();
  await expect.poll(() => bits.isChecked()).toBe(true);
  await expect.poll(() => beneath.isChecked()).toBe(true);
});

it('says beside the curve why bits per character set validation off, and when nothing is left to guess', async () => {
  const driven = await site({
    hash: 'steps=80&validation=0.2&tokenizer=byte&lr=0.01&sequences=stream',
  });
  const { page, text, problems } = driven;
  const loss = page.locator('#loss');
  await text.fill(`${'the cat sat on the mat. '.repeat(40)}${'鹅鹅鹅曲项向天歌'.repeat(30)}`);
  await train(driven);
  const why = loss.getByText('The text that is held out has more tokens to a character', { exact: false }); // prettier-ignore
  await expect.poll(() => why.isVisible()).toBe(false);
  await loss.getByRole('radio', { name: 'bits per character' }).check();
  await why.waitFor();
  // Also where the choices are folded away.
  await expect.poll(() => why.isVisible()).toBe(true);
  await text.fill('ab'.repeat(300));
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await driven.reach('finished');
  await loss.getByText('The model is now all but sure of every next token.').waitFor();
  expect(problems).toEqual([]);
});

it('calls memorising by its name where the validation loss rises again', async () => {
  const driven = await site({
    hash: 'preset=gpt2&tokenizer=char&layers=2&channels=64&context=16&batch=8&lr=0.005&warmup=0&steps=500&validation=0.2',
  });
  const { page, problems } = driven;
  // In letters by chance there is no rule to learn.
  let state = 1;
  const letter = (): string => {
    state = (state * 48271) % 2147483647;
    return 'abcdefgh'[state % 8]!;
  };
  await driven.text.fill(Array.from({ length: 300 }, letter).join(''));
  await driven.reach('ready');
  const note = page.locator('#loss [data-part=loss-memorising]');
  await expect.poll(() => note.isVisible()).toBe(false);
  await train(driven);
  await note
    .filter({
      hasText: /^From about step [\d,]+ on .* \(validation loss \d\.\d+ there\): .* heart\./,
    })
    .waitFor();
  await note.getByRole('button', { name: 'More about it' }).click();
  await page.getByRole('dialog').getByText('Memorising (overfitting)').waitFor();
  expect(problems).toEqual([]);
});

it('puts curves of another text aside, and none beside a checkpoint that is its own', async () => {
  const driven = await site({ hash: 'steps=30' });
  await train(driven);
  const { page, problems } = driven;
  const earlier = page.getByRole('list', { name: 'Earlier runs' });
  await page.evaluate(() => {
    location.hash = 'text=tang&preset=microgpt&steps=20&layers=1&tokenizer=bpe&validation=0.1';
  });
  // The text comes over the network.
  await expect.poll(() => driven.text.inputValue()).toMatch(/\p{Script=Han}/u);
  await page.getByRole('button', { name: 'Restart with these changes' }).click();
  await eventually(driven.step, (step) => step === 20);
  await driven.reach('finished');
  const tick = earlier.getByRole('checkbox', { name: /^Run 1/ });
  await expect.poll(() => tick.isChecked()).toBe(false);
  const why = page.getByText(/^Curves of another text or of other tokens are hidden/);
  await why.waitFor();
  const texts = page.getByText(/^One of these curves is of another text/);
  await expect.poll(() => texts.isVisible()).toBe(false);
  await tick.check();
  await why.waitFor({ state: 'hidden' });
  await texts.waitFor();
  // Other tokens beside it make it bits per character, in the plan as in the strip.
  await expect.poll(() => driven.run.locator('.fact-loss').textContent()).toContain('bits/char.');
  await expect.poll(() => page.locator('#plan').textContent()).toContain('guessing bits/char.');
  const saves = await eventually(
    () => storedSaves(page),
    (all) => all.some(({ step }) => step === 20),
  );
  const { path } = await saved(driven, page.getByRole('button', { name: 'Checkpoint' }));
  const file = { name: 'run.safetensors', mimeType: '', buffer: await readFile(path) };
  await page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(file);
  await page.locator('[data-part=model-facts]').waitFor();
  await eventually(driven.step, (step) => step === 20);
  await eventually(
    () => earlier.getByRole('listitem').count(),
    (count) => count === 1,
  );
  await expect.poll(() => tick.isChecked()).toBe(true);
  // It is kept already: that is said, and no copy of it is kept.
  const known = page.locator('#notice', { hasText: 'is kept under “Runs” already' });
  await known.waitFor();
  await page.waitForTimeout(400);
  await expect.poll(() => storedSaves(page)).toEqual(saves);
  await known.getByRole('button', { name: 'Open the kept one' }).click();
  await known.waitFor({ state: 'hidden' });
  await eventually(driven.step, (step) => step === 20);
  expect(problems).toEqual([]);
});

it('shows the same curves after a reload beside the run that is opened again, of another text too', async () => {
  const driven = await site({ hash: 'steps=30&layers=1' });
  const { page, problems } = driven;
  const earlier = page.getByRole('list', { name: 'Earlier runs' });
  const first = earlier.getByRole('checkbox', { name: /^Run 1/ });
  const second = earlier.getByRole('checkbox', { name: /^Run 2/ });
  const trainAt = async (hash: string, steps: number): Promise<void> => {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await expect.poll(() => driven.text.inputValue()).toMatch(/\p{Script=Han}/u);
    await page.getByRole('button', { name: 'Restart with these changes' }).click();
    await eventually(driven.step, (step) => step === steps);
    await kept(steps);
  };
  const kept = async (steps: number): Promise<void> => {
    await driven.reach('finished');
    await eventually(
      () => storedSaves(page),
      (all) => all.some(({ step }) => step === steps),
    );
  };
  await train(driven);
  await kept(30);
  const poems = 'text=tang&preset=microgpt&layers=1';
  await trainAt(`${poems}&steps=20`, 20);
  await trainAt(`${poems}&steps=25&seed=2`, 25);
  // The one of names was put aside: it is looked at all the same, and the other is not.
  await expect.poll(() => first.isChecked()).toBe(false);
  await first.check();
  await second.uncheck();
  const stand = async (): Promise<boolean[]> => [await first.isChecked(), await second.isChecked()];
  await expect.poll(stand).toEqual([true, false]);
  await page.reload();
  await driven.reach('ready');
  await first.waitFor();
  await expect.poll(stand).toEqual([true, false]);
  await page.getByRole('button', { name: 'Open it' }).click();
  await eventually(driven.step, (step) => step === 25);
  await expect.poll(stand).toEqual([true, false]);
  expect(problems).toEqual([]);
});

it('marks a loss that is far above the picture, of a step that has no dot, and says where it is', async () => {
  const driven = await site({ hash: 'lr=0.01' });
  await driven.start.click();
  await driven.reach('finished');
  const note = driven.page.locator('[data-part=loss-beneath-note]');
  const said = 'At 1 step the loss is above the picture, marked at its top; the highest is 11.60, at step 2,046.'; // prettier-ignore
  await expect.poll(() => note.textContent()).toBe(said);
  // A picture has the same mark, and what is drawn beneath.
  const loss = driven.page.locator('#loss');
  const picture = async (): Promise<string> => {
    const { path } = await saved(
      driven,
      loss.getByRole('button', { name: 'Save as SVG: the loss' }),
    );
    return readFile(path, 'utf8');
  };
  const beneath = 'Gradient norm, before clipping';
  const plain = await picture();
  expect(plain.match(/class="top-marks"/g)).toHaveLength(1);
  expect(/<path d="(M[^"]*)"[^>]*class="top-marks"/.exec(plain)?.[1]?.match(/M/g)).toHaveLength(1);
  expect(plain).not.toContain(beneath);
  await loss.getByRole('checkbox', { name: 'Learning rate and gradient beneath' }).check();
  await eventually(picture, (svg) => svg.includes(beneath) && svg.includes('>Learning rate<'));
  await loss.getByRole('checkbox', { name: 'Learning rate and gradient beneath' }).uncheck();
  // A run that keeps to the picture has no word of it.
  await driven.page
    .getByRole('textbox', { name: /^Learning rate/ })
    .first()
    .fill('0.001');
  await driven.page.getByRole('button', { name: 'Restart with these changes' }).click();
  await expect.poll(() => note.isVisible()).toBe(false);
  expect(driven.problems).toEqual([]);
});
