/**
 * The numbers that the lessons for teachers name, computed by training: `WRITE_LESSONS=1` writes
 * them to web/docs/lesson-figures.json, from where the pages take them; without it they must be the
 * same.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { headStatistics } from '../web/engine/head-statistics.ts';
import type { HeadStatistics } from '../web/engine/head-statistics.ts';
import { verifyReceipt } from '../web/engine/receipt.ts';
import type { Attention, StepSample } from '../web/engine/trainer.ts';
import { habitOf } from '../web/store/training/head-habits.ts';
import type { Habit } from '../web/store/training/head-habits.ts';
import { memorisingSince } from '../web/store/training/loss-reading.ts';
import { heldOutPart } from '../web/store/text/held-out-part.ts';
import { unpackText } from '../web/store/text/packed-text.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'web/docs/lesson-figures.json');
const pageOf = (lang: string): string =>
  readFileSync(join(root, `web/docs/${lang}/teaching.md`), 'utf8');
/** The text that a lesson holds packed. */
const packedIn = (lang: string): string => /packed=([\w-]+)/.exec(pageOf(lang))?.[1] ?? '';
const PROVERBS = 'proverbs';
const textOf = async (name: string): Promise<Uint8Array<ArrayBuffer>> =>
  name === PROVERBS
    ? unpackText(packedIn('en'))
    : new Uint8Array(readFileSync(join(root, 'public/texts', name)));
const NAMES = 'first-names-en.txt';
const TANG = 'tang-quatrains-zh.txt';

/** A run of a text with microgpt, to its end, as the page shows it. */
async function runOf(changes: Record<string, number>, text = NAMES) {
  const trainer = new DirectTrainer(engineBytes());
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
  const recipe = { preset: 'microgpt', changes };
  const info = await trainer.prepare(recipe);
  // As the page asks for it.
  const probe = text === TANG ? '春眠不觉晓' : 'elisabetta';
  await trainer.watch({
    attention: { text: probe, maxTokens: 64, live: false },
    samples: text === PROVERBS ? { count: 6, maxTokens: 120 } : { count: 1, maxTokens: 1 },
  });
  await trainer.start();
  await finished;
  const last = probes.at(-1);
  const probed = last === undefined ? [] : headStatistics(last);
  const plan = await trainer.plan(recipe);
  const wrote = samples.at(-1)?.texts.join('\n').trim() ?? '';
  const heldOut = heldOutPart({ info, plan });
  const receipt = await trainer.receipt();
  return { trainer, history, text, probed, receipt, plan, wrote, heldOut };
}

/**
 * The head of the map that gives most to that place, and has it as its habit: its layer and number.
 */
function strongest(heads: readonly HeadStatistics[], habit: Habit): string {
  const found = heads.filter((head) => habitOf(head) === habit);
  const [best] = found.sort((a, b) => b[habit].value - a[habit].value);
  return best === undefined ? '' : `${String(best.layer + 1)}/${String(best.head + 1)}`;
}

/** The strip shows two decimals. */
const shown = (history: LossHistory): string => (history.smoothedLast() ?? NaN).toFixed(2);

test('the lessons name the numbers that everybody will read', { timeout: 240_000 }, async () => {
  const loss = await runOf({ steps: 200 });
  const inside = { steps: 2000, batch: 4, lr: 0.003 };
  const attention = await runOf(inside);
  const one = await runOf({ ...inside, heads: 1 });
  const writing = await runOf({ steps: 1000 });
  const poems = await runOf({ steps: 500 }, TANG);
  const { vocab, randomLoss } = poems.plan;
  const few = { steps: 2000, context: 64, batch: 8, validation: 0.2 };
  const heart = await runOf(few, PROVERBS);
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
  };
  // It writes what it has read, and no line of that was held out.
  const lines = new TextDecoder().decode(await textOf(PROVERBS)).split('\n');
  expect(heart.wrote.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
  const runs = [loss, attention, one, writing, poems, heart];
  for (const { trainer } of runs) trainer.close();
  if (process.env['WRITE_LESSONS'] === '1') {
    writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(numbers);
  // Replaying such a receipt finds it true.
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
  expect(new Set(used('en'))).toEqual(new Set(Object.keys(known)));
});
