/** Plans for several agents: invalid plans, order, a second run, and the final report. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planIn, planSchema } from '../../src/harness/plan-file.ts';
import type { PlanAnswer } from '../../src/operations/run-plan.ts';
import { harness, type Harness, until } from './harness.ts';

const BLOCK = (summary: string, questions = '[]'): string =>
  `js ended(${JSON.stringify(`x\n\`\`\`json\n{"summary":"${summary}","changes":[],"issues":[],"questions":${questions}}\n\`\`\``)})`;

const task = (id: string, more: object = {}): object => ({ id, role: 'dev', prompt: BLOCK(id), ...more });

const run = (at: Harness, plan: object, ...more: readonly string[]) => {
  at.at.put('plan.json', JSON.stringify(plan));
  const { exit, ...told } = at.guard('agent', 'run', 'plan.json', '--json', ...more);
  return { exit, answer: told.json() as PlanAnswer };
};

describe('a plan', () => {
  it.each([
    [{}, 'tasks'],
    [{ tasks: [] }, 'tasks'],
    [{ tasks: [{ role: 'dev', prompt: 'x' }] }, 'tasks[0].id'],
    [{ tasks: [task('a', { role: 'Not one' })] }, 'tasks[0].role'],
    [{ tasks: [task('a'), task('b', { prompt: ' ' })] }, 'tasks[1].prompt'],
    [{ tasks: [task('a', { priority: 10 })] }, 'tasks[0].priority'],
    [{ tasks: [task('a', { promt: 'x' })] }, 'tasks[0].promt'],
    [{ tasks: [task('a'), task('a')] }, 'tasks[1].id'],
    [{ tasks: [task('a', { after: ['b'] })] }, 'tasks[0].after[0]'],
    [{ tasks: [task('a', { after: ['a'] })] }, 'tasks[0].after'],
    [{ tasks: [task('x'), task('a', { after: ['b'] }), task('b', { after: ['a'] })] }, 'tasks[1].after'],
  ])('where something is wrong (%#): names the field', (plan, field) => {
    const read = () => planIn(JSON.stringify(plan), 'd');
    expect(read).toThrow(expect.objectContaining({ code: 'GUARD_ERR_USAGE', facts: { field } }));
  });

  it('is put into an order in which each comes after its own, and else left as it is', () => {
    const tasks = [task('c', { after: ['b'] }), task('a'), task('b', { after: ['a'] }), task('d')];
    const { id, tasks: ordered } = planIn(JSON.stringify({ tasks }), 'digest');
    expect(id).toBe('digest');
    expect(ordered.map((one) => one.id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

it('has a schema in the docs', () => {
  const file = join(import.meta.dirname, '../../docs/plan.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(planSchema());
});

describe('guard agent run', () => {
  it('drafts nobody where anything is wrong, or where it is only asked', () => {
    const at = harness();
    at.at.put(
      'plan.json',
      JSON.stringify({ tasks: [task('a', { after: ['c'] }), task('b', { role: 'nobody' }), task('c')] }),
    );
    const refused = at.guard('agent', 'run', 'plan.json', '--json');
    expect(refused.exit).toBe(64);
    expect(refused.json()).toMatchObject({ error: { facts: { field: 'tasks[1].role' } } });
    const { exit, answer } = run(
      at,
      { id: 'night', tasks: [task('a'), task('b', { after: ['a'] })] },
      '--dry-run',
    );
    expect([exit, answer]).toMatchObject([0, { plan: 'night', status: 'planned' }]);
    expect(answer.tasks).toMatchObject([
      { id: 'a', how: 'new', status: 'planned', agentId: null },
      { id: 'b', after: ['a'], status: 'planned' },
    ]);
    expect(at.list('--all')).toEqual([]);
  });

  it('carries all out in their order, more than may work at once, and sums them up', () => {
    const at = harness({ agents: { running: 2 } });
    const tasks = [task('last', { after: ['a', 'b'] }), task('a'), task('b'), task('c')];
    const { exit, answer } = run(at, { id: 'night', tasks });
    expect([exit, answer.status]).toEqual([0, 'completed']);
    expect(answer.tasks.map(({ id, status, summary }) => [id, status, summary])).toEqual(
      ['a', 'b', 'last', 'c'].map((id) => [id, 'completed', id]),
    );
    const [a, b, last] = answer.tasks.map(({ agentId }) => agentId);
    const order = at.at.log('draft').flatMap(({ phase, agent }) => (phase === 'run' ? [agent] : []));
    expect(order.indexOf(String(last))).toBeGreaterThan(
      Math.max(order.indexOf(String(a)), order.indexOf(String(b))),
    );
    expect(at.started(String(last)).prompt).toContain('- ' + String(a));
    const words = at.guard('agent', 'run', 'plan.json').stdout;
    expect(words).toContain('as before');
    expect(words).toContain('4 completed; 0.00 USD');
  });

  it('goes on where it was: what completed stays, what failed is done once more with what comes after it', () => {
    const at = harness();
    const plan = (steps: string) => ({
      id: 'night',
      tasks: [
        task('a'),
        task('b', { prompt: steps }),
        task('c', { after: ['b'] }),
        task('d', { after: ['b'], anyway: true }),
      ],
    });
    const first = run(at, plan('js process.exit(1)'));
    expect([first.exit, first.answer.status]).toEqual([1, 'failed']);
    expect(first.answer.tasks.map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'refused',
      'completed',
    ]);
    expect(first.answer.tasks[2]?.reason).toContain('ended as failed');
    const second = run(at, plan(BLOCK('b', '["Which?"]')));
    expect(second.exit).toBe(3);
    expect(second.answer.tasks.map(({ how, status }) => [how, status])).toEqual([
      ['kept', 'completed'],
      ['again', 'completed'],
      ['again', 'completed'],
      ['kept', 'completed'],
    ]);
    expect(second.answer.tasks[0]?.agentId).toBe(first.answer.tasks[0]?.agentId);
    expect(second.answer.tasks[1]).toMatchObject({ needs: { questions: ['Which?'] } });
  });

  it('ends and says what it waits for where an agent was lost; another run drafts that and what comes after it', async () => {
    const at = harness();
    const plan = (prompt: string) => ({
      id: 'night',
      tasks: [
        task('a', { prompt }),
        task('b', { after: ['a'] }),
        task('c', { after: ['b'] }),
        task('d', { after: ['b'], anyway: true }),
      ],
    });
    at.at.put('plan.json', JSON.stringify(plan('hang')));
    const running = at.at.startGuard(at.env, 'agent', 'run', 'plan.json', '--json').done;
    await until(() => at.list().filter(({ status }) => status === 'running').length === 1, 20_000);
    const lost = at.list().find(({ status }) => status === 'running')?.id ?? '';
    process.kill(at.supervisor(lost), 'SIGKILL');
    const { exit, stdout } = await running;
    const { tasks } = JSON.parse(stdout) as PlanAnswer;
    expect([exit, ...tasks.map(({ status }) => status)]).toEqual([1, 'failed', 'queued', 'queued', 'queued']);
    expect(tasks[1]?.reason).toContain(`until guard agent send resumes ${lost}`);
    const [first] = at.list();
    expect(first).toMatchObject({ status: 'queued', queue: { is_stuck: true } });
    expect(at.guard('agent', 'list').stdout).toMatch(/^! queued/m);
    // A single wait ends, too, and says what to do.
    const waited = at.guard('agent', 'await', tasks[2]?.agentId ?? '', '--json');
    expect([waited.exit, waited.json()]).toMatchObject([
      1,
      { status: 'queued', hint: expect.stringContaining('guard agent send') as string },
    ]);
    expect(at.guard('agent', 'await', tasks[1]?.agentId ?? '').stdout).toContain('guard agent kill');
    const again = run(at, plan(BLOCK('a')));
    expect(again.answer.tasks.map(({ how, status }) => [how, status])).toEqual(
      Array.from({ length: 4 }, () => ['again', 'completed']),
    );
    // Not the one that was queued: it would have started at the end of the old b.
    expect(again.answer.tasks[3]?.agentId).not.toBe(tasks[3]?.agentId);
  });

  it('drafts each once where two run the same plan at the same moment', async () => {
    const at = harness();
    at.at.put(
      'plan.json',
      JSON.stringify({
        id: 'night',
        tasks: ['a', 'b', 'c'].map((id) => task(id, { prompt: `sleep 800\n${BLOCK(id)}` })),
      }),
    );
    const both = [1, 2].map(() => at.at.startGuard(at.env, 'agent', 'run', 'plan.json', '--json').done);
    const told = (await Promise.all(both)).map(({ exit, stdout }) => ({
      exit,
      answer: JSON.parse(stdout) as PlanAnswer,
    }));
    expect(told.map(({ exit }) => exit)).toEqual([0, 0]);
    const [one, two] = told.map(({ answer }) => answer.tasks.map(({ agentId }) => agentId));
    expect(one).toEqual(two);
    expect(at.at.log('exit')).toHaveLength(3);
  });
});
