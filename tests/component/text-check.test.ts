/** The text check: problems found in a text, and fixes with undo. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';

const mount = useComponents();

const mountText = (options: MountOptions = {}): Promise<Component> =>
  mount('page', 'names', { hash: 'preset=microgpt', ...options });

/** Mounts the check of this text, unfolded. */
async function checked(given: string, options: MountOptions = {}): Promise<Component> {
  const mounted = await mountText(options);
  await mounted.text.fill(given);
  await mounted.page.getByRole('button', { name: 'Check the text' }).click();
  return mounted;
}

const button = ({ page }: Component, name: string): Locator =>
  page.getByRole('button', { name, exact: true });
const undo = (mounted: Component, name: string): Locator => button(mounted, `Undo “${name}”`);
const finding = ({ page }: Component, text: RegExp): Locator =>
  page.getByRole('listitem').filter({ hasText: text });
const looked = ({ page }: Component): Promise<void> =>
  page.getByText('Checking the text…').waitFor({ state: 'hidden' });

/** Presses a fix; its row stays in place, marked as done. */
async function fix(mounted: Component, name: string): Promise<void> {
  // Waits for the check of the previous fix's result, which sets the rows' heights.
  await looked(mounted);
  await button(mounted, name).click();
  await undo(mounted, name).waitFor();
  await expect.poll(() => button(mounted, name).isDisabled()).toBe(true);
}

it('finds nothing to fix in the names', async () => {
  const { page } = await mountText({ hash: '' });
  await page.getByText('Nothing to fix.').waitFor();
  expect(await page.getByRole('button', { name: 'Check the text' }).count()).toBe(0);
});

it('forgets how to undo a fix when another text is chosen', async () => {
  const mounted = await checked('anna\nbea\nanna\n'.repeat(20));
  await fix(mounted, 'Remove repeats');
  await mounted.page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await undo(mounted, 'Remove repeats').waitFor({ state: 'hidden' });
});

it('crosses out what a fix has put right', async () => {
  const mounted = await checked(`${'anna\nbea\n'.repeat(9)}gi\u200bna\n`);
  await fix(mounted, 'Remove invisible characters');
  await expect.poll(() => mounted.text.inputValue()).toContain('gina\n');
  const row = finding(mounted, /Remove invisible characters/);
  await row.getByText('Fixed along with it:').waitFor();
  await expect.poll(() => row.getAttribute('class')).not.toContain('look');
});

it('undoes its fixes of the text one after the other, the last first', async () => {
  const names = 'anna\nbea\nclara\ndora\nemma\nfred\n'.repeat(9);
  const given = `${names}gi\u200bna\nZoe\u0308\n`;
  const mounted = await checked(given);
  const { text, page } = mounted;
  await fix(mounted, 'Remove invisible characters');
  await fix(mounted, 'Join the pieces');
  await expect.poll(() => text.inputValue()).toBe(`${names}gina\nZoë\n`);
  await fix(mounted, 'Remove repeats');
  await expect
    .poll(() => text.inputValue())
    .toBe('anna\nbea\nclara\ndora\nemma\nfred\ngina\nZoë\n');
  await undo(mounted, 'Remove repeats').click();
  await expect.poll(() => text.inputValue()).toBe(`${names}gina\nZoë\n`);
  await undo(mounted, 'Join the pieces').click();
  await undo(mounted, 'Remove invisible characters').click();
  await expect.poll(() => text.inputValue()).toBe(given);
  await expect
    .poll(() => page.locator('#text-check button:visible', { hasText: 'Undo' }).count())
    .toBe(0);
});

it('offers a fix again where another has made it necessary', async () => {
  const given = `${'anna\nbea\nclara\ndora\n'.repeat(3)}be\u200ba\n`;
  const mounted = await checked(given);
  const { text } = mounted;
  await fix(mounted, 'Remove repeats');
  await expect.poll(() => text.inputValue()).toBe('anna\nbea\nclara\ndora\nbe\u200ba\n');
  await fix(mounted, 'Remove invisible characters');
  const repeats = button(mounted, 'Remove repeats');
  await expect.poll(() => repeats.isEnabled()).toBe(true);
  await fix(mounted, 'Remove repeats');
  await expect.poll(() => text.inputValue()).toBe('anna\nbea\nclara\ndora\n');
  for (const what of ['Remove repeats', 'Remove invisible characters', 'Remove repeats']) {
    await undo(mounted, what).click();
  }
  await expect.poll(() => text.inputValue()).toBe(given);
});

it('keeps its buttons in their places, with nothing to press where one was pressed', async () => {
  const mounted = await checked(`${'go to the cafe\u0301 now\n'.repeat(9)}an\u200bna \ufb01sh\n`, {
    viewport: { width: 390, height: 900 },
  });
  const { page } = mounted;
  const [first, second] = ['Remove invisible characters', 'Join the pieces'];
  const third = 'Write separate letters';
  await button(mounted, first).waitFor();
  // The enabled button at this position.
  const under = async (box: { x: number; y: number; width: number; height: number }) =>
    page.evaluate(
      ([x, y]) => {
        const met = document.elementFromPoint(x!, y!)?.closest('button');
        return met === undefined || met === null || met.disabled ? '' : met.textContent;
      },
      [box.x + box.width / 2, box.y + box.height / 2],
    );
  for (const [name, other] of [
    [first, second],
    [second, first],
    [third, first],
  ] as const) {
    await looked(mounted);
    await mounted.rest();
    await button(mounted, name).hover();
    const before = (await button(mounted, name).boundingBox())!;
    await fix(mounted, name);
    await looked(mounted);
    await mounted.rest();
    expect((await button(mounted, name).boundingBox())!.y).toBeCloseTo(before.y, 0);
    expect(await under(before)).toBe('');
    await expect
      .poll(() => undo(mounted, name).evaluate((one) => one === document.activeElement))
      .toBe(true);
    await expect.poll(() => button(mounted, other).count()).toBe(1);
  }
  await undo(mounted, third).click();
  await undo(mounted, second).click();
  const back = (await undo(mounted, first).boundingBox())!;
  await undo(mounted, first).click();
  await looked(mounted);
  expect(await under(back)).toBe('');
});

it('shows what a fix would change, and forgets the fix once one types', async () => {
  const mounted = await checked(`${'anna\nbea\n'.repeat(9)}cl\u200bara\n`);
  const { text } = mounted;
  const hidden = finding(mounted, /Invisible characters: 1/);
  await hidden.getByText('“cl⟨U+200B⟩ara” → “clara”').waitFor();
  await fix(mounted, 'Remove invisible characters');
  await expect.poll(() => text.inputValue()).toContain('clara');
  await text.press('End');
  await text.pressSequentially('!');
  await hidden.waitFor({ state: 'hidden' });
});

it.each(['abc def', 'x'])(
  'does not call “%s” fine, which is too short to train on',
  async (given) => {
    const { page, text } = await mountText({ hash: 'preset=tinygpt' });
    await page.getByText('Nothing to fix').waitFor();
    await text.fill(given);
    await page.locator('[data-part=text-error]').getByText('needs at least').waitFor();
    await expect.poll(() => page.getByText('Nothing to fix').count()).toBe(0);
  },
);

it('fixes a Chinese text in Chinese, and stays open in another language', async () => {
  const mounted = await mount('page', 'names', { hash: 'lang=zh&preset=microgpt' });
  const { page } = mounted;
  const text = page.getByRole('textbox', { name: '要学习的文本' });
  const poem = '春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多少。\n';
  const given = `\u200b${poem}`;
  await text.fill(given);
  await page.getByRole('button', { name: '检查文本' }).click();
  const hidden = page.getByRole('listitem').filter({ hasText: '有 1 个看不见的字符' });
  await hidden.getByRole('button', { name: '去掉看不见的字符', exact: true }).click();
  await expect.poll(() => text.inputValue()).toBe(poem);
  await hidden.getByRole('button', { name: '撤销“去掉看不见的字符”' }).click();
  await expect.poll(() => text.inputValue()).toBe(given);
  await page.getByRole('combobox', { name: '语言' }).selectOption('en');
  await finding(mounted, /Invisible characters: 1/).waitFor();
});

it('has nothing to say of a text that was emptied', async () => {
  const mounted = await checked('one line\nand another line\n'.repeat(9));
  await finding(mounted, /Lines that repeat/).waitFor();
  await mounted.text.fill('');
  await mounted.page.locator('#text-check').waitFor({ state: 'hidden' });
});

it('restores the choice of a sample text when the fix of it is undone', async () => {
  // Samples have no problems, so the test adds an invisible character to one.
  const mounted = await mountText({
    hash: 'text=tang&preset=tinygpt&tokenizer=char',
    before: (page) =>
      page.route(/tang-quatrains/, (route) =>
        route.fulfill({ body: `${'Call me Ishmael. '.repeat(99)}\u200b` }),
      ),
  });
  const { page } = mounted;
  await button(mounted, 'Check the text').click();
  await fix(mounted, 'Remove invisible characters');
  const chosen = (name: string): Promise<boolean> => page.getByRole('radio', { name }).isChecked();
  await expect.poll(() => chosen('Your own')).toBe(true);
  await undo(mounted, 'Remove invisible characters').click();
  await expect.poll(() => chosen('Tang poems')).toBe(true);
  await expect.poll(() => mounted.text.inputValue()).toContain('Ishmael');
});

it('lets the page draw while it examines a million characters', async () => {
  const mounted = await mountText();
  const { page } = mounted;
  const buffer = Buffer.from('the quick brown fox jumps over the lazy dog\n'.repeat(30_000));
  const file = { name: 'long.txt', mimeType: 'text/plain', buffer };
  await page.evaluate(() => {
    const drawn = { frames: 0 };
    Object.assign(globalThis, { drawn });
    const looks = (): boolean => document.body.innerText.includes('Checking the text…');
    const frame = (): void => {
      if (looks()) drawn.frames += 1;
      else if (drawn.frames > 0) return;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.locator('#text input[type=file]').setInputFiles(file);
  await button(mounted, 'Check the text').click();
  await finding(mounted, /Lines that repeat an earlier one: 29,999/).waitFor();
  const frames = (): Promise<number> =>
    page.evaluate(() => (globalThis as unknown as { drawn: { frames: number } }).drawn.frames);
  expect(await frames()).toBeGreaterThan(5);
});
