// Formats the benchmark's rows as text.

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const number = (value) =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(1);

/** Columns as wide as their widest cell; the first is left-aligned. */
export function grid(head, lines) {
  const all = [head, ...lines];
  const widths = head.map((_, i) => Math.max(...all.map((line) => String(line[i]).length)));
  return all
    .map((line) =>
      line
        .map((cell, i) => (i ? String(cell).padStart(widths[i]) : String(cell).padEnd(widths[i])))
        .join('  '),
    )
    .join('\n');
}

export function stepTable(rows) {
  return grid(
    [
      'engine',
      'config',
      'threads',
      'tokens/s',
      'steps/s',
      'peak GFLOP/s',
      'of peak',
      'speed-up',
      'MB',
    ],
    rows.map((row) => [
      row.engine,
      row.config,
      row.threads,
      number(row.tokens_per_s),
      number(row.steps_per_s),
      row.peak_gflops.toFixed(1),
      percent(row.fraction_of_peak),
      row.speedup.toFixed(2),
      (row.memory_bytes / 1e6).toFixed(1),
    ]),
  );
}

/** Matrix products: all of a step, and each matrix forward / dx / dw. */
export function gemmTable(rows) {
  return grid(
    ['engine', 'config', 'threads', 'all', 'qkv', 'out', 'fc', 'proj', 'head'],
    rows
      .filter((row) => row.gemm)
      .map((row) => [
        row.engine,
        row.config,
        row.threads,
        percent(row.gemm.fraction_of_peak),
        ...['qkv', 'out', 'fc', 'proj', 'head'].map((matrix) =>
          row.gemm.shapes
            .filter((shape) => shape.matrix === matrix)
            .map((shape) => Math.round(100 * shape.fraction_of_peak))
            .join('/'),
        ),
      ]),
  );
}

export function samplingTable(rows) {
  return grid(
    ['engine', 'config', 'threads', 'tokens/s', 'of matrix-vector rate', 'times recomputing'],
    rows
      .filter((row) => row.sampling)
      .map((row) => [
        row.engine,
        row.config,
        row.threads,
        number(row.sampling.tokens_per_s),
        percent(row.sampling.fraction_of_matvec),
        row.sampling.times_recomputing.toFixed(1),
      ]),
  );
}

/** One line per configuration: ops above half a percent of a step. */
export function opLines(rows) {
  return rows
    .filter((row) => row.ops)
    .map((row) => {
      const large = Object.entries(row.ops).filter(([, share]) => share >= 0.005);
      const list = large.map(([name, share]) => `${name} ${percent(share)}`).join(', ');
      return `${row.engine} ${row.config}: ${list}`;
    })
    .join('\n');
}

export function report(rows) {
  return [
    'Whole steps (forward, backward, AdamW); the peak is the register-only loop on as many threads.',
    stepTable(rows),
    '',
    'Products alone, share of the peak: all of a step, then forward/dx/dw of each matrix.',
    gemmTable(rows),
    '',
    'Generating with the cache.',
    samplingTable(rows),
    '',
    'Where the time of a step goes (one thread).',
    opLines(rows),
  ].join('\n');
}
