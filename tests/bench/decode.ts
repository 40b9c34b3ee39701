/**
 * make bench-decode: decoding speed of a full-size GPT-2 against the speed of reading the same
 * memory, alternating within one run. It prints numbers without a limit.
 */
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { gpt2Files } from '../node/gpt2-vocabulary.ts';
import { runLargeModel } from '../node/large-model.ts';

const { vocab, merges } = gpt2Files();
const text = new TextDecoder();
const figures = await runLargeModel({
  wasm: new Uint8Array(readFileSync('build/bench/bench.wasm')),
  vocab: text.decode(vocab),
  merges: text.decode(merges),
  tokens: 5,
  steps: 0,
  rounds: 40,
});
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const report = (name: string, seconds: number): void => {
  const rate = figures.bytesPerToken / seconds / 1e9;
  console.log(`${name.padEnd(24)}${(seconds * 1000).toFixed(1)} ms  ${rate.toFixed(2)} GB/s`);
};
console.log(`${cpus()[0]?.model ?? ''}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(2)}`);
console.log(`${(figures.bytesPerToken / 1e6).toFixed(1)} MB of weights a token, 40 rounds`);
report('one token, median', median(figures.decoded));
report('one reading, median', median(figures.read));
report('in 8 streams, median', median(figures.readInStreams));
report('one token, best', Math.min(...figures.decoded));
report('one reading, best', Math.min(...figures.read));
report('in 8 streams, best', Math.min(...figures.readInStreams));
['every token', 'top-k 40', 'top-p 0.9'].forEach((name, i) =>
  report(`one token, ${name}`, figures.choiceSeconds[i]!),
);
const reading = Math.min(median(figures.read), median(figures.readInStreams));
const share = reading / median(figures.decoded);
console.log(`decoding reads at ${(100 * share).toFixed(0)} % of the faster reading's speed`);
