/** `guard forecast`: the command, in repositories with worktrees. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guard, plainEnv, put, scratchDir, text } from '../install/scratch.ts';
import { editLine, git, newRepository, newWorktree } from '../forecast/repositories.ts';

interface Told {
  readonly checkouts: readonly Readonly<Record<string, unknown>>[];
  readonly trunk: readonly { readonly id: string; readonly files: readonly string[] }[];
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly files: readonly string[] }[];
  readonly order: unknown;
  readonly notes: readonly string[];
  readonly runs?: unknown;
}

function place(is_guarded = true) {
  const base = scratchDir('guard-forecast-');
  const root = newRepository(join(base, 'repo'));
  fs.mkdirSync(join(base, 'home'));
  const env = plainEnv(join(base, 'home'));
  const run = (cwd: string, ...args: string[]) => guard(cwd, env, 'forecast', ...args);
  if (is_guarded) {
    expect(guard(root, env, 'init').code).toBe(0);
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'guarded');
  }
  const told = (...args: string[]): Told => JSON.parse(run(root, '--json', ...args).stdout) as Told;
  return { base, root, run, told };
}

describe('guard forecast', () => {
  it('--json has every checkout by the name that git has for it, and what conflicts, uncommitted and untracked', () => {
    const { root, told, run } = place();
    const [one, two] = [newWorktree(root, 'one'), newWorktree(root, 'main')];
    editLine(join(one, 'a.txt'), 3, 'by one');
    editLine(join(two, 'a.txt'), 3, 'by the other');
    put(join(one, 'new.txt'), '1\n');
    put(join(two, 'new.txt'), '2\n');
    const answer = told();
    expect(answer.checkouts).toMatchObject([
      { id: 'main', path: root, branch: 'main' },
      { id: 'main@worktree', path: two, branch: 'b-main' },
      { id: 'one', path: one, branch: 'b-one' },
    ]);
    expect(answer.trunk).toEqual([]);
    expect(answer.pairs).toMatchObject([
      {
        ...{ a: 'main@worktree', b: 'one', files: ['a.txt', 'new.txt'], of_trunk: false },
        conflicts: [
          { path: 'a.txt', kind: 'contents', a: [[4, 4]], b: [[4, 4]] },
          { path: 'new.txt', kind: 'contents', a: [[1, 1]], b: [[1, 1]] },
        ],
      },
    ]);
    expect(run(one).code).toBe(1);
  });

  it('tells apart what conflicts with the trunk, and that the others do so with a checkout that has nothing new', () => {
    const { root, told, run } = place();
    const late = newWorktree(root, 'late');
    editLine(join(late, 'd/b.txt'), 0, 'late');
    editLine(join(root, 'd/b.txt'), 0, 'on the trunk');
    git(root, 'add', 'd');
    git(root, 'commit', '-qm', 'on');
    const answer = told();
    expect(answer.trunk).toMatchObject([{ id: 'late', files: ['d/b.txt'] }]);
    expect(answer.pairs).toMatchObject([{ a: 'main', b: 'late', files: ['d/b.txt'], of_trunk: true }]);
    expect(run(root).stdout).not.toContain('With each other');
  });

  it('needs no guard init, and keeps nothing then', () => {
    const { root, run } = place(false);
    const one = newWorktree(root, 'one');
    editLine(join(one, 'a.txt'), 3, 'by one');
    expect([run(one).code, fs.existsSync(join(root, '.git/guard'))]).toEqual([0, false]);
  });

  it('is refused where there is no repository', () => {
    const base = scratchDir('guard-forecast-');
    const { code, stderr } = guard(base, plainEnv(base), 'forecast');
    expect([code, stderr.includes('GUARD_ERR_GIT')]).toEqual([2, true]);
  });

  it('refuses a trunk that is no commit', () => {
    const { root, run } = place();
    const { code, stderr } = run(root, '--trunk', 'nowhere');
    expect([code, stderr.includes('GUARD_ERR_INPUT')]).toEqual([2, true]);
  });

  it('--run runs on everything that merges, outside of every repository', () => {
    const { root, base, told } = place();
    for (const name of ['one', 'two']) put(join(newWorktree(root, name), `${name}.txt`), name);
    const file = join(base, 'seen');
    const answer = told('--run', `ls > '${file}'; git rev-parse 2>>'${file}'; exit 7`);
    expect(answer.runs).toEqual([{ of: ['one', 'two'], left_out: [], exit_code: 7 }]);
    expect(text(file)).toMatch(/one\.txt\ntwo\.txt\nfatal: not a git repository/);
    expect(fs.readdirSync(join(root, '..', 'one of repo')).length).toBe(1);
  });

  it('fits 80 columns, however long the names are', () => {
    const { root, run } = place();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const dir = newWorktree(root, `${name}-${'long'.repeat(12)}`);
      put(join(dir, `${'deep/'.repeat(20)}file.txt`), name);
      editLine(join(dir, 'a.txt'), 1, name);
    }
    const { stdout } = run(root);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain('a.txt 2 / 2');
  });
});
