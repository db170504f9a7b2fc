/** Messages to an agent: while it works, after its end, after its client stopped reading, after an API failure. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DraftState } from '../../src/core/drafts.ts';
import { draftOf, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { markProcess } from '../../src/repo/process.ts';
import { committed } from './committed.ts';
import { type Harness, harness, until } from './harness.ts';

function stateOf(at: Harness, id: string): DraftState {
  const space = openHarness(locateRepo(at.at.root), at.at.env);
  const draft = draftOf(space, id);
  space.close();
  if (draft === null) throw new Error('no such agent');
  return draft;
}

const working = (at: Harness, id: string) => () =>
  at.list().some((row) => row.id === id && row.status === 'running' && row.turns > 0);
const send = (at: Harness, id: string, text: string) => at.guard('agent', 'send', id, '--json', '--', text);
const ASKS = '```json\\n{"summary":"half","questions":["Which?"]}\\n```';
const report = (summary: string): string => `result \`\`\`json\\n{"summary":"${summary}"}\\n\`\`\``;
/** The stand-in's last message, as from an overloaded API. */
const OVERLOADED =
  "js emit({type:'result',subtype:'success',is_error:true,terminal_reason:'api_error',api_error_status:529,api_error_type:'overloaded_error',result:'Overloaded',num_turns:0,total_cost_usd:0}); process.exit(1)";
const retrying = (retries: number) => ({
  tired: { category: 'worker', prompt: 'x', limits: { retries, retry_after: '1s' } },
});

describe('what is said to an agent that works', () => {
  it('reaches it at its next step, once, with who said it, and is in its log', async () => {
    const at = harness();
    const id = at.draft('dev', ['say One.', 'sleep 1500', 'say Two.', 'sleep 1500']);
    await until(working(at, id), 15_000);
    expect(send(at, id, `mind this\n${report('minded')}`).json()).toMatchObject({
      agentId: id,
      status: 'sent',
    });
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'minded' } });
    const log = at.guard('agent', 'logs', id).stdout;
    expect(log.match(/mind this/g)).toHaveLength(1);
    expect(log).toMatch(/< Message from \S+@\S+:/);
    expect(stateOf(at, id)).toMatchObject({ unheard: [] });
    expect(stateOf(at, id)).not.toHaveProperty('dispatch');
  });

  it('is heard in another run of its session where its client reads no more', async () => {
    const at = harness();
    const id = at.draft('dev', ['closes', 'say One.', 'sleep 2000', report('first')]);
    await until(working(at, id), 15_000);
    expect(send(at, id, report('second')).json()).toMatchObject({ status: 'sent' });
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'second' } });
    expect(stateOf(at, id)).toMatchObject({ dispatch: 2, unheard: [] });
    expect(at.at.log('exit')).toHaveLength(2);
  });

  it('is not lost with its supervisor: whoever says something next says that, too, and each is heard once', async () => {
    const at = harness();
    const id = at.draft('dev', ['say One.', 'hang']);
    await until(working(at, id), 15_000);
    send(at, id, 'say first');
    process.kill(at.supervisor(id), 'SIGKILL');
    expect(at.await(id)).toMatchObject({ status: 'failed', unheard: ['say first'] });
    expect(send(at, id, 'say second').json()).toMatchObject({ status: 'resumed' });
    const told = at.await(id);
    expect(told).toMatchObject({ status: 'completed', message: 'second' });
    expect(told).not.toHaveProperty('unheard');
    const log = at.guard('agent', 'logs', id).stdout;
    for (const word of ['first', 'second']) expect(log.match(new RegExp(`say ${word}`, 'g'))).toHaveLength(1);
  });

  it('is heard in another run where its supervisor died after its report', async () => {
    const at = harness();
    const told = '```json\\n{"summary":"first"}\\n```';
    const reports = `js const text = '${told}'; said([{ type: 'text', text }]); ended(text);`;
    const id = at.draft('dev', ['closes', 'say One.', reports, 'hang']);
    await until(() => stateOf(at, id).last_output.includes('first'), 15_000);
    expect(send(at, id, report('second')).json()).toMatchObject({ status: 'sent' });
    process.kill(at.supervisor(id), 'SIGKILL');
    const ended = at.await(id);
    expect(ended).toMatchObject({ status: 'completed', result: { summary: 'second' } });
    expect(ended).not.toHaveProperty('unheard');
    expect(stateOf(at, id)).toMatchObject({ dispatch: 2, unheard: [] });
  });

  it('is refused while it is being ended', async () => {
    const at = harness();
    const id = at.draft('dev', ['say One.', 'deaf', 'hang']);
    await until(working(at, id), 15_000);
    const killing = at.at.startGuard(at.env, 'agent', 'kill', id).done;
    await until(() => stateOf(at, id).kill !== null, 15_000);
    expect(send(at, id, 'wait').json()).toMatchObject({ error: { facts: { why: 'leaving' } } });
    await killing;
  });
});

describe('what is said to an agent that is over', () => {
  it('takes it up again: its session, its task, what is left of its limits, and no question open', () => {
    const at = harness();
    const id = at.draft('short', ['say One.', `result ${ASKS}`], '--task', 'it');
    expect(at.await(id)).toMatchObject({ needs: { questions: ['Which?'] }, turns: 2 });
    expect(send(at, id, report('that one')).json()).toEqual({
      agentId: id,
      status: 'resumed',
      taskSlug: 'it',
    });
    const told = at.await(id);
    expect(told).toMatchObject({ status: 'completed', result: { summary: 'that one' }, turns: 3 });
    expect(told).not.toHaveProperty('needs');
    expect(at.started(id).argv).toContain('--resume');
    expect(at.started(id).argv).not.toContain('--session-id');
    expect(at.guard('task', 'context', 'it').stdout).toMatch(/### 2\. short[^]*that one/);
    expect(send(at, id, 'more').json()).toMatchObject({
      error: { code: 'GUARD_ERR_AGENT', facts: { why: 'turns', limit: 3 } },
    });
  });

  it('begins one run, whoever else says something in the same moment, and all of it is heard', async () => {
    const at = harness();
    const id = at.draft('dev', ['result Done.']);
    at.await(id);
    const texts = ['say alpha', 'say beta', 'say gamma'];
    const sent = await Promise.all(
      texts.map((text) => at.at.startGuard(at.env, 'agent', 'send', id, '--json', '--', text).done),
    );
    expect(sent.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    const how = sent.map(({ stdout }) => (JSON.parse(stdout) as { status: string }).status);
    await until(() => stateOf(at, id).ended_wall_ms !== null, 15_000);
    // Three messages that arrive apart may need a second run; each is heard once in any case.
    expect(how.filter((status) => status === 'resumed').length).toBeGreaterThan(0);
    const log = at.guard('agent', 'logs', id).stdout;
    for (const word of ['alpha', 'beta', 'gamma'])
      expect(log.match(new RegExp(`say ${word}`, 'g'))).toHaveLength(1);
    expect(stateOf(at, id)).toMatchObject({ status: 'completed', unheard: [] });
  });

  it('is refused to who did not draft it, to a role that only looks, and for nobody', () => {
    const at = harness();
    const [lead, worker, other] = [
      at.draft('lead', ['hang']),
      at.draft('dev', ['hang']),
      at.draft('dev', ['result x']),
    ];
    at.await(other);
    for (const who of [lead, worker])
      expect(at.as(who, 'agent', 'send', other, '--json', '--', 'hello').json()).toMatchObject({
        error: { code: 'GUARD_ERR_AGENT', facts: { why: 'access' } },
      });
    expect(send(at, 'claude-nobody', 'hello').json()).toMatchObject({ error: { code: 'GUARD_ERR_AGENT' } });
    expect(stateOf(at, other)).not.toHaveProperty('unheard');
  });

  it('is refused as an ordinary message, which names the agent and what takes it up', () => {
    const at = harness();
    const id = at.draft('dev', ['result x']);
    at.await(id);
    expect(at.guard('message', 'send', '--to', id, '--json', 'hello').json()).toMatchObject({
      error: { code: 'GONE', facts: { agent: id }, hint: `guard agent send ${id} TEXT resumes it.` },
    });
  });

  it('is queued for it where every place is taken, and goes on when one is free', async () => {
    const at = harness({ agents: { running: 1 } });
    const id = at.draft('dev', [report('first')]);
    at.await(id);
    const other = at.draft('dev', ['hang']);
    expect(send(at, id, 'say more').json()).toMatchObject({
      ...{ agentId: id, status: 'queued' },
      queued: { place: 1, of: 1, why: 'place' },
    });
    expect(send(at, id, report('second')).json()).toMatchObject({ status: 'sent' });
    expect(at.guard('agent', 'await', id, '--timeout', '100ms', '--json').json()).toMatchObject({
      status: 'queued',
    });
    at.guard('agent', 'kill', other);
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'second' }, turns: 3 });
    expect(stateOf(at, id)).toMatchObject({ dispatch: 2, unheard: [] });
    const { context } = at.guard('task', 'context', stateOf(at, id).task, '--json').json() as {
      context: string;
    };
    expect(context).toMatch(/### 1\. dev .*[^]*### 2\. dev .*[^]*say more/);
    await until(() => at.list().length === 0, 15_000);
  });

  it('is taken up by whoever looks next where whoever said it died before it began', async () => {
    const at = harness();
    const id = at.draft('dev', [report('first')]);
    at.await(id);
    const sender = spawn('sleep', ['60']);
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    const said = { id: randomUUID(), text: 'say second' };
    const [who, supervisor] = [whoOf('me', ''), markProcess(sender.pid ?? 0)];
    const { bounds } = space.harness;
    expect(space.run({ type: 'draft', phase: 'say', who, id, said, bounds, supervisor }).refused).toBeNull();
    space.close();
    sender.kill('SIGKILL');
    await until(() => sender.signalCode !== null, 5_000);
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'second', turns: 2 });
    expect(send(at, id, 'say third').json()).toMatchObject({ status: 'resumed' });
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'third', turns: 3 });
    expect(at.guard('agent', 'logs', id).stdout.match(/say second/g)).toHaveLength(1);
  });

  it('starts it with its own task first where it was queued to its end', () => {
    const at = harness({ agents: { running: 1 } });
    const first = at.draft('dev', ['hang']);
    const id = at.draft('dev', ['say Own.'], '--name', 'two');
    const later = at.draft('dev', ['result Three.'], '--after', 'two');
    at.guard('agent', 'kill', id);
    expect(at.await(later).status).toBe('refused');
    at.guard('agent', 'kill', first);
    for (const [one, own] of [
      [id, 'Own.'],
      [later, 'Three.'],
    ] as const) {
      expect(send(at, one, 'say hello').json()).toMatchObject({ status: 'resumed' });
      expect(at.await(one)).toMatchObject({ status: 'completed' });
      expect(at.guard('agent', 'logs', one).stdout).toMatch(new RegExp(`${own}[^]*say hello`));
    }
  });

  it('makes its worktree again where nothing was left in it, and finds it where something was', () => {
    const at = committed();
    const id = at.draft('dev', ['result Nothing.'], '--worktree');
    expect(at.await(id).worktree).toMatchObject({ kept: false });
    send(at, id, 'sh echo one > new.txt\nresult Wrote.');
    expect(at.await(id).worktree).toMatchObject({ kept: true, changed: ['new.txt'] });
    send(at, id, 'sh cat new.txt');
    expect(at.await(id)).toMatchObject({ message: 'one', worktree: { kept: true, changed: ['new.txt'] } });
  });
});

describe('an API that fails for a while', () => {
  it('is tried again in the same session, and the agent is not over in between', async () => {
    const at = harness({}, retrying(2));
    const id = at.draft('tired', ['say One.', OVERLOADED]);
    await until(() => stateOf(at, id).retry?.count === 1, 15_000);
    expect(stateOf(at, id)).toMatchObject({ status: 'starting', retry: { wait_ms: 1_000 } });
    expect(at.list().find((row) => row.id === id)?.doing).toContain('retry 1 of 2');
    expect(at.await(id)).toMatchObject({ status: 'completed' });
    expect(at.started(id).argv).toContain('--resume');
    expect(at.started(id).prompt).toContain('Continue where you stopped');
  });

  it('ends it where its role wants no retries', () => {
    const at = harness({}, retrying(0));
    expect(at.await(at.draft('tired', [OVERLOADED]))).toMatchObject({
      status: 'failed',
      api_error: { status: 529, is_transient: true },
    });
  });

  it('is waited for no longer when somebody ends the agent', async () => {
    const at = harness({}, { tired: { ...retrying(1).tired, limits: { retries: 1, retry_after: '10m' } } });
    const id = at.draft('tired', [OVERLOADED]);
    await until(() => stateOf(at, id).retry?.count === 1, 15_000);
    expect(at.guard('agent', 'kill', id).exit).toBe(0);
    expect(at.await(id)).toMatchObject({ status: 'killed' });
  });
});
