/** Names of runs, built from the differences between runs. */
import { beforeAll, describe, expect, test } from 'vitest';
import { comparedRuns } from '../web/store/training/compared-runs.ts';
import { EarlierRuns } from '../web/store/training/earlier-runs.ts';
import { earlierName } from '../web/store/training/loss-data-of.ts';
import { RunData } from '../web/store/training/run-data.ts';
import {
  differences,
  runFile,
  runPhrase,
  runTitle,
  valueText,
} from '../web/store/training/run-name.ts';
import type { OneRun } from '../web/store/training/run-name.ts';
import { readEarlier, writeEarlier } from '../web/store/runs/earlier-note.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { OptionTable } from '../web/engine/options.ts';
import '../web/i18n/all.ts';
import { loadAllWords, wordsOf } from '../web/i18n/index.ts';
import { UNKNOWN_TOKENS } from '../web/data/loss-data.ts';
import { engineBytes } from './node/load-engine.ts';

let table: OptionTable;
beforeAll(async () => {
  const trainer = new DirectTrainer(engineBytes());
  table = await trainer.options();
  trainer.close();
});

const names = { source: 'names', fileName: '' } as const;
const own = { source: 'own', fileName: '' } as const;
const run = (changes: Record<string, number>, rest: Partial<OneRun> = {}): OneRun => ({
  recipe: { preset: 'microgpt', changes },
  text: names,
  textKey: 'names',
  ...rest,
});
const differs = (one: OneRun, others: readonly OneRun[], most?: number): string =>
  differences(one, others, table, wordsOf('en'), most);

describe('runs beside each other', () => {
  test('say their own value of every option in which any of them differs', () => {
    const [plain, wide, other] = [run({}), run({ channels: 128 }), run({ lr: 0.01 })];
    expect(differs(plain, [wide, other])).toBe('Channels 64, Learning rate 0.001');
    expect(differs(wide, [plain, other])).toBe('Channels 128, Learning rate 0.001');
    expect(differs(plain, [run({})])).toBe('');
  });

  test('say the seed where it alone differs, and choices in the words of the settings', () => {
    expect(differs(run({ seed: 7 }), [run({})])).toBe('Seed 7');
    expect(differs(run({ activation: 0, bias: 1 }), [run({})])).toBe('Activation GELU, Biases on');
  });

  test('name their texts where these differ, unless both are called the same', () => {
    const tang = run({}, { text: { source: 'tang', fileName: '' }, textKey: 'b2' });
    expect(differs(run({}), [tang])).toBe('English names');
    const [one, two] = ['b2', 'b3'].map((textKey) => run({}, { text: own, textKey }));
    expect(differs(one!, [two!])).toBe('another text');
  });

  test('name their presets, and of their options those that are not the preset’s', () => {
    const gpt2 = run({ seed: 3 }, { recipe: { preset: 'gpt2', changes: { seed: 3 } } });
    expect(differs(gpt2, [run({})])).toBe('gpt2, Seed 3');
  });

  test('say first what tells the most of them apart', () => {
    const [one, two, three] = [
      run({ channels: 32 }),
      run({ channels: 128, lr: 0.01 }),
      run({ channels: 128, lr: 0.02 }),
    ];
    expect(differs(two, [one, three])).toBe('Learning rate 0.01, Channels 128');
    expect(differs(one, [two, three])).toBe('Learning rate 0.001, Channels 32');
  });

  test('say how many options more there are than a name has room for', () => {
    const many = { layers: 3, heads: 2, channels: 32, context: 16, batch: 4 };
    expect(differs(run(many), [run({})])).toBe('Layers 3, Heads 2, Channels 32 and 2 more');
    expect(differs(run(many), [run({})], Infinity)).toContain('Batch 4');
    // The vocabulary size has no effect with character tokens.
    expect(differs(run({ vocabulary: 300 }), [run({})])).toBe('');
  });
});

describe('earlier runs', () => {
  test('have a number, their text, and what set them apart from the run before, for good', () => {
    const earlier = new EarlierRuns();
    const keep = (one: OneRun, number: number): void => {
      const data = new RunData(number);
      data.history.append(0, [3, 3, 3]);
      earlier.keep(data, { ...one, tokensPerCharacter: UNKNOWN_TOKENS });
    };
    const called = (lang: 'en' | 'zh'): string[] =>
      earlier.all.map((one) => earlierName(one, table, wordsOf(lang)));
    keep(run({}), 1);
    expect(called('en')).toEqual(['Run 1: English names']);
    // Run 1 is named by its difference from the run that replaces it.
    earlier.follow(run({ steps: 400 }).recipe);
    earlier.follow(run({ steps: 400, lr: 0.003 }).recipe);
    expect(called('en')).toEqual(['Run 1: English names (Steps 5000)']);
    keep(run({ lr: 0.003 }), 2);
    const before = called('en');
    expect(before).toEqual([
      'Run 1: English names (Steps 5000)',
      'Run 2: English names (Learning rate 0.003)',
    ]);
    // The name lists every option changed from the preset, also one that the previous run had
    // changed.
    const both = { ...earlier.all[1]!, before: run({ lr: 0.003 }).recipe };
    const recipe = run({ lr: 0.003, steps: 400 }).recipe;
    expect(earlierName({ ...both, recipe }, table, wordsOf('en'))).toBe(
      'Run 2: English names (Steps 400, Learning rate 0.003)',
    );
    // A name given by the reader replaces the list.
    expect(earlierName(both, table, wordsOf('en'), 'Mine')).toBe('Run 2: Mine');
    // Later runs and removed runs leave the name unchanged.
    keep(run({ lr: 0.003 }, { text: own, textKey: 'b2' }), 3);
    earlier.remove(0);
    expect(called('en')).toEqual([before[1], 'Run 3: Own text (Learning rate 0.003)']);
    expect(called('zh')[0]).toBe('第 2 次 · 英文名字（学习率：0.003）');
    // A reload leaves the names unchanged.
    const saved = (number: number): string => String(number);
    const noted = readEarlier(writeEarlier(earlier.all, saved, null));
    const again = new EarlierRuns();
    again.restore(
      noted.map((note, at) => {
        const { text, textKey } = earlier.all[at]!;
        return { ...note, run: new RunData(-at), text, textKey };
      }),
      '',
    );
    expect(again.all.map((one) => earlierName(one, table, wordsOf('en')))).toEqual(called('en'));
  });
});

test('held against one other, a run is named by what tells the two apart', async () => {
  const words = await loadAllWords('en');
  const given = { nameOf: (number: number) => (number === 9 ? 'Mine' : '') };
  const earlier = new EarlierRuns();
  const trained = (number: number): RunData => {
    const data = new RunData(number);
    data.history.append(0, [3, 3, 3]);
    return data;
  };
  const beside = [run({ layers: 1, lr: 0.003 }), run({ lr: 0.002 })];
  for (const [at, one] of beside.entries()) {
    earlier.keep(trained(at), { ...one, tokensPerCharacter: UNKNOWN_TOKENS });
  }
  const apart = (number: number): string[] => {
    const named = run({});
    const shown = { run: trained(number), named, compared: [named, ...earlier.all] };
    const session = { ...shown, earlier, table, tokensPerCharacter: UNKNOWN_TOKENS };
    return comparedRuns(session, given, 1, words).rows.map((row) => row.apart);
  };
  const [first, last] = ['Layers 1, Learning rate 0.003', 'Learning rate 0.002'];
  expect(apart(8)).toEqual(['Learning rate 0.001', first, last]);
  expect(apart(9)).toEqual(['Mine', first, last]);
});

test('a new line has the number after the last that is there, whatever was taken away', () => {
  const earlier = new EarlierRuns();
  const keep = (seed: number): void => {
    const data = new RunData(seed);
    data.history.append(0, [3, 3, 3]);
    earlier.keep(data, { ...run({ seed }), tokensPerCharacter: UNKNOWN_TOKENS });
  };
  for (const seed of [1, 2, 3]) keep(seed);
  // The run resumes, and is kept again when another run replaces it.
  for (let again = 0; again < 4; again++) {
    earlier.resume(run({ seed: 3 }), 3, table);
    keep(3);
  }
  expect(earlier.all.map(({ id }) => id)).toEqual([0, 1, 2]);
  earlier.remove(1);
  keep(4);
  expect(earlier.all.map(({ id }) => id)).toEqual([0, 2, 3]);
});

describe('a run by itself', () => {
  const recipe = { preset: 'microgpt', changes: { layers: 1, seed: 7 } };
  test('is called by its text and what was changed in its preset, or as its reader wants', () => {
    const unnamed = { name: '', recipe, text: names };
    const title = runTitle(unnamed, table, wordsOf('en'));
    expect(title).toMatch(/^English names \((Seed 7, Layers 1|Layers 1, Seed 7)\)$/);
    expect(runPhrase(unnamed, table, wordsOf('en'))).toBe(`A run on ${title}`);
    const named = { ...unnamed, name: 'Mine' };
    expect(runTitle(named, table, wordsOf('en'))).toBe('Mine');
    expect(runPhrase(named, table, wordsOf('en'))).toBe('The run “Mine”');
    expect(runPhrase(named, table, wordsOf('zh'))).toBe('训练“Mine”');
    // A colon separates a Chinese option from its value.
    expect(runTitle(unnamed, table, wordsOf('zh'))).toContain('层数：1');
    // Lists have no nested brackets and no repeated facts.
    const more = { layers: 3, heads: 2, channels: 32, context: 16, batch: 4 };
    const changed = { ...unnamed, recipe: { preset: 'microgpt', changes: more } };
    expect(runPhrase(changed, table, wordsOf('zh'))).toBe(
      '“英文名字”的训练（层数：3、头数：2、通道数：32，另有 2 项不同）',
    );
  });

  // Large values have digit groups; a seed stays plain digits, so that it can be copied.
  test('says large numbers as they are read, and a seed as it is typed', () => {
    const changes = { steps: 100_000, seed: 123_456, lr: 0.003 };
    const large = { name: '', recipe: { preset: 'microgpt', changes }, text: names };
    for (const lang of ['en', 'zh'] as const) {
      const title = runTitle(large, table, wordsOf(lang));
      for (const value of ['100,000', '123456', '0.003']) expect(title).toContain(value);
    }
    const steps = (value: number): string => valueText(table, 'steps', value, wordsOf('en'));
    expect([9999, 10_000].map(steps)).toEqual(['9999', '10,000']);
  });

  test('stands in a Chinese sentence with the spaces that its ends ask for', async () => {
    const { t } = await loadAllWords('zh');
    const values = { random: '7.26', unit: '纳特/词元', vocab: 1426 };
    expect(t('tour.loss', values)).toContain('7.26 纳特/词元处的虚线');
    expect(t('choices.same', { option: '头数', value: 2 })).toBe('头数改为 2：参数个数不变。');
    expect(t('choices.same', { option: '激活函数', value: 'GELU' })).toMatch(
      /^激活函数改为 GELU：/,
    );
    expect(t('error.range', { name: 'Top-p', 0: 2, 1: 0, 2: 1 })).toMatch(/^Top-p 现在是 2，/);
    expect(t('error.range', { name: '层数', 0: 0, 1: 1, 2: 96 })).toMatch(/^层数现在是 0，/);
  });
});

describe('the files of runs', () => {
  const file = (changes: Record<string, number>, rest: Partial<OneRun> = {}, name = ''): string =>
    runFile({ ...run(changes, rest), name }, table);

  test('are called alike for one run only, in letters that every file system takes', () => {
    expect(file({})).toBe('names-microgpt');
    expect(file({ layers: 1, lr: 0.003 })).toMatch(
      /^names-microgpt-(layers1-lr0\.003|lr0\.003-layers1)$/,
    );
    const text = { source: 'own', fileName: '红楼梦.txt' } as const;
    const many = { layers: 3, heads: 2, channels: 32, context: 16, batch: 4 };
    const all = [
      file({}),
      file({ seed: 7 }),
      file({ activation: 0 }),
      file(many),
      file({ ...many, batch: 5 }),
      file({}, { text, textKey: 'b2' }),
      file({}, { text, textKey: 'b3' }),
      file({}, {}, 'My first: 1/2'),
      file({}, {}, '我的训练'),
      file({}, {}, '另一次训练'),
      file({}, {}, '<img src=x>'),
      file({}, {}, '-- <> --'),
    ];
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[A-Za-z0-9][A-Za-z0-9.-]{2,79}$/);
  });
});
