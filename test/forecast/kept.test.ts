/** A stored forecast never makes the next one differ from one computed from scratch. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listCheckouts } from '../../src/forecast/checkouts.ts';
import { openGit } from '../../src/forecast/git.ts';
import { take } from '../../src/forecast/take.ts';
import { GIT_ENV, put, scratchDir } from '../repo/scratch.ts';
import { editLine, forecast, git, newRepository, newWorktree } from './repositories.ts';

/** Two worktrees that changed the same line and have been forecast once. */
async function looked(names: readonly [string, string] = ['one', 'two']) {
  const base = scratchDir();
  const root = newRepository(join(base, 'repo'));
  const dirs = names.map((name) => newWorktree(root, name));
  for (const dir of dirs) editLine(join(dir, 'd/b.txt'), 1, dir);
  const kept = join(base, 'kept');
  const told = () => forecast(root, kept);
  expect((await told()).pairs.map(({ files }) => files)).toEqual([['d/b.txt']]);
  return { base, root, kept, dirs, told };
}

describe('a later forecast', () => {
  test.each(['.git/info/attributes', 'd/.gitattributes'])(
    'merges anew once %s says another way',
    async (name) => {
      const { root, told } = await looked();
      if (name.startsWith('d/')) {
        put(join(root, name), '# none\n');
        git(root, 'add', name);
        await told();
      }
      put(join(root, name), '*.txt merge=union\n');
      expect((await told()).pairs).toEqual([]);
    },
  );

  test('merges anew once a shallow history has become whole', async () => {
    const { base, root, told } = await looked();
    put(join(root, 'a.txt'), 'more\n');
    git(root, 'commit', '-qam', 'more');
    const clone = join(base, 'clone');
    git(base, 'clone', '-q', '--depth=1', `file://${root}`, clone);
    git(clone, 'fetch', '-q', '--depth=1', 'origin', 'b-one');
    const dir = join(base, 'linked');
    git(clone, 'worktree', 'add', '-q', dir, 'FETCH_HEAD');
    const kept = join(base, 'of clone');
    expect((await forecast(clone, kept)).notes.join()).toContain('no common history');
    git(clone, 'fetch', '-q', '--unshallow', 'origin');
    expect((await forecast(clone, kept)).notes).toEqual([]);
    expect((await told()).pairs.length).toBe(1);
  });

  test('begins anew when what it keeps has become too large, and only then', async () => {
    const { root, kept, dirs } = await looked();
    const mark = put(join(kept, 'mark'));
    for (const [kept_bytes_max, is_there] of [
      [1 << 30, true],
      [1, false],
    ] as const) {
      editLine(join(dirs[0] ?? '', 'd/b.txt'), 1, String(kept_bytes_max));
      expect((await forecast(root, kept, { kept_bytes_max })).pairs.length).toBe(1);
      expect(fs.existsSync(mark)).toBe(is_there);
    }
  });

  test.each(['constructor', '__proto__'])(
    'of a worktree called %s is one, after another setting too',
    async (name) => {
      const { root, told } = await looked([name, 'z']);
      git(root, 'config', 'core.checkStat', 'default');
      expect((await told()).pairs.length).toBe(1);
    },
  );

  test('looks at files though a git that was killed left a lock', async () => {
    const { kept, dirs, told } = await looked();
    for (const name of fs.readdirSync(kept).filter((one) => one.startsWith('index-')))
      fs.writeFileSync(join(kept, `${name}.lock`), '');
    editLine(join(dirs[0] ?? '', 'a.txt'), 1, 'one');
    editLine(join(dirs[1] ?? '', 'a.txt'), 1, 'two');
    const { pairs, notes } = await told();
    expect([pairs.map(({ files }) => files), notes]).toEqual([[['a.txt', 'd/b.txt']], []]);
  });

  test('looks at files though what it kept of them is damaged', async () => {
    const { kept, told } = await looked();
    for (const name of fs.readdirSync(kept).filter((one) => one.startsWith('index-')))
      fs.writeFileSync(join(kept, name), 'DIRC no index');
    const { pairs, notes } = await told();
    expect([pairs.length, notes]).toEqual([1, []]);
  });
});

test('a default branch with a line break in its name is none, and moves no other to its place', async () => {
  const { root, told } = await looked();
  git(root, 'config', 'init.defaultBranch', 'b-one\nb-two');
  expect((await told()).trunk_ref).toMatchObject({
    name: 'main',
    tree: git(root, 'rev-parse', 'main^{tree}'),
  });
});

test('one file that git cannot take costs few processes, however many others there are', async () => {
  const base = scratchDir();
  const root = newRepository(join(base, 'repo'));
  for (let n = 0; n < 300; n++) put(join(root, `new/${n}.txt`), `${n}`);
  fs.rmSync(join(root, 'a.txt'));
  execFileSync('mkfifo', [join(root, 'a.txt')]);
  const kept = join(base, 'kept');
  fs.mkdirSync(join(kept, 'objects'), { recursive: true });
  const git_dir = join(root, '.git');
  const asking = openGit({
    env: GIT_ENV,
    objects: { own: join(kept, 'objects'), behind: join(git_dir, 'objects') },
  });
  let calls = 0;
  const counted = {
    ...asking,
    run: (...words: Parameters<typeof asking.run>) => ((calls += 1), asking.run(...words)),
  };
  const [place] = await listCheckouts(counted, { common_dir: git_dir, root });
  if (place === undefined) throw new Error('no checkout');
  const taken = await take({ git: counted, dir: kept, filters: [], isStill: () => false }, place);
  expect(taken.notes).toEqual(['main: a.txt cannot be read.']);
  expect(calls).toBeLessThan(30);
});
