/** Tests that each lesson on the teachers' page opens and gives its documented receipts. */
import { expect, test } from 'vitest';
import { isLong } from '../long.ts';
import { eventually } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const openSite = useSites();

const LANGS = {
  en: {
    start: 'Start',
    step: 'One step',
    pause: 'Pause',
    option: 'Heads',
    other: 'Check another receipt: paste its short line or the full JSON',
    same: /^Equal/,
  },
  zh: {
    start: '开始',
    step: '走一步',
    pause: '暂停',
    option: '头数',
    other: '核对另一份凭据：粘贴短凭据或完整的 JSON',
    same: /^相同/,
  },
};

interface Lesson {
  readonly url: string;
  readonly receipts: readonly string[];
  readonly names: readonly string[];
}

/** Reads the lessons: each is a link to the frame, followed by a list of steps with receipts. */
async function lessonsIn(lang: string): Promise<Lesson[]> {
  const teachers = await openSite({ url: siteUrl(`docs/${lang}/teaching.html`), state: '' });
  return teachers.page.locator('a[href*="embed.html#"]').evaluateAll((links) =>
    links.map((link) => {
      const steps = link.closest('p')!.nextElementSibling!;
      const lines = (css: string): string[] =>
        Array.from(steps.querySelectorAll(css), (part) => part.textContent);
      return {
        url: (link as HTMLAnchorElement).href,
        receipts: lines('code').filter((line) => line.startsWith('gh1-')),
        names: lines('em'),
      };
    }),
  );
}

/** Returns the parts of a receipt that do not depend on the step: preset, seed and recipe hash. */
function recipeOf(line: string): readonly (string | undefined)[] {
  const [, preset, seed, , recipe] = line.split('-');
  return [preset, seed, recipe];
}

/**
 * True for microgpt runs below 1,000 steps. Longer runs and larger models stop early here and
 * compare only the recipe; tests/lessons.test.ts trains them fully. `make lessons` runs all of them
 * to the end in the browser.
 */
const isShort = (line: string): boolean =>
  process.env['LESSONS'] === 'all' || /^gh1-microgpt-s\d+-\d{1,3}-/.test(line);

/** The short run tests the first English lesson; tests/lessons.test.ts covers all lessons. */
const isAll = isLong || process.env['LESSONS'] === 'all';

test.each(Object.entries(LANGS).slice(0, isAll ? 2 : 1))(
  `${isAll ? 'every' : 'the first'} lesson gives the receipts that it names: %s`,
  { timeout: 300_000 },
  async (lang, words) => {
    const lessons = await lessonsIn(lang);
    expect(lessons.map(({ receipts }) => receipts.length)).toEqual([
      1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ]);
    for (const { url, receipts, names } of isAll ? lessons : lessons.slice(0, 1)) {
      // Lessons with a `stop` parameter start by themselves.
      const goes = url.includes('&stop=');
      const { page, problems } = await openSite(goes ? { url, state: '' } : { url });
      // The task is displayed above the panels.
      const task = new URLSearchParams(new URL(url).hash.slice(1)).get('task') ?? '';
      expect(task.split('\n\n').length).toBeGreaterThan(3);
      for (const part of task.split('\n\n')) await page.getByText(part).waitFor();
      const press = (name: string): Promise<void> =>
        page.getByRole('button', { name, exact: true }).click();
      const line = (before: string): Promise<string> =>
        eventually(
          async () => (await page.locator('[data-part=receipt]').textContent()) ?? '',
          (shown) => shown.startsWith('gh1-') && shown !== before,
          // The longest run has 2,000 steps.
          120_000,
        );
      const [first = '', second] = receipts;
      // A single step suffices to compare the recipe of a long run.
      if (!goes) await press(isShort(first) ? words.start : words.step);
      const own = await line('');
      expect(recipeOf(own)).toEqual(recipeOf(first));
      if (goes || isShort(first)) {
        expect(own).toBe(first);
        await page.getByRole('textbox', { name: words.other }).fill(own);
        await page.getByText(words.same).waitFor();
      }
      if (second !== undefined) {
        // The second receipt needs another option value; the step names the option and the button.
        await page.getByLabel(words.option, { exact: true }).fill('1');
        await press(names[names.indexOf(words.option) + 1] ?? '');
        if (!isShort(second)) await press(words.pause);
        const other = await line(own);
        expect(recipeOf(other)).toEqual(recipeOf(second));
        if (isShort(second)) expect(other).toBe(second);
      }
      expect(problems).toEqual([]);
    }
  },
);

test.runIf(isAll)(
  'the lesson on memorising leads from the curve to text that it never saw, and to what it wrote',
  { timeout: 180_000 },
  async () => {
    const teachers = await openSite({ url: siteUrl('docs/en/teaching.html'), state: '' });
    const link = teachers.page.locator('a[href*="packed="]').first();
    const url = await link.evaluate((one) => (one as HTMLAnchorElement).href);
    const said = await link
      .locator('xpath=ancestor::p/following-sibling::ol[1]')
      .locator('strong')
      .allTextContents();
    const [, step, unseen, wrote] = said.map((one) => one.replace(' nats', ''));
    const { page, reach, problems } = await openSite({ url });
    // The link sets the name of the text.
    await page.getByRole('radio', { name: 'A hundred proverbs' }).waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await reach('finished', 150_000);
    await page.getByText(`From about step ${step!} on it gets worse`).waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    const mean = page.locator('.token-facts dd').first();
    await expect.poll(() => mean.textContent()).toBe(`${unseen!} nats`);
    await page.getByRole('button', { name: 'What it wrote' }).click();
    await expect.poll(() => mean.textContent()).toBe(`${wrote!} nats`);
    expect(problems).toEqual([]);
  },
);

test.each([
  [360, 640],
  [1366, 768],
])(
  'who scrolls past the task of a lesson has a part of it in sight: %i by %i pixels',
  async (width, height) => {
    const parts = ['1. Press Start.', '2. Read the loss.', '3. Say why.'];
    const { page, problems } = await openSite({
      url: siteUrl(`embed.html#steps=20&task=${encodeURIComponent(parts.join('\n\n'))}`),
      options: { viewport: { width, height } },
    });
    const seen = (): Promise<string[]> =>
      page.locator('.task p').evaluateAll((all) =>
        all.flatMap((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return bottom > top && top >= 0 && bottom <= innerHeight ? [one.textContent] : [];
        }),
      );
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    expect(await seen()).toEqual(parts);
    // On phones, Start scrolls to the samples, below the task.
    await start.click();
    await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    // The scroll is animated, so each poll scrolls up again.
    const up = (): Promise<void> => page.evaluate(() => { scrollTo(0, 0); }); // prettier-ignore
    await expect.poll(() => up().then(seen)).toEqual(parts);
    const down = (): Promise<void> => page.evaluate(() => { scrollTo(0, 800); }); // prettier-ignore
    await expect.poll(() => down().then(seen)).toEqual([parts[0]]);
    await page.getByRole('button', { name: 'Next part of the task' }).click();
    expect(await seen()).toEqual([parts[1]]);
    // The task does not overlap the run bar, and both together leave most of the window free.
    const covered = await page.locator('.task-text').evaluate((one) => {
      const bar = one.getBoundingClientRect();
      const runBar = document.getElementById('run')!.getBoundingClientRect();
      return { gap: runBar.top - bar.bottom, share: (bar.height + runBar.height) / innerHeight };
    });
    expect(covered.gap).toBeGreaterThanOrEqual(0);
    expect(covered.share).toBeLessThan(0.5);
    await expect.poll(() => up().then(seen)).toEqual(parts);
    expect(problems).toEqual([]);
  },
);
