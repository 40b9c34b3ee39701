/** Write with dice: candidates for the next token, dice, cache and sampling options. */
import { existsSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { Component, MountOptions, RecordingName } from './mount.ts';

const mount = useComponents();

/** Mounts the tab and returns its parts by their visible names. */
async function mountWriter(
  recording: RecordingName,
  options?: MountOptions & { readonly beside?: string },
) {
  const ids = ['write', ...(options?.beside === undefined ? [] : [options.beside])];
  // Makes the window tall enough for both panels: the page updates visible panels only.
  const viewport = { width: 1280, height: options?.beside === undefined ? 720 : 1800 };
  const component: Component = await mount(ids, recording, { viewport, ...options });
  const panel = component.page.getByRole('tabpanel', { name: 'Write with dice' });
  const button = (name: string): Locator => panel.getByRole('button', { name, exact: true });
  const pieces = panel.locator('.written-tokens .piece');
  return Object.assign(component, {
    panel,
    button,
    field: (name: string): Locator => panel.getByRole('textbox', { name }),
    text: () => panel.getByRole('group', { name: 'The text so far' }).locator('p').textContent(),
    status: panel.locator('.write-status'),
    dice: panel.getByText('The dice showed'),
    drawn: panel.locator('.written-tokens .piece:not(.given)'),
    /** Presses Next and waits for the token. */
    draw: async () => {
      const before = await pieces.count();
      await button('Next token').click();
      await expect.poll(() => pieces.count()).toBeGreaterThan(before);
    },
  });
}

const numbersIn = (text: string | null): number[] => (text?.match(/\d\.\d+/g) ?? []).map(Number);

it('writes what the other way of asking writes from the same seed', async () => {
  const hash = 'askSeed=5&maxTokens=6&prompt=an';
  const { page, panel, draw, text } = await mountWriter('names', { beside: 'ask', hash });
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.getByText('Written at step 0').waitFor();
  const answer = (await page.locator('[data-part=answer]').textContent())!;
  await panel.getByText('can be drawn').waitFor();
  for (let count = 0; count < answer.length; count++) await draw();
  await expect.poll(text).toBe(`an${answer}`);
});

it('explains the hatched part of the line while top-k leaves one', async () => {
  const { panel, field } = await mountWriter('moby', { hash: 'temperature=1' });
  const hatched = panel.getByText('Hatched: all tokens less likely');
  await hatched.waitFor();
  await field('Top-k').fill('5');
  await hatched.waitFor({ state: 'hidden' });
  await field('Top-k').fill('0');
  await hatched.waitFor();
});

it('shows where the dice fell, takes tokens back, and draws the same again', async () => {
  const { draw, button, dice, text, drawn } = await mountWriter('moby', { hash: 'temperature=1' });
  for (let count = 0; count < 3; count++) await draw();
  const [whole, sentence] = [await text(), await dice.textContent()];
  const [number, start, end] = numbersIn(sentence);
  expect(number).toBeGreaterThanOrEqual(start!);
  expect(number).toBeLessThanOrEqual(end!);
  for (const left of [2, 1]) {
    await button('Take back').click();
    await expect.poll(() => drawn.count()).toBe(left);
  }
  await draw();
  await draw();
  expect(await text()).toBe(whole);
  await expect.poll(() => dice.textContent()).toBe(sentence);
});

it('counts every token once: those with a row, and all others together', async () => {
  const { panel, button } = await mountWriter('names');
  const others = panel.getByRole('row', { name: /others/ });
  await others.waitFor();
  const rows = await panel.getByRole('button', { name: /^Choose “/ }).count();
  await expect.poll(() => others.textContent()).toMatch(new RegExp(`^${String(27 - rows)} others`));
  await button('All 27').click();
  await others.waitFor({ state: 'hidden' });
});

it('puts a chosen token there, stays where it is, and says that no dice were needed', async () => {
  const { page, panel, button, status, text } = await mountWriter('names');
  await button('All 27').click();
  const first = panel.getByRole('heading', { name: 'What may come next' });
  const place = async (): Promise<number> => (await first.boundingBox())!.y;
  await button('Choose “q”').focus();
  const before = await place();
  await page.keyboard.press('Enter');
  await status.getByText('Chosen by you: “q”').waitFor();
  expect(await place()).toBeCloseTo(before, 0);
  await panel.getByText('No dice: you chose “q”.').waitFor();
  expect(await text()).toBe('q');
});

it('ends at a chosen end, which goes through nothing, and begins again', async () => {
  const { panel, button, status, text, rest } = await mountWriter('names');
  await button('All 27').click();
  await button('Choose “q”').click();
  // Waits until the rows have their new order.
  await rest();
  await button('Choose the end').click();
  await status.getByText('The model ended the text here (■): “Take back” removes').waitFor();
  // The panel shows the last step that computed a token.
  await panel.getByText('1 computed for the last token').waitFor();
  await expect.poll(() => button('Next token').isDisabled()).toBe(true);
  await button('Begin again').click();
  await expect.poll(text).toBe('nothing yet');
});

it('says with what share the model gave a token, and with what share it was drawn', async () => {
  const component = await mountWriter('names', { hash: 'temperature=0.8&topK=3' });
  const { panel, draw, button, field, status, dice } = component;
  await panel.getByText(/nats; [\d.]+ after temperature, top-k and top-p \(/).waitFor();
  await draw();
  await dice.waitFor();
  const [, start, end] = numbersIn(await dice.textContent());
  const said = /gave it ([\d.]+)%; its draw chance was ([\d.]+)%/;
  const [, given, drawn] = said.exec((await status.textContent()) ?? '') ?? [];
  expect(Number(given)).toBeLessThan(20);
  expect(Number(drawn) / 100).toBeCloseTo(end! - start!, 2);
  // The message names equal probabilities only once.
  await button('Take back').click();
  await field('Top-k').fill('0');
  await field('Temperature').fill('1');
  await panel.getByText('Tokens that can be drawn: 27.').waitFor();
  await draw();
  await expect.poll(() => status.textContent()).toMatch(/^Drawn: .+ The model gave it [\d.]+%\.$/);
});

it('says of a document as long as the context that it ends, and that no token has left it', async () => {
  const { panel, button, status, text } = await mountWriter('names', { hash: 'context=8' });
  await button('All 27').click();
  for (let count = 1; count <= 8; count++) {
    await button('Choose “a”').click();
    await expect.poll(text).toBe('a'.repeat(count));
  }
  await status.getByText('The text is as long as the context and ends here.').waitFor();
  await panel.getByText('8 of 8 positions are filled').waitFor();
  expect(await panel.locator('.context-edge').count()).toBe(0);
  expect(await panel.getByText('The text before the amber line').count()).toBe(0);
});

it('cuts what top-k cuts, and says so', async () => {
  const { page, panel, field } = await mountWriter('names');
  await panel.getByText('Tokens that can be drawn: 27.').waitFor();
  await field('Top-k').fill('3');
  await panel.getByText('Tokens that can be drawn: 3.').waitFor();
  await panel.getByText('Cut off by top-k = 3').waitFor();
  const shares = await panel
    .locator('.probabilities tbody tr:not(.cut-line) td:last-child')
    .allTextContents();
  expect(shares.slice(3).every((share) => share === '–')).toBe(true);
  expect(shares.slice(0, 3).every((share) => /\d/.test(share))).toBe(true);
  await expect.poll(() => page.url()).toContain('topK=3');
});

it('shares its settings with the other way of asking, and keeps what is written', async () => {
  const component = await mountWriter('names', { beside: 'ask', hash: 'topK=3' });
  const { page, panel, field, draw, text } = component;
  const ask = page.locator('#ask');
  await ask.getByRole('button', { name: 'Length, seed and more' }).click();
  const shared = ask.getByRole('textbox', { name: 'Top-k' });
  await expect.poll(() => shared.inputValue()).toBe('3');
  await shared.fill('5');
  await panel.getByText('Tokens that can be drawn: 5.').waitFor();
  await draw();
  await draw();
  const written = await text();
  await field('Top-k').fill('4');
  await panel.getByText('Tokens that can be drawn: 4.').waitFor();
  expect(await text()).toBe(written);
  // The settings have changed since the last dice roll.
  const then = panel.getByText(
    /That was with temperature [\d.]+, top-k 5 and top-p 1; your new settings/,
  );
  await then.waitFor();
  await field('Top-k').fill('5');
  await then.waitFor({ state: 'hidden' });
});

it('makes each of its numbers a word that explains itself, behind its field for the keys', async () => {
  const { page, button, field } = await mountWriter('names');
  await field('Top-k').press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Top-k');
  for (const name of ['Temperature', 'Top-k', 'Top-p', 'Seed']) {
    await button(name).click();
    const note = page.getByRole('dialog', { name, exact: true });
    await note.getByRole('link').first().waitFor();
    await page.keyboard.press('Escape');
  }
});

it('says a mistake right below its field, and why the buttons wait for it', async () => {
  const { panel, button, field } = await mountWriter('names');
  await panel.getByText('Tokens that can be drawn: 27.').waitFor();
  const temperature = field('Temperature');
  await temperature.fill('-1');
  const mistake = panel.getByText('Temperature must be').and(panel.getByRole('status'));
  await mistake.waitFor();
  await expect.poll(() => temperature.getAttribute('aria-invalid')).toBe('true');
  expect(await mistake.getAttribute('id')).toBe(await temperature.getAttribute('aria-describedby'));
  const [box, said] = [(await temperature.boundingBox())!, (await mistake.boundingBox())!];
  expect(said.y - (box.y + box.height)).toBeGreaterThanOrEqual(0);
  expect(said.y - (box.y + box.height)).toBeLessThan(12);
  for (const name of ['Next token', 'Play']) {
    expect([name, await button(name).isDisabled()]).toEqual([name, true]);
    const why = (await button(name).getAttribute('aria-describedby'))!;
    await expect
      .poll(() => panel.locator(`#${why}`).textContent())
      .toBe('Temperature must be a number from 0 to 100.');
  }
  // Outdated numbers are drawn faint.
  const faint = panel.locator('.stale tbody td:last-child');
  await expect
    .poll(() => faint.first().evaluate((cell) => getComputedStyle(cell).opacity))
    .toBe('0.35');
  await temperature.fill('2');
  await expect.poll(() => faint.count()).toBe(0);
  await expect.poll(() => button('Next token').isEnabled()).toBe(true);
});

it('keeps the bars of the model as they are, whatever a token is drawn with', async () => {
  const { panel, field } = await mountWriter('names');
  await panel.getByText('Tokens that can be drawn: 27.').waitFor();
  const bars = panel.locator('.probabilities td:nth-child(2) .bar');
  const lengths = () =>
    bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.width));
  const before = await lengths();
  expect(Math.max(...before.map(parseFloat))).toBeGreaterThan(3);
  const shares = panel.locator('.probabilities tbody tr').first().locator('.share');
  await field('Temperature').fill('0.1');
  await expect
    .poll(async () => {
      const [says = 1, drawn = 0] = (await shares.allTextContents()).map(parseFloat);
      return drawn / says;
    })
    .toBeGreaterThan(1.05);
  expect(await lengths()).toEqual(before);
});

/** A text of one three-byte character, for a model with a context of eight. */
const FULL = { hash: `context=8&prompt=${encodeURIComponent('猫')}` };

it('names bytes in the cache by their character, over all of their positions', async () => {
  const { panel } = await mountWriter('moby', FULL);
  await panel.getByText('3 of 8 positions are filled').waitFor();
  const named = panel.locator('.cache-tokens span');
  await expect.poll(() => named.allTextContents()).toEqual(['猫']);
  expect(await named.evaluate((one) => getComputedStyle(one).gridColumnEnd)).toBe('4');
});

it('leaves a gap in the cache for a token taken back, and computes nothing else anew', async () => {
  const { panel, draw, button, status } = await mountWriter('moby', FULL);
  await draw();
  await draw();
  await panel.getByText('5 of 8 positions are filled').waitFor();
  await button('Take back').click();
  await panel.getByText('4 of 8 positions are filled').waitFor();
  await panel.getByText('1 computed for the last token').waitFor();
  await status.getByText(/^Taken back: .+\. The dice would fall the same way again/).waitFor();
  expect(await panel.locator('.context-edge').count()).toBe(0);
});

it('starts the cache over when it is full, marks that place, and says what was saved', async () => {
  const { panel, draw, status } = await mountWriter('moby', FULL);
  await panel.getByText('3 of 8 positions are filled').waitFor();
  for (let count = 0; count < 6; count++) await draw();
  await panel.getByText('The context was full.').waitFor();
  await status.getByText('The context was full: from here on the model sees only').waitFor();
  const pieces = panel.locator('.written-tokens :is(.piece, .context-edge)');
  const isEdge = await pieces.evaluateAll((all) =>
    all.map((one) => one.classList.contains('context-edge')),
  );
  expect(isEdge.indexOf(true)).toBe(isEdge.length - 1 - 4);
  await panel.getByText('The text before the amber line').waitFor();
  await panel.getByText('4 of 8 positions are filled').waitFor();
  const saved = await panel.getByText('the cache saved').textContent();
  expect(Number(/saved ([\d.]+)%/.exec(saved ?? '')?.[1])).toBeGreaterThan(20);
});

it('leads to the page about the cache', async () => {
  const { panel } = await mountWriter('names');
  const link = panel.getByRole('link', { name: 'How the KV cache works' });
  const path = /\/docs\/(en\/[\w-]+)\.html$/.exec((await link.getAttribute('href')) ?? '')?.[1];
  expect(existsSync(`web/docs/${path ?? ''}.md`)).toBe(true);
});

it('plays until it is held', async () => {
  const { button, drawn } = await mountWriter('names', { hash: 'context=8' });
  await button('Play').click();
  await expect.poll(() => drawn.count()).toBeGreaterThan(2);
  await button('Pause').click();
  await button('Play').waitFor();
});

it('goes on with newer weights after a training step', async () => {
  const { panel, oneStep, step, draw, status } = await mountWriter('names');
  await panel.getByText('Tokens that can be drawn: 27.').waitFor();
  await draw();
  await oneStep.click();
  await expect.poll(step).toBe(1);
  await draw();
  await status.getByText('with the weights of step 1').waitFor();
});

it('keeps a text while another step is looked at, and goes on with it', async () => {
  const { panel, draw, drawn, text, lookBack, button } = await mountWriter('held', {
    ...{ beside: 'past', step: 60 },
  });
  for (let count = 0; count < 3; count++) await draw();
  const written = await text();
  await lookBack.fill('37');
  await panel.getByText('The likeliest tokens at step 37.').waitFor();
  await expect.poll(() => drawn.count()).toBe(0);
  await draw();
  await lookBack.press('End');
  await expect.poll(text).toBe(written);
  await button('Take back').click();
  await expect.poll(() => drawn.count()).toBe(2);
  await draw();
  expect(await text()).toBe(written);
});

it('fits a narrow phone in Chinese, with the bars in sight of the numbers', async () => {
  const { page } = await mount('write', 'tang', {
    hash: 'lang=zh',
    viewport: { width: 360, height: 740 },
  });
  const panel = page.getByRole('tabpanel', { name: '掷骰子来写' });
  // The list shows 20 of over a thousand tokens.
  await panel.getByRole('button', { name: '最可能的 20 个' }).waitFor();
  await expect.poll(() => panel.getByRole('button', { name: /^全部/ }).count()).toBe(0);
  const number = (await panel.locator('.write-dice input').first().boundingBox())!;
  const bar = (await panel.locator('.bar').first().boundingBox())!;
  expect(bar.y - number.y).toBeLessThan(200);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

it.each([
  ['Top-p', '7', 'Top-p must be a number from 1\u202f×\u202f10⁻⁶ to 1.'],
  ['Top-k', '1.5', 'Top-k must be a whole number from 0 to 65,536.'],
])('says below the field %s of the request what cannot be, and leads there', async (...given) => {
  const [name, value, said] = given;
  const { page } = await mount('ask', 'names');
  const ask = page.locator('#ask');
  const choices = ask.getByRole('button', { name: 'Length, seed and more' });
  await choices.click();
  const field = ask.getByRole('textbox', { name });
  const usual = await field.inputValue();
  await field.fill(value);
  const [id] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
  const mistake = page.locator(`#${id ?? ''}`);
  await expect.poll(() => mistake.textContent()).toBe(said);
  const [input, line] = [(await field.boundingBox())!, (await mistake.boundingBox())!];
  expect([line.x, line.y > input.y]).toEqual([input.x, true]);
  await expect.poll(() => ask.locator('.error:visible').count()).toBe(1);
  // Requests a text with invalid choices while they are folded.
  await choices.click();
  await ask.getByRole('button', { name: 'Write', exact: true }).click();
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await field.fill(usual);
  await expect.poll(() => ask.locator('.error:visible').count()).toBe(0);
});

it('shows the word, its button and five candidates in one view of a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const mounted = await mountWriter('names', { viewport, unfold: false, beside: 'run', step: 60 });
  const { page, panel, draw, run } = mounted;
  await draw();
  const top = (one: Locator): Promise<number> => one.evaluate((e) => e.getBoundingClientRect().top);
  const bottom = (one: Locator): Promise<number> =>
    one.evaluate((e) => e.getBoundingClientRect().bottom);
  const word = panel.getByRole('group', { name: 'The text so far' });
  await word.evaluate((e) => scrollBy(0, e.getBoundingClientRect().top));
  await expect.poll(async () => Math.abs(await top(word))).toBeLessThan(1);
  // The buttons are sticky, but below the word here.
  expect(await top(mounted.button('Next token'))).toBeGreaterThanOrEqual((await bottom(word)) - 2);
  const sticky = await bottom(panel.locator('.write-line .buttons'));
  expect(await top(mounted.button('Begin again'))).toBeGreaterThanOrEqual(sticky);
  const fifth = panel.getByRole('button', { name: /^Choose / }).nth(4);
  const last = await bottom(fifth);
  expect(last).toBeLessThanOrEqual(await top(run));
  expect(await top(run)).toBeLessThan(viewport.height);
  expect(last).toBeLessThanOrEqual(page.viewportSize()!.height);
});

it('keeps one scale of the bars: half a bar is 50%', async () => {
  const { panel, draw, rest } = await mountWriter('names', { step: 60 });
  const scales = (): Promise<number[]> =>
    panel.locator('.probabilities tbody tr:not(.rest) td').evaluateAll((cells) =>
      cells
        .map((cell) => {
          const [track, bar] = ['.track', '.bar'].map((one) =>
            cell.querySelector(one)!.getBoundingClientRect(),
          );
          return [parseFloat(cell.textContent), (100 * bar!.width) / track!.width] as const;
        })
        .filter(([share]) => share >= 5)
        .map(([share, length]) => length - share),
    );
  const look = async (): Promise<void> => {
    const off = await scales();
    expect(off.length).toBeGreaterThan(0);
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(0.6);
  };
  await look();
  await draw();
  await rest();
  await look();
});
