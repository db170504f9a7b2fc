import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const user = mkdtempSync(join(tmpdir(), 'guard-user-'));

// Tests that replace a module for everything that loads it.
const APART = ['test/claude/commands/judge-scopes.test.ts'];

/** Tests that take longer than 10 s with six workers on two cores, longest first, so that no worker is left with one at the end. */
const FIRST = [
  'test/workspace/lease-cache.test.ts',
  'test/workspace/fleet-dir.test.ts',
  'test/warm/keeper.test.ts',
  'test/cli/commands/fleet.test.ts',
  'test/store/contract/contract.test.ts',
  'test/shell/corpus.test.ts',
  'test/store/postgres/in-step.test.ts',
  'test/workspace/unless-restored.test.ts',
  'test/standalone/main.test.ts',
  'test/chaos/hook-storm.test.ts',
  'test/page/long.test.ts',
  'test/package.test.ts',
  'test/harness/watch.test.ts',
  'test/harness/full-disk.test.ts',
  'test/git/ask.test.ts',
  'test/chaos/storm.test.ts',
  'test/chaos/images.test.ts',
  'test/shell/writers/measured.test.ts',
  'test/harness/queue.test.ts',
  'test/cli/commands/fleet.checkouts.test.ts',
  'test/core/deadlock/property.test.ts',
  'test/chaos/faults.test.ts',
  'test/store/late/leave-late.test.ts',
  'test/cli/commands/doctor.fix.test.ts',
  'test/warm/differential.test.ts',
  'test/harness/orphans.test.ts',
  'test/core/rules/prospect.test.ts',
  'test/claude/optimistic-locking/success-criteria.test.ts',
  'test/cli/commands/git-hook.init.test.ts',
  'test/git/differential.test.ts',
  'test/harness/messages.test.ts',
  'test/claude/worktree-events.test.ts',
  'test/harness/silence.test.ts',
  'test/chaos/mutants.test.ts',
  'test/forecast/kept.test.ts',
  'test/cli/unjoined.test.ts',
  'test/chaos/shared-storm.test.ts',
  'test/harness/life.test.ts',
  'test/threat-model/http-limits.test.ts',
  'test/claude/broken.test.ts',
  'test/warm/launcher.test.ts',
  'test/core/rules/held-paths.test.ts',
  'test/locks/wait.test.ts',
  'test/replay/sessions.test.ts',
  'test/chaos/strace.test.ts',
  'test/page/browser.test.ts',
  'test/claude/git-filters.test.ts',
  'test/claude/git-submodules.test.ts',
  'test/cli/forecast.test.ts',
  'test/cli/commands/fleet.commands.test.ts',
  'test/harness/worktree-end.test.ts',
  'test/claude/git-acts.test.ts',
  'test/replay/replay.test.ts',
  'test/cli/commands/init.join.test.ts',
  'test/core/rules/scope-change.test.ts',
  'test/cli/commands/git-hook.commit.test.ts',
  'test/claude/broken-states.test.ts',
  'test/install/round-trip.test.ts',
  'test/mcp/harness.test.ts',
  'test/harness/awaiting.test.ts',
  'test/contents/sweep.test.ts',
  'test/forecast/standing.test.ts',
  'test/store/late/storm.test.ts',
  'test/harness/survival.test.ts',
  'test/warm/server.test.ts',
  'test/harness/view.test.ts',
  'test/claude/fuzz-hook.test.ts',
  'test/cli/commands/doctor.settings.test.ts',
  'test/claude/bash.test.ts',
  'test/cli/commands/init.shapes.test.ts',
  'test/operations/acts-one-answer.test.ts',
  'test/mcp/wait.test.ts',
  'test/cli/quick/entry.test.ts',
  'test/cli/commands/doctor.faults.test.ts',
  'test/http/serving.test.ts',
  'test/architecture/unused.test.ts',
  'test/core/reservations/places.test.ts',
  'test/harness/hostile.test.ts',
  'test/claude/config-change.test.ts',
  'test/store/late/take-in-shared.test.ts',
  'test/operations/one-answer.test.ts',
  'test/claude/commands/noticing.test.ts',
  'test/claude/hostile-stdin.test.ts',
  'test/forecast/exact.test.ts',
  'test/claude/driver/warm.test.ts',
  'test/harness/bounds.test.ts',
  'test/cli/fleet/move.test.ts',
  'test/http/agents.test.ts',
  'test/http/security.test.ts',
  'test/fence/commands.test.ts',
  'test/http/strangers.test.ts',
  'test/chaos/engine-faults.test.ts',
  'test/harness/money.test.ts',
  'test/http/reservations.test.ts',
  'test/claude/mail.test.ts',
  'test/claude/driver/small-spawns.test.ts',
  'test/core/machines.property.test.ts',
  'test/cli/commands/init.test.ts',
  'test/docs/operate-fleet.test.ts',
  'test/http/busy.test.ts',
  'test/install/launcher.test.ts',
  'test/chaos/copies.test.ts',
  'test/mcp/specification.test.ts',
];

const ranked = (file: string): number => {
  if (APART.includes(file)) return FIRST.length + 1;
  const at = FIRST.indexOf(file);
  return at === -1 ? FIRST.length : at;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => ranked(relative(import.meta.dirname, moduleId));
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Node 20 reads these certificates at every start, 38 ms of processor time, and tests start it some 4,700 times.
delete process.env['NODE_EXTRA_CA_CERTS'];

export default defineConfig({
  test: {
    globalSetup: ['test/build.ts'],
    setupFiles: ['test/claude/driver/small-spawns-setup.ts'],
    // Code in the test's own process must not write to the directories of the user who runs the tests.
    env: { HOME: user, XDG_STATE_HOME: user, GUARD_TEST_NPM_HOME: process.env['HOME'] ?? user },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Three for each of two processors: the tests wait for a third of their time (decision 250).
    maxWorkers: 6,
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        // Loading the modules again for each of 356 files took 126 s of processor time.
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', ...APART],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
  },
});
