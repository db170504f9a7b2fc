import { chmodSync, chownSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateRepo } from '../../src/repo/locate.ts';
import { resolveTarget } from '../../src/repo/canonical.ts';
import { git, gitRepo, initialise, put, scratchDir } from './scratch.ts';

const NO_HOME = { home: undefined };

describe('without guard init', () => {
  it('a git repository says where guard init would put its state', () => {
    const root = gitRepo(join(scratchDir(), 'r'));
    expect(locateRepo(join(root, 'src/new/deep.ts'))).toEqual({
      kind: 'git',
      root,
      state_dir: join(root, '.git/guard'),
      initialised: false,
      common_dir: join(root, '.git'),
      worktree: null,
    });
  });

  it('the innermost of nested repositories is the one guard init would set up', () => {
    const outer = gitRepo(join(scratchDir(), 'outer'));
    const inner = gitRepo(join(outer, 'inner'));
    expect(locateRepo(join(inner, 'src')).root).toBe(inner);
  });

  it('a directory without git would get a .guard of its own', () => {
    const dir = scratchDir();
    expect(locateRepo(dir)).toMatchObject({
      kind: 'outside',
      root: dir,
      state_dir: join(dir, '.guard'),
      initialised: false,
    });
    expect(locateRepo(put(join(dir, 'a.txt')))).toMatchObject({ kind: 'outside', root: dir });
  });

  it('an empty directory named .git is not a repository', () => {
    const dir = scratchDir();
    mkdirSync(join(dir, '.git'));
    expect(locateRepo(dir).kind).toBe('outside');
  });

  it('a bare repository with worktrees beside it is their common directory', () => {
    const dir = scratchDir();
    git(dir, 'clone', '-q', '--bare', gitRepo(join(dir, 'seed')), '.bare');
    put(join(dir, '.git'), 'gitdir: ./.bare\n');
    git(dir, 'worktree', 'add', '-q', 'main-tree');
    initialise(join(dir, 'main-tree'));
    const repo = locateRepo(join(dir, 'main-tree/src/a.ts'));
    expect(repo).toMatchObject({
      state_dir: join(dir, '.bare/guard'),
      worktree: 'main-tree',
      initialised: true,
    });
  });
});

describe('the outermost initialised repository decides', () => {
  it('over a nested git init, initialised or not', () => {
    const outer = gitRepo(join(scratchDir(), 'outer'));
    const inner = gitRepo(join(outer, 'inner'));
    initialise(inner);
    expect(locateRepo(inner).root).toBe(inner);
    const state_dir = initialise(git(outer, 'rev-parse', '--show-toplevel'));
    expect(locateRepo(inner)).toMatchObject({ root: outer, state_dir, initialised: true });
    expect(resolveTarget('src/a.ts', inner, NO_HOME).path).toBe('inner/src/a.ts');
  });

  it('over a submodule, whose own directory lies in .git/modules', () => {
    const dir = scratchDir();
    const library = gitRepo(join(dir, 'library'));
    const outer = gitRepo(join(dir, 'outer'));
    git(outer, 'submodule', 'add', '-q', library, 'vendor/lib');
    const inside = join(outer, 'vendor/lib');
    expect(locateRepo(inside)).toMatchObject({
      root: inside,
      common_dir: join(outer, '.git/modules/vendor/lib'),
    });
    initialise(outer);
    expect(locateRepo(inside)).toMatchObject({ root: outer, state_dir: join(outer, '.git/guard') });
    expect(resolveTarget('src/a.ts', inside, NO_HOME).path).toBe('vendor/lib/src/a.ts');
  });

  it('over the repository of a worktree that was added inside another initialised repository', () => {
    const dir = scratchDir();
    const [a, b] = [gitRepo(join(dir, 'a')), gitRepo(join(dir, 'b'))];
    initialise(a);
    git(a, 'worktree', 'add', '-q', join(b, 'wt'));
    expect(locateRepo(join(b, 'wt')).state_dir).toBe(join(a, '.git/guard'));
    initialise(b);
    expect(resolveTarget('src/a.ts', join(b, 'wt'), NO_HOME)).toMatchObject({
      path: 'wt/src/a.ts',
      repo: { root: b },
    });
  });

  it('over git, where only the directory around it has a .guard', () => {
    const dir = scratchDir();
    initialise(dir);
    const inner = gitRepo(join(dir, 'inner'));
    expect(locateRepo(inner)).toMatchObject({
      kind: 'plain',
      root: dir,
      state_dir: join(dir, '.guard'),
      common_dir: null,
    });
  });

  it('a file named .guard marks nothing, a link named .guard does (and is refused when it is used)', () => {
    const dir = scratchDir();
    put(join(dir, 'one/.guard'));
    expect(locateRepo(join(dir, 'one')).initialised).toBe(false);
    mkdirSync(join(dir, 'two'));
    symlinkSync('/nonexistent', join(dir, 'two/.guard'));
    expect(locateRepo(join(dir, 'two'))).toMatchObject({ kind: 'plain', initialised: true });
  });

  it('a state directory whose git repository is broken still counts', () => {
    const root = gitRepo(join(scratchDir(), 'r'));
    initialise(root);
    rmSync(join(root, '.git/HEAD'));
    expect(locateRepo(root).initialised).toBe(true);
  });

  it.runIf(process.getuid?.() === 0)(
    'a foreign state directory above does not take over a repository of ours',
    () => {
      const dir = scratchDir();
      const root = gitRepo(join(dir, 'r'));
      const own = initialise(root);
      const foreign = initialise(dir);
      expect(locateRepo(root).state_dir).toBe(foreign);
      chownSync(foreign, 12_345, 12_345);
      expect(locateRepo(root).state_dir).toBe(own);
      // With no state directory of ours there, the foreign one counts and is refused on use.
      expect(locateRepo(dir)).toMatchObject({ state_dir: foreign, initialised: true });
    },
  );
});

describe('linked worktrees', () => {
  const dir = scratchDir();
  const main = gitRepo(join(dir, 'main'));
  git(main, 'worktree', 'add', '-q', join(dir, 'beside'));
  git(main, 'worktree', 'add', '-q', join(main, '.claude/worktrees/agent-1'));
  const state_dir = initialise(main);

  it('share the ledger and have paths of their own', () => {
    expect(locateRepo(join(dir, 'beside'))).toMatchObject({
      root: join(dir, 'beside'),
      state_dir,
      worktree: 'beside',
    });
    expect(resolveTarget('src/a.ts', join(dir, 'beside'), NO_HOME).path).toBe('//beside/src/a.ts');
    expect(resolveTarget('src/a.ts', main, NO_HOME).path).toBe('src/a.ts');
  });

  it('nested in the main checkout, are checkouts of their own', () => {
    const nested = join(main, '.claude/worktrees/agent-1');
    expect(resolveTarget('.claude/worktrees/agent-1/src/a.ts', main, NO_HOME).path).toBe(
      '//agent-1/src/a.ts',
    );
    expect(resolveTarget(nested, main, NO_HOME)).toMatchObject({ path: '//agent-1/.', kind: 'directory' });
  });

  it('may be given with relative paths, as git 2.48 can write them', () => {
    const root = join(dir, 'relative');
    git(main, 'worktree', 'add', '-q', root);
    put(join(root, '.git'), 'gitdir: ../main/.git/worktrees/relative\n');
    put(join(main, '.git/worktrees/relative/gitdir'), '../../../../relative/.git\n');
    expect(locateRepo(root)).toMatchObject({ root, state_dir, worktree: 'relative' });
  });

  it('a repository nested in a worktree belongs to the worktree', () => {
    const inner = gitRepo(join(dir, 'beside/inner'));
    initialise(inner);
    expect(resolveTarget('src/a.ts', inner, NO_HOME).path).toBe('//beside/inner/src/a.ts');
  });

  it('a .git file that an agent dropped into a sub-directory gives its files no second name', () => {
    mkdirSync(join(main, 'planted'));
    put(join(main, 'planted/.git'), `gitdir: ${main}/.git/worktrees/beside\n`);
    expect(resolveTarget('planted/a.ts', main, NO_HOME).path).toBe('planted/a.ts');
    put(join(main, 'planted/.git'), 'gitdir: ../.git\n');
    expect(resolveTarget('a.ts', join(main, 'planted'), NO_HOME).path).toBe('planted/a.ts');
    mkdirSync(join(main, 'linked'));
    symlinkSync('../.git', join(main, 'linked/.git'));
    expect(resolveTarget('a.ts', join(main, 'linked'), NO_HOME).path).toBe('linked/a.ts');
  });

  it('a worktree that was moved or copied by hand is still found', () => {
    const moved = join(dir, 'moved');
    git(main, 'worktree', 'add', '-q', join(dir, 'movable'));
    renameSync(join(dir, 'movable'), moved);
    expect(locateRepo(moved)).toMatchObject({ root: moved, state_dir, worktree: 'movable' });
    cpSync(moved, join(dir, 'copy'), { recursive: true });
    expect(locateRepo(join(dir, 'copy')).state_dir).toBe(state_dir);
  });

  it('a .git file that leads nowhere is no repository, whatever it says', () => {
    for (const text of [
      'gitdir: /nonexistent\n',
      'gitdir: \0\n',
      '',
      'x'.repeat(20_000),
      'gitdir: \n',
      '\u{1f600}',
    ]) {
      const root = scratchDir();
      put(join(root, '.git'), text);
      expect(locateRepo(root).kind).toBe('outside');
    }
  });
});

it('an unsearchable git directory is treated as initialised, not as absent', () => {
  if (process.getuid?.() === 0) return;
  const root = gitRepo(join(scratchDir(), 'r'));
  chmodSync(join(root, '.git'), 0o000);
  expect(locateRepo(root).initialised).toBe(true);
  chmodSync(join(root, '.git'), 0o700);
});

it('no environment variable chooses the repository', () => {
  const [a, b] = [gitRepo(join(scratchDir(), 'a')), gitRepo(join(scratchDir(), 'b'))];
  process.env['GIT_DIR'] = join(b, '.git');
  try {
    expect(locateRepo(a).root).toBe(a);
  } finally {
    delete process.env['GIT_DIR'];
  }
});
