import { linkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayPath, resolveTarget } from '../../src/repo/canonical.ts';
import { newLooks } from '../../src/repo/locate.ts';
import { git, gitRepo, initialise, put, scratchDir } from './scratch.ts';

const NO_HOME = { home: undefined };
const runs = Number(process.env['GUARD_TEST_RUNS'] ?? 300);

describe('every spelling of a file gives one path and one repository', () => {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  const library = gitRepo(join(dir, 'library'));
  git(root, 'submodule', 'add', '-q', library, 'sub');
  gitRepo(join(root, 'nested'));
  const state_dir = initialise(root);
  put(join(root, 'src/deep/er/b.ts'), 'b');
  put(join(root, 'src/caf\u00e9.ts'), 'é');
  symlinkSync('deep', join(root, 'src/link-dir'));
  symlinkSync('../src/deep/er', join(root, 'sub/link-out'));
  symlinkSync(join(root, 'src'), join(dir, 'link-abs'));
  symlinkSync('repo', join(dir, 'link-repo'));
  symlinkSync('deep/er/b.ts', join(root, 'src/link-file'));
  symlinkSync('link-file', join(root, 'src/link-link'));
  symlinkSync('deep/er/new.ts', join(root, 'src/dangling'));
  symlinkSync('../dangling', join(root, 'src/deep/dangling-again'));

  // Directories of the repository by each of their names, and their files.
  const names: Readonly<Record<string, readonly string[]>> = {
    'src/deep/er/b.ts': [
      'src/deep/er/b.ts',
      'src/link-dir/er/b.ts',
      'src/link-file',
      'src/link-link',
      'sub/link-out/b.ts',
    ],
    'src/deep/er/new.ts': [
      'src/deep/er/new.ts',
      'src/dangling',
      'src/deep/dangling-again',
      'src/link-dir/dangling-again',
    ],
    'src/not/yet/there.ts': ['src/not/yet/there.ts'],
    'src/café.ts': ['src/café.ts'],
    'sub/src/a.ts': ['sub/src/a.ts'],
    'nested/src/a.ts': ['nested/src/a.ts'],
  };
  const roots = [root, join(dir, 'link-repo')];
  const cwds = ['', 'src', 'src/deep/er', 'src/link-dir', 'sub', 'sub/src', 'nested', 'nested/src', '.git'];

  /** Text that does not change the place: the client and `path.resolve` resolve `..` before links. */
  const noise = fc.constantFrom('.', 'x/..', '', 'src/../.', './/');
  const spelling = fc.record({
    path: fc.constantFrom(...Object.keys(names)),
    name: fc.nat(),
    base: fc.constantFrom(...roots),
    cwd: fc.constantFrom(...cwds),
    form: fc.constantFrom('absolute', 'relative', 'home', 'home_slashes'),
    noise: fc.array(noise, { maxLength: 3 }),
    tail: fc.constantFrom('', '/', '/.', '//'),
  });

  it('relative, absolute, from home, with dots, slashes and links, from every directory', () => {
    fc.assert(
      fc.property(spelling, (it) => {
        const list = names[it.path] ?? [];
        const name = [...it.noise, list[it.name % list.length]].join('/').replace(/^\/+/, '');
        const cwd = join(it.base, it.cwd);
        const given = {
          absolute: `${it.base}/${name}`,
          relative: `${relative(cwd, it.base) || '.'}/${name}`,
          home: `~/${name}`,
          home_slashes: `~//${name}`,
        }[it.form];
        const target = resolveTarget(given + it.tail, cwd, { home: it.base });
        expect(target).toMatchObject({
          path: it.path,
          real: join(root, it.path),
          repo: { root, state_dir, initialised: true },
        });
      }),
      { numRuns: runs },
    );
  });

  it('the two Unicode forms of a name, where the file system takes them for one', () => {
    const [nfc, nfd] = ['src/caf\u00e9.ts', 'src/cafe\u0301.ts'];
    const folded = gitRepo(join(dir, 'folded'));
    initialise(folded, { unicode_fold: true });
    expect(resolveTarget(nfd, folded, NO_HOME).path).toBe(resolveTarget(nfc, folded, NO_HOME).path);
    expect(resolveTarget('SRC/A.ts', folded, NO_HOME).path).not.toBe(
      resolveTarget('src/a.ts', folded, NO_HOME).path,
    );
    const cases = gitRepo(join(dir, 'cases'));
    initialise(cases, { case_fold: true, unicode_fold: true });
    expect(resolveTarget('SRC/CAFE\u0301.ts', cases, NO_HOME).path).toBe(
      resolveTarget(nfc, cases, NO_HOME).path,
    );
    expect(resolveTarget('src/Stra\u00dfe.ts', cases, NO_HOME).path).toBe(
      resolveTarget('src/STRASSE.ts', cases, NO_HOME).path,
    );
  });

  it('but two names stay two where the file system keeps them apart', () => {
    expect(resolveTarget('src/cafe\u0301.ts', root, NO_HOME).path).not.toBe(
      resolveTarget('src/caf\u00e9.ts', root, NO_HOME).path,
    );
    expect(resolveTarget('SRC/a.ts', root, NO_HOME).path).toBe('SRC/a.ts');
  });

  it('a lone surrogate is what it becomes on the disk', () => {
    expect(resolveTarget('src/\ud800.ts', root, NO_HOME).path).toBe(
      resolveTarget('src/\ufffd.ts', root, NO_HOME).path,
    );
  });
});

describe('outside every initialised repository', () => {
  it('the path is the absolute real path, through whatever link', () => {
    const dir = scratchDir();
    put(join(dir, 'real/a.txt'));
    symlinkSync('real', join(dir, 'link'));
    for (const given of ['link/a.txt', 'real/../link/a.txt', `${dir}/link//a.txt`]) {
      const target = resolveTarget(given, dir, NO_HOME);
      expect(target).toMatchObject({
        path: join(dir, 'real/a.txt'),
        repo: { kind: 'outside', initialised: false },
      });
    }
  });

  it('a link in the repository that leads out of it is a file outside', () => {
    const dir = scratchDir();
    const root = gitRepo(join(dir, 'repo'));
    initialise(root);
    symlinkSync('../out.txt', join(root, 'leads-out'));
    expect(resolveTarget('leads-out', root, NO_HOME)).toMatchObject({
      path: join(dir, 'out.txt'),
      repo: { initialised: false },
    });
    symlinkSync('repo/src', join(dir, 'leads-in'));
    expect(resolveTarget('leads-in/a.ts', dir, NO_HOME).path).toBe('src/a.ts');
  });
});

describe('what a target is', () => {
  const root = gitRepo(join(scratchDir(), 'repo'));
  initialise(root);

  it('file, missing, directory, special, with its links and inode', () => {
    linkSync(join(root, 'src/a.ts'), join(root, 'src/hard.ts'));
    const [one, other] = [
      resolveTarget('src/a.ts', root, NO_HOME),
      resolveTarget('src/hard.ts', root, NO_HOME),
    ];
    expect(one).toMatchObject({ kind: 'file', links: 2, given: 'src/a.ts', abs: join(root, 'src/a.ts') });
    expect(one.inode).toBe(other.inode);
    expect(one.path).not.toBe(other.path);
    expect(resolveTarget('src/none', root, NO_HOME)).toMatchObject({
      kind: 'missing',
      links: 0,
      inode: null,
    });
    expect(resolveTarget('.', root, NO_HOME)).toMatchObject({ kind: 'directory', path: '.' });
    expect(resolveTarget('src/a.ts/below-a-file', root, NO_HOME)).toMatchObject({ kind: 'missing' });
    expect(resolveTarget('/dev/null', root, NO_HOME).kind).toBe('special');
  });

  it('state and git directory belong to the checkout they are in', () => {
    expect(resolveTarget('.git/guard/install.json', root, NO_HOME).path).toBe('.git/guard/install.json');
  });
});

it('a directory that is renamed takes its files along', () => {
  const root = gitRepo(join(scratchDir(), 'repo'));
  initialise(root);
  renameSync(join(root, 'src'), join(root, 'lib'));
  expect(resolveTarget('lib/a.ts', root, NO_HOME)).toMatchObject({ path: 'lib/a.ts', kind: 'file' });
});

it('paths of linked worktrees are shown with their worktree', () => {
  expect(displayPath('//agent-1/src/a.ts')).toBe('src/a.ts (worktree agent-1)');
  expect(displayPath('src/a.ts')).toBe('src/a.ts');
  expect(displayPath('/etc/hosts')).toBe('/etc/hosts');
});

describe('files that are located in one go', () => {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  initialise(root);
  put(join(root, 'one/a.ts'), 'a');
  put(join(root, 'two/a.ts'), 'a');
  gitRepo(join(dir, 'other'));
  put(join(dir, 'other/a.ts'), 'a');
  const given = ['one/a.ts', 'one/new/b.ts', 'two/a.ts', '../other/a.ts', '../none/c.ts', 'one'];

  it('are the files that they are one by one', () => {
    const looks = newLooks();
    const together = given.map((path) => resolveTarget(path, root, NO_HOME, looks));
    expect(together).toEqual(given.map((path) => resolveTarget(path, root, NO_HOME)));
  });

  it('are looked at each for itself: a link that is turned in between leads where it leads then', () => {
    const looks = newLooks();
    const turn = (to: string): void => {
      rmSync(join(root, 'link'), { force: true });
      symlinkSync(to, join(root, 'link'));
    };
    const found = ['one', '../other', 'two', '../other'].map((to) => {
      turn(to);
      const { real, repo } = resolveTarget('link/a.ts', root, NO_HOME, looks);
      return [relative(resolveTarget(root, root, NO_HOME).real, real), repo.initialised];
    });
    expect(found).toEqual([
      ['one/a.ts', true],
      ['../other/a.ts', false],
      ['two/a.ts', true],
      ['../other/a.ts', false],
    ]);
  });

  it('are of the repositories that were around them at the first look', () => {
    const looks = newLooks();
    const before = resolveTarget('one/a.ts', root, NO_HOME, looks);
    gitRepo(join(root, 'one'));
    const [after, afresh] = [looks, undefined].map((it) => resolveTarget('one/z.ts', root, NO_HOME, it));
    expect([after?.repo.root, afresh?.repo.root]).toEqual([before.repo.root, before.repo.root]);
    expect(looks.checkouts.get(join(before.repo.root, 'one'))).toEqual([]);
  });
});
