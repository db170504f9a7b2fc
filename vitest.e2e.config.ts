import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/build.ts', 'test/e2e/client/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A client and its hooks fill two cores by themselves.
    maxWorkers: 1,
    fileParallelism: false,
  },
});
