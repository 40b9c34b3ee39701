/** Settings fitted to a text by the engine's rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leftOutShare, readingsOf } from '../web/store/text/left-out.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { choiceOf } from '../web/engine/options.ts';
import type { OptionTable } from '../web/engine/options.ts';
import type { Fit, Plan } from '../web/engine/trainer.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const sample = (name: string): string => readFileSync(join(root, 'public/texts', name), 'utf8');
const moby = sample('moby-dick-en.txt').replace(/\s+/g, ' ');

const trainer = new DirectTrainer(engineBytes());
let table: OptionTable;

beforeAll(async () => {
  table = await trainer.options();
});

afterAll(() => {
  trainer.close();
});

async function fitOf(text: string | Uint8Array<ArrayBuffer>): Promise<Fit> {
  await trainer.setText(text);
  return trainer.fit();
}

const codes = ({ reasons }: Fit): string[] => reasons.map(({ code }) => code);
const sequences = ({ recipe }: Fit): string => choiceOf(table, recipe, 'sequences');

const SONG = Array.from({ length: 82 }, (_, line) =>
  line % 5 === 4 ? '' : `I walk the line ${String(line)} tonight with you,`,
).join('\n');

/** Small texts with their kind, and whether training reads them by line or as a stream. */
const TEXTS: Readonly<
  Record<string, readonly [text: string, kind: string, sequences: 'documents' | 'stream']>
> = {
  'a paragraph of 3,197 characters': [moby.slice(2000, 5197), 'prose', 'stream'],
  '82 lines of a song': [SONG, 'verse', 'stream'],
  'an essay in one line': [moby.slice(0, 20_000), 'prose', 'stream'],
  'a list of names': [sample('first-names-en.txt').slice(0, 2000), 'list', 'documents'],
  'a chat': [
    '12/03/21, 14:05 - Ada: are you there?\n12/03/21, 14:06 - Ben: yes\n'.repeat(40),
    'chat',
    'stream',
  ],
  'a program': [readFileSync(join(root, 'c/fit/fit.c'), 'utf8'), 'code', 'stream'],
  'a table': ['1,anna,3.50\n2,bob,2.25\n'.repeat(60), 'records', 'documents'],
  proverbs: [
    'Look before you leap.\nStill waters run deep.\n'.repeat(60),
    'sentences',
    'documents',
  ],
  'a text in Russian': ['Все люди рождаются свободными и равными. '.repeat(60), 'prose', 'stream'],
  'a text in Chinese': ['人人生而自由，在尊严和权利上一律平等。'.repeat(40), 'prose', 'stream'],
  'one character': ['a', 'prose', 'documents'],
};

/** Expects training to use the text: nothing left out, at most 1 % cut, 0.4 readings or more. */
function expectTrainable(fit: Fit, plan: Plan): void {
  expect(leftOutShare({ plan })).toBe(0);
  expect(plan.cutTokens).toBeLessThanOrEqual(plan.tokens / 100);
  expect(readingsOf({ plan, table, recipe: fit.recipe })).toBeGreaterThan(0.4);
}

describe('the settings that suit a text', () => {
  test.each([
    ['first-names-en.txt', 'microgpt'],
    ['tang-quatrains-zh.txt', 'microgpt'],
    ['moby-dick-en.txt', 'tinygpt'],
  ])('%s gets exactly the preset that was tuned on it', async (name, preset) => {
    expect((await fitOf(sample(name))).recipe).toEqual({ preset, changes: {} });
  });

  test.each(Object.keys(TEXTS))(
    '%s is recognised, nearly nothing is left out, and it can be trained',
    async (name) => {
      const [text, kind, read] = TEXTS[name]!;
      const fit = await fitOf(text);
      expect([fit.kind, sequences(fit)]).toEqual([kind, read]);
      expectTrainable(fit, await trainer.plan(fit.recipe));
    },
  );

  const folder = join(root, 'tests/fixtures/texts');
  test.each(
    readdirSync(folder).filter((name) => !name.endsWith('.md') || name === 'hard-breaks.md'),
  )('a file that readers had trouble with can be trained, byte for byte: %s', async (name) => {
    const fit = await fitOf(new Uint8Array(readFileSync(join(folder, name))));
    expectTrainable(fit, await trainer.plan(fit.recipe));
  });

  test('a tenth is held out where that leaves enough, and a short text is learned by heart', async () => {
    expect(codes(await fitOf(moby.slice(0, 20_000)))).toContain('held-out');
    const short = await fitOf(moby.slice(0, 3000));
    expect(codes(short)).toEqual(expect.arrayContaining(['too-short', 'by-heart']));
    expect(short.recipe.changes['validation']).toBe(0);
  });

  test('dates and times are named in a chat that has them, and only there', async () => {
    expect(codes(await fitOf(TEXTS['a chat']![0]))).toContain('stamps');
    expect(codes(await fitOf('Ada: are you there?\nBen: yes\n'.repeat(40)))).not.toContain(
      'stamps',
    );
  });

  test('a text gets the same settings after another one was held', async () => {
    const first = await fitOf(SONG);
    await fitOf(sample('tang-quatrains-zh.txt'));
    expect(await fitOf(SONG)).toEqual(first);
  });

  test('an empty text has none', async () => {
    await trainer.setText('');
    await expect(trainer.fit()).rejects.toMatchObject({ code: 'empty' });
  });
});
