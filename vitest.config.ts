import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const user = mkdtempSync(join(tmpdir(), 'guard-user-'));

// What replaces a module for all that load it.
const APART = ['test/claude/commands/judge-scopes.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['test/build.ts'],
    // What code in the test's own process keeps for the user is not for the user who runs the tests.
    env: { HOME: user, XDG_STATE_HOME: user, GUARD_TEST_NPM_HOME: process.env['HOME'] ?? user },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores, and most tests race child processes of their own.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        // Loading the modules anew for each of 356 files took 126 s of the processor.
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', ...APART],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART, sequence: { groupOrder: 1 } } },
    ],
  },
});
