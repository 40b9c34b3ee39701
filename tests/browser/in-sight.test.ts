/** What is in sight and within reach, from the smallest phone to a wide screen. */
import { expect, it } from 'vitest';
import { eachTab, eventually, openTab } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();

it('keeps figures in one line on a phone, however large they become', async () => {
  const { page, run } = await site({ options: { viewport: { width: 390, height: 740 } } });
  const height = async (): Promise<number> => (await run.boundingBox())!.height;
  const flat = await height();
  /** The figures that stand in the line, and where it is seen that one does not. */
  const inLine = (): Promise<string[]> =>
    run
      .locator('.fact dd')
      .evaluateAll((all) =>
        all
          .filter((one) => getComputedStyle(one).visibility === 'visible')
          .map((one) => (one as HTMLElement).dataset['part'] ?? ''),
      );
  const write = async (figures: readonly (readonly [string, string])[]): Promise<void> => {
    for (const [part, text] of figures) {
      await run.locator(part).evaluate((one, words) => {
        one.textContent = words;
      }, text);
    }
  };
  /** Written until it stays: the page may still have something to say of its own. */
  const lineOf = (step: string, unit: string): Promise<string[]> =>
    write([
      ['[data-part=step]', step],
      ['.fact-unit', unit],
      ['[data-part=speed]', '13,600'],
      ['[data-part=left]', 'done'],
    ]).then(inLine);
  await expect.poll(() => lineOf('9 / 60', 'nats')).toEqual(['step', 'loss', 'speed', 'left']);
  // Of figures that are too large together, the speed goes first.
  await expect.poll(() => lineOf('5,000 / 5,000', 'bits/char.')).toEqual(['step', 'loss', 'left']);
  await expect.poll(() => height()).toBe(flat);
  await page.setViewportSize({ width: 360, height: 740 });
  const ends = async (): Promise<number[]> =>
    run
      .locator('.fact, .pace select')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  const full = await run.getByRole('combobox', { name: 'Speed' }).boundingBox();
  // As a long run ends that is measured in bits.
  await write([
    ['[data-part=step]', '10,000 / 10,000'],
    ['[data-part=speed]', '123,400'],
    ['[data-part=left]', '1:12:30'],
  ]);
  for (const end of await ends()) expect(end).toBeLessThanOrEqual(344.5);
  const menu = await run.getByRole('combobox', { name: 'Speed' }).boundingBox();
  expect(menu?.width).toBeCloseTo(full?.width ?? NaN, 0);
  // The last of them goes before the line breaks.
  await eventually(inLine, (parts) => parts.join() === 'step,loss,left');
  await expect.poll(() => height()).toBe(flat);
});

it.each([360, 390, 768, 1024, 1440])('fits %i pixels without scrolling sideways', async (width) => {
  const driven = await site({ options: { viewport: { width, height: 800 } } });
  const attention = driven.page.locator('#attention');
  await driven.start.click();
  await eventually(driven.step, (step) => step > 50);
  // The widest thing on phones is this table, once it has a course to draw. What is out of
  // sight stands still, and what stands above it may have grown since the last look.
  await eventually(
    async () => {
      await attention.evaluate((section) => {
        section.scrollIntoView();
      });
      return await attention.locator('.spark-line[d^=M]').count();
    },
    (courses) => courses > 3,
  );
  const over = await driven.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
});

it.each([1024, 390])('all tabs are, without scrolling sideways, at %i pixels', async (width) => {
  const { page } = await site({ options: { viewport: { width, height: 800 }, hasTouch: true } });
  let seen = 0;
  await eachTab(page, async () => {
    seen += 1;
    const right = await page
      .getByRole('tab')
      .evaluateAll((all) => Math.max(...all.map((tab) => tab.getBoundingClientRect().right)));
    expect(right).toBeLessThanOrEqual(width);
  });
  expect(seen).toBe(12);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(width);
});

it.each([1440, 390])('the tabs stay under the pointer, %i pixels wide', async (width) => {
  const { page } = await site({
    hash: 'view=merges',
    options: { viewport: { width, height: 800 } },
  });
  const tabs = page.locator('#closer [role=tab]:visible');
  await tabs.last().waitFor();
  // What comes last above the tabs, and in the tab that is open.
  await page.locator('#attention .head-grid').waitFor();
  await page.getByText('This model reads bytes or characters.').waitFor();
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
  await page.locator('#closer .tabs').evaluate((row) => {
    row.scrollIntoView({ block: 'start', behavior: 'instant' });
    scrollBy({ top: -100, behavior: 'instant' });
  });
  const places = (): Promise<string[]> =>
    tabs.evaluateAll((all) =>
      all.map((tab) => {
        const { left, top } = tab.getBoundingClientRect();
        return `${tab.textContent} ${left.toFixed(0)} ${top.toFixed(0)}`;
      }),
    );
  const before = await places();
  // Among them panels that are there for the first time, and shorter than the last.
  for (const at of [2, 3, 1, 0, 3]) {
    await tabs.nth(at).evaluate((tab: HTMLElement) => {
      tab.click();
    });
    await page.waitForTimeout(250);
    await expect.poll(() => places()).toEqual(before);
  }
});

it('a tab that was left is not there for keys and screen readers', async () => {
  const { page } = await site();
  for (const name of ['Write step by step', 'Twins', 'Attention', 'Twins']) {
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

// What a rest does to a run is tested where trainers are; a page that draws late would show it as
// shorter.
it('asks for a rest of training while another tab is drawn', async () => {
  const { page, start } = await site({
    hash: 'steps=100000',
    before: (page) =>
      page.addInitScript(() => {
        const rests: unknown[] = [];
        Object.assign(globalThis, { rests });
        const post = Reflect.get(Worker.prototype, 'postMessage') as () => void;
        Worker.prototype.postMessage = function (...args: unknown[]) {
          const [message] = args as [{ method?: string; args?: unknown[] }];
          if (message.method === 'rest') rests.push(message.args?.[0]);
          Reflect.apply(post, this, args);
        };
      }),
  });
  const rests = (): Promise<number[]> =>
    page.evaluate(() => (globalThis as unknown as { rests: number[] }).rests.splice(0));
  await start.click();
  await page.locator('#run[data-state="running"]').waitFor({ state: 'attached' });
  await rests();
  for (const name of ['Share', 'Twins', 'Share']) {
    await openTab(page, name);
    await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
    // A second time when a panel has just been made.
    const [first] = await rests();
    expect(first, name).toBeGreaterThanOrEqual(200);
  }
});

it.each([
  ['a phone', 390],
  ['a wide screen', 1280],
])('never covers what has the focus on %s', async (_, width) => {
  const driven = await site({ options: { viewport: { width, height: 700 } } });
  const { page } = driven;
  await page.locator('#closer .door').first().waitFor({ state: 'attached' });
  const covered: string[] = [];
  for (const direction of ['Tab', 'Shift+Tab']) {
    const seen = new Set<string>();
    for (let press = 0; press < 70; press++) {
      await page.keyboard.press(direction);
      const { name, hidden } = await page.evaluate(() => {
        const focused = document.activeElement;
        const strip = document.querySelector('#run');
        if (focused === null || focused === document.body || strip === null) {
          return { name: '', hidden: false };
        }
        const at = focused.getBoundingClientRect();
        const over = strip.getBoundingClientRect();
        // Larger than a line, some of it may lie below the strip; of a control nothing may.
        const shown = at.height > 80 ? at.top : at.bottom;
        const below = shown > over.top && at.top < over.bottom;
        const beside = at.right <= over.left || at.left >= over.right;
        const outside = shown > innerHeight || at.bottom < 0;
        return {
          name: `${focused.tagName} ${focused.id} ${focused.textContent.slice(0, 20)}`,
          hidden: !strip.contains(focused) && ((below && !beside) || outside),
        };
      });
      if (hidden) covered.push(`${direction}: ${name}`);
      seen.add(name);
    }
    // The tabs at the end of the page were reached, or the way back from there.
    expect(seen.size).toBeGreaterThan(40);
  }
  expect(covered).toEqual([]);
});

it('keeps the buttons for writing in sight of the dice on a phone, and nothing under them', async () => {
  const driven = await site({
    hash: 'view=write',
    options: { viewport: { width: 360, height: 640 }, hasTouch: true },
  });
  const { page } = driven;
  const panel = page.getByRole('tabpanel', { name: 'Write step by step' });
  await eventually(
    async () => {
      await page.locator('#closer').evaluate((section) => {
        section.scrollIntoView();
      });
      return panel.getByText('can be drawn').isVisible();
    },
    (seen) => seen,
  );
  const row = panel.locator('.write-line .buttons');
  const dice = panel.locator('.dice-line');
  await dice.evaluate((line) => {
    line.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  const place = async (): Promise<number> => (await dice.boundingBox())!.y;
  const before = await place();
  const next = (await panel.getByRole('button', { name: 'Next token' }).boundingBox())!;
  await page.touchscreen.tap(next.x + next.width / 2, next.y + next.height / 2);
  await panel.getByText('The dice showed').waitFor();
  // Less than a pixel is nothing to see.
  expect(Math.abs((await place()) - before)).toBeLessThan(1);
  // In one line, so that they leave the screen to what is read.
  expect((await row.boundingBox())!.height).toBeLessThan(60);
  const lines = await row.getByRole('button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const words = document.createRange();
      words.selectNodeContents(button.lastElementChild ?? button);
      return new Set(Array.from(words.getClientRects(), ({ top }) => Math.round(top))).size;
    }),
  );
  expect(lines).toEqual([1, 1, 1]);

  /** What has the focus, and whether the row lies over some of it. */
  const focused = (): Promise<{ name: string; covered: boolean }> =>
    row.evaluate((buttons) => {
      const one = document.activeElement ?? document.body;
      const [at, over] = [one.getBoundingClientRect(), buttons.getBoundingClientRect()];
      const apart = !buttons.contains(one) && !one.contains(buttons);
      const covered = at.top < over.bottom && at.bottom > over.top && apart;
      const name = `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent}`;
      return { name, covered };
    });
  const covered: string[] = [];
  await panel.getByRole('link', { name: 'How the KV cache works' }).focus();
  const seen = new Set<string>();
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Shift+Tab');
    const one = await focused();
    seen.add(one.name);
    if (one.covered) covered.push(one.name);
  }
  // Back past the candidates, the fields and the row itself.
  expect(
    [...seen].filter((name) => /Put |Temperature|Next token/.test(name)).length,
  ).toBeGreaterThan(5);
  expect(covered).toEqual([]);
});

it('has a way back from the end of a long tab to the tabs on a phone', async () => {
  const driven = await site({
    hash: 'steps=20&view=model-parts',
    options: { viewport: { width: 390, height: 700 } },
  });
  const { page } = driven;
  await page.locator('.architecture .part').first().waitFor();
  await page.getByRole('button', { name: 'Back to the tabs' }).click();
  const tab = page.getByRole('tab', { name: 'The model, piece by piece' });
  await expect.poll(() => tab.evaluate((one) => one === document.activeElement)).toBe(true);
  const box = (await tab.boundingBox())!;
  const strip = (await page.locator('#run').boundingBox())!;
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(strip.y);
  await page.setViewportSize({ width: 1280, height: 700 });
  await expect.poll(() => page.getByRole('button', { name: 'Back to the tabs' }).count()).toBe(0);
});

it('leaves a slider as it is that a finger only passes on its way down the page', async () => {
  const driven = await site({
    hash: 'steps=20',
    options: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
  });
  const { page } = driven;
  // What comes above it once Start can be pressed is there.
  await page.getByText('Nothing to fix.').waitFor();
  await page.locator('#closer .door').first().waitFor();
  const slider = page.getByRole('slider', { name: 'Smoothing' });
  await slider.evaluate((element) => {
    scrollBy(0, element.getBoundingClientRect().top - 400);
  });
  const before = await slider.inputValue();
  const { x, y, width, height } = (await slider.boundingBox())!;
  const finger = await page.context().newCDPSession(page);
  const at = (up: number) => [{ x: x + width * 0.95, y: y + height / 2 - up }];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: ReturnType<typeof at>) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  const from = await page.evaluate(() => scrollY);
  await touch('touchStart', at(0));
  for (let up = 20; up <= 200; up += 20) await touch('touchMove', at(up));
  await touch('touchEnd', []);
  await eventually(
    () => page.evaluate(() => scrollY),
    (now) => now > from + 100,
  );
  await expect.poll(() => slider.inputValue()).toBe(before);
  // A tap moves it, once it stands still: what comes above it late moves it without scrolling, and
  // a finger that was quick lets the page glide on.
  const tapped = () =>
    slider.evaluate(async (element, part) => {
      const place = () => element.getBoundingClientRect();
      if (place().top < 0) scrollBy(0, place().top - 400);
      const { left, top, width, height } = place();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const [atX, atY] = [left + width * part, top + height / 2];
      const there = document.elementFromPoint(atX, atY);
      return { atX, atY, isStill: place().top === top && there === element };
    }, 0.95);
  const { atX, atY } = await eventually(tapped, ({ isStill }) => isStill);
  await page.touchscreen.tap(atX, atY);
  await eventually(
    () => slider.inputValue(),
    (value) => value !== before,
  );
});

it.each([
  ['en', 'Auto light/dark'],
  ['zh', '自动深浅色'],
])('the choice of colours says in %s that it is one of light and dark', async (lang, text) => {
  const width = 390;
  const { page } = await site({
    hash: `lang=${lang}`,
    options: { viewport: { width, height: 800 } },
  });
  const theme = page.locator('#theme');
  await expect.poll(() => theme.locator('option').first().textContent()).toBe(text);
  // Beside the title on a phone, too.
  const [title, box] = [await page.locator('h1').boundingBox(), await theme.boundingBox()];
  expect(box!.y).toBeLessThan(title!.y + title!.height);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
});

it('another text is, from its beginning', async () => {
  const { page, text } = await site();
  await text.evaluate((area) => {
    area.scrollTop = 500;
  });
  await expect.poll(() => text.evaluate((area) => area.scrollTop)).toBe(500);
  await page.getByRole('radio', { name: 'Moby-Dick' }).check();
  await eventually(
    () => text.inputValue(),
    (value) => value.includes('Ishmael'),
  );
  await expect.poll(() => text.evaluate((area) => area.scrollTop)).toBe(0);
});

it('what it writes is once a run starts on a phone, and what is looked at stays', async () => {
  const options = { viewport: { width: 390, height: 740 }, hasTouch: true };
  const driven = await site({ hash: 'steps=2000&pace=300', options });
  const { page } = driven;
  const top = (id: string): Promise<number> =>
    page.locator(id).evaluate((section) => section.getBoundingClientRect().top);
  expect(await top('#samples')).toBeGreaterThan(500);
  await driven.start.click();
  await eventually(
    () => top('#samples'),
    (at) => Math.abs(at) < 40,
  );
  // Attention that nobody saw can still be looked back at, from the very beginning.
  await driven.pause.click();
  await driven.reach('paused');
  await page.locator('#attention').scrollIntoViewIfNeeded();
  await expect.poll(() => driven.lookBack.isEnabled()).toBe(true);
  await page.locator('#attention').evaluate((section) => {
    section.scrollIntoView({ block: 'start', behavior: 'instant' });
  });
  const stays = await top('#attention');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await eventually(driven.step, (step) => step > 100);
  expect(await top('#attention')).toBeCloseTo(stays, 0);
});

it('offers the size of the vocabulary only where it means something', async () => {
  const { page } = await site({ hash: 'view=model-parts' });
  const field = page.locator('#settings [data-option=vocabulary]');
  const row = page.locator('.choices-table [data-option=vocabulary]');
  await row.waitFor({ state: 'attached' });
  await page.locator('#settings .more .fold').first().click();
  expect([await field.isVisible(), await row.isVisible()]).toEqual([false, false]);
  await page.locator('#settings [data-option=tokenizer] select').selectOption('Word pieces (BPE)');
  await field.waitFor();
  await row.waitFor();
});

it('shows the beginning of long samples, and says by an ellipsis and on request that there is more', async () => {
  const driven = await site({ hash: 'text=moby&steps=60&layers=1' });
  const { page } = driven;
  await driven.start.click();
  await driven.reach('finished');
  const texts = page.locator('.samples .one .written');
  const cut = (): Promise<boolean> =>
    texts.evaluateAll((all) => all.some((one) => one.scrollHeight > one.clientHeight + 2));
  await page.setViewportSize({ width: 360, height: 844 });
  await expect.poll(cut).toBe(true);
  expect(await texts.nth(1).evaluate((one) => getComputedStyle(one).webkitLineClamp)).toBe('1');
  await page
    .locator('#samples')
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect.poll(cut).toBe(false);
  await page
    .locator('#samples')
    .getByRole('button', { name: /^Show fewer/ })
    .click();
  await expect.poll(cut).toBe(true);
});
