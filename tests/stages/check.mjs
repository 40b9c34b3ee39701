// Formatting, static analysis, types and lint: each make target named in CHECKS counts as one test.
import { inParallel, make } from './command.mjs';
import { fail } from './failures.mjs';

export async function stageCheck() {
  const sum = { passed: 0, failed: 0, timings: [] };
  const targets = (process.env.CHECKS ?? 'check').split(' ').filter(Boolean);
  await inParallel(targets, async (target) => {
    const start = performance.now();
    const { ok, output } = await make([target], { quiet: true });
    const seconds = (performance.now() - start) / 1000;
    sum.timings.push({ name: target, seconds });
    const line = `${target} (${seconds.toFixed(1)} s)`;
    if (ok) console.log(`ok    ${line}`);
    else fail(line, output);
    sum[ok ? 'passed' : 'failed']++;
  });
  return sum;
}
