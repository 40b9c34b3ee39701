/** Glossary notes at their terms. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openTab } from '../browser/driver.ts';
import { useComponents } from './mount.ts';

const mount = useComponents();

it.each([
  ['en', '', 'Short receipt of this run', 'fingerprints'],
  ['zh', 'lang=zh', '这次训练的短凭据', '指纹'],
])('explains hard words where they stand: %s', async (lang, hash, label, words) => {
  const { page } = await mount('page', 'names', { step: 60, hash: `${hash}&view=tokens` });
  /** Opens the notes of terms in `place`; hidden terms have no note to open. */
  const explained = async (place: string, terms: readonly string[]): Promise<void> => {
    for (const term of terms) {
      await page.locator(`${place} [data-term=${term}]:visible`).first().click();
      const note = page.locator('.term-note');
      await note.waitFor();
      const said = await note.locator('.term-words').textContent();
      expect([term, said!.length > 20]).toEqual([term, true]);
      await page.keyboard.press('Escape');
    }
  };
  const zh = lang === 'zh';
  await explained('#loss', ['nat', 'random_guessing', 'learning_rate', 'gradient_norm']);
  await page.locator('#attention').scrollIntoViewIfNeeded();
  await page.locator('#attention .habits').waitFor();
  await explained('#attention', ['entropy']);
  await page.locator('#closer').scrollIntoViewIfNeeded();
  await explained('#closer', ['loss', 'bits_per_character', 'perplexity']);
  await openTab(page, zh ? '掷骰子来写' : 'Write with dice');
  await explained('#closer', ['prediction_entropy']);
  await openTab(page, zh ? '逐个部件看模型' : 'The model, piece by piece');
  await explained('#closer', ['shape', 'gradient', 'deviation']);
  await openTab(page, zh ? '训练记录' : 'Runs');
  await page.getByRole('button', { name: label }).click();
  await page.locator('.term-note').getByText(words).waitFor();
});

it('leaves the explained line in sight, and a tap beside a note presses nothing but Start', async () => {
  const { page, run, reach, start } = await mount(['text', 'plan', 'loss'], 'names', {
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  });
  const note = page.locator('.term-note');
  const button = page.locator('#run .fact-loss .term');
  await button.tap();
  await note.waitFor();
  // The note also leaves the number below the term visible: near the window's edge it opens above
  // both.
  expect(await apart(page.locator('#run .fact-loss'), note)).toBe(true);
  const vocabulary = page.locator('#plan .term').first();
  const choice = page.getByRole('radio', { name: 'Moby-Dick' });
  await page.touchscreen.tap(...(await middle(page.locator('label', { has: choice }))));
  await note.waitFor({ state: 'hidden' });
  expect(await choice.isChecked()).toBe(false);
  await vocabulary.tap();
  await note.waitFor();
  expect(await apart(vocabulary.locator('xpath=ancestor::div[1]'), note)).toBe(true);
  expect(await run.getAttribute('data-state')).toBe('ready');
  await page.keyboard.press('Escape');
  // A press on Start trains even with a note open.
  await button.tap();
  await note.waitFor();
  await page.touchscreen.tap(...(await middle(start)));
  await reach('finished');
  await note.waitFor({ state: 'hidden' });
});

async function boxOf(what: Locator) {
  return (await what.boundingBox())!;
}

/** Whether one box is wholly above the other. */
async function apart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.y + a.height <= b.y || a.y >= b.y + b.height;
}

/** The centre of an element, for a tap. */
async function middle(what: Locator): Promise<[number, number]> {
  const { x, y, width, height } = await boxOf(what);
  return [x + width / 2, y + height / 2];
}
