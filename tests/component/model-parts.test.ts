/** The model's diagram: parts, choices and explanations. */
import { readFile } from 'node:fs/promises';
import type { Frame, Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { mountedParts } from './model-parts.ts';
import { useComponents } from './mount.ts';
import type { MountOptions } from './mount.ts';
import { MAY_BE_DROPPED } from './sandbox.ts';

const mount = useComponents();
const mountParts = (options?: MountOptions, ...beside: string[]) =>
  mountedParts(mount, 'small', options, beside);

/** Parses a number as the page writes it; `1,024 × 16` is a product. */
const product = (text: string): number =>
  text
    .replaceAll(',', '')
    .split(' × ')
    .reduce((whole, factor) => whole * Number(factor), 1);

it('counts the parameters of every part, and the parts add up to the plan', async () => {
  const { page } = await mountParts({}, 'plan');
  await page.getByRole('button', { name: 'The parts as a table' }).click();
  const rows = page.getByRole('table', { name: 'Architecture of the model' }).locator('tbody tr');
  await rows.first().waitFor();
  const numbers = (await rows.locator('td:last-child').allTextContents()).map(product);
  const total = numbers.pop()!;
  expect(numbers.reduce((a, b) => a + b)).toBe(total);
  await expect
    .poll(() => page.locator('#plan').textContent())
    .toContain(total.toLocaleString('en-US'));
});

it('opens a closed block once all blocks are shown', async () => {
  const { page, part, title } = await mountParts();
  await page.getByRole('button', { name: 'Show all layers' }).click();
  await part(/^Open layer 2/).click();
  await expect.poll(() => title.textContent()).toMatch(/layer 2$/);
});

it('says of which text the activations are; parameters are of none', async () => {
  const { part, shows, about } = await mountParts({ hash: 'probe=anna' });
  await part(/^Attention heads/).click();
  await expect
    .poll(() => about.textContent())
    .toBe('The model reads “anna”: 5 tokens, one in each row. Up to 12 fit into the context.');
  await part(/^Token embedding/).click();
  await expect.poll(() => shows.innerText()).toContain('wte.weight');
  await shows.selectOption('wte.weight');
  await about.waitFor({ state: 'hidden' });
});

it('follows a choice made in the table, says what it did to the size, and links to it', async () => {
  const { page, part, effect } = await mountParts();
  const head = part(/^Output: score all tokens/);
  await expect.poll(() => head.getAttribute('aria-label')).toContain('432 parameters');
  await page.getByTitle(/^Tied output matrix as in gpt2: yes \(parameters −432\)$/).click();
  await expect.poll(() => head.getAttribute('aria-label')).toContain('no parameters');
  await expect
    .poll(() => effect.textContent())
    .toMatch(/^Tied output matrix, now yes\. Parameters: −432\. Memory: −/);
  expect(page.url()).toContain('tied_head=1');
});

it('explains a choice that cannot be beside its part, until it is taken back', async () => {
  const { part, fields, mistake } = await mountParts();
  await part(/^Attention heads/).click();
  const heads = fields.getByRole('textbox', { name: 'Heads' });
  await heads.fill('3');
  await mistake.getByText('16 channels cannot be shared equally by 3 heads').waitFor();
  await heads.fill('4');
  await mistake.waitFor({ state: 'hidden' });
});

it('speaks of a bias only where there is one, and moves no choice when one is added', async () => {
  const { page, part, fields, effect } = await mountParts();
  await part(/^Query, key, value/).click();
  const biases = fields.getByRole('checkbox', { name: 'Biases' });
  await biases.hover();
  const before = (await biases.boundingBox())!.y;
  const spoken = page.locator('.part-words, .part-formula, .part-symbols');
  const says = async () => (await spoken.allTextContents()).join(' ');
  await expect.poll(says).not.toMatch(/bias|\+b/);
  await biases.click();
  await expect.poll(() => effect.textContent()).toMatch(/^Biases, now yes/);
  await page.locator('.part-owns').getByText('h.0.attn.c_attn.bias').waitFor();
  await expect.poll(says).toMatch(/, plus a bias\.[^]*may be absent/);
  // Allows for the browser's rounding when content above grows.
  expect(Math.abs((await biases.boundingBox())!.y - before)).toBeLessThan(1);
});

it('compares with the last whole choice, not with what was half typed', async () => {
  const { page, part, fields, effect } = await mountParts();
  await part(/^Query, key, value/).click();
  const facts = page.locator('[data-part=parts-facts]');
  const total = async () => product(/[\d,]+/.exec((await facts.textContent()) ?? '')?.[0] ?? '');
  await expect.poll(total).toBeGreaterThan(0);
  const first = await total();
  const channels = fields.getByRole('textbox', { name: 'Channels' });
  await channels.press('Control+A');
  await channels.pressSequentially('32', { delay: 60 });
  await expect.poll(total).toBeGreaterThan(2 * first);
  const more = ((await total()) - first).toLocaleString('en-US');
  await expect
    .poll(() => effect.textContent())
    .toContain(`Channels, now 32. Parameters: +${more}.`);
});

it('counts a model too large to be trained, and none where a number is out of range', async () => {
  const { page, part, fields, mistake } = await mountParts();
  await part(/^Query, key, value/).click();
  const channels = fields.getByRole('textbox', { name: 'Channels' });
  await channels.fill('8192');
  await mistake.getByText('of memory, but at most').waitFor();
  const facts = await page.locator('[data-part=parts-facts]').textContent();
  expect(product(/[\d,]+/.exec(facts ?? '')![0])).toBeGreaterThan(1e9);
  await channels.fill('999999');
  await mistake.getByText('must be from 1 to 8,192').waitFor();
  await expect.poll(() => page.getByTitle(/\(parameters/).count()).toBe(0);
  await channels.fill('16');
  await mistake.waitFor({ state: 'hidden' });
});

it('offers a size of the vocabulary for word pieces alone', async () => {
  const { page } = await mountParts();
  await page.getByTitle(/^Tokens as in gpt2/).click();
  const unused = page.getByRole('button', { name: 'Vocabulary: not used by microgpt' });
  await unused.waitFor();
  expect([await unused.textContent(), await unused.isDisabled()]).toEqual(['–', true]);
  await expect.poll(() => page.getByTitle(/^Vocabulary as in/).count()).toBe(1);
});

it('says below the table what a press in it did, in sight, and moves nothing above', async () => {
  const { page } = await mountParts({ step: 60 });
  const below = page.locator('[data-part=choices-changed]');
  await expect.poll(() => below.isVisible()).toBe(false);
  const cell = page.getByRole('button', { name: /^Biases as in gpt2: yes/ });
  await cell.scrollIntoViewIfNeeded();
  const before = (await cell.boundingBox())!.y;
  await cell.click();
  await expect
    .poll(() => below.textContent())
    .toMatch(/^Biases, now yes\. Parameters: \+.*You are still looking at the previous run/);
  // Allows two pixels for rounding.
  expect(Math.abs((await cell.boundingBox())!.y - before)).toBeLessThan(2);
  const { y, height } = (await below.boundingBox())!;
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
});

it('begins the new run below the table, and says there how it goes, in the unit chosen', async () => {
  const { page, step } = await mountParts({ step: 60 }, 'loss');
  const below = page.locator('[data-part=choices-changed]');
  await page.getByRole('button', { name: /^Biases as in gpt2: yes/ }).click();
  await below.getByRole('button', { name: 'Restart with these changes' }).click();
  await expect
    .poll(() => below.textContent())
    .toMatch(
      /^Biases, now yes\. .*The run with this change: step 60 of 60, loss \d\.\d\d nats per token\./,
    );
  await page.getByRole('radio', { name: 'bits per character' }).check();
  await expect.poll(() => below.textContent()).toMatch(/loss \d\.\d\d bits per character\./);
  // The button disappears, but an element of the page keeps the focus.
  await below.getByRole('button').waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await expect.poll(() => page.locator('#loss .earlier li').count()).toBe(1);
  expect(await step()).toBe(60);
});

it('shows a part low in the diagram beside it, and leaves both in sight', async () => {
  const { part, title } = await mountedParts(mount, 'pieces', {
    hash: 'layers=2',
    viewport: { width: 1024, height: 600 },
  });
  const inSight = async (what: Locator): Promise<boolean> => {
    const { y, height } = (await what.boundingBox())!;
    return y >= 0 && y + height <= 600;
  };
  for (const name of [/^Loss/, /^MLP: narrow/, /^Text/]) {
    await part(name).hover();
    const before = (await part(name).boundingBox())!.y;
    await part(name).click();
    await expect.poll(() => title.textContent()).toMatch(name);
    // The page scrolls only if the details beside the diagram would be out of view.
    if (name.source !== '^Loss') {
      expect(Math.abs((await part(name).boundingBox())!.y - before)).toBeLessThan(1);
    }
    expect([await inSight(part(name)), await inSight(title)]).toEqual([true, true]);
  }
});

it('explains the letters of the shapes, with the numbers of this model', async () => {
  const { page, part } = await mountParts();
  // The input is text, without numbers.
  await part('Text; no parameters').waitFor();
  const letters = page.locator('.part-letters');
  await expect
    .poll(() => letters.textContent())
    .toContain('T= 12 tokens that fit into the context');
  await expect.poll(() => letters.textContent()).toContain('V= 27 tokens in the vocabulary');
  const width = page.getByRole('table', { name: 'Symbols and their shapes' }).getByRole('row');
  await width.filter({ hasText: 'width of a head' }).getByText('one number: 8').waitFor();
  await expect
    .poll(() => page.locator('[data-part=part-letters]').textContent())
    .toBe('In this model: B = 1, T = 12, H = 2, d = 8.');
});

it('goes from part to part by keys', async () => {
  const { page, part, title } = await mountParts();
  await part(/^Attention heads/).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => title.textContent()).toBe('Query, key, value, layer 1');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => title.textContent()).toBe('Norm before attention, layer 1');
  const focused = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  expect(focused).toMatch(/^Norm before attention/);
});

it('explains a part with words, then numbers, formulas, C source and a link', async () => {
  const { page, part } = await mountParts();
  await part(/^Norm before attention/).click();
  const explained = page.locator('.part-explanation');
  await page.getByRole('heading', { name: 'Its numbers now' }).waitFor();
  const isAbove = () =>
    page.evaluate(() => {
      const heads = [...document.querySelectorAll('h4')];
      const numbers = heads.find(({ textContent }) => textContent === 'Its numbers now');
      const words = document.querySelector('.part-words')!.getBoundingClientRect();
      return words.height > 0 && words.bottom < numbers!.getBoundingClientRect().top;
    });
  await expect.poll(isAbove).toBe(true);
  await expect.poll(() => explained.locator('math').count()).toBeGreaterThan(2);
  const source = /^rmsnorm_forward \(c\/tape\/ops_\w+\.c, line \d+\)$/;
  await explained.getByRole('button', { name: source }).click();
  await expect
    .poll(() => explained.locator('pre').first().textContent())
    .toContain('rmsnorm_forward(');
  const link = explained.getByRole('link', { name: 'Read on in the documentation' });
  await expect.poll(() => link.getAttribute('href')).toMatch(/\/docs\/en\/[\w-]+\.html#rmsnorm$/);
});

it('keeps what is typed while an update is on its way, in whichever frame a letter falls', async () => {
  const { page, part, fields } = await mountParts();
  await part(/^Query, key, value/).click();
  // Waits for an option of this part only: the previous part has a channels field too.
  await fields.locator('[data-option=bias]').waitFor();
  const channels = fields.getByRole('textbox', { name: 'Channels' });
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
      // Changes another option; the page updates some frames later.
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

it('saves the diagram as a PNG file of twice its size', async () => {
  const { page } = await mountParts();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PNG: the diagram of the model' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('glasshouse-model.png');
  const png = await readFile(await file.path());
  const width = await page
    .getByRole('group', { name: 'Architecture of the model', exact: true })
    .evaluate((svg) => (svg as unknown as SVGSVGElement).viewBox.baseVal.width);
  expect(png.readUInt32BE(16)).toBe(2 * width);
});

const HERE = 'https://component.test/';
const FRAME = `<iframe src="${HERE}"></iframe>`;
const SANDBOX = 'sandbox="allow-scripts allow-same-origin"';

it.each([
  ['a frame', FRAME, false],
  [
    'a sandbox that allows it',
    FRAME.replace(' ', ` ${SANDBOX.replace(/"$/, ' Allow-Downloads"')} `),
    false,
  ],
  ['a sandbox', FRAME.replace(' ', ` ${SANDBOX} `), true],
  ['a frame in a sandbox', `<iframe ${SANDBOX} srcdoc='${FRAME}'></iframe>`, true],
  ['a page of another origin', '<iframe src="https://elsewhere.test/"></iframe>', true],
])('warns that a download may be dropped in %s: %s, %s', async (_, frames, warns) => {
  const { page } = await mountParts();
  await page.route('https://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAME }),
  );
  await page.evaluate((html) => {
    // A frame of another origin is drawn only in sight.
    const style = 'position: fixed; inset: 0; z-index: 9';
    document.body.insertAdjacentHTML(
      'beforeend',
      `<div id="frames" style="${style}">${html}</div>`,
    );
  }, frames);
  const find = (): Frame | undefined =>
    page.frames().find((one) => one !== page.mainFrame() && one.url().startsWith(HERE));
  // The frame may be another one once its page has moved to a process of its own.
  await expect
    .poll(() =>
      find()
        ?.evaluate(() => 'stage' in window)
        .catch(() => false),
    )
    .toBe(true);
  const frame = find()!;
  await frame.evaluate(() =>
    window.stage.mount({
      ...{ recording: 'small', ids: ['model-parts'], hash: '', lesson: null, stepwise: false },
      ...{ text: null, textName: null, keeps: false },
    }),
  );
  await frame.getByRole('button', { name: 'Save as PNG: the diagram of the model' }).click();
  const said = frame.getByText('Saved: glasshouse-model.png');
  await said.waitFor();
  expect(MAY_BE_DROPPED.test((await said.textContent())!)).toBe(warns);
  await page.locator('#frames').evaluate((one) => {
    one.remove();
  });
});

/** A phone screen for the panel in Chinese. */
const PHONE = { hash: 'lang=zh', viewport: { width: 360, height: 740 } };

it('fits a narrow phone in Chinese, with letters large enough to be read', async () => {
  const { page } = await mountParts(PHONE);
  const drawing = page.getByRole('group', { name: '模型结构', exact: true });
  await drawing.waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const scale = await drawing.evaluate(
    (svg) => svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width,
  );
  expect(scale * 13).toBeGreaterThan(11);
});

it('explains a part on a phone below the diagram, and leads back to where it was pressed', async () => {
  const { page, title } = await mountParts(PHONE);
  const pressed = page.getByRole('button', { name: /^MLP：展宽/ });
  await pressed.click();
  await expect.poll(() => title.textContent()).toBe('MLP：展宽，第 1 层');
  await page.locator('.part-explanation').getByText('每个输出都是全部输入的加权和').waitFor();
  await page.getByRole('button', { name: '回到结构图' }).click();
  await expect.poll(() => pressed.evaluate((one) => document.activeElement === one)).toBe(true);
});

it('wraps code on a phone, but cuts no arrow in two', async () => {
  const { page } = await mountParts(PHONE);
  const source = page.locator('.part-explanation .code button').first();
  const before = await source.textContent();
  await page.getByRole('button', { name: /^MLP：展宽/ }).click();
  // The source code of a part is drawn after the rest.
  await expect.poll(() => source.textContent()).not.toBe(before);
  await source.click();
  const code = page.locator('.part-explanation pre').first();
  await expect.poll(() => code.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  const arrows = await code
    .getByText('->', { exact: true })
    .evaluateAll((all) => all.map((arrow) => arrow.getClientRects().length));
  expect(arrows.length).toBeGreaterThan(3);
  expect(new Set(arrows)).toEqual(new Set([1]));
  // The first column of a table wider than the screen stays fixed.
  const first = page.locator('.part-symbols th').first();
  await expect.poll(() => first.evaluate((cell) => getComputedStyle(cell).position)).toBe('sticky');
});

it('lets the long names of C functions begin at the left, line under line, on a phone', async () => {
  const { page, part } = await mountParts({
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  await part(/^Norm before attention/).tap();
  await page.getByRole('button', { name: /^rmsnorm_backward_ref \(c\/kernels/ }).waitFor();
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
});

it('begins a part beside what was pressed, and the page itself scrolls through a long one', async () => {
  const { page, part } = await mountParts({ reducedMotion: 'reduce' });
  const shown = page.getByRole('region', { name: 'Attention heads, layer 1' });
  await shown.getByText('Backward: the gradients').waitFor();
  const box = async (): Promise<{ y: number; height: number }> => (await shown.boundingBox())!;
  // Presses a part far down, with the top of the diagram out of view.
  await page.locator('.parts-right').evaluate((one) => {
    scrollBy(0, one.getBoundingClientRect().top + 500);
  });
  const pressed = part(/^Attention heads/);
  const at = (await pressed.boundingBox())!.y;
  await pressed.click();
  await expect.poll(async () => Math.abs((await box()).y)).toBeLessThan(2);
  expect(Math.abs((await pressed.boundingBox())!.y - at)).toBeLessThan(1);
  // The panel is taller than the window and has no scroll bar of its own.
  expect((await box()).height).toBeGreaterThan(720);
  expect(await shown.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
  await page.mouse.wheel(0, 400);
  await expect.poll(async () => (await box()).y).toBeLessThan(-350);
  // Scrolling up stops at the panel's top.
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => Math.abs((await box()).y)).toBeLessThan(2);
});
