// The benchmark's measurements, for Node and browsers: one process, one run, all variants
// interleaved, medians of several rounds. Each step rate is divided by the peak rate measured just
// before and after it, so that other load on the machine has little effect.
import { CONFIGS, flopsPerToken, optionsOf, textOf } from './configs.mjs';

/** The time to spend: the whole benchmark, or a quick check that it runs. */
export const EFFORT = {
  full: { rounds: 5, slice: 400, peak: 12, part: 10, names: Object.keys(CONFIGS) },
  browser: { rounds: 3, slice: 400, peak: 20, part: 10, names: Object.keys(CONFIGS) },
  quick: { rounds: 2, slice: 30, peak: 2, part: 1, names: ['XS'] },
};

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The resolution of the clock in ms; browsers round it, some to 1 ms. */
const tick = (() => {
  let smallest = Infinity;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    smallest = Math.min(smallest, now - start);
  }
  return smallest;
})();

/** Milliseconds per repetition of `run(times)`, measured over about `limit` ms. */
export function timeOf(run, limit) {
  for (let times = 1; ; times *= 4) {
    const start = performance.now();
    run(times);
    const time = performance.now() - start;
    if (time >= Math.max(limit, 20 * tick) || times > 1e7) return time / times;
  }
}

/** GFLOP/s of the register-only loop on `threads` threads at once. */
function peakOf(engine, threads, milliseconds) {
  const { c } = engine;
  const run = (times) =>
    threads > 1 ? c.bench_peak_together(threads, times) : c.bench_peak(times);
  return (threads * c.bench_peak_flops()) / timeOf((n) => run(n * 1000), milliseconds) / 1e3;
}

/**
 * The engine for this many threads. One thread uses the build without threads, so that the
 * benchmark covers both builds.
 */
function use(engines, threads) {
  if (threads === 1) return engines.one;
  engines.many.c.gpt_threads_use(threads);
  return engines.many;
}

/** Trains for about `slice` ms; returns tokens and steps per second. */
function train(engine, trainer, slice) {
  const before = engine.get(trainer, 'tokens_seen');
  const start = performance.now();
  let steps = 0;
  let time;
  do {
    const status = engine.c.gpt_step(trainer);
    if (status !== 0) throw new Error(`a step ended with status ${status}`);
    steps++;
    time = (performance.now() - start) / 1000;
  } while (time * 1000 < slice);
  const tokens = engine.get(trainer, 'tokens_seen') - before;
  return { tokens: tokens / time, steps: steps / time };
}

/** Tokens per second of whole steps for every thread count, interleaved. */
function measureSteps(engines, threadCounts, preset, options, text, flops, effort) {
  const runs = threadCounts.map((threads) => {
    const engine = use(engines, threads);
    const trainer = engine.trainer(preset, options, text);
    return { threads, trainer, rates: [], steps: [], peaks: [], shares: [] };
  });
  const [first] = runs;
  const fact = (name) => engines.one.get(first.trainer, name);
  const memory = fact('memory_bytes');
  const parameters = fact('parameters');
  for (let round = -1; round < effort.rounds; round++) {
    for (const run of runs) {
      const engine = use(engines, run.threads);
      const before = peakOf(engine, run.threads, effort.peak);
      const { tokens, steps } = train(engine, run.trainer, round < 0 ? 0 : effort.slice);
      if (round < 0) continue; // warm-up round
      const peak = (before + peakOf(engine, run.threads, effort.peak)) / 2;
      run.rates.push(tokens);
      run.steps.push(steps);
      run.peaks.push(peak);
      run.shares.push((tokens * flops(parameters)) / 1e9 / peak);
    }
  }
  return runs.map(({ threads, trainer, rates, steps, peaks, shares }) => {
    use(engines, threads).c.gpt_trainer_free(trainer);
    return {
      threads,
      tokens_per_s: median(rates),
      steps_per_s: median(steps),
      peak_gflops: median(peaks),
      fraction_of_peak: median(shares),
      speedup: median(rates.map((rate, i) => rate / first.rates[i])),
      memory_bytes: memory,
      parameters,
    };
  });
}

/** The matrix products of one step: batch rows, inputs and outputs of each matrix. */
function matricesOf({ V, T, C, B }) {
  const rows = B * T;
  return [
    { name: 'qkv', rows, inputs: C, outputs: 3 * C },
    { name: 'out', rows, inputs: C, outputs: C },
    { name: 'fc', rows, inputs: C, outputs: 4 * C },
    { name: 'proj', rows, inputs: 4 * C, outputs: C },
    { name: 'head', rows, inputs: C, outputs: V, transposed: true },
  ];
}

/** m, n, k and the transposed operand, for forward pass and both gradients of a matrix. */
function productsOf({ rows, inputs, outputs, transposed }) {
  return {
    forward: [rows, outputs, inputs, transposed ? 1 : 0],
    dx: [rows, inputs, outputs, transposed ? 0 : 1],
    dw: transposed ? [outputs, inputs, rows, 2] : [inputs, outputs, rows, 2],
  };
}

/** Shares of the peak for each matrix product of a step, and for all together. */
function measureGemm(engines, threads, name, effort) {
  const engine = use(engines, threads);
  const { c } = engine;
  const shapes = [];
  let operations = 0;
  let seconds = 0;
  for (const matrix of matricesOf(CONFIGS[name])) {
    for (const [part, [m, n, k, transposed]] of Object.entries(productsOf(matrix))) {
      const buffers = [m * n, m * k, k * n, c.bench_gemm_workspace()].map((n) => engine.random(n));
      const [out, a, b, workspace] = buffers;
      const run = (times) => c.bench_gemm(out, a, b, m, n, k, transposed, times, workspace);
      run(1);
      const rounds = Array.from({ length: effort.rounds }, () => {
        const peak = peakOf(engine, threads, effort.part);
        const time = timeOf(run, effort.part);
        const rate = (2 * m * n * k) / time / 1e6;
        return { rate, share: rate / ((peak + peakOf(engine, threads, effort.part)) / 2) };
      });
      for (const buffer of buffers) c.free(buffer);
      const share = median(rounds.map((round) => round.share));
      const gflops = median(rounds.map((round) => round.rate));
      shapes.push({ matrix: matrix.name, part, m, n, k, gflops, fraction_of_peak: share });
      // The model has one head; the other matrices occur in every layer.
      const count = matrix.name === 'head' ? 1 : CONFIGS[name].L;
      operations += 2 * m * n * k * count;
      seconds += (2 * m * n * k * count) / share;
    }
  }
  return { fraction_of_peak: operations / seconds, shapes };
}

/** Share of a step's time per op, forward and backward, with ops run one after another. */
function measureOps(engine, preset, options, text, effort) {
  const { c } = engine;
  const recipe = engine.recipe(preset, options);
  const bench = engine.withText(text, (pointer, bytes) => c.bench_open(recipe, pointer, bytes));
  c.gpt_config_free(recipe);
  const times = new Map();
  const add = (name, run) => {
    const each = Array.from({ length: 3 }, () => timeOf(run, effort.part));
    times.set(name, (times.get(name) ?? 0) + median(each));
  };
  for (let node = 0; node < c.bench_nodes(bench); node++) {
    const op = engine.read(c.bench_node_op(bench, node));
    for (const backward of [0, 1]) {
      add(`${op} ${backward ? 'backward' : 'forward'}`, (n) =>
        c.bench_node_run(bench, node, backward, n),
      );
    }
  }
  add('update', (n) => c.bench_update(bench, n));
  c.bench_close(bench);
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return Object.fromEntries(
    [...times].map(([name, time]) => [name, time / total]).sort((a, b) => b[1] - a[1]),
  );
}

/** Samples texts for about `slice` ms; returns tokens per second. */
function generate(engine, trainer, slice) {
  const { c } = engine;
  const sampler = c.gpt_trainer_sampler(trainer);
  const start = performance.now();
  let tokens = 0;
  let time;
  let seed = 1;
  do {
    c.gpt_sample_begin(sampler, engine.string(''), 0, 1, 0, 1, seed++);
    for (let i = 0; i < 64 && c.gpt_sample_ended(sampler) === 0; i++) {
      if (c.gpt_sample_next(sampler) < 0) throw new Error('a token could not be drawn');
      tokens++;
    }
    time = (performance.now() - start) / 1000;
  } while (time * 1000 < slice);
  return tokens / time;
}

/**
 * Sampling with the KV cache, compared with the matrix-vector rate of the same weights and with
 * recomputing all previous tokens for each new one.
 */
function measureSampling(engines, threads, name, effort) {
  const engine = use(engines, threads);
  const { c } = engine;
  const { preset, V, T, C, L } = CONFIGS[name];
  const text = textOf(name);
  const trainer = engine.trainer(preset, optionsOf(name), text);
  c.gpt_step(trainer);
  const recipe = engine.recipe(preset, optionsOf(name));
  const bench = engine.withText(text, (pointer, bytes) => c.bench_open(recipe, pointer, bytes));
  c.gpt_config_free(recipe);
  // The size of the model's weights: 12 L C^2, in matrices of (C, 4C).
  const weights = engine.random(12 * L * C * C);
  const [out, x] = [engine.random(4 * C), engine.random(C)];
  const matvec = (times) => c.bench_matvec(out, x, weights, 4 * C, C, 3 * L, times);
  const lengths = Array.from({ length: 8 }, (_, i) => Math.max(1, Math.round((T * (i + 1)) / 8)));
  generate(engine, trainer, 1);
  const rounds = Array.from({ length: effort.rounds }, () => {
    // Measures for the same time as sampling, so that the weights are cached likewise, if they fit.
    const rate = (2 * 12 * L * C * C) / timeOf(matvec, effort.slice / 4) / 1e6;
    const tokens = generate(engine, trainer, effort.slice / 4);
    const recompute = lengths.map((length) =>
      timeOf((n) => c.bench_recompute(bench, length, n), effort.part / 8),
    );
    const mean = recompute.reduce((sum, time) => sum + time, 0) / lengths.length;
    return { rate, tokens, share: (2 * (12 * L * C + V) * C * tokens) / 1e9 / rate, mean };
  });
  c.bench_close(bench);
  c.gpt_trainer_free(trainer);
  for (const pointer of [weights, out, x]) c.free(pointer);
  const tokens = median(rounds.map((round) => round.tokens));
  return {
    tokens_per_s: tokens,
    matvec_gflops: median(rounds.map((round) => round.rate)),
    fraction_of_matvec: median(rounds.map((round) => round.share)),
    times_recomputing: median(rounds.map((round) => (round.tokens * round.mean) / 1000)),
  };
}

/**
 * Runs all measurements. `engines`: `one` without threads, `many` with. Returns one table row for
 * each configuration and thread count; calls `tell` with each row at once.
 */
export function measure({ engines, threadCounts, engineName, names, effort, tell = () => {} }) {
  const rows = [];
  const add = (row) => {
    rows.push({ engine: engineName, ...row });
    tell(rows.at(-1));
  };
  for (const name of effort.names) {
    const { preset } = CONFIGS[name];
    const options = optionsOf(name);
    const text = textOf(name);
    const flops = (parameters) => flopsPerToken(name, parameters);
    const steps = measureSteps(engines, threadCounts, preset, options, text, flops, effort);
    for (const row of steps) {
      const { threads } = row;
      add({
        config: name,
        ...row,
        gemm: name === 'XS' ? undefined : measureGemm(engines, threads, name, effort),
        ops: threads === 1 ? measureOps(engines.one, preset, options, text, effort) : undefined,
        sampling: measureSampling(engines, threads, name, effort),
      });
    }
  }
  // The default preset: documents of about seven tokens, for which the optimizer update is a large
  // share of a step.
  const options = { steps: 1e9 };
  const flops = (parameters) => 6 * (parameters - (27 + 32) * 64) + 6 * 2 * 64 * 7;
  for (const row of measureSteps(
    engines,
    threadCounts,
    'microgpt',
    options,
    names,
    flops,
    effort,
  )) {
    const ops =
      row.threads === 1 ? measureOps(engines.one, 'microgpt', options, names, effort) : undefined;
    add({ config: 'microgpt', ...row, ops });
  }
  return rows;
}
