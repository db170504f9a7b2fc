/** Supervisors killed together and at different moments: every end is recorded correctly, and no report is lost. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDead } from '../../src/repo/process.ts';
import type { TreeRow } from '../../src/harness/list.ts';
import { committed, LINES } from './committed.ts';
import { until } from './harness.ts';
import { markOf } from './left.ts';

const report = (summary: string): string =>
  `Done.\\n\`\`\`json\\n${JSON.stringify({ summary, changes: [], issues: [], questions: [] })}\\n\`\`\``;
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;
const OVERLOADED =
  'js ended("API Error: 529 overloaded", { is_error: true, terminal_reason: "api_error", api_error_status: 529 }); process.exit(1)';

describe('the supervisors of a night', () => {
  it('are killed at work, during a setup, after a report, and while they wait for an API: what comes of it is told, and can go on', async () => {
    const tired = { category: 'worker', prompt: 'x', limits: { retries: 1, retry_after: '10m' } };
    const first = join(tmpdir(), `guard-night-${randomUUID()}`);
    onTestFinished(() => rmSync(first, { force: true }));
    const setup = `[ -e ${first} ] || { echo > ${first}; echo half > half; exec sleep 600; }; echo whole > seen`;
    const made = { category: 'worker', prompt: 'x', worktree: { setup } };
    const at = committed({ files: LINES, roles: { tired, made } });
    const { digest } = at.guard('role', 'approve', 'made', '--json').json() as { digest: string };
    expect(at.guard('role', 'approve', 'made', '--digest', digest).exit).toBe(0);
    const works = (...then: string[]): string[] => ['say One.', waitFor('killed'), ...then, 'hang'];
    at.draft(
      'dev',
      works(`note ${report('first')}`, 'sh echo > noted-first', 'hook Stop'),
      '--name',
      'first',
    );
    at.draft(
      'dev',
      works(`note ${report('second')}`, 'sh echo > noted-second', 'hook Stop'),
      '--name',
      'second',
    );
    at.draft('dev', works('hook PreToolUse'), '--name', 'works');
    at.draft('tired', [OVERLOADED], '--name', 'tired');
    at.draft('made', ['sh ls -A > listed', `result ${report('made')}`], '--name', 'made');
    const rows = (): readonly TreeRow[] => at.list('--since', '12h');
    const named = (name: string): TreeRow | undefined => rows().find((row) => row.name === name);
    await until(
      () =>
        named('tired')?.doing?.includes('retry 1 of 1') === true &&
        (existsSync(first) && named('made')?.doing?.startsWith('setup: ')) === true &&
        ['first', 'second', 'works'].every((name) => named(name)?.turns === 1),
      30_000,
    );
    const supervisors = rows().map(({ id }) => markOf(at.supervisor(id)));
    expect(supervisors).toHaveLength(5);
    for (const { pid } of supervisors) process.kill(pid, 'SIGKILL');
    await until(() => supervisors.every(isDead), 10_000);
    writeFileSync(at.at.path('killed'), '');
    // Whoever looks ends the clients of dead supervisors at once, so nobody looks before these have reported.
    await until(() => ['noted-first', 'noted-second'].every((name) => existsSync(at.at.path(name))), 30_000);
    const isOver = (name: string): boolean => named(name)?.endedAt !== null;
    await until(() => ['first', 'second', 'works', 'made'].every(isOver), 30_000);
    // An agent whose client was not running keeps waiting under a new supervisor, and is not lost.
    await until(() => named('tired')?.doing?.includes('retry 1 of 1') === true, 30_000);
    expect(isOver('tired')).toBe(false);
    expect(at.guard('agent', 'kill', 'tired').exit).toBe(0);
    await until(() => isOver('tired'), 30_000);

    const found = rows().map(({ name, status, reason }) => [name, status, reason]);
    expect(found.toSorted()).toEqual([
      ['first', 'completed', 'done'],
      ['made', 'completed', 'done'],
      ['second', 'completed', 'done'],
      ['tired', 'killed', expect.any(String)],
      ['works', 'failed', 'its supervisor died'],
    ]);
    const reported = ['first', 'second', 'made'];
    expect(reported.map((name) => at.await(name).result?.summary)).toEqual(reported);
    // Its client ran once, in a new worktree, and nothing of the first one is left.
    const { agentId: made_id, worktree } = at.await('made');
    const { dir = '' } = worktree ?? {};
    expect(readFileSync(join(dir, 'listed'), 'utf8').split('\n')).toEqual(expect.arrayContaining(['seen']));
    expect(existsSync(join(dir, 'half'))).toBe(false);
    expect(at.at.git('worktree', 'list').trim().split('\n')).toHaveLength(2);
    const phases = at.at.log('draft').filter(({ agent }) => agent === made_id);
    expect(phases.filter(({ phase }) => phase === 'run')).toHaveLength(1);
    expect(phases.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['take_over', 'requeue']));
    expect(at.at.log('exit').filter(({ agent }) => agent === made_id)).toHaveLength(1);
    expect(rows().flatMap(({ id }) => at.processes(id))).toEqual([]);
    // An agent without a report can be resumed.
    expect(at.await('works')).toMatchObject({ hint: expect.stringContaining('guard agent send') as string });
    expect(at.guard('agent', 'send', 'works', 'result Done after all.').exit).toBe(0);
    expect(at.await('works')).toMatchObject({ status: 'completed', message: 'Done after all.' });
  }, 120_000);
});
