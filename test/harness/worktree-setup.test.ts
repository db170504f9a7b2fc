/** A worktree as its role wants it: its starting point, the files copied into it, the setup run before the agent. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DraftState } from '../../src/core/drafts.ts';
import { runMark } from '../../src/core/run-mark.ts';
import { draftOf, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import type { WorktreeChanges } from '../../src/operations/worktree-changes.ts';
import { committed, LINES } from './committed.ts';
import { until } from './harness.ts';
import { markOf } from './left.ts';

const ROLES = {
  made: {
    category: 'worker',
    prompt: 'x',
    worktree: { setup: 'cp .env seen && echo "installed $PWD" > deps', include: ['.env'], base: 'older' },
  },
};

describe('a role’s worktree', () => {
  it('begins with its base, and has what a person approved, once and word by word', () => {
    const at = committed({ files: LINES, roles: ROLES });
    at.at.git('branch', 'older');
    at.at.put('b.txt', 'newer');
    at.at.git('add', 'b.txt');
    at.at.git('commit', '-qm', 'Newer');
    at.at.put('.env', 'SECRET=1');
    const first = at.guard('agent', 'draft', '--role', 'made', '--json', 'sh ls -A > listed\nresult Done.');
    const told = first.json() as { agentId: string; notes: string[] };
    expect(told.notes.join()).toContain('guard role approve made');
    const without = at.await(told.agentId).worktree;
    const listed = readFileSync(`${without?.dir ?? ''}/listed`, 'utf8').split('\n');
    expect(listed).toContain('a.txt');
    for (const missing of ['b.txt', '.env', 'deps']) expect(listed).not.toContain(missing);
    expect(without?.notes).toEqual(told.notes);
    // It is told what is missing.
    expect(at.started(told.agentId).prompt).toContain('was not run');

    const shown = at.guard('role', 'approve', 'made', '--json');
    expect(shown).toMatchObject({ exit: 1 });
    const { digest } = shown.json() as { digest: string };
    const agent = { ...at.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'me' };
    expect(at.at.guardWith(agent, 'role', 'approve', 'made', '--digest', digest).exit).toBe(64);
    expect(at.guard('role', 'approve', 'made', '--digest', 'another').exit).toBe(64);
    expect(at.guard('role', 'approve', 'made', '--digest', digest).exit).toBe(0);
    const second = at.await(at.draft('made', ['sh cat seen deps > listed', 'result Done.'])).worktree;
    expect(readFileSync(`${second?.dir ?? ''}/listed`, 'utf8')).toContain('SECRET=1');
    expect(second?.notes).toEqual([]);

    // A different text has not been approved.
    const other = { ...ROLES.made, name: 'made', worktree: { ...ROLES.made.worktree, setup: 'true' } };
    at.at.put('.agents/roles/made.json', JSON.stringify(other));
    expect(at.guard('role', 'approve', 'made').exit).toBe(1);
  });

  it('has what .worktreeinclude names of what git ignores, and nobody has to approve that', () => {
    const at = committed({ files: { ...LINES, '.worktreeinclude': '.env\na.txt\n' } });
    at.at.put('.env', 'SECRET=1');
    at.at.put('seen', 'not named');
    const { worktree } = at.await(
      at.draft('dev', ['sh ls -A > listed; cat .env >> listed', 'result Done.'], '--worktree'),
    );
    const listed = readFileSync(`${worktree?.dir ?? ''}/listed`, 'utf8').split('\n');
    expect(listed).toContain('SECRET=1');
    expect(listed).not.toContain('seen');
    expect(worktree?.changed).toEqual(['listed']);
  });

  it('whose setup fails is removed, and the agent’s end says what was printed last', () => {
    const broken = { category: 'worker', prompt: 'x', worktree: { setup: 'echo no such thing; exit 3' } };
    const at = committed({ files: LINES, roles: { broken } });
    const { digest } = at.guard('role', 'approve', 'broken', '--json').json() as { digest: string };
    at.guard('role', 'approve', 'broken', '--digest', digest);
    const told = at.await(at.draft('broken', ['result Done.']));
    expect(told).toMatchObject({ status: 'failed' });
    expect(told.reason).toMatch(/ended with 3: no such thing/);
    expect(at.at.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(at.at.git('branch', '--list', 'guard/*')).toBe('');
  });

  it('has what its setup made and git does not ignore as nobody’s work, until the agent changes it', () => {
    const setup =
      'echo 1 > made; echo 1 > other; echo installed >> a.txt; rm b.txt; mkdir -p d && echo 1 > d/e';
    const role = { category: 'worker', prompt: 'x', worktree: { setup } };
    const at = committed({ files: { ...LINES, 'b.txt': 'x\n' }, roles: { role } });
    const { digest } = at.guard('role', 'approve', 'role', '--json').json() as { digest: string };
    at.guard('role', 'approve', 'role', '--digest', digest);
    const idle = at.await(at.draft('role', ['result Done.'])).worktree;
    expect(idle).toMatchObject({ kept: false, changed: [] });
    const id = at.draft('role', ['sh echo mine > mine; echo 2 > other', 'result Done.']);
    expect(at.await(id).worktree).toMatchObject({ kept: true, changed: ['mine', 'other'] });
    const two = at.draft('role', ['sh echo yours > yours', 'result Done.']);
    at.await(two);
    const { worktrees, pairs } = at.guard('agent', 'changes', '--json').json() as WorktreeChanges;
    expect(worktrees.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['mine', 'other'],
      ['yours'],
    ]);
    expect(pairs).toEqual([]);
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({ files: ['mine', 'other'] });
    expect(at.at.read('a.txt')).toBe(LINES['a.txt']);
    expect(at.at.read('b.txt')).toBe('x\n');
    expect(at.guard('agent', 'merge', two, '--json').json()).toMatchObject({ files: ['yours'] });
  });

  it('whose setup hangs ends with its agent', async () => {
    const slow = { category: 'worker', prompt: 'x', worktree: { setup: 'sleep 600' } };
    const at = committed({ files: LINES, roles: { slow } });
    const { digest } = at.guard('role', 'approve', 'slow', '--json').json() as { digest: string };
    at.guard('role', 'approve', 'slow', '--digest', digest);
    const id = at.draft('slow', ['result Done.']);
    await until(() => at.processes(id).length > 0, 20_000);
    expect(at.guard('agent', 'kill', id).exit).toBe(0);
    expect(at.await(id)).toMatchObject({ status: 'killed' });
    expect(at.processes(id)).toEqual([]);
  });

  it.each(['its supervisor is killed', 'the machine is restarted'])(
    'is made anew where %s during its setup, and nothing of the first one is left',
    async (how) => {
      const first = join(tmpdir(), `guard-setup-${randomUUID()}`);
      onTestFinished(() => rmSync(first, { force: true }));
      const setup = `[ -e ${first} ] || { echo $$ > ${first}; echo half > half; exec sleep 600; }; echo whole > seen`;
      const at = committed({ files: LINES, roles: { slow: { ...ROLES.made, worktree: { setup } } } });
      const { digest } = at.guard('role', 'approve', 'slow', '--json').json() as { digest: string };
      at.guard('role', 'approve', 'slow', '--digest', digest);
      const id = at.draft('slow', ['sh ls -A > listed', 'result Done.']);
      await until(() => existsSync(first) && at.list()[0]?.doing?.startsWith('setup: [ -e') === true, 20_000);
      // It does not count as work yet.
      expect(at.list()[0]).toMatchObject({ status: 'starting', worktree: null });
      expect(at.guard('agent', 'changes', '--json').json()).toMatchObject({ worktrees: [] });
      const space = openHarness(locateRepo(at.at.root), at.at.env);
      const supervisor = { ...markOf(at.supervisor(id)), boot: 'an earlier one' };
      const who = whoOf(id, id.slice('claude-'.length));
      process.kill(supervisor.pid, 'SIGKILL');
      if (how === 'the machine is restarted') {
        // As recorded before the restart.
        const of = runMark(draftOf(space, id) as DraftState);
        expect(space.run({ type: 'draft', phase: 'take_over', who, supervisor, of }).refused).toBeNull();
        process.kill(Number(readFileSync(first, 'utf8')), 'SIGKILL');
      }
      const { status, worktree } = at.await(id);
      expect(status).toBe('completed');
      const listed = readFileSync(join(worktree?.dir ?? '', 'listed'), 'utf8').split('\n');
      expect(listed).toContain('seen');
      expect(listed).not.toContain('half');
      expect(at.at.git('worktree', 'list').trim().split('\n')).toHaveLength(2);
      expect(at.at.log('draft').map(({ phase }) => phase)).toEqual(
        expect.arrayContaining(['setup', 'take_over', 'requeue', 'next', 'run']),
      );
      // A late take-over finds that another one was first.
      const of = { supervisor, starts: 1, dispatch: 1 };
      const late = space.run({ type: 'draft', phase: 'take_over', who, supervisor: null, of });
      expect(late.refused).toMatchObject({ why: 'ended' });
      space.close();
      expect(at.processes(id)).toEqual([]);
    },
  );

  it('is gone with its agent where somebody ends that after its supervisor died in the setup', async () => {
    const slow = { category: 'worker', prompt: 'x', worktree: { setup: 'sleep 600' } };
    const at = committed({ files: LINES, roles: { slow } });
    const { digest } = at.guard('role', 'approve', 'slow', '--json').json() as { digest: string };
    at.guard('role', 'approve', 'slow', '--digest', digest);
    const id = at.draft('slow', ['result Done.']);
    await until(() => at.processes(id).length > 0, 20_000);
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    const event = { type: 'draft', phase: 'kill', who: whoOf('me', ''), id, reason: 'enough' } as const;
    process.kill(at.supervisor(id), 'SIGKILL');
    space.run(event);
    space.close();
    expect(at.await(id)).toMatchObject({ status: 'killed', worktree: { kept: false } });
    expect(at.at.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(at.at.git('branch', '--list', 'guard/*')).toBe('');
    expect(at.processes(id)).toEqual([]);
  });
});
