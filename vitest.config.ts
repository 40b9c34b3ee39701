// Two projects, run by tests/run.mjs: `node` drives the real module without a page, `browser` drives
// the built page in a real Chromium.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['tests/*.test.ts', 'tests/examples/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/*.test.ts'],
          // One server for all of them, and one page at a time: a busy machine starves a tab.
          globalSetup: ['tests/browser/serve-site.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
