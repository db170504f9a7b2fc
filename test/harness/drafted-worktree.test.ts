import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftedWorktree } from '../../src/harness/drafted-worktree.ts';
import { gitRepo, plainEnv, put, run, scratchDir } from '../install/scratch.ts';

const base = scratchDir();

/** A repository, and what its agent recorded. */
function repository(name: string) {
  const root = gitRepo(join(base, name));
  const env = plainEnv(root);
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root, env });
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const recorded: unknown[] = [];
  const space = {
    ...{ root, env, repo: { common_dir: join(root, '.git') } },
    run: (event: unknown) => {
      recorded.push(event);
      return { refused: null };
    },
  };
  const dir = join(root, '.claude/worktrees/guard-01234567');
  const worktree = { dir, branch: 'guard-01234567', base: 'HEAD', include: [], setup: null, notes: [] };
  const of = { supervisor: null, starts: 1, dispatch: 1 };
  const job = { id: 'claude-a', session: 's', worktree, of };
  const make = () => draftedWorktree(space as never, job, {} as never);
  return { git, dir, recorded, make };
}

describe('a worktree of an agent, where something of its name is there already', () => {
  it('is refused before it is on record as unfinished, so nobody removes what was there', async () => {
    const { dir, recorded, make } = repository('files');
    const file = put(join(dir, 'mine.txt'), 'mine\n');
    await expect(make()).rejects.toMatchObject({ code: 'GUARD_ERR_WORKTREE' });
    expect([recorded, existsSync(file)]).toEqual([[], true]);
  });

  it('and so is one whose branch has commits of its own', async () => {
    const { git, recorded, make } = repository('branch');
    git('checkout', '-q', '-b', 'guard-01234567');
    git('commit', '-q', '--allow-empty', '-m', 'only here');
    git('checkout', '-q', '-');
    await expect(make()).rejects.toMatchObject({ code: 'GUARD_ERR_WORKTREE' });
    expect(recorded).toEqual([]);
  });
});
