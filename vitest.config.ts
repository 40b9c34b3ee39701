// The projects that tests/run.mjs runs: `node` and `node-alone` drive the real module without a
// page, `component` mounts parts of the page on recordings, `browser` drives the built page in a
// real Chromium.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { instruments } from './web/embed/build/instruments.ts';
import { POLL, TEST } from './tests/budgets.ts';
import { LongestFirst } from './tests/stages/longest-first.ts';

const limits = { testTimeout: TEST, hookTimeout: TEST };

/** Files in Node that need a process of their own. */
const ALONE = [
  // Libraries that put a `Worker` into `globalThis`, or that are native.
  'tests/formats-{gguf,onnx}.test.ts',
  // The package as a stranger's project has it.
  'tests/examples/*.test.ts',
  // The heap of the process is measured.
  'tests/soak.test.ts',
];

/** The examples name the package as its users do. */
const alias = { glasshouse: join(import.meta.dirname, 'build/package/index.mjs') };

const node = {
  environment: 'node',
  // On two cores Vitest would take one.
  maxWorkers: availableParallelism(),
  ...limits,
  expect: { poll: { interval: 20, timeout: POLL } },
} as const;

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        plugins: [instruments(import.meta.dirname)],
        test: {
          ...node,
          name: 'node',
          include: ['tests/*.test.ts'],
          exclude: ALONE,
          // The files share two processes and the modules that they import: half of the time of a
          // process for each. So no test leaves anything in a module or in `globalThis`.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        plugins: [instruments(import.meta.dirname)],
        test: { ...node, name: 'node-alone', include: ALONE },
      },
      {
        plugins: [instruments(import.meta.dirname)],
        test: {
          name: 'component',
          environment: 'node',
          include: ['tests/component/*.test.ts'],
          globalSetup: ['tests/component/answers.ts'],
          setupFiles: ['tests/browser/judge.ts'],
          isolate: false,
          maxWorkers: 3,
          ...limits,
          expect: { poll: { interval: 20, timeout: POLL } },
        },
      },
      {
        plugins: [instruments(import.meta.dirname)],
        test: {
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/*.test.ts'],
          // One server for all of them, and two browsers at a time: they wait for most of the time,
          // but a busy machine starves a tab.
          globalSetup: ['tests/browser/serve-site.ts'],
          setupFiles: ['tests/browser/judge.ts'],
          // A worker keeps its browser from file to file.
          isolate: false,
          maxWorkers: 3,
          ...limits,
          // The panels of the page follow in the frames after a change, one at a time: what is read
          // is read again until it is as expected.
          expect: { poll: { interval: 50, timeout: POLL } },
        },
      },
    ],
  },
});
