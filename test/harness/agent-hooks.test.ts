import { describe, expect, it } from 'vitest';
import { agentHooks } from '../../src/harness/agent-hooks.ts';
import { isWarmLine } from '../../src/install/warm-line.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { scratch, type Scratch } from '../claude/driver.ts';

/** For all hook lines, whether they ask a server. */
const warmth = (at: Scratch, in_worktree: boolean): readonly boolean[] => {
  const client = { version: null, from: 'nowhere' } as const;
  const table = agentHooks(
    { repo: locateRepo(at.root, at.env), root: at.root, env: at.env },
    { base: in_worktree ? 'HEAD' : null, client },
  );
  const lines = Object.values(table)
    .flatMap((groups) => groups.flatMap(({ hooks }) => hooks))
    .filter(({ command }) => !command.includes('GUARD_SUPERVISOR'));
  return [...new Set(lines.map(({ command }) => isWarmLine(command.replace(/ \|\| \{ rc=.*$/, ''))))];
};

describe('the hooks of a drafted agent', () => {
  it.each([
    [['--warm'], true],
    [[], false],
    [['--warm', '--scope', 'local'], true],
  ])('ask a server where those of the repository do: guard init %s', (init, is) => {
    const at = scratch({ init });
    // In a worktree without a committed launcher, guard's own path takes its place.
    expect([warmth(at, false), warmth(at, true)]).toEqual([[is], [is]]);
  });
});
