/** Clones of one origin that share a ledger: joining, leaving, moving, copying, losing it, and refusals. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateRepo } from '../../../src/repo/locate.ts';
import { openStore } from '../../../src/store/open.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { errorOf } from '../../repo/errors.ts';
import { git, gitRepo, guard, plainEnv, type Ran, scratchDir } from '../../install/scratch.ts';

const base = scratchDir();
let nth = 0;

interface Clones {
  readonly env: Record<string, string>;
  readonly one: string;
  readonly two: string;
  readonly run: (cwd: string, ...args: readonly string[]) => Ran;
  /** Runs `guard init --join one` in two. */
  readonly join: () => void;
}

/** `one` is set up; `two` is a clone of it that is not. */
function clones(...how: readonly string[]): Clones {
  const dir = join(base, `place ${String(++nth)}`);
  const [one, two, home] = ['one', 'two', 'home'].map((name) => join(dir, name)) as [string, string, string];
  gitRepo(one);
  mkdirSync(home);
  git(dir, 'clone', '-q', ...how, one, two);
  const env = plainEnv(home);
  const run = (cwd: string, ...args: readonly string[]): Ran => guard(cwd, env, ...args);
  expect(run(one, 'init').code).toBe(0);
  return { env, one, two, run, join: () => expect(run(two, 'init', '--join', one).code).toBe(0) };
}

interface Pointer {
  readonly id: string;
  readonly state_dir: string;
}

const pointer = (clone: string): Pointer =>
  JSON.parse(readFileSync(join(clone, '.git/guard/ledger'), 'utf8')) as Pointer;
const listed = (holder: string): readonly string[] => {
  const dir = join(holder, '.git/guard/clones');
  return existsSync(dir) ? readdirSync(dir) : [];
};
const lock = (at: Clones, cwd: string, file: string, agent: string): Ran =>
  at.run(cwd, 'lock', 'try', file, '--agent', agent, '--json');
const refusal = ({ code, stderr }: Ran) => ({ code, says: /GUARD_ERR_\w+/.exec(stderr)?.[0] });
const REFUSED = { code: 2, says: 'GUARD_ERR_JOIN' };

describe('guard init --join', { timeout: 120_000 }, () => {
  it('makes a clone a checkout of the ledger: leases of both are in one place, and apart by their names', () => {
    const at = clones();
    at.join();
    const { id, state_dir } = pointer(at.two);
    expect(id).toMatch(/^~two-[0-9a-f]{6}$/);
    expect(state_dir).toBe(join(at.one, '.git/guard'));
    expect(listed(at.one)).toEqual([id]);
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
    const got = JSON.parse(lock(at, at.one, 'src/a.ts', 'ben').stdout) as { results: readonly object[] };
    expect(got.results).toMatchObject([
      { acquired: true, elsewhere: [{ checkout: id, agent: 'ana', does: 'holds' }] },
    ]);
    const status = JSON.parse(at.run(at.one, 'status', '--json').stdout) as {
      leases: readonly { path: string }[];
    };
    expect(status.leases.map(({ path }) => path).sort()).toEqual([`//${id}/src/a.ts`, 'src/a.ts'].sort());
    expect(at.run(at.two, 'verify').code).toBe(0);
  });

  it('again it is done already, and a third one that names the second has the ledger of the first', () => {
    const at = clones();
    at.join();
    expect(at.run(at.two, 'init', '--join', at.one).stderr).toContain('Nothing to change');
    const three = join(dirname(at.one), 'three');
    git(dirname(at.one), 'clone', '-q', '--local', at.two, three);
    expect(existsSync(join(three, '.git/guard'))).toBe(false);
    expect(at.run(three, 'init', '--join', at.two).code).toBe(0);
    expect(pointer(three).state_dir).toBe(join(at.one, '.git/guard'));
    expect(listed(at.one)).toHaveLength(2);
  });

  it('linked worktrees of either have names of their own, and are found by them', () => {
    const at = clones();
    at.join();
    const { id } = pointer(at.two);
    const [wa, wb] = [join(dirname(at.one), 'wa'), join(dirname(at.one), 'b/wt')];
    git(at.one, 'worktree', 'add', '-q', wa);
    git(at.two, 'worktree', 'add', '-q', wb);
    for (const [dir, agent] of [
      [wa, 'ana'],
      [wb, 'ben'],
    ] as const)
      expect(lock(at, dir, 'src/a.ts', agent).code).toBe(0);
    const repo = locateRepo(wb, at.env);
    expect(repo).toMatchObject({ root: wb, worktree: `${id}~wt`, state_dir: join(at.one, '.git/guard') });
    const released = at.run(at.one, 'lock', 'status', join(wb, 'src/a.ts'), '--json');
    expect(JSON.parse(released.stdout)).toMatchObject({ results: [{ holder: 'ben' }] });
  });

  it('refuses itself, what is no clone, what is not set up, and histories without a common first commit', () => {
    const at = clones();
    const other = gitRepo(join(dirname(at.one), 'other'));
    writeFileSync(join(other, 'b.txt'), 'another\n');
    git(other, 'add', '.');
    git(other, 'commit', '-q', '--amend', '-m', 'another first one');
    expect(refusal(at.run(at.two, 'init', '--join', other))).toEqual(REFUSED);
    expect(at.run(other, 'init').code).toBe(0);
    for (const dir of [at.two, other, '/', 'nowhere'])
      expect(refusal(at.run(at.two, 'init', '--join', dir))).toEqual(REFUSED);
    expect(existsSync(join(at.two, '.git/guard'))).toBe(false);
    expect(existsSync(join(at.two, '.claude'))).toBe(false);
  });

  it('says that a shallow clone cannot be compared, and joins it', () => {
    const at = clones();
    git(at.one, 'commit', '-q', '--allow-empty', '-m', 'two');
    const three = join(dirname(at.one), 'three');
    git(dirname(at.one), 'clone', '-q', '--depth', '1', `file://${at.one}`, three);
    const told = at.run(three, 'init', '--join', at.one);
    expect(told).toMatchObject({ code: 0 });
    expect(told.stderr).toContain('It is unknown whether');
  });

  it('is refused while locks are held in its earlier ledger, which is kept and comes back', () => {
    const at = clones();
    expect(at.run(at.two, 'init').code).toBe(0);
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
    expect(refusal(at.run(at.two, 'init', '--join', at.one))).toEqual(REFUSED);
    expect(at.run(at.two, 'leave', '--agent', 'ana').code).toBe(0);
    const before = at.run(at.two, 'log', '--json').stdout;
    at.join();
    expect(at.run(at.two, 'log', '--json').stdout).not.toContain('ana');
    expect(at.run(at.two, 'init', '--leave').code).toBe(0);
    expect(at.run(at.two, 'log', '--json').stdout).toBe(before);
    expect(listed(at.one)).toEqual([]);
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
    expect(at.run(at.two, 'doctor', '--json').stdout).not.toContain('"status":"fail"');
  });

  it('is refused while locks are held in the clone, and the locks of others stay', () => {
    const at = clones();
    at.join();
    lock(at, at.two, 'src/a.ts', 'ana');
    lock(at, at.one, 'src/a.ts', 'ben');
    expect(refusal(at.run(at.two, 'init', '--leave'))).toEqual(REFUSED);
    at.run(at.two, 'leave', '--agent', 'ana');
    expect(at.run(at.two, 'init', '--leave').code).toBe(0);
    expect(JSON.parse(at.run(at.one, 'status', '--json').stdout)).toMatchObject({
      leases: [{ path: 'src/a.ts', holder: 'ben' }],
    });
    expect(JSON.parse(at.run(at.two, 'status', '--json').stdout)).toMatchObject({ leases: [] });
    expect(refusal(at.run(at.two, 'init', '--leave'))).toEqual(REFUSED);
  });

  it('a ledger that others share cannot be uninstalled, nor join another; a clone can be uninstalled', () => {
    const at = clones();
    at.join();
    const three = join(dirname(at.one), 'three');
    git(dirname(at.one), 'clone', '-q', at.one, three);
    expect(at.run(three, 'init').code).toBe(0);
    expect(refusal(at.run(at.one, 'uninstall'))).toEqual(REFUSED);
    expect(refusal(at.run(at.one, 'init', '--join', three))).toEqual(REFUSED);
    expect(refusal(at.run(at.two, 'init', '--join', three))).toEqual(REFUSED);
    expect(at.run(at.two, 'uninstall').code).toBe(0);
    expect(existsSync(join(at.two, '.git/guard'))).toBe(false);
    expect(existsSync(join(at.two, '.claude'))).toBe(false);
    expect(at.run(at.one, 'uninstall').code).toBe(0);
  });

  it('rules are fixed where the ledger is', () => {
    const at = clones();
    at.join();
    expect(refusal(at.run(at.two, 'init', '--preset', 'auto'))).toEqual(REFUSED);
    expect(at.run(at.one, 'init', '--preset', 'strict').code).toBe(0);
    expect(at.run(at.two, 'doctor').stdout).toContain('Preset strict');
  });
});

describe('a clone whose ledger is not there as it was', { timeout: 120_000 }, () => {
  const CLOSED = { code: 2, says: 'GUARD_ERR_STATE_DIR' };

  it('is refused where that was removed, says so, and has its own again by --leave', () => {
    const at = clones();
    at.join();
    rmSync(at.one, { recursive: true });
    const told = lock(at, at.two, 'src/a.ts', 'ana');
    expect(refusal(told)).toEqual(CLOSED);
    expect(told.stderr).toContain('guard init --leave');
    expect(at.run(at.two, 'doctor').stdout).toContain('gone or was moved');
    expect(at.run(at.two, 'init', '--leave').code).toBe(0);
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
  });

  it('is refused where that was moved, and keeps its name when it joins it there', () => {
    const at = clones();
    at.join();
    const { id } = pointer(at.two);
    const moved = join(dirname(at.one), 'moved');
    renameSync(at.one, moved);
    expect(refusal(lock(at, at.two, 'src/a.ts', 'ana'))).toEqual(CLOSED);
    expect(at.run(at.two, 'init', '--join', moved).code).toBe(0);
    expect(pointer(at.two)).toMatchObject({ id, state_dir: join(moved, '.git/guard') });
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
  });

  it('is refused where it was moved itself, and keeps its name when it joins again', () => {
    const at = clones();
    at.join();
    const { id } = pointer(at.two);
    const moved = join(dirname(at.one), 'moved');
    renameSync(at.two, moved);
    expect(refusal(lock(at, moved, 'src/a.ts', 'ana'))).toEqual(CLOSED);
    expect(at.run(at.one, 'doctor').stdout).toContain(`(${id}) is no longer in`);
    expect(at.run(moved, 'init', '--join', at.one).code).toBe(0);
    expect(pointer(moved).id).toBe(id);
    expect(lock(at, moved, 'src/a.ts', 'ana').code).toBe(0);
  });

  it('a copy of it does not pass for it, and gets a name of its own', () => {
    const at = clones();
    at.join();
    const copy = join(dirname(at.one), 'copy');
    cpSync(at.two, copy, { recursive: true });
    expect(refusal(lock(at, copy, 'src/a.ts', 'ana'))).toEqual(CLOSED);
    expect(at.run(copy, 'init', '--join', at.one).code).toBe(0);
    expect(pointer(copy).id).not.toBe(pointer(at.two).id);
    expect([...listed(at.one)].sort()).toEqual([pointer(copy).id, pointer(at.two).id].sort());
    for (const [dir, agent] of [
      [copy, 'ana'],
      [at.two, 'ben'],
    ] as const)
      expect(lock(at, dir, 'src/a.ts', agent).code).toBe(0);
  });

  it('one that is gone is forgotten by guard doctor --fix', () => {
    const at = clones();
    at.join();
    rmSync(at.two, { recursive: true });
    expect(at.run(at.one, 'doctor').stdout).toContain('that shared the ledger');
    at.run(at.one, 'doctor', '--fix');
    expect(listed(at.one)).toEqual([]);
    expect(at.run(at.one, 'uninstall').code).toBe(0);
  });

  it('opened without its pointer, as a guard of before would, it is refused as written by a newer one', () => {
    const at = clones();
    at.join();
    const dir = join(at.two, '.git/guard');
    const open = () => {
      const store = openStore({ dir, now: readNow });
      store.look(['agent:x']);
      store.close();
    };
    expect(errorOf(open)).toMatchObject({ code: 'GUARD_ERR_VERSION' });
    rmSync(join(dir, 'ledger'));
    expect(refusal(lock(at, at.two, 'src/a.ts', 'ana')).says).toBe('GUARD_ERR_VERSION');
    expect(at.run(at.two, 'init', '--leave').code).toBe(0);
    expect(lock(at, at.two, 'src/a.ts', 'ana').code).toBe(0);
  });
});
