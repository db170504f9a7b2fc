/** Which state directories are trusted: every ordinary life of a repository, and every way to smuggle one in. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultOf, isBelieved } from '../../src/repo/known/belief.ts';
import { isInGitIndex } from '../../src/repo/known/git-index.ts';
import { anchorOf, readMark } from '../../src/repo/known/mark.ts';
import { forgetPlace, markPlace } from '../../src/repo/known/marking.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { type Install, readInstall, writeInstall } from '../../src/repo/state-dir.ts';
import { readNow } from '../../src/repo/clock.ts';
import { openEmbedded } from '../store/plain.ts';
import { git, gitRepo, initialise, INSTALL, put, scratchDir } from './scratch.ts';

const env = process.env;
const fault = (dir: string) => faultOf(locateRepo(dir), env);
const isRoot = process.getuid?.() === 0;
const fresh = (): string => {
  const root = gitRepo(join(scratchDir(), 'r'));
  initialise(root);
  return root;
};

describe('a repository that was set up goes on working', () => {
  it('after git gc, new branches and commits', () => {
    const root = fresh();
    git(root, 'checkout', '-qb', 'other');
    put(join(root, 'b.ts'), 'x');
    git(root, 'add', '.');
    git(root, 'commit', '-qm', 'two');
    git(root, 'gc', '-q', '--prune=now');
    expect(fault(root)).toBeNull();
  });

  it('where it was made in the very moment in which it was set up', () => {
    for (let n = 0; n < 20; n++) {
      const root = join(scratchDir(), 'r');
      fs.mkdirSync(join(root, '.git', 'guard'), { recursive: true, mode: 0o700 });
      put(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
      const place = { state_dir: join(root, '.git', 'guard'), common_dir: join(root, '.git'), root };
      markPlace(place, env, INSTALL);
      for (const dir of [place.common_dir, place.state_dir]) put(join(dir, 'later'));
      expect(faultOf(place, env)).toBeNull();
      const { birthtimeNs, ctimeNs } = fs.lstatSync(place.state_dir, { bigint: true });
      const hasBirth = birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
      if (hasBirth) expect(readMark(place.common_dir, env)?.state.birth).toBe(String(birthtimeNs));
    }
  });

  it('when it is moved, alone or with the directories above it', () => {
    const root = fresh();
    fs.renameSync(root, `${root} moved`);
    expect(fault(`${root} moved`)).toBeNull();
    const above = join(root, '..');
    fs.renameSync(above, `${above}-moved`);
    expect(fault(join(`${above}-moved`, 'r moved'))).toBeNull();
  });

  it('in linked worktrees, also one that is added later, and in a subdirectory', () => {
    const root = fresh();
    git(root, 'worktree', 'add', '-q', `${root}-tree`);
    expect([fault(`${root}-tree`), fault(join(root, 'src'))]).toEqual([null, null]);
  });

  it('as a submodule with a state of its own, and as one whose parent was set up', () => {
    const dir = scratchDir();
    const outer = gitRepo(join(dir, 'outer'));
    git(outer, 'submodule', 'add', '-q', gitRepo(join(dir, 'part')), 'sub');
    initialise(join(outer, 'sub'));
    expect(fault(join(outer, 'sub'))).toBeNull();
    initialise(outer);
    expect([locateRepo(join(outer, 'sub')).root, fault(join(outer, 'sub'))]).toEqual([outer, null]);
  });

  it('without git, and when the directory becomes a repository later', () => {
    const dir = scratchDir();
    initialise(dir);
    expect(fault(dir)).toBeNull();
    git(dir, 'init', '-q');
    git(dir, 'add', '-A');
    expect([locateRepo(dir).kind, fault(dir)]).toEqual(['plain', null]);
  });

  it('beside and below repositories that were never set up', () => {
    const root = fresh();
    const inner = gitRepo(join(root, 'inner'));
    expect(fault(inner)).toBeNull();
    expect(locateRepo(gitRepo(join(root, '..', 'other'))).initialised).toBe(false);
  });

  it.runIf(isRoot)('below a directory in which another user made a .guard', () => {
    const shared = scratchDir();
    fs.chmodSync(shared, 0o1777);
    fs.mkdirSync(join(shared, '.guard'), { mode: 0o700 });
    fs.chownSync(join(shared, '.guard'), 12_345, 12_345);
    const own = gitRepo(join(shared, 'own'));
    expect(locateRepo(own)).toMatchObject({ initialised: false, root: own });
    initialise(own);
    expect([locateRepo(own).root, fault(own)]).toEqual([own, null]);
    expect(locateRepo(join(shared, 'plain')).initialised).toBe(false);
  });

  it('under a state directory that somebody unpacked above it', () => {
    const root = fresh();
    const above = join(root, '..', '.guard');
    fs.cpSync(join(root, '.git', 'guard'), above, { recursive: true });
    expect([locateRepo(root).root, fault(root)]).toEqual([root, null]);
  });
});

describe('a repository that was never set up stays so', () => {
  it('as a new clone at the place of one that was', () => {
    const root = fresh();
    fs.rmSync(root, { recursive: true });
    gitRepo(root);
    expect(locateRepo(root).initialised).toBe(false);
  });

  it('after guard uninstall', () => {
    const root = fresh();
    const repo = locateRepo(root);
    fs.rmSync(repo.state_dir, { recursive: true });
    expect(locateRepo(root)).toMatchObject({ initialised: true, root });
    forgetPlace(repo, env);
    expect(locateRepo(root).initialised).toBe(false);
  });

  it.each(['2', '4'])('with a committed .guard (index version %s), deep down as well', (version) => {
    const root = gitRepo(join(scratchDir(), 'r'));
    for (const dir of ['.guard', 'deep/down/.guard'])
      put(join(root, dir, 'install.json'), JSON.stringify(INSTALL));
    for (const name of ['.env', '.gitattributes', '.github/x.yml', 'deep/a', 'deep/down/.eslintrc'])
      put(join(root, name), 'x');
    git(root, 'add', '-f', '.');
    git(root, 'update-index', '--index-version', version);
    expect(locateRepo(root)).toMatchObject({ kind: 'git', initialised: false });
    expect(locateRepo(join(root, 'deep/down/a.ts'))).toMatchObject({ root, initialised: false });
    expect(isInGitIndex(join(root, '.git'), '.gua')).toBe(false);
  });

  it('in a linked worktree with a committed .guard, which has an index of its own', () => {
    const root = gitRepo(join(scratchDir(), 'r'));
    put(join(root, '.guard', 'install.json'), JSON.stringify(INSTALL));
    git(root, 'add', '-f', '.');
    git(root, 'commit', '-qm', 'two');
    git(root, 'worktree', 'add', '-q', `${root}-tree`);
    expect(locateRepo(`${root}-tree`).initialised).toBe(false);
  });
});

describe('what this user did not make here is there, and not believed', () => {
  it('a copy of the repository', () => {
    const root = fresh();
    fs.cpSync(root, `${root} copy`, { recursive: true });
    fs.chmodSync(join(`${root} copy`, '.git', 'guard'), 0o700);
    expect([fault(`${root} copy`), fault(root)]).toEqual(['unmarked', null]);
  });

  it('a state directory that was restored from a backup; once marked it is good', () => {
    const root = fresh();
    const state = join(root, '.git', 'guard');
    fs.renameSync(state, `${state} aside`);
    fs.cpSync(`${state} aside`, state, { recursive: true });
    fs.chmodSync(state, 0o700);
    expect(fault(root)).toBe('copied');
    initialise(root);
    expect(fault(root)).toBeNull();
  });

  it('a .guard in the working tree that git does not track, as an agent or an archive makes it', () => {
    const root = gitRepo(join(scratchDir(), 'r'));
    put(join(root, '.guard', 'install.json'), JSON.stringify(INSTALL));
    fs.chmodSync(join(root, '.guard'), 0o700);
    expect(fault(root)).toBe('unmarked');
  });

  it('a .guard that was set up, and was committed afterwards, stays set up', () => {
    const dir = scratchDir();
    initialise(dir);
    git(dir, 'init', '-q');
    git(dir, 'add', '-f', '.guard');
    fs.chmodSync(join(dir, '.guard'), 0o770);
    expect([locateRepo(dir).initialised, fault(dir)]).toEqual([true, 'mode']);
  });

  it('the same under another home', () => {
    const root = fresh();
    const other = { HOME: scratchDir() };
    expect(isBelieved(locateRepo(root, other), other)).toBe(false);
  });

  it('a mark that others could have written is none', () => {
    const home = scratchDir();
    const root = gitRepo(join(scratchDir(), 'r'));
    initialise(root, {}, home);
    const repo = locateRepo(root, { HOME: home });
    expect(readMark(anchorOf(repo), { HOME: home })).not.toBeNull();
    const known = join(home, '.local/state/guard/known');
    for (const name of fs.readdirSync(known)) fs.chmodSync(join(known, name), 0o666);
    expect(faultOf(repo, { HOME: home })).toBe('unmarked');
  });
});

describe('an installation of guard 0.1, which has no id', () => {
  const old = (created_at = new Date().toISOString()) => {
    const root = gitRepo(join(scratchDir(), 'r'));
    const dir = join(root, '.git', 'guard');
    fs.mkdirSync(dir, { mode: 0o700 });
    // The kernel's file clock ticks every 4 ms; in one tick a directory is as old as its last change. guard 0.1 read
    // the clock before it made the directory, so the time it recorded is right however long this takes.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12);
    const install = Object.fromEntries(Object.entries(INSTALL).filter(([name]) => name !== 'id'));
    writeInstall(dir, {
      ...(install as unknown as Install),
      created_at,
    });
    return { root, dir };
  };

  it('is adopted once, where it was made in the moment that it names', () => {
    const { root, dir } = old();
    expect(fault(root)).toBeNull();
    const { id } = readInstall(dir);
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect([fault(root), readInstall(dir).id]).toEqual([null, id]);
  });

  /** guard 0.1 stored the lock's inode in the index; newer versions store a print of more. */
  const knowsByInode = (dir: string): void => {
    const at = fs.openSync(join(dir, 'index'), 'r+');
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(fs.lstatSync(join(dir, 'lock')).ino));
    fs.writeSync(at, bytes, 0, bytes.length, 48);
    fs.closeSync(at);
  };

  it('is adopted where its index knows the lock, however old it is', () => {
    const { root, dir } = old('2025-01-01T00:00:00.000Z');
    const store = openEmbedded(dir, { now: readNow });
    store.transactSync([], () => ({ records: [{ type: 'x', agent: 'a', ts_ms: 0, s: {} }], result: null }));
    store.closeSync();
    knowsByInode(dir);
    expect(fault(root)).toBeNull();
  });

  it('is not adopted from an archive: neither its age nor its lock fits', () => {
    expect(fault(old('2025-01-01T00:00:00.000Z').root)).toBe('unmarked');
    expect(fault(old(new Date(Date.now() + 60_000).toISOString()).root)).toBe('unmarked');
    const { dir } = old('2025-01-01T00:00:00.000Z');
    const store = openEmbedded(dir, { now: readNow });
    store.transactSync([], () => ({ records: [{ type: 'x', agent: 'a', ts_ms: 0, s: {} }], result: null }));
    store.closeSync();
    knowsByInode(dir);
    const other = gitRepo(join(scratchDir(), 'r'));
    fs.cpSync(dir, join(other, '.git', 'guard'), { recursive: true });
    fs.chmodSync(join(other, '.git', 'guard'), 0o700);
    expect(fault(other)).toBe('unmarked');
  });

  it('is not adopted where others can use it', () => {
    const { root, dir } = old();
    fs.chmodSync(dir, 0o755);
    expect(fault(root)).toBe('mode');
    expect(readInstall(dir).id).toBeUndefined();
  });
});
