// Three projects, run by tests/run.mjs: `node` drives the real module without a page, `component`
// mounts parts of the page on recordings, `browser` drives the built page in a real Chromium.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { POLL, TEST } from './tests/budgets.ts';
import { LongestFirst } from './tests/stages/longest-first.ts';

const limits = { testTimeout: TEST, hookTimeout: TEST };

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // The examples name the package as its users do.
        resolve: { alias: { glasshouse: join(import.meta.dirname, 'build/package/index.mjs') } },
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/*.test.ts', 'tests/examples/*.test.ts'],
          // The files share two processes, with the modules that they import: half of the time of
          // a process for each. So no test leaves anything in a module or in `globalThis`.
          isolate: false,
          // On two cores Vitest would take one.
          maxWorkers: availableParallelism(),
          ...limits,
          expect: { poll: { interval: 20, timeout: POLL } },
        },
      },
      {
        test: {
          name: 'component',
          environment: 'node',
          include: ['tests/component/*.test.ts'],
          maxWorkers: 2,
          ...limits,
          expect: { poll: { interval: 50, timeout: POLL } },
        },
      },
      {
        test: {
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/*.test.ts'],
          // One server for all of them, and two browsers at a time: they wait for most of the time,
          // but a busy machine starves a tab.
          globalSetup: ['tests/browser/serve-site.ts'],
          maxWorkers: 2,
          ...limits,
          // The panels of the page follow in the frames after a change, one at a time: what is read
          // is read again until it is as expected.
          expect: { poll: { interval: 50, timeout: POLL } },
        },
      },
    ],
  },
});
