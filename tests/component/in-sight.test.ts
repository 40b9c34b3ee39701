/** Page layout on phones and wide screens: visible parts and reachable controls. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { coveredShare, eachTab, openTab } from '../browser/driver.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

/** The page's width beyond the window, in pixels. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

it('keeps the figures of the run in one line on a phone, however large they become', async () => {
  const { page, run } = await mount('page', 'names', { viewport: { width: 390, height: 740 } });
  const height = async (): Promise<number> => (await run.boundingBox())!.height;
  const flat = await height();
  const inLine = (): Promise<string[]> =>
    run
      .locator('.fact dd')
      .evaluateAll((all) =>
        all
          .filter((one) => getComputedStyle(one).visibility === 'visible')
          .map((one) => (one as HTMLElement).dataset['part'] ?? ''),
      );
  const write = async (figures: Readonly<Record<string, string>>): Promise<void> => {
    for (const [part, text] of Object.entries(figures)) {
      await run.locator(part).evaluate((one, words) => {
        one.textContent = words;
      }, text);
    }
  };
  const [step, speed, left] = ['step', 'speed', 'left'].map((name) => `[data-part=${name}]`) as [
    ...[string, string, string],
  ];
  await write({ [step]: '9 / 60', [speed]: '13,600', [left]: 'done' });
  await expect.poll(inLine).toEqual(['step', 'loss', 'speed', 'left']);
  // The bar hides the speed first if its figures do not fit.
  await write({ [step]: '5,000 / 5,000', '.fact-loss dt': 'Loss bits/char.' });
  await expect.poll(inLine).toEqual(['step', 'loss', 'left']);
  await expect.poll(height).toBe(flat);
  await page.setViewportSize({ width: 360, height: 740 });
  const menu = run.getByRole('combobox', { name: 'Speed' });
  const full = (await menu.boundingBox())!.width;
  // Values at the end of a long run measured in bits.
  await write({ [step]: '10,000 / 10,000', [speed]: '123,400', [left]: '1:12:30' });
  // The bar hides the time left before it breaks the line.
  await expect.poll(inLine).toEqual(['step', 'loss', 'left']);
  const ends = await run
    .locator('.fact, .pace select')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  for (const end of ends) expect(end).toBeLessThanOrEqual(344.5);
  expect((await menu.boundingBox())!.width).toBeCloseTo(full, 0);
  await expect.poll(height).toBe(flat);
});

it('keeps the slider in sight in every tab on a laptop, in one row', async () => {
  const viewport = { width: 1366, height: 768 };
  const { page, run, lookBack } = await mount('page', 'names', { viewport, step: 60 });
  const box = run.locator('.run-box');
  const inWindow = async (): Promise<boolean> => {
    const { y, height } = (await lookBack.boundingBox())!;
    return y > 0 && y + height <= 768;
  };
  await eachTab(page, async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(inWindow).toBe(true);
  });
  await openTab(page, 'The model, piece by piece');
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(async () => (await box.boundingBox())!.height).toBeLessThanOrEqual(56);
  await lookBack.focus();
  await page.keyboard.press('PageDown');
  await expect.poll(() => lookBack.inputValue()).toBe('57');
  // Above, it is back in its place.
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(async () => (await box.boundingBox())!.y).toBeLessThan(300);
});

it('begins the content of every tab within half a screen on a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const { page } = await mount('page', 'names', { viewport, step: 60 });
  await eachTab(page, async () => {
    const from = await page.locator('#closer').evaluate((one) => {
      const top = one.getBoundingClientRect().top;
      return one.querySelector('[role=tabpanel]:not([hidden])')!.getBoundingClientRect().top - top;
    });
    expect(from).toBeLessThan(844 / 2);
    const tab = await page.getByRole('tab', { selected: true }).boundingBox();
    expect(tab!.x).toBeGreaterThanOrEqual(0);
    expect(tab!.x + tab!.width).toBeLessThanOrEqual(390);
  });
  expect(await sideways(page)).toBeLessThanOrEqual(0);
});

it('fits 360 to 1440 pixels after a run without scrolling sideways', async () => {
  const { page, rest } = await mount('page', 'names', { step: 60 });
  // This table is the widest element on phones once its curves are drawn.
  await page.locator('#attention').scrollIntoViewIfNeeded();
  await expect.poll(() => page.locator('#attention .spark-line[d^=M]').count()).toBe(5);
  for (const width of [360, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await rest();
    expect([width, await sideways(page)]).toEqual([width, 0]);
  }
});

it.each([
  [320, 256],
  [426, 341],
  [740, 360],
  [1280, 240],
])(
  'covers no more than a third of a window of %i × %i, as an enlarged page has',
  async (width, height) => {
    const { page } = await mount('page', 'names', { step: 60, viewport: { width, height } });
    expect(await coveredShare(page)).toBeLessThan(1 / 3);
  },
);

it('has the whole label of the large button in a page enlarged to 400 %', async () => {
  const viewport = { width: 305, height: 256 };
  const { page, run, train } = await mount('page', 'names', { viewport });
  const spare = (): Promise<number> =>
    run.locator('[data-control=main]').evaluate((button) => {
      const label = button.lastElementChild!.getBoundingClientRect();
      const box = button.getBoundingClientRect();
      return Math.min(label.left - box.left, box.right - label.right);
    });
  expect(await spare()).toBeGreaterThan(0);
  await train(20);
  await page.getByRole('button', { name: 'Continue', exact: true }).waitFor();
  expect(await spare()).toBeGreaterThan(0);
});

it.each(['en', 'zh'])('has the whole hint in the empty prompt on a phone: %s', async (lang) => {
  const viewport = { width: 320, height: 600 };
  const { page } = await mount('ask', 'names', { hash: `lang=${lang}`, viewport });
  const prompt = page.locator('#ask input[placeholder]');
  const cut = await prompt.evaluate((field: HTMLInputElement) => {
    field.value = field.placeholder;
    return field.scrollWidth - field.clientWidth;
  });
  expect(cut).toBe(0);
});

it.each([360, 1280])(
  'sets no label of “Compare the presets” under its control at %i pixels',
  async (width) => {
    const { page } = await mount('model-parts', 'names', { viewport: { width, height: 740 } });
    const fields = page.locator('.choices-table .field:visible');
    await expect.poll(() => fields.count()).toBeGreaterThan(10);
    const covered = await fields.evaluateAll((all) =>
      all.flatMap((field) => {
        const label = document.createRange();
        label.selectNodeContents(field.querySelector('label')!);
        const { right } = label.getBoundingClientRect();
        const { left } = field.querySelector('.ask-help')!.getBoundingClientRect();
        return right > left ? [field.textContent] : [];
      }),
    );
    expect(covered).toEqual([]);
  },
);

it('has all tabs in sight on a tablet, and none wider than the page', async () => {
  const width = 1024;
  const { page } = await mount('page', 'names', { viewport: { width, height: 800 } });
  const rights: number[] = [];
  await eachTab(page, async () => {
    const all = page.getByRole('tab');
    rights.push(
      await all.evaluateAll((tabs) =>
        Math.max(...tabs.map((tab) => tab.getBoundingClientRect().right)),
      ),
    );
    expect(await sideways(page)).toBe(0);
  });
  expect(rights).toHaveLength(13);
  for (const right of rights) expect(right).toBeLessThanOrEqual(width);
});

it.each([1440, 390])('keeps the tabs under the pointer at %i pixels', async (width) => {
  const { page, rest } = await mount('page', 'names', {
    hash: 'view=merges',
    viewport: { width, height: 800 },
  });
  const tabs = page.locator('#closer [role=tab]:visible');
  await page.locator('#closer .tabs').evaluate((row) => {
    row.scrollIntoView({ block: 'start', behavior: 'instant' });
    scrollBy({ top: -100, behavior: 'instant' });
  });
  const places = (): Promise<string[]> =>
    tabs.evaluateAll((all) =>
      all.map((tab) => {
        const { left, top } = tab.getBoundingClientRect();
        // On a phone the row of tabs scrolls sideways.
        return `${tab.textContent} ${innerWidth < 500 ? '' : left.toFixed(0)} ${top.toFixed(0)}`;
      }),
    );
  const before = await places();
  // Includes panels created on this visit, and panels shorter than the previous one.
  for (const at of [2, 3, 1, 0, 3]) {
    await tabs.nth(at).evaluate((tab: HTMLElement) => {
      tab.click();
    });
    await rest();
    await expect.poll(places).toEqual(before);
  }
});

it('hides a tab that was left from keys and screen readers', async () => {
  const { page } = await mount('page', 'names');
  for (const name of ['Write with dice', 'Twins', 'Attention', 'Twins']) {
    await openTab(page, name);
    await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
  }
  const panels = await page.locator('#closer').ariaSnapshot();
  expect(panels.match(/tabpanel/g)).toEqual(['tabpanel']);
  await page.getByRole('tab', { name: 'Twins' }).focus();
  await page.keyboard.press('Tab');
  const panel = page.getByRole('tabpanel', { name: 'Twins' });
  expect(await panel.evaluate((one) => one.contains(document.activeElement))).toBe(true);
});

it('asks for a rest of training while another tab is drawn', async () => {
  const { page, start } = await mount('page', 'names', { stepwise: true });
  const rests = (): Promise<unknown[]> =>
    page.evaluate(() =>
      window.stage
        .trainers!.control.calls.splice(0)
        .filter(([method]) => method === 'rest')
        .map(([, time]) => time),
    );
  await start.click();
  await rests();
  for (const name of ['Share', 'Twins', 'Share']) {
    await openTab(page, name);
    // A newly created panel makes the page ask for a second rest; the test reads the first.
    const [first] = await rests();
    expect([name, Number(first) >= 200]).toEqual([name, true]);
  }
});

it.each([
  ['a phone', 390],
  ['a wide screen', 1280],
])('covers no control that has the focus on %s', async (_, width) => {
  const { page } = await mount('page', 'names', { viewport: { width, height: 700 } });
  /** The focused element, and whether the run bar or a window edge hides it. */
  const focused = (): Promise<{ name: string; hidden: boolean }> =>
    page.evaluate(() => {
      const one = document.activeElement ?? document.body;
      const bar = document.querySelector('#run')!;
      if (one === document.body) return { name: '', hidden: false };
      const [at, over] = [one.getBoundingClientRect(), bar.getBoundingClientRect()];
      // An element taller than 80 px may extend below the run bar; a control may not.
      const shown = at.height > 80 ? at.top : at.bottom;
      const below = shown > over.top && at.top < over.bottom;
      const beside = at.right <= over.left || at.left >= over.right;
      const outside = shown > innerHeight || at.bottom < 0;
      return {
        name: `${one.tagName} ${one.id} ${one.textContent.slice(0, 20)}`,
        hidden: !bar.contains(one) && ((below && !beside) || outside),
      };
    });
  const covered: string[] = [];
  for (const direction of ['Tab', 'Shift+Tab']) {
    const seen = new Set<string>();
    for (let press = 0; press < 70; press++) {
      await page.keyboard.press(direction);
      const { name, hidden } = await focused();
      if (hidden) covered.push(`${direction}: ${name}`);
      seen.add(name);
    }
    // Over 40 controls means that Tab reached the tabs at the end of the page.
    expect(seen.size).toBeGreaterThan(40);
  }
  expect(covered).toEqual([]);
});

it('leads from the end of a long tab back to the tabs on a phone', async () => {
  const { page } = await mount('page', 'names', {
    hash: 'view=model-parts',
    viewport: { width: 390, height: 700 },
  });
  const back = page.getByRole('button', { name: 'Back to the tabs' });
  await back.click();
  const tab = page.getByRole('tab', { name: 'The model, piece by piece' });
  await expect.poll(() => tab.evaluate((one) => one === document.activeElement)).toBe(true);
  const [box, bar] = [(await tab.boundingBox())!, (await page.locator('#run').boundingBox())!];
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
  await page.setViewportSize({ width: 1280, height: 700 });
  await expect.poll(() => back.count()).toBe(0);
});

it.each([
  ['en', 'Auto light/dark'],
  ['zh', '跟随系统'],
])('names the choice of colours in %s, beside the title on a phone', async (lang, text) => {
  const { page } = await mount('page', 'names', {
    hash: `lang=${lang}`,
    viewport: { width: 390, height: 800 },
  });
  const theme = page.locator('#theme');
  expect(await theme.locator('option').first().textContent()).toBe(text);
  const [title, box] = [await page.locator('h1').boundingBox(), await theme.boundingBox()];
  expect(box!.y).toBeLessThan(title!.y + title!.height);
  expect(box!.x + box!.width).toBeLessThanOrEqual(390);
});

it('shows another text from its beginning', async () => {
  const { page, text } = await mount('text', 'names');
  const scrolled = (): Promise<number> => text.evaluate((area) => area.scrollTop);
  await text.evaluate((area) => {
    area.scrollTop = 500;
  });
  expect(await scrolled()).toBe(500);
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await expect.poll(() => text.inputValue()).toContain('Ishmael');
  expect(await scrolled()).toBe(0);
});

it('scrolls to what the model writes when a run starts on a phone', async () => {
  const { page, start } = await mount('page', 'names', {
    viewport: { width: 390, height: 740 },
    stepwise: true,
  });
  const top = (): Promise<number> =>
    page.locator('#samples').evaluate((section) => section.getBoundingClientRect().top);
  expect(await top()).toBeGreaterThan(500);
  await start.click();
  await expect.poll(async () => Math.abs(await top()) < 40).toBe(true);
});

it('keeps what is looked at in its place while a run goes on', async () => {
  const { page, advance } = await mount('page', 'names', {
    viewport: { width: 390, height: 740 },
    step: 10,
  });
  const attention = page.locator('#attention');
  await attention.evaluate((section) => {
    section.scrollIntoView({ block: 'start', behavior: 'instant' });
  });
  const top = (): Promise<number> =>
    attention.evaluate((section) => section.getBoundingClientRect().top);
  const before = await top();
  await page.evaluate(() => {
    window.stage.trainers!.control.stepwise = true;
  });
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await advance(60);
  expect(await top()).toBeCloseTo(before, 0);
});

it('offers the size of the vocabulary only for word pieces', async () => {
  const { page } = await mount('page', 'names', { hash: 'view=model-parts' });
  const field = page.locator('#settings [data-option=vocabulary]');
  const row = page.locator('.choices-table [data-option=vocabulary]');
  await page.locator('#settings .more .fold').first().click();
  expect([await field.isVisible(), await row.isVisible()]).toEqual([false, false]);
  await page.locator('#settings [data-option=tokenizer] select').selectOption('Word pieces (BPE)');
  await field.waitFor();
  await row.waitFor();
});

it('cuts long samples at an ellipsis, until all of them are asked for', async () => {
  const { page } = await mount('page', 'moby', {
    step: 60,
    viewport: { width: 360, height: 844 },
  });
  const samples = page.locator('#samples');
  const texts = samples.locator('.samples .one .written');
  const cut = (): Promise<boolean> =>
    texts.evaluateAll((all) => all.some((one) => one.scrollHeight > one.clientHeight + 2));
  await expect.poll(cut).toBe(true);
  expect(await texts.nth(1).evaluate((one) => getComputedStyle(one).webkitLineClamp)).toBe('1');
  await samples.getByRole('button', { name: /^Show all/ }).click();
  await expect.poll(cut).toBe(false);
  await samples.getByRole('button', { name: /^Show fewer/ }).click();
  await expect.poll(cut).toBe(true);
});

it('shows the words of the run buttons on a phone', async () => {
  const { page } = await mount('page', 'names', { viewport: { width: 360, height: 640 } });
  for (const name of ['One step', 'Rewind', 'New seed']) {
    const box = await page.locator('#run .button-text', { hasText: name }).boundingBox();
    expect([name, (box?.width ?? 0) > 20]).toEqual([name, true]);
  }
  expect(await sideways(page)).toBe(0);
});
