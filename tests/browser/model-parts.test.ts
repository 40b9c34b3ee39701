/** The model, piece by piece: its diagram, choices and explanations, used as a person would. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { eventually } from './driver.ts';
import { diagram, partTitle, SMALL, textOf } from './model-parts.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('counts the parameters of every part, and the parts add up to the plan', async () => {
  const { page, problems } = await site({ hash: SMALL });
  await page.getByRole('button', { name: 'The parts as a table' }).click();
  const rows = page.getByRole('table', { name: 'Architecture of the model' }).locator('tbody tr');
  await rows.first().waitFor();
  const counts = await rows.locator('td:last-child').allTextContents();
  const numbers = counts.map((count) =>
    count
      .replaceAll(',', '')
      .split(' × ')
      .reduce((product, factor) => product * Number(factor), 1),
  );
  const total = numbers.pop();
  expect(numbers.reduce((a, b) => a + b)).toBe(total);
  const plan = await page.locator('#plan').textContent();
  expect(plan).toContain(total?.toLocaleString('en-US'));
  // Unfolded, every block is there; the closed ones can be opened.
  await page.getByRole('button', { name: 'Show all blocks' }).click();
  await diagram(page)
    .getByRole('button', { name: /^Open block 2/ })
    .click();
  await textOf(partTitle(page), (text) => text.endsWith('block 2'));
  expect(problems).toEqual([]);
});

it('says of which text the numbers are, where the model is drawn with all of its context', async () => {
  const { page, problems } = await site({ hash: `${SMALL}&probe=anna` });
  await diagram(page)
    .getByRole('button', { name: /^Attention heads/ })
    .first()
    .click();
  const about = page.locator('[data-part=values-about]');
  await textOf(about, (text) => text !== '');
  await expect
    .poll(() => about.textContent())
    .toBe('Read from “anna”: 5 tokens, one in each row, of the 12 that fit into the context.');
  // Parameters are of no text. The numbers follow the part within a few frames.
  const shows = page.getByRole('combobox', { name: 'Show', exact: true });
  const before = await shows.innerText();
  await page
    .getByRole('button', { name: /^Token embedding/ })
    .first()
    .click();
  await eventually(
    () => shows.innerText(),
    (now) => now !== before,
  );
  await shows.selectOption({ index: 1 });
  await about.waitFor({ state: 'hidden' });
  expect(problems).toEqual([]);
});

it('follows a choice made in the table at once, and says what it did to the size', async () => {
  const { page, problems } = await site({ hash: SMALL });
  const head = diagram(page).getByRole('button', { name: /^Head: score all tokens/ });
  await head.waitFor();
  await expect.poll(() => head.getAttribute('aria-label')).toContain('432 parameters');
  await page.getByTitle(/^Tied head as in gpt2: yes \(parameters −432\)$/).click();
  await eventually(
    () => head.getAttribute('aria-label'),
    (name) => name?.includes('no parameters') === true,
  );
  const effect = page.locator('[data-part=parts-effect]');
  await textOf(effect, (text) =>
    text.startsWith('Tied head, now yes. Parameters: −432. Memory: −'),
  );
  expect(page.url()).toContain('tied_head=1');
  // A choice that cannot be is explained, and taken back beside the part that it belongs to.
  await diagram(page)
    .getByRole('button', { name: /^Attention heads/ })
    .click();
  const heads = page.locator('.part-fields').getByRole('textbox', { name: 'Heads' });
  await heads.fill('3');
  const said = page.locator('.tab-model-parts').getByRole('alert');
  await textOf(said, (text) => text.includes('16 channels cannot be shared equally by 3 heads'));
  await heads.fill('4');
  await said.waitFor({ state: 'hidden' });
  // What a choice adds to the part or says of itself moves neither the choice nor the words above
  // it.
  await diagram(page)
    .getByRole('button', { name: /^Query, key, value/ })
    .click();
  const biases = page.locator('.part-fields').getByRole('checkbox', { name: 'Biases' });
  await biases.hover();
  const before = (await biases.boundingBox())!.y;
  // Words, formulas and symbols speak of a bias only where there is one.
  const spoken = page.locator('.part-words, .part-formula, .part-symbols');
  const says = async () => (await spoken.allTextContents()).join(' ');
  await expect.poll(() => says()).not.toMatch(/bias|\+b/);
  await biases.click();
  await textOf(effect, (text) => text.startsWith('Biases, now yes'));
  await page.locator('.part-owns').getByText('h.0.attn.c_attn.bias').waitFor();
  await eventually(
    says,
    (text) => text.includes(', plus a bias.') && text.includes('may be absent'),
  );
  // But for what browsers round when the page above grows.
  expect(Math.abs((await biases.boundingBox())!.y - before)).toBeLessThan(1);
  await biases.click();
  // What is half typed is no model to compare with; one too large to be trained is counted all the
  // same.
  const facts = page.locator('[data-part=parts-facts]');
  const total = async () => Number(/^[\d,]+/.exec((await facts.textContent()) ?? '')?.[0].replaceAll(',', '')); // prettier-ignore
  await textOf(effect, (text) => text.startsWith('Biases, now no'));
  const first = await total();
  const channels = page.locator('.part-fields').getByRole('textbox', { name: 'Channels' });
  await channels.press('Control+A');
  await channels.pressSequentially('32', { delay: 60 });
  await eventually(total, (now) => now > 2 * first);
  const more = ((await total()) - first).toLocaleString('en-US');
  await textOf(effect, (text) => text.startsWith(`Channels, now 32. Parameters: +${more}.`));
  await channels.fill('8192');
  await said.filter({ hasText: 'of memory, but only' }).waitFor();
  expect(await total()).toBeGreaterThan(1e9);
  await channels.fill('999999');
  await said.filter({ hasText: 'must be from 1 to 8,192' }).waitFor();
  await expect.poll(() => page.getByTitle(/\(parameters/).count()).toBe(0);
  await channels.fill('16');
  await said.waitFor({ state: 'hidden' });
  // A size of the vocabulary is chosen for word pieces alone.
  await page.getByTitle(/^Tokens as in gpt2/).click();
  const unused = page.getByRole('button', { name: 'Vocabulary: not used by microgpt' });
  await unused.waitFor();
  expect([await unused.textContent(), await unused.isDisabled()]).toEqual(['–', true]);
  await expect.poll(() => page.getByTitle(/^Vocabulary as in/).count()).toBe(1);
  expect(problems).toEqual([]);
});

it('says below the table what a press in it did, in sight, and begins the new run from there', async () => {
  const driven = await site({ hash: `${SMALL}&steps=40` });
  const { page, problems } = driven;
  await driven.start.click();
  await driven.reach('finished');
  const below = page.locator('[data-part=choices-changed]');
  await expect.poll(() => below.isVisible()).toBe(false);
  const cell = page.getByRole('button', { name: /^Biases as in gpt2: yes/ });
  await cell.scrollIntoViewIfNeeded();
  const before = (await cell.boundingBox())!.y;
  await cell.click();
  await textOf(below, (text) => /^Biases, now yes\. Parameters: \+.*You are still looking at the previous run/.test(text)); // prettier-ignore
  // Nothing above it moves by more than a rounding.
  expect(Math.abs((await cell.boundingBox())!.y - before)).toBeLessThan(2);
  const { y, height } = (await below.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
  await below.getByRole('button', { name: 'Restart with these changes' }).click();
  // Far from the strip it is said how that run goes.
  await textOf(below, (text) => /^Biases, now yes\. .*The run with it: step 40 of 40, loss \d\.\d\d nats per token\./.test(text)); // prettier-ignore
  // In the unit of the strip.
  await page.getByRole('radio', { name: 'bits per character' }).check();
  await textOf(below, (text) => /loss \d\.\d\d bits per character\./.test(text));
  // The button is gone, and the focus is not.
  await below.getByRole('button').waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await eventually(
    () => page.locator('#loss .earlier li').count(),
    (count) => count === 1,
  );
  await driven.reach('finished');
  expect(await driven.step()).toBe(40);
  expect(problems).toEqual([]);
});

it('shows a part low in the diagram beside it, and leaves both in sight', async () => {
  const { page, problems } = await site({
    hash: 'preset=gpt2&text=names&steps=40&view=model-parts',
    options: { viewport: { width: 1024, height: 600 } },
  });
  const inSight = async (what: Locator): Promise<boolean> => {
    const { y, height } = (await what.boundingBox())!;
    return y >= 0 && y + height <= 600;
  };
  for (const name of [/^Loss/, /^MLP: narrow/, /^Text/]) {
    const part = diagram(page).getByRole('button', { name });
    await part.hover();
    const before = (await part.boundingBox())!.y;
    await part.click();
    await textOf(partTitle(page), (text) => name.test(text));
    // Only where the part beside it would not be seen does the page move.
    if (name.source !== '^Loss') {
      expect(Math.abs((await part.boundingBox())!.y - before)).toBeLessThan(1);
    }
    expect([await inSight(part), await inSight(partTitle(page))]).toEqual([true, true]);
  }
  expect(problems).toEqual([]);
});

it('goes from part to part by keys, and explains each with formula, C source and a link', async () => {
  const { page, problems } = await site({ hash: SMALL });
  const heads = diagram(page).getByRole('button', { name: /^Attention heads/ });
  // What comes in is no number yet.
  await diagram(page).getByRole('button', { name: 'Text; no parameters', exact: true }).waitFor();
  // The letters of the shapes are explained, with the numbers of this model.
  const letters = page.locator('.part-letters');
  await textOf(letters, (text) => text.includes('T= 12 tokens that fit into the context'));
  await expect.poll(() => letters.textContent()).toContain('V= 27 tokens in the vocabulary');
  const width = page.getByRole('table', { name: 'Symbols and their shapes' }).getByRole('row');
  await width.filter({ hasText: 'width of a head' }).getByText('one number: 8').waitFor();
  const here = page.locator('[data-part=part-letters]');
  await textOf(here, (text) => text === 'In this model: B = 1, T = 12, H = 2, d = 8.');
  await heads.focus();
  await page.keyboard.press('ArrowUp');
  await textOf(partTitle(page), (text) => text === 'Query, key, value, block 1');
  await page.keyboard.press('ArrowUp');
  await textOf(partTitle(page), (text) => text === 'Norm before attention, block 1');
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(focused).toMatch(/^Norm before attention/);
  const words = page.locator('.part-explanation');
  // Words first, then numbers.
  await page.getByRole('heading', { name: 'Its numbers now' }).waitFor();
  const above = await page.evaluate(() => {
    const heading = [...document.querySelectorAll('h4')].find(({ textContent }) => textContent === 'Its numbers now')!; // prettier-ignore
    const plain = document.querySelector('.part-words')!.getBoundingClientRect();
    return plain.height > 0 && plain.bottom < heading.getBoundingClientRect().top;
  });
  expect(above).toBe(true);
  await expect.poll(() => words.locator('math').count()).toBeGreaterThan(2);
  const source = words.getByRole('button', { name: /^rmsnorm_forward \(c\/tape\/ops_\w+\.c, line \d+\)$/ }); // prettier-ignore
  await source.click();
  const code = await words.locator('pre').first().textContent();
  expect(code).toContain('rmsnorm_forward(');
  const link = words.getByRole('link', { name: 'Read on in the documentation' });
  await expect.poll(() => link.getAttribute('href')).toMatch(/\/docs\/en\/[\w-]+\.html#rmsnorm$/);
  expect(problems).toEqual([]);
});

it('keeps what is typed while an update is on its way, in whichever frame a letter falls', async () => {
  const { page } = await site({ hash: SMALL });
  await diagram(page)
    .getByRole('button', { name: /^Query, key, value/ })
    .click();
  // The part shown before has a field for the channels too.
  await page.locator('.part-fields [data-option=bias]').waitFor();
  const channels = page.locator('.part-fields').getByRole('textbox', { name: 'Channels' });
  for (let frame = 0; frame < 6; frame++) {
    const typed = await page.evaluate(async (wait) => {
      const box = document.querySelector('.part-fields')!;
      const field = box.querySelector<HTMLInputElement>('[data-option=channels] input')!;
      const write = (text: string): void => {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const frames = async (count: number): Promise<void> => {
        for (let at = 0; at < count; at++) await new Promise(requestAnimationFrame);
      };
      // A change elsewhere, whose update takes some frames.
      box.querySelector<HTMLInputElement>('[data-option=bias] input')!.click();
      await frames(wait);
      write('3');
      await frames(1);
      write(`${field.value}2`);
      await frames(10);
      return field.value;
    }, frame);
    expect([frame, typed]).toEqual([frame, '32']);
    await channels.fill('16');
  }
});

it('gives the diagram away as an SVG file that needs no style sheet', async () => {
  const { page, problems } = await site({ hash: SMALL });
  await diagram(page).waitFor();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as SVG: the diagram of the model' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toBe('glasshouse-model.svg');
  const svg = await readFile(await file.path(), 'utf8');
  expect(svg).toMatch(/^<\?xml[^>]*\?>\n<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  expect(svg).toContain('Query, key, value');
  expect(svg).toContain('(T, 3C) = 12 × 48');
  expect(svg).not.toMatch(/class=|tabindex=|style=/);
  expect(problems).toEqual([]);
});

it('fits a narrow phone in Chinese, with nothing cut off at the side', async () => {
  const { page, problems } = await site({
    hash: `lang=zh&${SMALL}`,
    options: { viewport: { width: 360, height: 740 } },
  });
  const drawing = diagram(page, '模型结构');
  await drawing.waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(360);
  // Letters stay large enough to be read.
  const scale = await drawing.evaluate(
    (svg) => svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width,
  );
  expect(scale * 13).toBeGreaterThan(11);
  await drawing.getByRole('button', { name: /^MLP：展宽/ }).click();
  await textOf(partTitle(page), (text) => text === 'MLP：展宽，第 1 层');
  await page.locator('.part-explanation').getByText('每个输出都是全部输入的加权和').waitFor();
  // Code is wrapped; of a table that is wider than the screen the letters stand still.
  await page.locator('.part-explanation .code button').first().click();
  const pre = page.locator('.part-explanation pre').first();
  await expect.poll(() => pre.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // But no arrow is cut in two.
  const arrows = await pre
    .getByText('->', { exact: true })
    .evaluateAll((all) => all.map((arrow) => arrow.getClientRects().length));
  expect(arrows.length).toBeGreaterThan(3);
  expect(new Set(arrows)).toEqual(new Set([1]));
  const first = page.locator('.part-symbols th').first();
  await expect.poll(() => first.evaluate((cell) => getComputedStyle(cell).position)).toBe('sticky');
  await page.getByRole('button', { name: '回到结构图' }).click();
  const pressed = drawing.getByRole('button', { name: /^MLP：展宽/ });
  await eventually(
    () => pressed.evaluate((one) => document.activeElement === one),
    (focused) => focused,
  );
  expect(problems).toEqual([]);
});

it('lets the long names of C functions begin at the left, line under line, on a phone', async () => {
  const { page, problems } = await site({
    hash: SMALL,
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  await diagram(page).waitFor();
  await diagram(page)
    .getByRole('button', { name: /^Norm before attention/ })
    .first()
    .tap();
  const name = page.getByRole('button', { name: /^rmsnorm_backward_ref \(c\/kernels/ });
  await name.waitFor();
  const lines = await page.locator('.part-explanation .code button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const words = document.createRange();
      words.selectNodeContents(button);
      return [...words.getClientRects()].map(({ left }) => Math.round(left));
    }),
  );
  expect(Math.max(...lines.map((one) => one.length))).toBeGreaterThan(1);
  const [first] = lines.flat();
  for (const left of lines.flat()) expect(Math.abs(left - first!)).toBeLessThanOrEqual(1);
  expect(problems).toEqual([]);
});

it('begins a part beside what was pressed, and the page itself scrolls through a long one', async () => {
  const { page, problems } = await site({
    hash: 'view=model-parts',
    options: { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' },
  });
  const part = page.getByRole('region', { name: 'Attention heads, block 1' });
  await part.getByText('Backward: the gradients').waitFor();
  const box = async (): Promise<{ y: number; height: number }> => (await part.boundingBox())!;
  // A part further down, pressed with the beginning of the diagram out of sight.
  const column = page.locator('.parts-right');
  await column.evaluate((one) => scrollBy(0, one.getBoundingClientRect().top + 500));
  const pressed = diagram(page).getByRole('button', { name: /^Attention heads/ });
  const at = (await pressed.boundingBox())!.y;
  await pressed.click();
  await expect.poll(async () => Math.abs((await box()).y)).toBeLessThan(2);
  expect(Math.abs((await pressed.boundingBox())!.y - at)).toBeLessThan(1);
  // Longer than the window, and with nothing to scroll in itself.
  expect((await box()).height).toBeGreaterThan(720);
  expect(await part.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  await page.mouse.wheel(0, 400);
  await expect.poll(async () => (await box()).y).toBeLessThan(-350);
  // On the way back it stops at its beginning.
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => Math.abs((await box()).y)).toBeLessThan(2);
  expect(problems).toEqual([]);
});
