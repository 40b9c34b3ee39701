/**
 * Follows the advice after a run, on twenty texts in nine alphabets and with ten bad choices of
 * settings: the held-out loss must not rise. One case always runs; the others need LONG=1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { advise } from '../web/instruments/after-run/rules.ts';
import type { Advice } from '../web/instruments/after-run/rules.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { choiceOf, fullRecipe, valueOf, withChange } from '../web/engine/options.ts';
import type { OptionTable, Recipe } from '../web/engine/options.ts';
import { isLong } from './long.ts';
import { finishRun } from './node/finished-run.ts';
import type { FinishedRun } from './node/finished-run.ts';
import { engineBytes } from './node/load-engine.ts';
import { randomLetters, sentencesIn } from './node/made-texts.ts';

const fileOf = (path: string): string =>
  readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const names = fileOf('public/texts/first-names-en.txt');
const moby = fileOf('public/texts/moby-dick-en.txt');
const tang = fileOf('public/texts/tang-quatrains-zh.txt');

/** A text, and the length of the part to train on. The advice "more text" adds the rest. */
type Case = readonly [name: string, whole: string, length: number];

const TEXTS: readonly Case[] = [
  ['names', names, 8000],
  ['60 names', names, 400],
  ['a page of a novel', moby, 2000],
  ['a chapter of a novel', moby, 12_000],
  ['chapters of a novel', moby, 60_000],
  ['a program', fileOf('c/formats/gpt2.c'), 10_000],
  ['a style sheet', fileOf('web/styles/layout.css'), 5000],
  ['a manual', fileOf('c/README.md'), 8000],
  ['random letters', randomLetters(16_000), 8000],
  ['Chinese poems as a stream', tang, 3000],
  ['Chinese poems line by line', tang.replaceAll('，', '\n'), 12_000],
  ['Russian', sentencesIn('Russian', 16_000), 8000],
  ['Ukrainian', sentencesIn('Ukrainian', 5000), 2300],
  ['Greek', sentencesIn('Greek', 16_000), 8000],
  ['Arabic', sentencesIn('Arabic', 12_000), 6000],
  ['Hebrew', sentencesIn('Hebrew', 6000), 3000],
  ['Korean', sentencesIn('Korean', 16_000), 8000],
  ['Japanese', sentencesIn('Japanese', 12_000), 6000],
  ['Hindi', sentencesIn('Hindi', 16_000), 8000],
  ['a short Korean text', sentencesIn('Korean', 2000), 1000],
];

const WAYS: readonly (readonly [name: string, settings: Readonly<Record<string, number>>])[] = [
  ['a rate that is too high', { lr: 0.05 }],
  ['a rate that is too low', { lr: 0.00002 }],
  ['far too few steps', { steps: 40 }],
  ['far too many steps', { steps: 1500 }],
  ['a tiny model', { channels: 4, layers: 1, heads: 1 }],
  ['a short context', { context: 4 }],
  ['a batch of one', { batch: 1 }],
  ['a rate that stays high', { schedule: 0, lr: 0.01 }],
  ['a strong decay of weights', { weight_decay: 5 }],
  ['large first weights', { init_std: 0.5 }],
];

/**
 * The fitted settings with fewer steps, a smaller model for a stream, a tenth held out, and
 * `settings`.
 */
async function recipeFor(
  text: string,
  settings: Readonly<Record<string, number>>,
): Promise<{ readonly table: OptionTable; readonly recipe: Recipe }> {
  const trainer = new DirectTrainer(engineBytes());
  await trainer.setText(text);
  const [table, fitted] = [await trainer.options(), (await trainer.fit()).recipe];
  trainer.close();
  const isStream = choiceOf(table, fitted, 'sequences') === 'stream';
  const small = isStream ? { channels: 32, context: 32 } : {};
  const steps = Math.min(valueOf(table, fitted, 'steps'), isStream ? 600 : 1000);
  const changes = Object.entries({ ...small, steps, validation: 0.1, ...settings });
  return {
    table,
    recipe: changes.reduce((made, [name, value]) => withChange(table, made, name, value), fitted),
  };
}

const endOf = ({ run }: FinishedRun): number => run.history.validations.at(-1)!.loss;

/** The last validation loss after following the advice; null if there is nothing to follow. */
async function follow(
  advice: Advice | null,
  made: FinishedRun,
  [, whole, length]: Case,
): Promise<number | null> {
  const { table, recipe, steps, larger } = made.finished;
  const text = whole.slice(0, length);
  const anew = async (with_: Recipe): Promise<number> => endOf(await finishRun(text, with_));
  switch (advice?.help) {
    case 'steps': {
      const none = new Float32Array(0);
      const numbers = { losses: none, learningRates: none, gradientNorms: none };
      const origin = {
        files: { weights: made.checkpoint },
        purpose: 'resume' as const,
        history: { ...numbers, validations: [], samples: [] },
      };
      const further = fullRecipe(table, withChange(table, recipe, 'steps', 2 * steps));
      return endOf(await finishRun(text, further, origin));
    }
    case 'model':
      return anew(larger!.recipe);
    case 'rate':
      return anew(withChange(table, recipe, 'lr', valueOf(table, recipe, 'lr') / 10));
    case 'text': {
      // A longer list would hold out other lines.
      if (choiceOf(table, recipe, 'sequences') !== 'stream') return null;
      // New text precedes the old one, so that the same end is held out.
      const joined = whole.slice(length, 2 * length) + text;
      const share = (0.1 * text.length) / joined.length;
      return endOf(await finishRun(joined, withChange(table, recipe, 'validation', share)));
    }
    default:
      return null;
  }
}

/** Tolerated relative rise of the loss: a run at its end moves by 0.4 %. */
const STANDS_STILL = 0.005;

/**
 * Follows the advice of a run with held-out text, and of one without. Returns the losses after
 * each, null if there was nothing to follow.
 */
async function expectNoWorse(
  one: Case,
  settings: Readonly<Record<string, number>> = {},
): Promise<(number | null)[]> {
  const [name, whole, length] = one;
  const text = whole.slice(0, length);
  const { recipe } = await recipeFor(text, settings);
  const made = await finishRun(text, recipe);
  const blind = { ...made.facts, validations: [], canHoldOut: true };
  const given = [advise(made.facts, await made.trial()), advise(blind, null)];
  const followed: (number | null)[] = [];
  for (const [at, advice] of given.entries()) {
    const [before, after] = [endOf(made), await follow(advice, made, one)];
    followed.push(after);
    const way = JSON.stringify(settings);
    const said = `${advice?.help ?? 'none'} ${advice?.why ?? ''}`;
    if (isLong) console.log([name, way, at === 0 ? 'held out' : 'blind', said, before.toFixed(3), after?.toFixed(3)].join(' | ')); // prettier-ignore
    expect
      .soft(after ?? 0, `${name} ${way} ${said}`)
      .toBeLessThanOrEqual(before * (1 + STANDS_STILL));
  }
  return followed;
}

test('advice after a run that was stopped early is followed, and makes it no worse', async () => {
  expect(await expectNoWorse(TEXTS[3]!, { steps: 40 })).not.toContain(null);
}, 120_000);

describe.runIf(isLong)('advice makes no run worse', { timeout: 600_000 }, () => {
  test.each(TEXTS)('on %s', async (...one) => {
    await expectNoWorse(one);
  });

  describe.each(WAYS)('with %s', (_, settings) => {
    test.each([TEXTS[0]!, TEXTS[3]!, TEXTS[12]!])('on %s', async (...one) => {
      await expectNoWorse(one, settings);
    });
  });
});
