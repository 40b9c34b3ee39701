// Chooses the test files of a run: by ONLY, and by FAST for `make test-fast`.
import { existsSync, readdirSync } from 'node:fs';

/** Only files whose path contains this text. */
export const only = process.env.ONLY ?? '';

/** FAST=1: no browser, no other program, and one build of the engine per kind of test. */
export const fast = process.env.FAST === '1';

/** Files that `make test-fast` leaves out: they need a slow build or another program. */
export const SLOW = [
  // Need the package, the benchmark's modules or another program.
  /^tests\/(package|readme|bench|torch|formats-(gguf|onnx|tokenizer))\.test\.ts$/,
  /^tests\/examples\//,
  // Take a gigabyte, or train for long.
  /^tests\/(large|soak|lessons)\.test\.ts$/,
  // Need the native build, or the package.
  /^tests\/(cli.*|bits-engines|receipts|forks|left-out|trace|tracing|frozen)\.test\.ts$/,
  // Need another compilation of the whole engine.
  /^tests\/fuzz\//,
  /^tests\/c\/.*_(double|later|threads)\.c$/,
];

/** Whether this run includes a file. */
export const wanted = (path) =>
  path.includes(only) && !(fast && SLOW.some((pattern) => pattern.test(path)));

/** The files of a folder that match a pattern and that this run includes. */
export const filesIn = (folder, pattern) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => `${folder}/${name}`)
        .filter(wanted)
        .sort()
    : [];
