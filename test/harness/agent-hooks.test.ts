import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { agentHooks } from '../../src/harness/agent-hooks.ts';
import { SUPERVISOR, SUPERVISOR_START, supervisedBy } from '../../src/harness/client-call.ts';
import { isWarmLine } from '../../src/install/warm-line.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { markProcess } from '../../src/repo/process.ts';
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

/** The exit code of the check whether the supervisor is there, without what follows if it is not. */
function isThere(env: Readonly<Record<string, string>>): boolean {
  const at = scratch();
  const client = { version: null, from: 'nowhere' } as const;
  const table = agentHooks(
    { repo: locateRepo(at.root, at.env), root: at.root, env: at.env },
    { base: null, client },
  );
  const line = (table['Stop'] ?? []).flatMap(({ hooks }) => hooks).at(-1)?.command ?? '';
  const [check = '', ...after] = line.split(' || exec ');
  expect(after).toHaveLength(1);
  // A value that the agent's environment has by chance.
  return spawnSync('/bin/sh', ['-c', check], { env: { S: 'a) S 1 2', ...env } }).status === 0;
}

describe('the hooks of a drafted agent', () => {
  const own = supervisedBy(process.pid, markProcess(process.pid));
  const gone = String(spawnSync('true').pid);
  it.each([
    ['one that is not supervised', {}, true],
    ['its living supervisor', own, true],
    ['its supervisor, started by an older guard', { [SUPERVISOR]: String(process.pid) }, true],
    ['a supervisor that is gone', { ...own, [SUPERVISOR]: gone }, false],
    ['a supervisor that is gone, started by an older guard', { [SUPERVISOR]: gone }, false],
  ])('see %s', (_, env, is_there) => expect(isThere(env)).toBe(is_there));

  it.runIf(process.platform === 'linux')('see that another process has its supervisor’s pid', () =>
    expect(isThere({ ...own, [SUPERVISOR_START]: '1' })).toBe(false),
  );

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
