/**
 * The first minute: the tour, the check-up of the text, and an address that can be gone back in.
 */
import { describe, expect, it, test } from 'vitest';
import { eventually, openTab } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const site = useSites();

/** What the callout of the tour lies over: the controls of the run, or what it speaks of. */
const covered = (page: Driven['page']): Promise<string[]> =>
  page.evaluate(() => {
    const note = document.querySelector('.tour-note')!.getBoundingClientRect();
    return ['#run', '.tour-target'].filter((name) => {
      const { left, right, top, bottom } = document.querySelector(name)!.getBoundingClientRect();
      return left < note.right && right > note.left && top < note.bottom && bottom > note.top;
    });
  });

describe('the tour', () => {
  it.each([1440, 390])(
    'follows the run and leads through to its end at %i pixels',
    async (width) => {
      const driven = await site({
        hash: 'pace=100',
        unfold: false,
        options: { viewport: { width, height: 800 }, reducedMotion: 'reduce' },
      });
      const { page, start, problems } = driven;
      await page.getByRole('button', { name: 'Take a tour' }).click();
      const note = (name: string) => page.getByRole('dialog', { name });
      await note('Start here').waitFor();
      expect(await covered(page)).toEqual([]);
      // By the keys as well: the card itself has the focus at first.
      await page.keyboard.press('Enter');
      await note('What it writes').waitFor();
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await note('Start here').waitFor();
      // It stands in nobody's way: Start can be pressed, and it goes on by itself.
      await start.click();
      await note('What it writes').waitFor();
      expect(await covered(page)).toEqual([]);
      const next = page.getByRole('button', { name: 'Next', exact: true });
      await next.click();
      await note('The loss: how wrong it is').waitFor();
      await page.getByText('The dotted line at 3.30 nats per token is ln 27').waitFor();
      await page.getByText(/It has come down: at 2\.\d\d nats per token/).waitFor();
      // Its numbers go on with the run.
      const told = page.locator('.tour-live');
      const early = await told.textContent();
      await eventually(
        () => told.textContent(),
        (text) => text !== early && text?.startsWith('It has come down') === true,
      );
      for (const name of [
        'Where it looks',
        'Learning, or learning by heart?',
        'Change one thing',
        'Every dotted word explains itself',
      ]) {
        if (name === 'Where it looks') {
          // A run that grows moves the card: not away from under a press, which would be lost.
          const card = page.locator('.tour-note');
          await next.hover();
          await page.mouse.down();
          const before = await card.boundingBox();
          await page.evaluate(() => {
            scrollBy({ top: -90, behavior: 'instant' });
          });
          await page.evaluate(() => new Promise(requestAnimationFrame));
          expect(await card.boundingBox()).toEqual(before);
          await page.mouse.up();
        } else await next.click();
        await note(name).waitFor();
        expect([name, ...(await covered(page))]).toEqual([name]);
        if (name !== 'Where it looks') continue;
        // What a press in the map reads may stand below the note: the note says it, too.
        const map = page
          .locator('#attention')
          .getByRole('img', { name: /^Layer \d, head \d/ })
          .first();
        await map.focus();
        await page.keyboard.press('ArrowUp');
        await told.getByText(/ looks at /).waitFor();
      }
      // It sends readers to the text: wherever that is in sight, it can be reached.
      const apart = await page.locator('#text textarea').evaluate(async (field) => {
        const found: boolean[] = [];
        for (const at of [0, 60, 120, 180]) {
          scrollTo({ top: at, behavior: 'instant' });
          // The card follows with the frame.
          for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
          const text = field.getBoundingClientRect();
          const card = document.querySelector('.tour-note')!.getBoundingClientRect();
          const beside = card.left >= text.right || card.right <= text.left;
          found.push(beside || card.top >= text.bottom || card.bottom <= text.top);
        }
        return found;
      });
      expect(apart).toEqual([true, true, true, true]);
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await note('Change one thing').waitFor();
      await next.click();
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await note('Every dotted word explains itself').waitFor({ state: 'hidden' });
      await expect.poll(() => page.locator('.tour-target').count()).toBe(0);

      // It is remembered, and can be taken again.
      await page.reload();
      await driven.reach('ready');
      const begin = page.getByRole('button', { name: 'Take a tour' });
      await expect.poll(() => begin.getAttribute('class')).not.toContain('fresh');
      await begin.click();
      await note('Start here').waitFor();
      expect(problems).toEqual([]);
    },
  );
});

describe('the tour of a run that is there', () => {
  it.each([
    [390, 844, 150],
    // With as many samples as are shown at once, down to the oldest.
    [390, 844, 999],
    [820, 1180, 150],
    [1024, 768, 150],
    [1440, 900, 150],
  ])(
    'speaks of that run, and covers nothing it points at, at %i × %i, %i steps',
    async (width, height, steps) => {
      const driven = await site({
        hash: `steps=${String(steps)}`,
        unfold: false,
        options: { viewport: { width, height }, reducedMotion: 'reduce' },
      });
      const { page, start, problems } = driven;
      await start.click();
      await driven.reach('finished');
      await page.getByRole('button', { name: 'Take a tour' }).click();
      const note = page.locator('.tour-note');
      await page.getByRole('dialog', { name: 'The run' }).waitFor();
      await expect
        .poll(() => note.textContent())
        .toContain(`It has made all of its ${String(steps)} steps; “Rewind”`);
      await expect.poll(() => note.textContent()).not.toContain('Start');
      // What it speaks of is among the buttons that it points at.
      await expect.poll(() => page.locator('.tour-target [data-control=rewind]').count()).toBe(1);
      // Nothing is waited for: a rewound run leaves the tour where it is.
      await page.getByRole('button', { name: 'Rewind' }).click();
      await page.getByRole('dialog', { name: 'Start here' }).waitFor();
      await start.click();
      await page.getByRole('dialog', { name: 'The run' }).waitFor();
      await driven.reach('finished');
      for (let stop = 1; stop <= 7; stop++) {
        // What comes into sight on the way settles first.
        const inSight = (): Promise<boolean> =>
          page.evaluate(() => {
            const { top, bottom } = document.querySelector('.tour-target')!.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          });
        await eventually(
          async () => ({ stop, over: await covered(page), inSight: await inSight() }),
          (found) => found.over.length === 0 && found.inSight,
        );
        if (stop < 7) await note.getByRole('button', { name: 'Next' }).click();
      }
      expect(problems).toEqual([]);
    },
  );
});

describe('hints', () => {
  it.each([
    ['a finger', true, 'Tap a cell to read it.', /arrow keys|[Pp]oint at/],
    ['a mouse', false, 'Point at a cell, or press arrow keys', /Tap /],
  ])('speak of what one has at hand: %s', async (_, touch, said, other) => {
    const { page, problems } = await site({
      options: { viewport: { width: 800, height: 900 }, hasTouch: touch, isMobile: touch },
    });
    await page.locator('#attention').scrollIntoViewIfNeeded();
    await page.getByText(said).first().waitFor();
    await openTab(page, 'Token by token');
    await page
      .locator('#closer')
      .getByText(touch ? /^Tap a token/ : /Arrow keys go from token to token/)
      .waitFor();
    for (const id of ['#loss', '#attention', '#closer']) {
      await expect.poll(() => page.locator(id).innerText()).not.toMatch(other);
    }
    expect(problems).toEqual([]);
  });
});

test('on a phone the buttons of the run have words that can be seen', async () => {
  const { page, problems } = await site({ options: { viewport: { width: 360, height: 640 } } });
  for (const name of ['One step', 'Rewind', 'New seed']) {
    const box = await page.locator('#run .button-text', { hasText: name }).boundingBox();
    expect([name, (box?.width ?? 0) > 20]).toEqual([name, true]);
  }
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(problems).toEqual([]);
});

describe('the check-up', () => {
  const finding = ({ page }: Driven, text: RegExp) =>
    page.getByRole('listitem').filter({ hasText: text });
  const openUp = (driven: Driven) =>
    driven.page.getByRole('button', { name: 'Check the text' }).click();
  it('finds nothing to fix in the names', async () => {
    const driven = await site();
    await driven.page.getByText('Nothing to fix.').waitFor();
    expect(await driven.page.getByRole('button', { name: 'Check the text' }).count()).toBe(0);
  });

  const undo = ({ page }: Driven, what: string) =>
    page.getByRole('button', { name: `Undo “${what}”`, exact: true });

  it('forgets how to undo a cure when another text is chosen', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { page, text } = driven;
    await text.fill('anna\nbea\nanna\n'.repeat(20));
    await openUp(driven);
    await page.getByRole('button', { name: 'Remove repeats', exact: true }).click();
    await undo(driven, 'Remove repeats').waitFor();
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await undo(driven, 'Remove repeats').waitFor({ state: 'hidden' });
  });

  it('cures what it finds with one press each, and takes back one after the other', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { page, text } = driven;
    const names = 'anna\nbea\nclara\ndora\nemma\nfred\n'.repeat(9);
    const given = `${names}gi\u200bna\nZoe\u0308\n`;
    await text.fill(given);
    await openUp(driven);
    const press = async (name: string, ends = true): Promise<void> => {
      const button = page.getByRole('button', { name, exact: true });
      // Once what the last cure has changed is known, rows have their heights.
      await page.getByText('Looking at the text…').waitFor({ state: 'hidden' });
      await button.click();
      // It stays where it is, and says that it is done.
      await undo(driven, name).waitFor();
      await expect.poll(() => button.isDisabled()).toBe(true);
      if (!ends) return;
      // What is no longer so is crossed out, and said to be past.
      const row = page.getByRole('listitem').filter({ has: button });
      await row.getByText('No longer true:').waitFor();
      await expect.poll(() => row.evaluate((item) => item.classList.contains('look'))).toBe(false);
    };
    await press('Remove the invisible ones');
    await expect.poll(() => text.inputValue()).toContain('gina\n');
    await press('Put them together');
    await expect.poll(() => text.inputValue()).toContain('Zoë\n');
    // Bytes have no rare tokens: another way to the same end, and back.
    const vocabulary = page.locator('[data-part=plan-vocab]');
    await press('Use bytes as tokens');
    await eventually(
      () => vocabulary.textContent(),
      (value) => value === '257',
    );
    await undo(driven, 'Use bytes as tokens').click();
    await eventually(
      () => vocabulary.textContent(),
      (value) => value !== '257',
    );
    await press('Remove repeats');
    await expect
      .poll(() => text.inputValue())
      .toBe('anna\nbea\nclara\ndora\nemma\nfred\ngina\nZoë\n');
    await undo(driven, 'Remove repeats').click();
    await expect.poll(() => text.inputValue()).toBe(`${names}gina\nZoë\n`);
    await undo(driven, 'Put them together').click();
    await undo(driven, 'Remove the invisible ones').click();
    await expect.poll(() => text.inputValue()).toBe(given);
    await expect
      .poll(() =>
        page.locator('#doctor button', { hasText: 'Undo' }).filter({ visible: true }).count(),
      )
      .toBe(0);
  });

  it('offers a cure again where another has made it necessary', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { page, text } = driven;
    const given = `${'anna\nbea\nclara\ndora\n'.repeat(3)}be\u200ba\n`;
    await text.fill(given);
    await openUp(driven);
    const repeats = page.getByRole('button', { name: 'Remove repeats', exact: true });
    await repeats.click();
    await expect.poll(() => text.inputValue()).toBe('anna\nbea\nclara\ndora\nbe\u200ba\n');
    await expect.poll(() => repeats.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove the invisible ones', exact: true }).click();
    await expect.poll(() => repeats.isEnabled()).toBe(true);
    await repeats.click();
    await expect.poll(() => text.inputValue()).toBe('anna\nbea\nclara\ndora\n');
    await expect.poll(() => repeats.isDisabled()).toBe(true);
    for (const what of ['Remove repeats', 'Remove the invisible ones', 'Remove repeats']) {
      await undo(driven, what).click();
    }
    await expect.poll(() => text.inputValue()).toBe(given);
  });

  it('leaves what was pressed, and all other buttons, in their places', async () => {
    const driven = await site({
      hash: 'preset=microgpt',
      options: { viewport: { width: 390, height: 900 } },
    });
    const { page, text } = driven;
    await text.fill(`${'go to the cafe\u0301 now\n'.repeat(9)}an\u200bna pizza\n`);
    await openUp(driven);
    const [first, second] = ['Remove the invisible ones', 'Put them together'];
    const third = 'Use bytes as tokens';
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button(first).waitFor();
    // What a press at the same place would meet.
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
      await button(name).hover();
      const before = (await button(name).boundingBox())!;
      await button(name).click();
      if (name !== third) await page.getByText('Looking at the text…').waitFor();
      await page.getByText('Looking at the text…').waitFor({ state: 'hidden' });
      expect((await button(name).boundingBox())!.y).toBeCloseTo(before.y, 0);
      expect(await under(before)).toBe('');
      await expect
        .poll(() => undo(driven, name).evaluate((one) => one === document.activeElement))
        .toBe(true);
      await expect.poll(() => button(other).count()).toBe(1);
    }
    await undo(driven, third).click();
    await undo(driven, second).click();
    const back = (await undo(driven, first).boundingBox())!;
    await undo(driven, first).click();
    await page.getByText('Looking at the text…').waitFor({ state: 'hidden' });
    expect(await under(back)).toBe('');
  });

  it('shows what a cure would change, and forgets what was pressed once one types', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { text } = driven;
    await text.fill(`${'anna\nbea\n'.repeat(9)}cl\u200bara\n`);
    await openUp(driven);
    const hidden = finding(driven, /Invisible characters: 1/);
    await hidden.getByText('“cl⟨U+200B⟩ara” → “clara”').waitFor();
    await hidden.getByRole('button', { name: 'Remove the invisible ones' }).click();
    await expect.poll(() => text.inputValue()).toContain('clara');
    await undo(driven, 'Remove the invisible ones').waitFor();
    await text.press('End');
    await text.pressSequentially('!');
    await hidden.waitFor({ state: 'hidden' });
  });

  it('names what cannot be seen', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    await driven.text.fill(`${'a line of the song\n'.repeat(9)}\t\u00a0\u200b☃☀☁`);
    await openUp(driven);
    const said = 'the tab, the no-break space (U+00A0), the zero-width space (U+200B).';
    await finding(driven, /occur only once or twice: 6/)
      .filter({ hasText: said })
      .waitFor();
  });

  it.each(['abc def', 'x'])(
    'does not call “%s” fine while the text has an error',
    async (given) => {
      const driven = await site({ hash: 'preset=tinygpt' });
      await driven.page.getByText('Nothing to fix').waitFor();
      await driven.text.fill(given);
      await driven.page.locator('[data-part=text-error]').getByText('needs at least').waitFor();
      await expect.poll(() => driven.page.getByText('Nothing to fix').count()).toBe(0);
    },
  );

  it('works in Chinese, and stays open in another language', async () => {
    const driven = await site({ hash: 'lang=zh&preset=microgpt' });
    const { page } = driven;
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
    await finding(driven, /Invisible characters: 1/).waitFor();
  });

  it('has nothing to say of a text that was emptied', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    await driven.text.fill('one line\nand another line\n'.repeat(9));
    await openUp(driven);
    await finding(driven, /Lines that repeat/).waitFor();
    await driven.text.fill('');
    await driven.page.locator('#doctor').waitFor({ state: 'hidden' });
  });

  it('gives a sample text back after a cure of it', async () => {
    // The samples are in order: one of them gets something to cure.
    const driven = await site({
      hash: 'text=moby&tokenizer=char',
      before: (page) =>
        page.route(/moby-dick-en/, (route) =>
          route.fulfill({ body: `${'Call me Ishmael. '.repeat(99)}\u200b` }),
        ),
    });
    const { page, text } = driven;
    await openUp(driven);
    await page.getByRole('button', { name: 'Remove the invisible ones' }).click();
    await eventually(
      () => page.getByRole('radio', { name: 'Your own' }).isChecked(),
      (checked) => checked,
    );
    await undo(driven, 'Remove the invisible ones').click();
    await eventually(
      () => page.getByRole('radio', { name: 'Moby-Dick' }).isChecked(),
      (checked) => checked,
    );
    await expect.poll(() => text.inputValue()).not.toBe('');
  });

  it('examines a million characters without holding the page up', async () => {
    const driven = await site({
      hash: 'preset=microgpt',
      before: (page) =>
        page.addInitScript(() => {
          const waits: number[] = [];
          Object.assign(globalThis, { waits });
          new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) waits.push(duration);
          }).observe({ type: 'longtask' });
        }),
    });
    const { page } = driven;
    const line = 'the quick brown fox jumps over the lazy dog\n';
    const buffer = Buffer.from(line.repeat(30_000));
    await page.locator('#text input[type=file]').setInputFiles({
      name: 'long.txt',
      mimeType: 'text/plain',
      buffer,
    });
    await openUp(driven);
    await driven.page.getByText('Looking at the text…').waitFor({ state: 'hidden' });
    await finding(driven, /Lines that repeat an earlier one: 29,999/).waitFor();
  });
});

describe('the address', () => {
  it('leads back and forward between texts and presets, but not through what was typed', async () => {
    const driven = await site({ hash: 'preset=microgpt' });
    const { page } = driven;
    const checked = (name: string | RegExp): Promise<boolean> =>
      eventually(
        () => page.getByRole('radio', { name }).isChecked(),
        (is) => is,
      );
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await checked('tinygpt');
    const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
    await channels.fill('3');
    await channels.fill('32');
    await page.waitForURL(/channels=32/);
    await page.getByRole('radio', { name: 'gpt2' }).check();
    await page.waitForURL(/preset=gpt2/);

    await page.goBack();
    await checked('tinygpt');
    await checked('Moby-Dick');
    await eventually(
      () => channels.inputValue(),
      (value) => value === '32',
    );
    await page.goBack();
    await checked('English names');
    await checked('microgpt');
    await page.goForward();
    await checked('Moby-Dick');
    await page.goForward();
    await checked('gpt2');
    // Another language is a place of its own, too.
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByRole('button', { name: '开始', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    await checked('gpt2');
    expect(driven.problems).toEqual([]);
  });
});

describe('the documentation', () => {
  it('has the colours that were chosen in the app', async () => {
    const { page } = await site({ options: { colorScheme: 'light' } });
    await page.getByRole('combobox', { name: 'Colours' }).selectOption('Dark');
    await page.goto(siteUrl('docs/en/glossary.html'));
    await page.locator('html[data-theme=dark]').waitFor();
  });
});
