// Two projects, run by tests/run.mjs: `node` drives the real module without a page, `browser` drives
// the built page in a real Chromium.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        // The examples name the package as its users do.
        resolve: { alias: { glasshouse: join(import.meta.dirname, 'build/package/index.mjs') } },
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/*.test.ts', 'tests/examples/*.test.ts'],
          // On two cores Vitest would take one.
          maxWorkers: availableParallelism(),
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What takes a moment takes seconds where other tests have the cores.
          expect: { poll: { interval: 20, timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'component',
          environment: 'node',
          include: ['tests/component/*.test.ts'],
          setupFiles: ['tests/browser/judge.ts'],
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { interval: 20, timeout: 15_000 } },
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
          setupFiles: ['tests/browser/judge.ts'],
          // A worker keeps its browser from file to file.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // The panels of the page follow in the frames after a change, one at a time: what is read
          // is read again until it is as expected.
          expect: { poll: { interval: 50, timeout: 20_000 } },
        },
      },
    ],
  },
});
