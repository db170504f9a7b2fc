/** Checkouts that are mid-operation, gone, locked, bare, unborn or detached, and content that git treats specially. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GIT_ENV, put, scratchDir } from '../repo/scratch.ts';
import { editLine, forecast, git, newRepository, newWorktree } from './repositories.ts';

const stops = (cwd: string, ...args: readonly string[]): void => {
  expect(spawnSync('git', args, { cwd, env: { ...GIT_ENV, GIT_EDITOR: 'true' } }).status).not.toBe(0);
};

function place() {
  const base = scratchDir();
  const root = newRepository(join(base, 'repo'));
  return { base, root, told: () => forecast(root, join(base, 'kept')) };
}

function commitLine(dir: string, to: string): void {
  editLine(join(dir, 'a.txt'), 1, to);
  git(dir, 'commit', '-qam', to);
}

describe('a checkout in the middle of', () => {
  test('a rebase counts by its branch as it was before: no marker is taken for content', async () => {
    const { root, told } = place();
    const one = newWorktree(root, 'one');
    commitLine(one, 'one');
    commitLine(root, 'on main');
    stops(one, 'rebase', 'main');
    const { checkouts, trunk, notes } = await told();
    expect(checkouts[1]).toMatchObject({
      id: 'one',
      branch: 'b-one',
      operation: 'rebase',
      looked_at: 'commits',
    });
    expect(trunk).toMatchObject([{ id: 'one', conflicts: [{ a: [[2, 2]], b: [[2, 2]] }] }]);
    expect(notes).toEqual(['one: in the middle of a rebase; only its commits count.']);
  });

  test('a merge counts by its last commit while files are unmerged, then with both parents', async () => {
    const { root, told } = place();
    const one = newWorktree(root, 'one');
    commitLine(one, 'one');
    commitLine(root, 'on main');
    stops(one, 'merge', 'main');
    const before = await told();
    expect(before.checkouts[1]).toMatchObject({ operation: 'merge', looked_at: 'commits' });
    expect(before.trunk.map(({ id }) => id)).toEqual(['one']);
    editLine(join(one, 'a.txt'), 1, 'resolved');
    fs.writeFileSync(
      join(one, 'a.txt'),
      fs.readFileSync(join(root, 'a.txt'), 'utf8').replace('on main', 'both'),
    );
    git(one, 'add', 'a.txt');
    const after = await told();
    expect(after.checkouts[1]).toMatchObject({ operation: 'merge', looked_at: 'files' });
    expect(after.trunk).toEqual([]);
  });
});

describe('a worktree', () => {
  test('whose directory is gone is left out; a locked one counts by its commits', async () => {
    const { root, told } = place();
    for (const name of ['gone', 'away']) commitLine(newWorktree(root, name), name);
    git(root, 'worktree', 'lock', join(root, '../away of repo/away'));
    for (const name of ['gone', 'away']) fs.rmSync(join(root, `../${name} of repo`), { recursive: true });
    const { checkouts, notes } = await told();
    expect(checkouts.map(({ id, looked_at }) => [id, looked_at])).toEqual([
      ['main', 'files'],
      ['away', 'commits'],
      ['gone', 'nothing'],
    ]);
    expect(notes.map((note) => note.split(':')[0])).toEqual(['away', 'gone']);
  });

  test('inside of another checkout is no part of it', async () => {
    const { root, told } = place();
    git(root, 'worktree', 'add', '-q', '-b', 'inner', join(root, 'trees/inner'));
    put(join(root, 'trees/inner/new.txt'), 'x');
    const { checkouts } = await told();
    expect(checkouts.map(({ id, has_own }) => [id, has_own])).toEqual([
      ['main', false],
      ['inner', true],
    ]);
  });

  test('with a detached head, or of a bare repository, is one like any other', async () => {
    const { base, root } = place();
    git(base, 'clone', '-q', '--bare', root, 'bare.git');
    const bare = join(base, 'bare.git');
    for (const name of ['one', 'two']) {
      git(bare, 'worktree', 'add', '-q', '--detach', join(base, name), 'main');
      editLine(join(base, name, 'a.txt'), 1, name);
    }
    const { checkouts, pairs, trunk_ref } = await forecast(bare, join(base, 'kept'));
    expect(checkouts.map(({ id, branch }) => [id, branch])).toEqual([
      ['one', null],
      ['two', null],
    ]);
    expect([pairs.map(({ files }) => files), trunk_ref?.name]).toEqual([[['a.txt']], 'main']);
  });

  test('without a commit shares no history: what would conflict, and that git merges it only if told to', async () => {
    const { root, told } = place();
    const one = newWorktree(root, 'one');
    git(one, 'switch', '-q', '--orphan', 'unborn');
    put(join(one, 'a.txt'), 'other\n');
    const { trunk, notes } = await told();
    expect(trunk).toMatchObject([{ id: 'one', files: ['a.txt'] }]);
    expect(notes).toEqual([
      'main, one: no common history; git merges them only if told to.',
      'main, one: no common history; git merges them only if told to.',
    ]);
  });
});

describe('what changed since the last forecast', () => {
  test('is found: an edit, a file that is now ignored, one that is now tracked', async () => {
    const { root, told } = place();
    const one = newWorktree(root, 'one');
    put(join(one, 'x.log'), 'x');
    put(join(root, 'x.log'), 'y');
    expect((await told()).pairs.map(({ files }) => files)).toEqual([['x.log']]);
    put(join(root, '.gitignore'), '*.log\n');
    expect((await told()).pairs).toEqual([]);
    git(root, 'add', '-f', 'x.log');
    expect((await told()).pairs.map(({ files }) => files)).toEqual([['x.log']]);
    fs.writeFileSync(join(root, 'x.log'), 'x');
    expect((await told()).pairs).toEqual([]);
  });

  test('of another size or not: content of the same second and length is read again', async () => {
    const { root, told } = place();
    const one = newWorktree(root, 'one');
    for (let nth = 0; nth < 5; nth++) {
      fs.writeFileSync(join(one, 'a.txt'), `${nth}\n`);
      git(one, 'add', 'a.txt');
      fs.writeFileSync(join(one, 'a.txt'), `x\n`);
      fs.writeFileSync(join(root, 'a.txt'), `y\n`);
      expect((await told()).pairs.length).toBe(1);
      fs.writeFileSync(join(root, 'a.txt'), `x\n`);
      expect((await told()).pairs.length).toBe(0);
    }
  });
});

test('a sparse checkout lacks nothing', async () => {
  const { root, told } = place();
  const one = newWorktree(root, 'one');
  git(one, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'd');
  editLine(join(one, 'd/b.txt'), 1, 'one');
  git(one, 'sparse-checkout', 'set', '--cone', 'g');
  put(join(one, 'g/new.txt'), 'x');
  const { checkouts, pairs, notes } = await told();
  expect([pairs, notes]).toEqual([[], []]);
  expect(checkouts[1]).toMatchObject({ id: 'one', looked_at: 'files', has_own: true });
  commitLine(root, 'on main');
  expect((await told()).trunk).toEqual([]);
});

test('submodules count by the commit that is checked out', async () => {
  const { base, root, told } = place();
  const inner = newRepository(join(base, 'inner'));
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  git(root, 'commit', '-qm', 'sub');
  const trees = ['one', 'two'].map((name) => newWorktree(root, name));
  for (const tree of trees) {
    git(tree, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init');
    editLine(join(tree, 'sub/a.txt'), 1, tree);
    expect((await told()).pairs).toEqual([]);
  }
  for (const tree of trees) git(join(tree, 'sub'), 'commit', '-qam', 'inner');
  const { pairs, notes } = await told();
  expect(pairs.map(({ files }) => files)).toEqual([['sub']]);
  expect(notes).toEqual(['Uncommitted work inside submodules does not count: main, one, two.']);
});
