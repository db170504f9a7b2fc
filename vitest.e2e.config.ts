import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/e2e/client/setup.ts'],
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each has a separate home, API and network. With three at a time and the checks of .ci/run beside
    // them, two processors were idle for a third of 476 s.
    maxWorkers: 4,
    // For tests of one file that wait in parallel. With five, on a busy machine, clients took a minute to start.
    maxConcurrency: 2,
  },
});
