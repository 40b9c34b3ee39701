/**
 * Trains the runs of the lessons for teachers and computes the numbers that the lessons quote: the
 * first lesson, or all lessons with LONG=1. WRITE_LESSONS=1 then writes the numbers to
 * web/docs/lesson-figures.json, which the pages read.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { headStatistics } from '../web/engine/head-statistics.ts';
import type { HeadStatistics } from '../web/engine/head-statistics.ts';
import { verifyReceipt } from '../web/engine/verify.ts';
import type { Attention, StepSample, TracedText } from '../web/engine/trainer.ts';
import { habitOf } from '../web/store/training/head-habits.ts';
import type { Habit } from '../web/store/training/head-habits.ts';
import { memorisingSince } from '../web/store/training/loss-reading.ts';
import { heldOutPart } from '../web/store/text/held-out-part.ts';
import { unpackText } from '../web/store/text/packed-text.ts';
import { long } from './long.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'web/docs/lesson-figures.json');
const pageOf = (lang: string): string =>
  readFileSync(join(root, `web/docs/${lang}/teaching.md`), 'utf8');
/** Returns the packed text in the link of a lesson. */
const packedIn = (lang: string): string => /packed=([\w-]+)/.exec(pageOf(lang))?.[1] ?? '';
const PROVERBS = 'proverbs';
const textOf = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  name === PROVERBS
    ? unpackText(packedIn('en'))
    : new Uint8Array(readFileSync(join(root, 'public/texts', name)));
const NAMES = 'first-names-en.txt';
const TANG = 'tang-quatrains-zh.txt';
const MOBY = 'moby-dick-en.txt';

/** The samples that the page draws at each step it shows. */
const ALL_SAMPLES = { count: 6, maxTokens: 120 };

/** Trains a run to its end with the settings and requests of the page. */
async function runOf(
  changes: Record<string, number>,
  text = NAMES,
  preset = 'microgpt',
  wanted = { count: 1, maxTokens: 1 },
) {
  const trainer = new DirectTrainer(engineBytes('wasm-questions'));
  const history = new LossHistory();
  const probes: Attention[] = [];
  const samples: StepSample[] = [];
  const finished = new Promise<void>((resolve) => {
    trainer.subscribe((snapshot) => {
      history.append(snapshot.lossesFrom, snapshot.losses);
      for (const { step, loss } of snapshot.validations) history.addValidation(step, loss);
      probes.push(...snapshot.attentions);
      samples.push(...snapshot.samples);
      if (snapshot.state === 'finished') resolve();
    });
  });
  await trainer.setText(await textOf(text));
  const recipe = { preset, changes };
  const info = await trainer.prepare(recipe);
  // The same probe texts as on the page.
  const probe = text === TANG ? '春眠不觉晓' : 'elisabetta';
  await trainer.watch({
    attention: { text: probe, maxTokens: 64, live: false },
    samples: wanted,
  });
  await trainer.start();
  await finished;
  const last = probes.at(-1);
  const probed = last === undefined ? [] : headStatistics(last);
  const plan = await trainer.plan(recipe);
  const texts = samples.at(-1)?.texts ?? [];
  const firstAt = (step: number): string =>
    samples.find((one) => one.step === step)?.texts[0] ?? '';
  const wrote = texts.join('\n').trim();
  const heldOut = heldOutPart({ info, plan });
  const receipt = await trainer.receipt();
  return { trainer, history, text, probed, receipt, plan, texts, firstAt, wrote, heldOut };
}

/**
 * Trains a run up to `stop`. Returns its receipt, the head with the most attention on the previous
 * letter, and the first multiple of 50 at which that head's attention exceeds one half.
 */
async function shapeOf(changes: Record<string, number>, stop: number) {
  const trainer = new DirectTrainer(engineBytes('wasm-questions'));
  await trainer.setText(await textOf(NAMES));
  await trainer.prepare({ preset: 'microgpt', changes });
  const probes: (readonly HeadStatistics[])[] = [];
  for (let step = 1; step <= stop; step++) {
    await trainer.step();
    if (step % 50 === 0) probes.push(headStatistics(await trainer.probe('elisabetta')));
  }
  const last = probes.at(-1)!;
  const head = strongest(last, 'previous');
  const index = last.findIndex((one) => nameOf(one) === head);
  const found = probes.findIndex((heads) => heads[index]!.previous.value > 0.5);
  const receipt = (await trainer.receipt()).line;
  trainer.close();
  return { receipt, head, step: 50 * (found + 1) };
}

/**
 * Counts the copied lines and parts in the last samples of a run, as the tab on copied text does.
 */
async function copiedIn({ trainer, texts }: Awaited<ReturnType<typeof runOf>>) {
  const traced: TracedText[] = [];
  for (const text of texts) traced.push(await trainer.trace(text));
  const lines = traced.filter(({ runs }) => runs.some(({ isLine }) => isLine)).length;
  const parts = traced.flatMap(({ runs }) => runs).length;
  const { characters: chance, lines: repeated } = traced[0]!.base!;
  return { lines, parts, count: texts.length, chance, repeated };
}

/** Returns layer and number of the head with the highest value among the heads with this habit. */
function strongest(heads: readonly HeadStatistics[], habit: Habit): string {
  const found = heads.filter((head) => habitOf(head) === habit);
  const [best] = found.sort((a, b) => b[habit].value - a[habit].value);
  return best === undefined ? '' : nameOf(best);
}

function nameOf({ layer, head }: HeadStatistics): string {
  return `${String(layer + 1)}/${String(head + 1)}`;
}

/** Formats the last smoothed loss with two decimals, as the run bar does. */
const shown = (history: LossHistory): string => (history.smoothedLast() ?? NaN).toFixed(2);

test('the first lesson names the numbers that everybody will read', async () => {
  const { trainer, history, receipt, text } = await runOf({ steps: 200 });
  trainer.close();
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  expect(known).toMatchObject({
    'loss.receipt': receipt.line,
    'loss.first': history.first!.toFixed(4),
    'loss.200': shown(history),
    'loss.seven': String(history.all[6]),
  });
  // A replay confirms the receipt.
  const found = await verifyReceipt(engineBytes(), receipt.json, await textOf(text));
  expect(found).toMatchObject({ same: true, done: found.steps, steps: 200 });
});

// Nine more runs of up to 2,000 steps.
long('the lessons name the numbers that everybody will read', { timeout: 240_000 }, async () => {
  const loss = await runOf({ steps: 200 });
  const inside = { steps: 2000, batch: 4, lr: 0.003 };
  const attention = await runOf(inside);
  const one = await runOf({ ...inside, heads: 1 });
  const writing = await runOf({ steps: 1000 }, NAMES, 'microgpt', ALL_SAMPLES);
  const shape = await shapeOf(inside, 1000);
  const poems = await runOf({ steps: 500 }, TANG);
  const { vocab, randomLoss } = poems.plan;
  const few = { steps: 2000, context: 64, batch: 8, validation: 0.2 };
  const heart = await runOf(few, PROVERBS, 'microgpt', ALL_SAMPLES);
  const short = await runOf({ steps: 2000, validation: 0.1 }, NAMES, 'microgpt', ALL_SAMPLES);
  const home = await runOf({ steps: 100 }, MOBY, 'gpt2');
  const half = await runOf({ steps: 600, validation: 0.5 }, MOBY, 'tinygpt', ALL_SAMPLES);
  const [ofNames, ofProverbs, ofMoby] = [
    await copiedIn(short),
    await copiedIn(heart),
    await copiedIn(half),
  ];
  // Every name in the list is unique, and the samples copy no part of the novel.
  expect(ofNames.repeated).toBe(0);
  expect(ofMoby.parts).toBe(0);
  const turned = memorisingSince(heart.history)!;
  const meanLoss = async (text: string): Promise<string> =>
    (await heart.trainer.analyse(text, 800)).meanLoss.toFixed(3);
  const write = async (temperature: number): Promise<string> => {
    const request = { prompt: 'an', maxTokens: 200, topK: 0, topP: 1, seed: 1, temperature };
    return (await writing.trainer.sample(request)).text;
  };
  const numbers = {
    'loss.receipt': loss.receipt.line,
    'loss.first': loss.history.first!.toFixed(4),
    'loss.200': shown(loss.history),
    'loss.seven': String(loss.history.all[6]),
    'heads.4': shown(attention.history),
    'heads.1': shown(one.history),
    'heads.4.receipt': attention.receipt.line,
    'heads.1.receipt': one.receipt.line,
    'heads.previous': strongest(attention.probed, 'previous'),
    'heads.first': strongest(attention.probed, 'first'),
    'text.receipt': writing.receipt.line,
    'text.cold': await write(0),
    'text.warm': await write(0.8),
    'text.hot': await write(2),
    'noise.receipt': writing.receipt.line,
    'noise.10': writing.firstAt(10),
    'noise.100': writing.firstAt(100),
    'noise.1000': writing.firstAt(1000),
    'shape.receipt': shape.receipt,
    'shape.head': shape.head,
    'shape.step': String(shape.step),
    'tang.vocab': vocab.toLocaleString('en-US'),
    'tang.random': randomLoss.toFixed(2),
    'tang.loss': shown(poems.history),
    'tang.receipt': poems.receipt.line,
    'heart.receipt': heart.receipt.line,
    'heart.loss': shown(heart.history),
    'heart.since': String(turned.step),
    'heart.lowest': turned.loss.toFixed(2),
    'heart.end': heart.history.lastValidation!.loss.toFixed(2),
    'heart.random': heart.plan.randomLoss.toFixed(2),
    'heart.unseen': await meanLoss(heart.heldOut),
    'heart.wrote': await meanLoss(heart.wrote),
    'yours.names.receipt': short.receipt.line,
    'yours.names.lines': String(ofNames.lines),
    'yours.names.count': String(ofNames.count),
    'yours.proverbs.receipt': heart.receipt.line,
    'yours.proverbs.lines': String(ofProverbs.lines),
    'yours.proverbs.count': String(ofProverbs.count),
    'yours.proverbs.chance': String(ofProverbs.chance),
    'home.receipt': home.receipt.line,
    'yours.moby.receipt': half.receipt.line,
    'yours.moby.chance': String(ofMoby.chance),
  };
  // Each written line is a line of the training text.
  const lines = new TextDecoder().decode(await textOf(PROVERBS)).split('\n');
  expect(heart.wrote.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
  const runs = [loss, attention, one, writing, poems, heart, short, half];
  for (const { trainer } of runs) trainer.close();
  if (process.env['WRITE_LESSONS'] === '1') {
    writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(numbers);
  // A replay confirms each receipt.
  for (const { receipt, text } of runs) {
    const found = await verifyReceipt(engineBytes(), receipt.json, await textOf(text));
    expect(found).toMatchObject({ same: true, done: found.steps });
    expect(String(found.steps)).toBe(receipt.line.split('-')[3]);
  }
});

test('every lesson stands in both languages with the same numbers, taken from there alone', () => {
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const used = (lang: string): string[] =>
    [...pageOf(lang).matchAll(/\{\{([\w.]+)\}\}/g)].map((match) => match[1]!);
  expect(packedIn('zh')).toBe(packedIn('en'));
  expect(used('zh')).toEqual(used('en'));
  // Descriptors fill the others.
  const measured = used('en').filter((name) => !/^(names|host)\./.test(name));
  expect(new Set(measured)).toEqual(new Set(Object.keys(known)));
});
