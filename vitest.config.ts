import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const user = mkdtempSync(join(tmpdir(), 'guard-user-'));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    globalSetup: ['test/build.ts'],
    // What code in the test's own process keeps for the user is not for the user who runs the tests.
    env: { HOME: user, XDG_STATE_HOME: user, GUARD_TEST_NPM_HOME: process.env['HOME'] ?? user },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores, and most tests race child processes of their own.
    maxWorkers: 2,
  },
});
