import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/e2e/client/setup.ts'],
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each has a home, an API and a network of its own. With two at once two processors had nothing to do for a third of the time.
    maxWorkers: 3,
    // Of those of a file that wait side by side. With five, and everything else that a machine has to do, clients took a minute to start.
    maxConcurrency: 2,
  },
});
