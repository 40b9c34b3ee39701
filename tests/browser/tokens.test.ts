/** Looking at single tokens, as a person does: their losses in a text, and writing one by one. */
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';
import type { OpenSite } from './sites.ts';

const site = useSites();

/** Scrolls to the tabs: what is out of sight stands still. */
function look({ page }: Driven): Promise<void> {
  return page.locator('#closer').evaluate((section) => {
    section.scrollIntoView();
  });
}

/** The page with one of the tabs in sight. */
async function tab(hash: string, how: Parameters<OpenSite>[0] = {}): Promise<Driven> {
  const driven = await site({ ...how, hash });
  await driven.page.getByRole('tablist').scrollIntoViewIfNeeded();
  await look(driven);
  return driven;
}

/** The figure under a name, such as "Mean loss". */
async function figure(panel: Locator, name: string): Promise<number> {
  const entry = panel.locator('dl > div').filter({ hasText: name }).locator('dd');
  return parseFloat((await entry.textContent()) ?? '');
}

const textOf = async (locator: Locator): Promise<string> => (await locator.textContent()) ?? '';

it('says that the text to read becomes part of the address', async () => {
  const { page, problems } = await tab('view=tokens');
  const field = page.getByRole('textbox', { name: 'Text to read' });
  const described = await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
  expect(described).toContain('up to 400 characters, becomes part of the address of this page');
  await field.fill('bella');
  await eventually(
    () => Promise.resolve(page.url()),
    (url) => url.includes('scored=bella'),
  );
  await field.fill('b'.repeat(401));
  await eventually(
    () => Promise.resolve(page.url()),
    (url) => !url.includes('scored='),
  );
  // The maps of attention cut the same line one token earlier: the reason is said.
  await page
    .getByText(/beyond the context.* The last one shown is guessed, but not read/)
    .waitFor();
  expect(problems).toEqual([]);
});

describe('the loss of each token', () => {
  it('is shown for every token, with what the model expected at the chosen one', async () => {
    const { page, problems } = await tab('view=tokens');
    const panel = page.getByRole('tabpanel', { name: 'Token by token' });
    const cells = panel.getByRole('radio');
    await cells.first().waitFor();
    // The beginning, ten letters, the end.
    await expect.poll(() => cells.count()).toBe(12);
    expect(Math.abs((await figure(panel, 'Mean loss')) - Math.log(27))).toBeLessThan(0.2);
    const bits = (await figure(panel, 'Mean loss')) / Math.LN2;
    expect(Math.abs((await figure(panel, 'Bits per character')) - bits)).toBeLessThan(0.01);

    await panel.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('Home');
    await panel.getByRole('heading', { name: 'Token 1: the beginning' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await panel.getByRole('heading', { name: 'Token 2: “e”' }).waitFor();
    const candidates = panel.getByRole('table', { name: 'What the model expected after' });
    const real = candidates.getByRole('row').filter({ hasText: 'this came' });
    await expect.poll(() => textOf(real)).toContain('“e”');
    await panel.getByRole('radio', { name: '“b”' }).click();
    await panel.getByRole('heading', { name: 'Token 7: “b”' }).waitFor();

    // The table has the same losses: their mean is the figure above.
    await panel.getByRole('button', { name: 'The losses of these tokens as a table' }).click();
    const table = panel.getByRole('table', { name: 'Loss and entropy in nats' });
    await table.waitFor();
    const losses = await table
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => parseFloat(row.querySelector('td')?.textContent ?? '')),
      );
    const scored = losses.filter((loss) => !Number.isNaN(loss));
    expect(scored).toHaveLength(11);
    const mean = scored.reduce((sum, loss) => sum + loss, 0) / 11;
    expect(Math.abs(mean - (await figure(panel, 'Mean loss')))).toBeLessThan(0.002);
    expect(problems).toEqual([]);
  });

  it('stands beside that of the best table, which shows where the model knows more', async () => {
    const driven = await tab('view=tokens&steps=300&scored=anna%0Abella');
    const { page, problems } = driven;
    const panel = page.getByRole('tabpanel', { name: 'Token by token' });
    await driven.start.click();
    await look(driven);
    await driven.reach('finished');
    await panel.getByText('step 300', { exact: true }).waitFor();
    await panel.getByRole('checkbox', { name: 'Compare with the best table' }).check();
    const beside = panel.getByText(/^The best table, “\d tokens before”, loses/);
    await beside.waitFor();
    const [, byTable, own] = /loses ([\d.]+) .* the model ([\d.]+)\./.exec(await textOf(beside))!;
    expect(Number(own)).toBeCloseTo(await figure(panel, 'Mean loss'), 3);
    // What the cells say comes to the difference of the two.
    const gains = await panel
      .locator('.cell-loss')
      .evaluateAll((all) =>
        all.map((one) => Number(one.textContent.replace('−', '-').replace('·', 'NaN'))),
      );
    const known = gains.filter((gain) => !Number.isNaN(gain));
    expect(known).toHaveLength(11);
    const mean = known.reduce((sum, gain) => sum + gain, 0) / 11;
    expect(Math.abs(mean - (Number(byTable) - Number(own)))).toBeLessThan(0.06);
    await panel.getByText(/The table lost \d\.\d{3} here\./).waitFor();
    await panel.getByRole('button', { name: 'The losses of these tokens as a table' }).click();
    await panel.getByRole('columnheader', { name: 'Loss of the table' }).waitFor();
    await panel.getByRole('checkbox', { name: 'Compare with the best table' }).uncheck();
    await expect.poll(() => beside.count()).toBe(0);
    await expect.poll(() => textOf(panel.locator('.cell-loss').nth(1))).not.toMatch(/[+−]/);
    expect(problems).toEqual([]);
  });

  it('follows the training in sight, and a text that is typed stays in the address', async () => {
    const driven = await tab('view=tokens&steps=300&validation=0.1');
    const { page } = driven;
    const panel = page.getByRole('tabpanel', { name: 'Token by token' });
    await panel.getByRole('textbox', { name: 'Text to read' }).fill('anna\nbella');
    await panel.getByRole('radio').nth(12).waitFor();
    await expect.poll(() => panel.getByRole('radio').count()).toBe(13);
    await expect.poll(() => page.evaluate(() => location.hash)).toContain('scored=anna%0Abella');
    // What a button fetches may be of the reader's own text: that stays out of what can be passed
    // on.
    await panel.getByRole('button', { name: 'The text of the attention maps' }).click();
    await expect.poll(() => panel.getByRole('radio').count()).toBe(12);
    await expect.poll(() => page.evaluate(() => location.hash)).not.toContain('scored=');
    await panel.getByRole('textbox', { name: 'Text to read' }).fill('anna\nbella');
    await expect.poll(() => panel.getByRole('radio').count()).toBe(13);
    const untrained = await figure(panel, 'Mean loss');
    await driven.start.click();
    // The large button stands above: to press it may have scrolled the tab away.
    await look(driven);
    await driven.reach('finished');
    await panel.getByText('step 300', { exact: true }).waitFor();
    await expect.poll(() => figure(panel, 'Mean loss')).toBeLessThan(untrained - 0.5);
    await panel.getByRole('button', { name: 'What it wrote' }).click();
    const field = panel.getByRole('textbox', { name: 'Text to read' });
    expect((await field.inputValue()).length).toBeGreaterThan(3);
    // Lines that were drawn to be kept back, whole.
    await panel.getByRole('button', { name: 'Text it never trained on' }).click();
    const heldOut = (await field.inputValue()).split('\n');
    expect(heldOut.length).toBeGreaterThan(20);
    const known = (await readFile('public/texts/first-names-en.txt', 'utf8')).split('\n');
    expect(heldOut.filter((line) => !known.includes(line))).toEqual([]);
    // Characters that no name has are explained, and what was there stays.
    await field.fill('été');
    await panel.getByText('é').first().waitFor();
    await expect.poll(() => panel.getByRole('radio').count()).toBeGreaterThan(3);
  });

  it('says when a loss is as high as it can be counted, and what the mean takes it for', async () => {
    const driven = await tab('lr=3&schedule=constant&steps=100&view=tokens&scored=ba');
    await driven.text.fill('ab\n'.repeat(60));
    await driven.reach('ready');
    await driven.start.click();
    await driven.reach('finished');
    await look(driven);
    const panel = driven.page.getByRole('tabpanel', { name: 'Token by token' });
    const said = panel.getByText('Less than 10⁻³⁰ (10⁻²⁸%) counts as that, a loss of 69.08');
    await panel.getByText('step 100', { exact: true }).waitFor();
    // At the chosen token, and at the figures that it is part of.
    await eventually(
      () => said.count(),
      (count) => count === 2,
    );
    await panel.getByText('the model gave it <10⁻²⁸%').waitFor();
    const came = panel.getByRole('row').filter({ hasText: 'this came' });
    await expect.poll(() => came.textContent()).toContain('<10⁻²⁸%');
    // Those with nothing are equals: none of them is the second.
    await expect.poll(() => came.textContent()).toMatch(/no\. 2–\d \(tied\), this came/);
  });

  it('shows bytes that are part of a character as bytes, joined to the character', async () => {
    const driven = await tab(`text=moby&view=tokens&scored=${encodeURIComponent('a猫.')}`);
    const panel = driven.page.getByRole('tabpanel', { name: 'Token by token' });
    await panel.getByRole('radio', { name: 'byte E7, 1 of 3 of “猫”' }).click();
    await panel.getByRole('heading', { name: 'byte E7, 1 of 3 of “猫”' }).waitFor();
    const names = await panel
      .getByRole('radio')
      .evaluateAll((cells) => cells.map((cell) => cell.querySelector('.glyph')?.textContent));
    expect(names).toEqual(['a', 'E7', '8C', 'AB', '.']);
    await expect.poll(() => textOf(panel.locator('.byte-group'))).toMatch(/E7.*8C.*AB.*猫/);
    // The digits of bytes that are no character yet do not look like letters of the text.
    await panel.getByRole('radio', { name: 'byte AB, 3 of 3 of “猫”' }).click();
    const after = 'What the model expected after “a” and the bytes E7 8C';
    await panel.getByRole('table', { name: after, exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Text it never trained on' }).click();
    await eventually(
      () => panel.getByRole('radio').count(),
      (count) => count > 100,
    );
    // Long texts have pages.
    await panel.getByRole('button', { name: 'Later tokens' }).click();
    await panel.getByText(/^161–/).waitFor();
  });
});

describe('writing step by step', () => {
  const parts = ({ page }: Driven) => {
    const panel = page.getByRole('tabpanel', { name: 'Write step by step' });
    const button = (name: string): Locator => panel.getByRole('button', { name, exact: true });
    return {
      panel,
      next: button('Next token'),
      undo: button('Take back'),
      text: () => textOf(panel.getByRole('group', { name: 'The text so far' }).locator('p')),
      status: panel.locator('.write-status'),
      /** Presses Next and waits for the token. */
      draw: async () => {
        const pieces = panel.locator('.written-tokens .piece');
        const before = await pieces.count();
        await button('Next token').click();
        await eventually(
          () => pieces.count(),
          (count) => count > before,
        );
      },
    };
  };

  it('writes what the other way of asking writes from the same seed', async () => {
    const driven = await tab('view=write&askSeed=5&maxTokens=6&prompt=an');
    const { panel, draw, text } = parts(driven);
    await panel.getByText('can be drawn').waitFor();
    await driven.page.getByRole('button', { name: 'Write', exact: true }).click();
    await driven.page.getByText('Written at step 0').waitFor();
    const answer = await textOf(driven.page.locator('[data-part=answer]'));
    await look(driven);
    for (let i = 0; i < answer.length; i++) await draw();
    await expect.poll(() => text()).toBe(`an${answer}`);
    expect(driven.problems).toEqual([]);
  });

  it('shows where the dice fell, takes tokens back, and draws the same again', async () => {
    const driven = await tab('text=moby&view=write&temperature=1');
    const { panel, draw, undo, text } = parts(driven);
    await panel.getByText('can be drawn').waitFor();
    // Whose the hatched part of the line is, is said only where there is one.
    const hatched = panel.getByText('Hatched: all tokens less likely');
    await hatched.waitFor();
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('5');
    await hatched.waitFor({ state: 'hidden' });
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('0');
    await hatched.waitFor();
    const texts = [await text()];
    for (let i = 0; i < 4; i++) {
      await draw();
      texts.push(await text());
    }
    const dice = panel.getByText('The dice showed');
    const sentence = await textOf(dice);
    const [number, start, end] = (sentence.match(/\d\.\d+/g) ?? []).map(Number) as [
      number,
      number,
      number,
    ];
    expect(number).toBeGreaterThanOrEqual(start);
    expect(number).toBeLessThanOrEqual(end);
    const count = panel.locator('.written-tokens .piece:not(.given)');
    for (let left = 3; left >= 2; left--) {
      await undo.click();
      await eventually(
        () => count.count(),
        (now) => now === left,
      );
    }
    await expect.poll(() => text()).toBe(texts[2]);
    await draw();
    await draw();
    await expect.poll(() => text()).toBe(texts[4]);
    await expect.poll(() => textOf(dice)).toBe(sentence);
  });

  it('counts every token once, puts a chosen one there, and says that no dice were needed', async () => {
    const driven = await tab('view=write');
    const { panel, status, text } = parts(driven);
    // Those with a row, and all others together.
    const others = panel.getByRole('row', { name: /others/ });
    await others.waitFor();
    const rows = await panel.getByRole('button', { name: /^Put “/ }).count();
    await expect
      .poll(() => others.textContent())
      .toMatch(new RegExp(`^${String(27 - rows)} others`));
    await panel.getByRole('button', { name: 'All 27' }).click();
    await others.waitFor({ state: 'hidden' });
    const q = panel.getByRole('button', { name: 'Put “q” there' });
    const first = panel.getByRole('heading', { name: 'What may come next' });
    const place = async (): Promise<number> => (await first.boundingBox())!.y;
    await q.focus();
    const stays = await place();
    await driven.page.keyboard.press('Enter');
    await status.getByText('Put there by you: “q”').waitFor();
    expect(await place()).toBeCloseTo(stays, 0);
    await panel.getByText('No dice: you chose “q” yourself.').waitFor();
    await expect.poll(() => text()).toBe('q');
    await panel.getByRole('button', { name: 'Put the end there' }).click();
    await status.getByText('The model ended the text here (■): “Take back” takes').waitFor();
    // The end goes through nothing: what is shown is the last step that did.
    await panel.getByText('1 computed in the last step').waitFor();
    await expect.poll(() => parts(driven).next.isDisabled()).toBe(true);
    await panel.getByRole('button', { name: 'Begin again' }).click();
    await eventually(text, (now) => now === 'nothing yet');
  });

  it('says with what the model gave a token, and with what it was drawn', async () => {
    const driven = await tab('view=write&temperature=0.8&topK=3');
    const { panel, draw, status } = parts(driven);
    await panel.getByText(/nats, [\d.]+ after temperature, top-k and top-p: /).waitFor();
    await draw();
    await panel.getByText('The dice showed').waitFor();
    const [, start, end] =
      (await textOf(panel.getByText('The dice showed'))).match(/\d\.\d+/g) ?? [];
    const said = /gave it ([\d.]+)%; after temperature, top-k and top-p it had ([\d.]+)%/;
    const [, given, drawn] = said.exec(await textOf(status)) ?? [];
    expect(Number(given)).toBeLessThan(20);
    expect(Number(drawn) / 100).toBeCloseTo(Number(end) - Number(start), 2);
    // Where both are the same, it is said once.
    await panel.getByRole('button', { name: 'Take back' }).click();
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('0');
    await panel.getByRole('textbox', { name: 'Temperature' }).fill('1');
    await panel.getByText('27 can be drawn').waitFor();
    await draw();
    await expect.poll(() => textOf(status)).toMatch(/^Drawn: .+ The model gave it [\d.]+%\.$/);
  });

  it('says of a document as long as the context that it ends, and of no token that it has left', async () => {
    const driven = await tab('context=8&view=write');
    const { panel, status, text } = parts(driven);
    await panel.getByRole('button', { name: 'All 27' }).click();
    for (let count = 1; count <= 8; count++) {
      await panel.getByRole('button', { name: 'Put “a” there' }).click();
      await eventually(text, (now) => now === 'a'.repeat(count));
    }
    await status.getByText('The text is as long as the context: it ends here.').waitFor();
    await panel.getByText('8 of 8 positions are filled').waitFor();
    expect(await panel.locator('.context-edge').count()).toBe(0);
    expect(await panel.getByText('What stands before the amber line').count()).toBe(0);
  });

  it('says at its field what cannot be asked for', async () => {
    const { page } = await site();
    const ask = page.locator('#ask');
    await ask.getByRole('button', { name: 'Length, seed and other choices' }).click();
    for (const [name, value, said] of [
      ['Top-p', '7', 'Top-p must be a number from 1\u202f×\u202f10⁻⁶ to 1.'],
      ['Top-k', '1.5', 'Top-k must be a whole number from 0 to 65,536.'],
    ] as const) {
      const field = ask.getByRole('textbox', { name });
      const usual = await field.inputValue();
      await field.fill(value);
      const [error] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
      const mistake = page.locator(`#${error ?? ''}`);
      await expect.poll(() => mistake.textContent()).toBe(said);
      const [input, line] = [(await field.boundingBox())!, (await mistake.boundingBox())!];
      expect([name, line.x, line.y > input.y]).toEqual([name, input.x, true]);
      await expect.poll(() => ask.locator('.error:visible').count()).toBe(1);
      // Asked for all the same, it leads there.
      await ask.getByRole('button', { name: 'Length, seed and other choices' }).click();
      await ask.getByRole('button', { name: 'Write', exact: true }).click();
      await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
      await field.fill(usual);
      await expect.poll(() => ask.locator('.error:visible').count()).toBe(0);
    }
  });

  it('cuts what top-k cuts, and shares its settings with the other way of asking', async () => {
    const driven = await tab('view=write');
    const { panel } = parts(driven);
    await panel.getByText('27 can be drawn').waitFor();
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('3');
    await panel.getByText('3 can be drawn').waitFor();
    await panel.getByText('Cut away by top-k = 3').waitFor();
    const rows = panel.locator('.probabilities tbody tr:not(.cut-line)');
    const shares = await rows.evaluateAll((all) =>
      all.map((row) => row.querySelector('td:last-child')?.textContent),
    );
    expect(shares.slice(3).every((share) => share === '–')).toBe(true);
    expect(shares.slice(0, 3).every((share) => /\d/.test(share ?? ''))).toBe(true);
    await expect.poll(() => driven.page.evaluate(() => location.hash)).toContain('topK=3');
    const ask = driven.page.locator('#ask');
    await ask.getByRole('button', { name: 'Length, seed and other choices' }).click();
    const shared = ask.getByRole('textbox', { name: 'Top-k' });
    await expect.poll(() => shared.inputValue()).toBe('3');
    await shared.fill('5');
    await look(driven);
    await panel.getByText('5 can be drawn').waitFor();
    // The same place with other dice: what is written stays.
    const { text, draw } = parts(driven);
    await draw();
    await draw();
    const written = await text();
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('4');
    await panel.getByText('4 can be drawn').waitFor();
    await expect.poll(() => text()).toBe(written);
    // What was thrown was thrown with others.
    const then = panel.getByText(
      /That was with temperature [\d.]+, top-k 5 and top-p 1; what you set/,
    );
    await then.waitFor();
    await panel.getByRole('textbox', { name: 'Top-k' }).fill('5');
    await then.waitFor({ state: 'hidden' });
    // Each of the numbers is a word that explains itself; by the keys, behind its field.
    await panel.getByRole('textbox', { name: 'Top-k' }).press('Tab');
    await expect
      .poll(() => driven.page.evaluate(() => document.activeElement?.textContent))
      .toBe('Top-k');
    for (const name of ['Temperature', 'Top-k', 'Top-p', 'Seed']) {
      await panel.getByRole('button', { name, exact: true }).click();
      const note = driven.page.getByRole('dialog', { name, exact: true });
      await note.getByRole('link').first().waitFor();
      await driven.page.keyboard.press('Escape');
    }
    const temperature = panel.getByRole('textbox', { name: 'Temperature' });
    await temperature.fill('-1');
    const mistake = panel.getByText('Temperature must be').and(panel.getByRole('status'));
    await mistake.waitFor();
    await expect.poll(() => temperature.getAttribute('aria-invalid')).toBe('true');
    // Right below the field, which is described by it.
    await expect
      .poll(() => mistake.getAttribute('id'))
      .toBe(await temperature.getAttribute('aria-describedby'));
    const [field, said] = [(await temperature.boundingBox())!, (await mistake.boundingBox())!];
    expect(said.y - (field.y + field.height)).toBeGreaterThanOrEqual(0);
    expect(said.y - (field.y + field.height)).toBeLessThan(12);
    // What waits for it says so, and what is no longer so looks it.
    for (const name of ['Next token', 'Play']) {
      const button = panel.getByRole('button', { name, exact: true });
      expect([name, await button.isDisabled()]).toEqual([name, true]);
      const why = `#${(await button.getAttribute('aria-describedby'))!}`;
      await expect
        .poll(() => panel.locator(why).textContent())
        .toBe('Temperature must be a number from 0 to 100.');
    }
    // What the model says is as it was, whatever it is drawn with.
    const given = panel.locator('.probabilities td:nth-child(2) .bar');
    const lengths = () =>
      given.evaluateAll((bars) => bars.map((bar) => (bar as HTMLElement).style.width));
    const before = await lengths();
    const faint = panel.locator('.stale tbody td:last-child');
    await expect
      .poll(() => faint.first().evaluate((cell) => getComputedStyle(cell).opacity))
      .toBe('0.35');
    await temperature.fill('2');
    await eventually(
      () => faint.count(),
      (count) => count === 0,
    );
    await expect.poll(() => parts(driven).next.isEnabled()).toBe(true);
    const cut = panel.locator('.probabilities tbody tr').first().locator('.share');
    await temperature.fill('0.1');
    const [says, drawn] = await eventually(
      () => cut.allTextContents(),
      ([one, other]) => parseFloat(other ?? '') > parseFloat(one ?? '') * 1.05,
    );
    expect([says, drawn]).toHaveLength(2);
    await expect.poll(() => lengths()).toEqual(before);
    // It is seen, and what is more than there is room for says so.
    expect(Math.max(...before.map(parseFloat))).toBeGreaterThan(15);
    await temperature.fill('0');
    await panel.getByText(/A full bar is \d+%\. One that ends in a point is more/).waitFor();
    await expect.poll(() => panel.locator('.bar.beyond').count()).toBe(1);
    await expect.poll(() => lengths()).toEqual(before);
  });

  it('shows the cache grow, start over when it is full, and the work that it saves', async () => {
    const driven = await tab(`text=moby&context=8&view=write&prompt=${encodeURIComponent('猫')}`);
    const { panel, draw } = parts(driven);
    await panel.getByText('3 of 8 positions are filled').waitFor();
    // Bytes have the name of their character, over all of their positions.
    const named = panel.locator('.cache-tokens span');
    await expect.poll(() => named.allTextContents()).toEqual(['猫']);
    await expect.poll(() => named.evaluate((one) => getComputedStyle(one).gridColumnEnd)).toBe('4');
    await draw();
    await draw();
    await panel.getByText('5 of 8 positions are filled').waitFor();
    // What is taken back leaves a gap, and makes nothing else new.
    await parts(driven).undo.click();
    await panel.getByText('4 of 8 positions are filled').waitFor();
    await panel.getByText('1 computed in the last step').waitFor();
    const { status } = parts(driven);
    await status.getByText(/^Taken back: .+\. The dice would fall the same way again/).waitFor();
    await expect.poll(() => panel.locator('.context-edge').count()).toBe(0);
    for (let i = 0; i < 5; i++) await draw();
    await panel.getByText('The context was full.').waitFor();
    await status.getByText('The context was full: from here on the model sees only').waitFor();
    // The text shows where what the model sees begins.
    const edge = panel.locator('.written-tokens :is(.piece, .context-edge)');
    const kinds = await edge.evaluateAll((all) =>
      all.map((one) => one.classList.contains('context-edge')),
    );
    expect(kinds.indexOf(true)).toBe(kinds.length - 1 - 4);
    await panel.getByText('What stands before the amber line').waitFor();
    await panel.getByText('4 of 8 positions are filled').waitFor();
    const saved = await textOf(panel.getByText('the cache saved'));
    expect(Number(/saved ([\d.]+)%/.exec(saved)?.[1])).toBeGreaterThan(20);
    const page = await panel
      .getByRole('link', { name: 'How the KV cache works' })
      .getAttribute('href');
    const answer = await driven.page.request.get(new URL(page ?? '', driven.page.url()).href);
    expect(answer.ok()).toBe(true);
  });

  it('plays until it is held, and goes on with newer weights after training', async () => {
    const driven = await tab('text=moby&view=write');
    const { panel, text, status, draw } = parts(driven);
    await panel.getByText('can be drawn').waitFor();
    await panel.getByRole('button', { name: 'Play' }).click();
    await eventually(text, (now) => now.length >= 'Call me '.length + 3);
    await panel.getByRole('button', { name: 'Hold' }).click();
    await panel.getByRole('button', { name: 'Play' }).waitFor();
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await draw();
    await status.getByText('as it is at step 1').waitFor();
  });

  it.each(['tokens', 'write'])('fits a narrow phone in Chinese: %s', async (view) => {
    const driven = await tab(`text=tang&lang=zh&view=${view}`, {
      options: { viewport: { width: 360, height: 740 }, locale: 'zh-CN' },
    });
    const { page } = driven;
    const name = view === 'tokens' ? '逐个词元' : '一步一步写';
    const panel = page.getByRole('tabpanel', { name });
    await panel.getByRole('table').first().waitFor();
    // Of more than a thousand tokens these are not all.
    if (view === 'write') {
      await panel.getByRole('button', { name: '最可能的 20 个' }).waitFor();
      // The bars can be watched while a number is changed.
      const [number, bar] = await Promise.all(
        ['.write-dice input', '.bar'].map((one) => panel.locator(one).first().boundingBox()),
      );
      expect(bar!.y - number!.y).toBeLessThan(200);
    }
    await expect.poll(() => panel.getByRole('button', { name: /^全部/ }).count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(driven.problems).toEqual([]);
  });
});
