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
import type { Attention } from '../web/engine/trainer.ts';
import { habitOf } from '../web/store/training/head-habits.ts';
import type { Habit } from '../web/store/training/head-habits.ts';
import { LossHistory } from '../web/data/loss-history.ts';
import { engineBytes } from './node/load-engine.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'web/docs/lesson-figures.json');
const textOf = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(root, 'public/texts', name)));
const NAMES = 'first-names-en.txt';
const TANG = 'tang-quatrains-zh.txt';

/** A run of a text with microgpt, to its end, as the page shows it. */
async function runOf(changes: Record<string, number>, text = NAMES) {
  const trainer = new DirectTrainer(engineBytes());
  const history = new LossHistory();
  const probes: Attention[] = [];
  const finished = new Promise<void>((resolve) => {
    trainer.subscribe((snapshot) => {
      history.append(snapshot.lossesFrom, snapshot.losses);
      probes.push(...snapshot.attentions);
      if (snapshot.state === 'finished') resolve();
    });
  });
  await trainer.setText(textOf(text));
  await trainer.prepare({ preset: 'microgpt', changes });
  // As the page asks for it.
  const probe = text === NAMES ? 'elisabetta' : '春眠不觉晓';
  await trainer.watch({
    attention: { text: probe, maxTokens: 64, live: false },
    samples: { count: 1, maxTokens: 1 },
  });
  await trainer.start();
  await finished;
  const last = probes.at(-1);
  const probed = last === undefined ? [] : headStatistics(last);
  return { trainer, history, text, probed, receipt: await trainer.receipt() };
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

test('the lessons name the numbers that everybody will read', async () => {
  const loss = await runOf({ steps: 200 });
  const inside = { steps: 2000, batch: 4, lr: 0.003 };
  const attention = await runOf(inside);
  const one = await runOf({ ...inside, heads: 1 });
  const writing = await runOf({ steps: 1000 });
  const poems = await runOf({ steps: 500 }, TANG);
  const { vocab, randomLoss } = await poems.trainer.plan({ preset: 'microgpt', changes: {} });
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
  };
  for (const { trainer } of [loss, attention, one, writing, poems]) trainer.close();
  if (process.env['WRITE_LESSONS'] === '1') {
    writeFileSync(file, `${JSON.stringify(numbers, null, 2)}\n`);
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(numbers);
  // Replaying such a receipt finds it true.
  for (const { receipt, text } of [loss, attention, one, writing, poems]) {
    const found = await verifyReceipt(engineBytes(), receipt.json, textOf(text));
    expect(found).toMatchObject({ same: true, done: found.steps });
    expect(String(found.steps)).toBe(receipt.line.split('-')[3]);
  }
});

test('every lesson stands in both languages with the same numbers, taken from there alone', () => {
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const used = (lang: string): string[] => {
    const page = readFileSync(join(root, `web/docs/${lang}/teaching.md`), 'utf8');
    return [...page.matchAll(/\{\{([\w.]+)\}\}/g)].map((match) => match[1]!);
  };
  expect(used('zh')).toEqual(used('en'));
  expect(new Set(used('en'))).toEqual(new Set(Object.keys(known)));
});
