/** The page's message for a text that is too short for the chosen held-out share. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isUnheld, unheldText } from '../web/store/training/held-out.ts';
import { loadAllWords } from '../web/i18n/index.ts';
import { createAdviser } from './node/adviser.ts';
import type { Adviser, Settings } from './node/adviser.ts';

let adviser: Adviser;
beforeAll(async () => {
  adviser = await createAdviser();
});
afterAll(() => {
  adviser.close();
});

async function said(text: string, settings: Settings): Promise<string> {
  const { plan, recipe } = await adviser.advise(text, settings);
  return unheldText({ plan, recipe, table: adviser.table }, await loadAllWords('en'));
}

test('says why nothing is held out, and what would help', async () => {
  const stream = { sequences: 'stream', tokenizer: 'byte', context: 16 };
  const words = 'to be or not to be that is the question '.repeat(4);
  expect(await said(words, { ...stream, validation: 0.1 })).toContain(
    'that share of the text, 16 tokens, does not fill a context of 16',
  );
  expect(await said(words, { ...stream, validation: 0.11 })).toBe('');
  const lines = 'anna\nbea\ncarla\ndora\nemma';
  expect(await said(lines, { validation: 0.1 })).toContain(
    'a held-out share of 0.1 is less than one of the 5 lines. Choose a share of at least 0.2, or add lines.',
  );
  expect(await said(lines, { validation: 0.2 })).toBe('');
  expect(await said('anna\nbea', { validation: 0.1 })).toContain('Choose a share of at least 0.5');
  expect(await said('anna', { validation: 0.1 })).toContain(
    'the only line is needed for training. Add more lines.',
  );
});

test('a plan that is still of the share before claims nothing of the new one', async () => {
  const { plan } = await adviser.advise('anna\n'.repeat(18), { validation: 0 });
  const planned = (validation: number) => {
    const recipe = { preset: 'microgpt', changes: { validation } };
    return { plan, table: adviser.table, recipe };
  };
  expect(isUnheld(planned(0.1))).toBe(false);
  expect(isUnheld(planned(0.05))).toBe(true);
});
