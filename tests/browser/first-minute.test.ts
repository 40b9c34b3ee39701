/** The first minute: the tour, the check-up of the text, and an address that can be gone back in. */
import { describe, expect, it, test } from 'vitest';
import { eventually } from './driver.ts';
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
        options: { viewport: { width, height: 800 }, reducedMotion: 'reduce' },
      });
      const { page, start, problems } = driven;
      await page.getByRole('button', { name: 'Show me around' }).click();
      const note = (name: string) => page.getByRole('dialog', { name });
      await note('Start here').waitFor();
      expect(await covered(page)).toEqual([]);
      // It stands in nobody's way: Start can be pressed, and it goes on by itself.
      await start.click();
      await note('The loss: how wrong it is').waitFor();
      await page.getByText('The dotted line at 3.30 nats per token is ln 27').waitFor();
      await page.getByText(/It is falling: at 2\.\d\d nats per token/).waitFor();
      // Its numbers go on with the run.
      const told = page.locator('.tour-live');
      const early = await told.textContent();
      await eventually(
        () => told.textContent(),
        (text) => text !== early && text?.startsWith('It is falling') === true,
      );
      const next = page.getByRole('button', { name: 'Next', exact: true });
      for (const name of [
        'What it writes',
        'Where it looks',
        'Learning, or learning by heart?',
        'Change one thing',
        'Every dotted word explains itself',
      ]) {
        await next.click();
        await note(name).waitFor();
        expect([name, ...(await covered(page))]).toEqual([name]);
      }
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await note('Change one thing').waitFor();
      await next.click();
      await page.getByRole('button', { name: 'Done', exact: true }).click();
      await note('Every dotted word explains itself').waitFor({ state: 'hidden' });
      expect(await page.locator('.tour-target').count()).toBe(0);

      // It is remembered, and can be taken again.
      await page.reload();
      await driven.reach('ready');
      const begin = page.getByRole('button', { name: 'Show me around' });
      expect(await begin.getAttribute('class')).not.toContain('fresh');
      await begin.click();
      await note('Start here').waitFor();
      expect(problems).toEqual([]);
    },
  );
});

describe('the tour of a run that is there', () => {
  it.each([
    [390, 844],
    [820, 1180],
    [1024, 768],
    [1440, 900],
  ])('speaks of that run, and covers nothing it points at, at %i × %i', async (width, height) => {
    const driven = await site({
      hash: 'steps=150',
      options: { viewport: { width, height }, reducedMotion: 'reduce' },
    });
    const { page, start, problems } = driven;
    await start.click();
    await driven.reach('finished');
    await page.getByRole('button', { name: 'Show me around' }).click();
    const note = page.locator('.tour-note');
    await page.getByRole('dialog', { name: 'The run' }).waitFor();
    expect(await note.textContent()).toContain('It has made all of its 150 steps; “Rewind”');
    expect(await note.textContent()).not.toContain('Start');
    // What it speaks of is among the buttons that it points at.
    expect(await page.locator('.tour-target [data-control=rewind]').count()).toBe(1);
    // Nothing is waited for: a rewound run leaves the tour where it is.
    await page.getByRole('button', { name: 'Rewind' }).click();
    await page.getByRole('dialog', { name: 'Start here' }).waitFor();
    await start.click();
    await page.getByRole('dialog', { name: 'The run' }).waitFor();
    await driven.reach('finished');
    for (let stop = 1; stop <= 7; stop++) {
      // What comes into sight on the way settles first.
      const over = await eventually(
        () => covered(page),
        (found) => found.length === 0,
      );
      expect([stop, ...over]).toEqual([stop]);
      const inSight = await page.evaluate(() => {
        const { top, bottom } = document.querySelector('.tour-target')!.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
      expect([stop, inSight]).toEqual([stop, true]);
      if (stop < 7) await note.getByRole('button', { name: 'Next' }).click();
    }
    expect(problems).toEqual([]);
  });
});

describe('hints', () => {
  it.each([
    ['a finger', true, 'Tap a cell to read its weight.', /arrow keys|[Pp]oint at/],
    ['a mouse', false, 'Point at a cell, or use the arrow keys', /Tap /],
  ])('speak of what one has at hand: %s', async (_, touch, said, other) => {
    const { page, problems } = await site({
      options: { viewport: { width: 800, height: 900 }, hasTouch: touch, isMobile: touch },
    });
    await page.locator('#attention').scrollIntoViewIfNeeded();
    await page.getByText(said).first().waitFor();
    await page.locator('#closer').scrollIntoViewIfNeeded();
    await page.getByText(touch ? /^Tap a token/ : /Arrow keys go from token to token/).waitFor();
    for (const id of ['#loss', '#attention', '#closer']) {
      expect(await page.locator(id).innerText()).not.toMatch(other);
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
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(problems).toEqual([]);
});

describe('the check-up', () => {
  const finding = ({ page }: Driven, text: RegExp) =>
    page.getByRole('listitem').filter({ hasText: text });
  const openUp = (driven: Driven) =>
    driven.page.getByRole('button', { name: 'Check the text' }).click();

  it('finds nothing to mend in the names, and says what to expect', async () => {
    const driven = await site();
    await openUp(driven);
    await driven.page.getByText('Nothing to mend.').waitFor();
    await finding(driven, /Characters: 58,955 in 8,403 lines, 27 different/).waitFor();
    await finding(
      driven,
      /first loss of about 3\.30 nats per token \(guessing among 27\)/,
    ).waitFor();
    // One line a step: 5,000 of 8,403.
    await finding(driven, /Readings of the text in this run: 0\.(6|59)/).waitFor();
  });

  it('forgets how to take a remedy back when another text is chosen', async () => {
    const driven = await site();
    const { page, text } = driven;
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    const garbled = 'donâ€™t go to the cafÃ©\n'.repeat(20);
    await text.fill(garbled);
    await openUp(driven);
    await finding(driven, /40, such as “â€™” where “’” was meant/)
      .getByRole('button', { name: 'Bring the characters back' })
      .click();
    await undo.waitFor();
    expect(await text.inputValue()).toBe('don’t go to the café\n'.repeat(20));
    await undo.click();
    await undo.waitFor({ state: 'hidden' });
    expect(await text.inputValue()).toBe(garbled);
    await text.fill('anna\nbea\nanna\n'.repeat(20));
    await page.getByRole('button', { name: 'Remove repeats' }).click();
    await undo.waitFor();
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await undo.waitFor({ state: 'hidden' });
  });

  it('mends what it finds with one press each, and takes it back', async () => {
    const driven = await site();
    const { page, text } = driven;
    const lines = ['anna', 'bea', 'anna', '<b>carla</b>', 'dora\t', 'Zoë'];
    const given = `${lines.join('\n')}\n${'emma fred gina hugo dora zo bcdefgh\n'.repeat(40)}`;
    await text.fill(given);
    await openUp(driven);
    const press = async (about: RegExp, name: string): Promise<void> => {
      await finding(driven, about).getByRole('button', { name }).click();
      await finding(driven, about).waitFor({ state: 'detached' });
    };
    await press(/Left-overs of a web page/, 'Take them out');
    expect(await text.inputValue()).toContain('carla\n');
    await press(/Tabs, odd or invisible blanks/, 'Tidy blanks');
    expect(await text.inputValue()).toContain('dora\n');
    await press(/Lines that repeat an earlier one/, 'Remove repeats');
    const mended = await text.inputValue();
    expect(mended.match(/anna/g)?.length).toBe(1);
    expect(mended.split('\n').length).toBeLessThan(10);
    const rare = finding(driven, /occur only once or twice/);
    await rare.getByRole('button', { name: 'Replace them' }).click();
    await rare.getByRole('button', { name: 'Replace them' }).waitFor({ state: 'detached' });
    expect(await text.inputValue()).not.toContain('ë');

    await page.getByText(/^Done: .*“Remove repeats”, “Replace them”\.$/).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(
      () => text.inputValue(),
      (value) => value === mended,
    );
    await page.getByText(/^Done: .*“Remove repeats”\.$/).waitFor();
    // Bytes have no rare tokens: another way to the same end, and back.
    await finding(driven, /occur only once or twice/)
      .getByRole('button', { name: 'Use bytes as tokens' })
      .click();
    const vocabulary = page.locator('[data-part=plan-vocab]');
    await eventually(
      () => vocabulary.textContent(),
      (value) => value === '257',
    );
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(
      () => vocabulary.textContent(),
      (value) => value !== '257',
    );
    // Earlier remedies can still be taken back, all at once.
    await page.getByRole('button', { name: 'Undo all' }).click();
    await eventually(
      () => text.inputValue(),
      (value) => value === given,
    );
    await page.getByText(/^Done:/).waitFor({ state: 'hidden' });
  });

  it('says what replacing would do, keeps words whole, and forgets its remedies once one types', async () => {
    const driven = await site();
    const { page, text } = driven;
    await text.fill('a line of the song\nla la la\n');
    await openUp(driven);
    // Neither a list nor prose: nothing is said of its shape.
    await finding(driven, /Characters: 28 in 2 lines/).waitFor();
    expect(await finding(driven, /prose with long lines/).count()).toBe(0);
    await text.fill(`${'a line of the song, la la la '.repeat(6)}\npizza ☃ 7 café\n`);
    const rare = finding(driven, /occur only once or twice/);
    await rare.filter({ hasText: 'would leave out “☃”, which has no plain form' }).waitFor();
    await rare
      .filter({ hasText: /Letters, digits and punctuation that stay, .*: \d+\./ })
      .waitFor();
    await rare.getByRole('button', { name: 'Replace them' }).click();
    await eventually(
      () => text.inputValue(),
      (value) => value.endsWith('\npizza 7 cafe\n'),
    );
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.waitFor();
    await text.press('End');
    await text.pressSequentially('!');
    await undo.waitFor({ state: 'hidden' });
  });

  it('names what cannot be seen, and says how many more there are', async () => {
    const driven = await site();
    await driven.text.fill(`${'a line of the song\n'.repeat(9)}\t\u00a0\u200b☃☀☁☂☄★☆☎☏☐☑☒`);
    await openUp(driven);
    const said =
      'the tab (1), the no-break space (U+00A0) (1), the zero-width space (U+200B) (1), “☀” (1)';
    const rare = finding(driven, /occur only once or twice/);
    await rare.filter({ hasText: said }).waitFor();
    await rare.filter({ hasText: /“☏” \(1\) and 3 more\./ }).waitFor();
    expect(await rare.textContent()).not.toContain('…');
  });

  it('has its way back in sight where a remedy was pressed', async () => {
    const driven = await site({ options: { viewport: { width: 390, height: 700 } } });
    const { page, text } = driven;
    await text.fill('anna\nbea\nanna\nZoë ☃\t\n'.repeat(3));
    await openUp(driven);
    await page.getByRole('button', { name: 'Remove repeats' }).click();
    await page.getByText(/^Done: “Remove repeats”\./).waitFor();
    const undo = (await page.getByRole('button', { name: 'Undo', exact: true }).boundingBox())!;
    const list = (await page.locator('.findings').boundingBox())!;
    expect(undo.y + undo.height).toBeLessThanOrEqual(list.y);
    expect(undo.y).toBeGreaterThan(0);
    expect(undo.y + undo.height).toBeLessThan(700);
  });

  it.each(['abc def', 'x'])(
    'does not call “%s” fine while the text has an error',
    async (given) => {
      const driven = await site({ hash: 'preset=tinygpt' });
      await driven.text.fill(given);
      await driven.page.locator('[data-part=text-error]').getByText('needs at least').waitFor();
      await openUp(driven);
      await finding(driven, /Characters: \d in 1 line, \d different/).waitFor();
      expect(await driven.page.getByText('Nothing to mend.').count()).toBe(0);
    },
  );

  it('has nothing to say of a text that was emptied', async () => {
    const driven = await site();
    await driven.text.fill('one line\nand another line\n'.repeat(9));
    await openUp(driven);
    await finding(driven, /Characters:/).waitFor();
    await driven.text.fill('');
    await finding(driven, /Characters:/).waitFor({ state: 'hidden' });
    await driven.page.getByText('Nothing to mend.').waitFor({ state: 'hidden' });
  });

  it('gives a sample text back after mending it', async () => {
    // The samples are in order: one of them gets something to mend.
    const driven = await site({
      hash: 'text=moby&tokenizer=char',
      before: (page) =>
        page.route(/moby-dick-en/, (route) =>
          route.fulfill({ body: `${'Call me Ishmael. '.repeat(99)}☃` }),
        ),
    });
    const { page, text } = driven;
    await openUp(driven);
    await finding(driven, /occur only once or twice/)
      .getByRole('button', { name: 'Replace them' })
      .click();
    await eventually(
      () => page.getByRole('radio', { name: 'Your own' }).isChecked(),
      (checked) => checked,
    );
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await eventually(
      () => page.getByRole('radio', { name: 'Moby-Dick' }).isChecked(),
      (checked) => checked,
    );
    expect(await text.inputValue()).not.toBe('');
  });

  it('suggests a context that a short text can fill', async () => {
    const driven = await site({ hash: 'preset=tinygpt' });
    const { page, text } = driven;
    await text.fill('to be or not to be, that is the question');
    await openUp(driven);
    await finding(driven, /Too few tokens for this context/)
      .getByRole('button', { name: /Context of/ })
      .click();
    await driven.reach('ready');
    await page.waitForURL(/context=\d+/);
  });

  it('examines a million characters without holding the page up', async () => {
    const driven = await site({
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
    await finding(driven, /Characters: 1,320,000 in 30,000 lines/).waitFor();
    await finding(driven, /Lines that repeat an earlier one: 29,999/).waitFor();
  });
});

describe('the address', () => {
  it('leads back and forward between texts and presets, but not through what was typed', async () => {
    const driven = await site();
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
