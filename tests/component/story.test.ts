/** The story: how the model works, in five pictures of the run. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { useComponents } from './mount.ts';
import type { MountOptions } from './mount.ts';

const mount = useComponents();

/** Mounts the tab and returns its pictures by name. */
async function mountStory(options: MountOptions = {}, beside: readonly string[] = []) {
  const component = await mount(['story', ...beside], 'small', {
    viewport: { width: 1280, height: 2400 },
    ...options,
    hash: 'lr=0.03',
  });
  const tab = component.page.locator('.tab-story');
  const picture = (name: string): Locator => tab.locator(`[data-part=story-${name}]`);
  const tokens = (name: string): Promise<string[]> =>
    picture(name).locator('.story-tokens li').allInnerTexts();
  /** Chance of the token that came next, in percent. */
  const chance = async (name: string): Promise<number> => {
    const row = picture(name).locator('tr.marked');
    return Number.parseFloat(await row.locator('.share').innerText());
  };
  return Object.assign(component, { tab, picture, tokens, chance });
}

it('shows all but what the run learns before its first step, and asks to start it for that', async () => {
  const { picture, tokens } = await mountStory();
  await expect.poll(async () => (await tokens('numbers')).length).toBeGreaterThan(4);
  await picture('look').getByText('of its attention to').waitFor();
  await picture('guess').getByText('at step 0').waitFor();
  await picture('learn').getByText('Press “Start”').waitFor();
  await expect.poll(async () => (await tokens('write')).length).toBeGreaterThan(1);
});

it('shows that the token that came next has become likelier, at one place of the text', async () => {
  const { picture, chance } = await mountStory({ step: 60 });
  await picture('learn').getByText('at step 60').waitFor();
  await picture('guess').getByText('at step 0').waitFor();
  const names = await Promise.all(
    ['guess', 'learn'].map(async (name) => [
      (await picture(name).locator('caption').innerText()).split(',')[0],
      await picture(name).locator('tr.marked .token').innerText(),
    ]),
  );
  expect(names[0]).toEqual(names[1]);
  expect(await chance('learn')).toBeGreaterThan(2 * (await chance('guess')));
});

it('numbers the tokens of the text, and names the strongest attention among those before', async () => {
  const { picture, tokens } = await mountStory({ step: 60 });
  await expect.poll(() => tokens('numbers')).toContain('a\n0');
  const look = picture('look');
  const text = await look.getByText('of its attention to').innerText();
  const [, from, share, to] = /^(.+) gives (\d[\d.]*)% of its attention to (.+)\.$/.exec(text)!;
  const row = await tokens('look');
  expect(from).toBe(`“${row.at(-1)!}”`);
  expect(Number(share)).toBeGreaterThanOrEqual(100 / row.length);
  expect([...row.map((token) => `“${token}”`), 'the beginning']).toContain(to);
});

it('shows a written text with the chance of each token, and the one of the step that is looked at', async () => {
  const { tokens, page } = await mountStory({ step: 60 });
  await expect.poll(() => tokens('write')).not.toEqual([]);
  const newest = await tokens('write');
  expect(newest.slice(1).every((token) => /\n[\d.<⁻]+%$/.test(token))).toBe(true);
  await page.getByRole('slider', { name: 'Look back' }).press('Home');
  await expect.poll(() => tokens('write')).not.toEqual(newest);
});

it('says why a text cannot be shown', async () => {
  const { tab, probe } = await mountStory({ step: 10 }, ['attention']);
  await probe.fill('你好');
  await tab.locator('.error').filter({ hasText: '你' }).waitFor();
});

it.each([
  ['en', 200, /[\p{L}\p{N}][\p{L}\p{N}’'.,]*/gu],
  ['zh', 350, /\p{Script=Han}/gu],
] as const)('is short, %s', async (lang, most, unit) => {
  const { page } = await mount('story', 'small', { step: 10, hash: `lr=0.03&lang=${lang}` });
  const said = page.locator('.tab-story').locator('.lead, h3, [data-part] > p, a');
  await expect.poll(() => said.count()).toBe(13);
  const text = (await said.allInnerTexts()).join(' ');
  expect(text.match(unit)!.length).toBeLessThanOrEqual(most);
});
