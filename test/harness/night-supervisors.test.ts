/** Supervisors killed together and at different moments: every end is recorded correctly, and no report is lost. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDead } from '../../src/repo/process.ts';
import type { TreeRow } from '../../src/harness/list.ts';
import { harness, until } from './harness.ts';
import { markOf } from './left.ts';

const report = (summary: string): string =>
  `Done.\\n\`\`\`json\\n${JSON.stringify({ summary, changes: [], issues: [], questions: [] })}\\n\`\`\``;
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;
const OVERLOADED =
  'js ended("API Error: 529 overloaded", { is_error: true, terminal_reason: "api_error", api_error_status: 529 }); process.exit(1)';

describe('the supervisors of a night', () => {
  it('are killed at work, after a report, and while they wait for an API: what comes of it is told, and can go on', async () => {
    const tired = { category: 'worker', prompt: 'x', limits: { retries: 1, retry_after: '10m' } };
    const at = harness({}, { tired });
    const works = (...then: string[]): string[] => ['say One.', waitFor('killed'), ...then, 'hang'];
    at.draft('dev', works(`note ${report('first')}`, 'hook Stop'), '--name', 'first');
    at.draft('dev', works(`note ${report('second')}`, 'hook Stop'), '--name', 'second');
    at.draft('dev', works('hook PreToolUse'), '--name', 'works');
    at.draft('tired', [OVERLOADED], '--name', 'tired');
    const rows = (): readonly TreeRow[] => at.list('--since', '12h');
    const named = (name: string): TreeRow | undefined => rows().find((row) => row.name === name);
    await until(
      () =>
        named('tired')?.doing?.includes('retry 1 of 1') === true &&
        ['first', 'second', 'works'].every((name) => named(name)?.turns === 1),
      30_000,
    );
    const supervisors = rows().map(({ id }) => markOf(at.supervisor(id)));
    expect(supervisors).toHaveLength(4);
    for (const { pid } of supervisors) process.kill(pid, 'SIGKILL');
    await until(() => supervisors.every(isDead), 10_000);
    writeFileSync(at.at.path('killed'), '');
    const isOver = (name: string): boolean => named(name)?.endedAt !== null;
    await until(() => ['first', 'second', 'works'].every(isOver), 30_000);
    // An agent whose client was not running keeps waiting under a new supervisor, and is not lost.
    await until(() => named('tired')?.doing?.includes('retry 1 of 1') === true, 30_000);
    expect(isOver('tired')).toBe(false);
    expect(at.guard('agent', 'kill', 'tired').exit).toBe(0);
    await until(() => isOver('tired'), 30_000);

    const found = rows().map(({ name, status, reason }) => [name, status, reason]);
    expect(found.toSorted()).toEqual([
      ['first', 'completed', 'done'],
      ['second', 'completed', 'done'],
      ['tired', 'killed', expect.any(String)],
      ['works', 'failed', 'its supervisor died'],
    ]);
    expect(['first', 'second'].map((name) => at.await(name).result?.summary)).toEqual(['first', 'second']);
    expect(rows().flatMap(({ id }) => at.processes(id))).toEqual([]);
    // An agent without a report can be resumed.
    expect(at.await('works')).toMatchObject({ hint: expect.stringContaining('guard agent send') as string });
    expect(at.guard('agent', 'send', 'works', 'result Done after all.').exit).toBe(0);
    expect(at.await('works')).toMatchObject({ status: 'completed', message: 'Done after all.' });
  }, 120_000);
});
