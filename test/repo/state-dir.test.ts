import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateRepo } from '../../src/repo/locate.ts';
import {
  checkStateDir,
  createStateDir,
  ensureStateDir,
  type Install,
  readInstall,
  writeInstall,
} from '../../src/repo/state-dir.ts';
import { userConfigFile, userStateDir } from '../../src/repo/user-dirs.ts';
import { errorOf } from './errors.ts';
import { git, gitRepo, initialise, INSTALL, put, scratchDir } from './scratch.ts';

const root = process.getuid?.() === 0;
const refusal = (dir: string): unknown => errorOf(() => checkStateDir(dir));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('making the state directory', () => {
  it('in a git repository: 0700 whatever the umask, invisible to git, twice is once', () => {
    for (const umask of [0o000, 0o777]) {
      const repo = locateRepo(gitRepo(join(scratchDir(), 'r')));
      const before = process.umask(umask);
      try {
        createStateDir(repo);
      } finally {
        process.umask(before);
      }
      expect(modeOf(repo.state_dir)).toBe(0o700);
      createStateDir(repo);
      expect(git(repo.root, 'status', '--porcelain')).toBe('');
      expect(locateRepo(repo.root).initialised).toBe(true);
    }
  });

  it('without git: .guard ignores itself, in case the directory becomes a repository', () => {
    const dir = scratchDir();
    createStateDir(locateRepo(dir));
    git(dir, 'init', '-q');
    put(join(dir, '.guard/ledger-0.jsonl'), 'x');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(locateRepo(dir)).toMatchObject({ kind: 'plain', initialised: true });
  });

  it('for the user: what is above it is made too', () => {
    const dir = join(scratchDir(), 'home/.local/state/guard');
    ensureStateDir(dir);
    ensureStateDir(dir);
    expect(modeOf(dir)).toBe(0o700);
  });

  it('where it cannot be made is GUARD_ERR_STATE_DIR', () => {
    const dir = scratchDir();
    const repo = { ...locateRepo(dir), state_dir: join(put(join(dir, 'file')), 'guard') };
    expect(errorOf(() => createStateDir(repo))).toMatchObject({ code: 'GUARD_ERR_STATE_DIR' });
  });
});

describe('a state directory is refused, with the command that mends it', () => {
  const fresh = (): string => initialise(gitRepo(join(scratchDir(), 'r')));

  it('when others can use it', () => {
    const dir = fresh();
    for (const mode of [0o755, 0o770, 0o701, 0o777]) {
      chmodSync(dir, mode);
      expect(refusal(dir)).toMatchObject({ code: 'GUARD_ERR_STATE_DIR', hint: `Run: chmod 700 ${dir}` });
    }
    chmodSync(dir, 0o700);
    expect(refusal(dir)).toBeNull();
  });

  it('when it is a link, even to a good directory', () => {
    const dir = fresh();
    renameSync(dir, `${dir}-real`);
    symlinkSync('guard-real', dir);
    expect(refusal(dir)).toMatchObject({
      code: 'GUARD_ERR_STATE_DIR',
      facts: { reason: 'is a symbolic link' },
    });
  });

  it('when it is a file, or is gone', () => {
    const dir = fresh();
    rmSync(dir, { recursive: true });
    expect(refusal(dir)).toMatchObject({ code: 'GUARD_ERR_STATE_DIR' });
    writeFileSync(dir, '');
    expect(refusal(dir)).toMatchObject({
      code: 'GUARD_ERR_STATE_DIR',
      facts: { reason: 'is not a directory' },
    });
  });

  it.runIf(root)('when it belongs to somebody else', () => {
    const dir = fresh();
    chownSync(dir, 12_345, 12_345);
    expect(refusal(dir)).toMatchObject({
      code: 'GUARD_ERR_STATE_DIR',
      hint: expect.stringContaining(`chown -R 0 ${dir}`) as string,
    });
  });

  it.runIf(root)("when it is reached through somebody else's link, not through one of ours", () => {
    const dir = scratchDir();
    initialise(gitRepo(join(dir, 'real/r')));
    symlinkSync('real', join(dir, 'link'));
    const through = join(dir, 'link/r/.git/guard');
    expect(refusal(through)).toBeNull();
    lchownSync(join(dir, 'link'), 12_345, 12_345);
    expect(refusal(through)).toMatchObject({ code: 'GUARD_ERR_STATE_DIR' });
  });

  it('and a name that needs quoting is quoted in the hint', () => {
    const dir = join(scratchDir(), "it's here");
    mkdirSync(dir);
    chmodSync(dir, 0o755);
    expect(refusal(dir)).toMatchObject({ hint: `Run: chmod 700 '${dir.replace("'", `'\\''`)}'` });
  });
});

describe('install.json', () => {
  it('is read as it was written, private, with nothing left beside it', () => {
    const dir = initialise(gitRepo(join(scratchDir(), 'r')), { ttl_ms: 1000, enforcement_floor: 'auto' });
    expect(readInstall(dir)).toEqual({ ...INSTALL, ttl_ms: 1000, enforcement_floor: 'auto' });
    writeInstall(dir, INSTALL);
    expect(readInstall(dir)).toEqual(INSTALL);
    expect(modeOf(join(dir, 'install.json'))).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['install.json']);
  });

  it('that cannot be written leaves the old one, and no half of a new one', () => {
    const dir = initialise(gitRepo(join(scratchDir(), 'r')));
    rmSync(join(dir, 'install.json'));
    mkdirSync(join(dir, 'install.json/in-the-way'), { recursive: true });
    expect(errorOf(() => writeInstall(dir, INSTALL))).toMatchObject({ code: 'GUARD_ERR_IO' });
    expect(readdirSync(dir)).toEqual(['install.json']);
  });

  it('that is missing, damaged, a directory or a FIFO is an error, never a default', () => {
    const dir = initialise(gitRepo(join(scratchDir(), 'r')));
    const file = join(dir, 'install.json');
    const good = readFileSync(file, 'utf8');
    const bad = { code: 'GUARD_ERR_STATE_DIR', facts: { file } };
    for (let end = 0; end < good.trimEnd().length; end++) {
      writeFileSync(file, good.slice(0, end));
      expect(errorOf(() => readInstall(dir))).toMatchObject(bad);
    }
    for (const text of [
      'null',
      '[]',
      '7',
      '{}',
      good.replace('required', 'none'),
      good.replace('900000', '"900000"'),
      good.replace('/opt/guard', 'opt'),
    ]) {
      writeFileSync(file, text);
      expect(errorOf(() => readInstall(dir))).toMatchObject(bad);
    }
    rmSync(file);
    expect(errorOf(() => readInstall(dir))).toMatchObject(bad);
    mkdirSync(file);
    expect(errorOf(() => readInstall(dir))).toMatchObject(bad);
  });

  it('of a newer guard is GUARD_ERR_VERSION; fields it does not know are ignored', () => {
    const dir = initialise(gitRepo(join(scratchDir(), 'r')));
    put(join(dir, 'install.json'), JSON.stringify({ ...INSTALL, v: 3 }));
    expect(errorOf(() => readInstall(dir))).toMatchObject({ code: 'GUARD_ERR_VERSION', facts: { v: 3 } });
    put(join(dir, 'install.json'), JSON.stringify({ ...INSTALL, later: true }));
    expect(readInstall(dir)).toMatchObject(INSTALL);
  });

  it('is not written when it is wrong', () => {
    const dir = initialise(gitRepo(join(scratchDir(), 'r')));
    const wrong = { ...INSTALL, ttl_ms: -1 } satisfies Install;
    expect(errorOf(() => writeInstall(dir, wrong))).toMatchObject({ code: 'GUARD_ERR_STATE_DIR' });
    expect(readInstall(dir)).toEqual(INSTALL);
  });
});

describe("the user's own directories", () => {
  it('follow XDG where it is absolute, the platform where it is not', () => {
    expect(userStateDir({ XDG_STATE_HOME: '/s', HOME: '/h' }, 'linux')).toBe('/s/guard');
    expect(userStateDir({ XDG_STATE_HOME: 'relative', HOME: '/h' }, 'linux')).toBe('/h/.local/state/guard');
    expect(userStateDir({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/guard');
    expect(userStateDir({ LOCALAPPDATA: '/l', HOME: '/h' }, 'win32')).toBe('/l/guard');
    expect(userConfigFile({ XDG_CONFIG_HOME: '', HOME: '/h' })).toBe('/h/.config/guard/config.json');
  });

  it('without HOME are those of the account', () => {
    expect(existsSync(join(userStateDir({}, 'linux'), '../../..'))).toBe(true);
    expect(userStateDir({ HOME: '' }, 'linux')).toBe(userStateDir({}, 'linux'));
  });
});
