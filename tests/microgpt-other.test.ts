/**
 * The microgpt preset on a second text against the trace of tests/generate/microgpt_oracle.py,
 * which shares no code with the engine. The text has CRLF and empty lines, duplicates, Chinese and
 * emoji, lines far longer than the context, and invalid UTF-8.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { RawTrainer } from './node/oracle-engine.ts';

interface Trace {
  readonly documents: number;
  readonly vocab: number;
  readonly cut_documents: number;
  readonly cut_tokens: number;
  readonly losses: readonly number[];
  readonly samples: readonly string[];
}

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'fixtures', name));
const text = fixture('microgpt-other.bin');
const trace = JSON.parse(fixture('microgpt-other.json').toString()) as Trace;

// One trainer serves all tests: each continues at the step where the previous test stopped.
let trainer: RawTrainer;
beforeAll(async () => {
  trainer = await RawTrainer.create('microgpt', {}, text);
});

test('finds the same documents and symbols, and cuts the same lines', () => {
  const { documents, vocab, cut_documents, cut_tokens } = trace;
  expect(trainer.plan).toMatchObject({ documents, vocab, cut_documents, cut_tokens });
});

test('has the same losses', () => {
  // Float against double: each loss rounds at 3e-7, and updates accumulate small errors.
  const errors = trace.losses.map((loss) => Math.abs(trainer.step() - loss));
  console.log(`largest error of a loss: ${Math.max(...errors).toExponential(1)}`);
  expect(Math.max(...errors)).toBeLessThan(1e-5);
});

test('goes on with the same random stream to the same samples', () => {
  const options = { tokens: 32, temperature: 0.5, seed: -1 };
  const samples = trace.samples.map(() => trainer.sample(new Uint8Array(), options));
  expect(samples).toEqual(trace.samples);
});
