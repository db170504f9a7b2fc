/** Each checkout's own files stay separate on every machine of a fleet; the repository's are shared. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInstall } from '../../../src/repo/install.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import {
  type Answer,
  GUARD,
  runNow,
  type Scratch,
  type Session,
  working,
  wrongs,
} from '../../claude/driver.ts';
import { hasPostgres } from '../../store/postgres/programs.ts';
import { sharedCluster } from '../../store/postgres/shared.ts';
import { FILES, two } from '../two-machines.ts';

/** Two machines with clones of the same committed files. */
async function clones(): Promise<readonly [Scratch, Scratch]> {
  const both = two(await sharedCluster());
  for (const at of both) {
    at.git('add', ...Object.keys(FILES));
    at.git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-qm', 'first');
  }
  return both;
}

interface Tried {
  readonly results: readonly { readonly acquired: boolean; readonly elsewhere?: readonly object[] }[];
  readonly notes?: readonly string[];
}

/** Runs in the agent's working directory. */
function locking({ scratch, env, cwd }: Session, ...names: readonly string[]): Tried {
  const args = [GUARD, 'lock', 'try', ...names, '--json'];
  return JSON.parse(runNow({ args, cwd, env: { ...scratch.env, ...env } }).stdout) as Tried;
}

const gets = (agent: Session, name: string): boolean => locking(agent, name).results[0]?.acquired === true;

/** Reads, locks, edits and releases the file. */
function edits(agent: Session, from: string, to: string): Tried['results'][number] | undefined {
  agent.read('a.txt');
  const [tried] = locking(agent, 'a.txt').results;
  expect(agent.edit('a.txt', from, to).post?.exit).toBe(0);
  agent.guard('lock', 'release', 'a.txt');
  return tried;
}

const shell = (agent: Session, command: string): Answer => agent.pre(agent.call('Bash', { command }));

/** The ledger's name for its main checkout. */
const nameOf = ({ root }: Scratch): string => locateRepo(root).worktree ?? '';

const linked = (at: Scratch): string => {
  const dir = join(at.home, 'w');
  at.git('worktree', 'add', '-q', '--detach', dir);
  return dir;
};

describe.skipIf(!hasPostgres())('of two clones on two machines', () => {
  test('each has its own uncommitted work: an edit of the other copy changes neither whose it is nor what must be read', async () => {
    const [a, b] = await clones();
    const [alpha, beta, third] = [working(a), working(b), working(b)];
    edits(beta, '1\n', 'by B\n');
    const told = edits(alpha, '1\n', 'by A\n');
    expect(told?.elsewhere).toMatchObject([{ checkout: nameOf(b), agent: beta.name, does: 'wrote' }]);
    expect(wrongs(shell(beta, 'git commit -am mine'))).toEqual([]);
    for (const command of ['git checkout -- a.txt', 'git stash', 'git commit -am theirs'])
      expect(wrongs(shell(third, command))).toEqual(['WORK_OF_OTHERS']);
    beta.lock('a.txt');
    expect(wrongs(beta.edit('a.txt', 'by B\n', 'by B again\n').pre)).toEqual([]);
  });

  test('each has its own index, stash and list of worktrees', async () => {
    const [a, b] = await clones();
    const [alpha, beta] = [working(a), working(b)];
    const names = ['index', 'stash', 'worktrees', 'refs/heads/main'].map((name) => `@git/${name}`);
    expect([alpha, beta].map((agent) => locking(agent, ...names).results)).toMatchObject(
      [alpha, beta].map(() => names.map(() => ({ acquired: true }))),
    );
    expect(wrongs(shell(working(b), 'git add b.txt'))).toEqual(['LOCKED_BY_OTHER']);
    beta.guard('lock', 'release', '--all');
    expect(wrongs(shell(beta, 'git add b.txt'))).toEqual([]);
  });

  test('a file that an agent of one holds is denied to agents of the other, to their commands and reservations, also while it is written', async () => {
    const [a, b] = await clones();
    const [alpha, beta] = [working(a), working(b)];
    alpha.read('a.txt');
    alpha.lock('a.txt');
    beta.read('a.txt');
    const { pre } = beta.edit('a.txt', '1\n', 'too\n');
    expect(wrongs(pre)).toEqual(['LOCKED_BY_OTHER']);
    expect(pre.stdout).toContain(`in the checkout ${nameOf(a).slice(2)}`);
    for (const command of ['echo too > a.txt', 'rm -rf *.txt'])
      expect(wrongs(shell(beta, command))).not.toEqual([]);
    expect(beta.guard('reserve', '*.txt', '--reason', 'x').exit).toBe(1);
    const { leases } = b.guard('status', '--json').json() as { leases: object[] };
    expect(leases).toMatchObject([{ path: 'a.txt', holder: alpha.name, checkout: nameOf(a) }]);
    expect(alpha.edit('a.txt', '1\n', 'by A\n').post?.exit).toBe(0);
    alpha.guard('lock', 'release', 'a.txt');
    expect(gets(beta, 'a.txt')).toBe(true);
  });

  test('linked worktrees with the same name are separate, and a notice about another one names the machine', async () => {
    const [a, b] = await clones();
    const [alpha, beta] = [a, b].map((at) => working(at, { cwd: linked(at) })) as [Session, Session];
    expect([gets(alpha, 'a.txt'), gets(working(b), 'a.txt')]).toEqual([true, true]);
    const { results, notes = [] } = locking(beta, 'a.txt');
    const [tried] = results;
    expect(tried).toMatchObject({ acquired: true });
    expect(tried?.elsewhere).toContainEqual(
      expect.objectContaining({ checkout: `${nameOf(a)}~w`, agent: alpha.name, does: 'holds' }),
    );
    expect(notes.join(' ')).toContain(`worktree w of ${nameOf(a).slice(2)}`);
    expect(notes.join(' ')).not.toContain('in the main checkout');
  });

  test('one that an older guard moved there keeps working, and gets its name when no agent is active in it', async () => {
    const [a, b] = await clones();
    fs.rmSync(`${b.state}/ledger`);
    expect(readInstall(b.state)).toMatchObject({ v: 2 });
    expect(nameOf(b)).toBe('');
    const [alpha, beta] = [working(a), working(b)];
    beta.lock('a.txt');
    // Another agent can take the file neither before nor after.
    expect(gets(alpha, 'a.txt')).toBe(false);
    expect(b.guard('fleet', 'join').stderr).toContain('GUARD_ERR_FLEET');
    expect(b.guard('fleet', 'status', '--json').json()).toMatchObject({ clone: null });
    expect(nameOf(b)).toBe('');
    alpha.lock('b.txt');
    beta.guard('leave');
    const { clone } = b.guard('fleet', 'status', '--json').json() as { clone: string };
    expect([clone, nameOf(b)]).toEqual([nameOf(b), expect.stringMatching(/^~@[\w.-]+-[0-9a-f]{10}$/)]);
    const gamma = working(b);
    expect(gets(gamma, 'b.txt')).toBe(false);
    expect(b.guard('fleet', 'join').stderr).toContain('GUARD_ERR_FLEET');
    // Back in its own ledger, it has no name.
    gamma.guard('leave');
    expect(b.guard('fleet', 'leave').exit).toBe(0);
    expect(nameOf(b)).toBe('');
  });
});
