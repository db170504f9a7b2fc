/** Queued agents: started by agents that end, with real processes that end, are killed and race. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { draftKey } from '../../src/core/drafts.ts';
import { openHarness } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { markProcess } from '../../src/repo/process.ts';
import { serve } from '../mcp/client.ts';
import { harness, type Harness, until } from './harness.ts';

/** Reads the ledger directly, since a command could start an agent. */
const peek = (at: Harness) => {
  const space = openHarness(locateRepo(at.at.root), { ...at.at.env, ...at.env });
  const status = (id: string): unknown =>
    (space.store.look([draftKey(id)]).get(draftKey(id)) as { status?: unknown } | undefined)?.status;
  return { space, status };
};

const queued = (at: Harness, role: string, steps: readonly string[], ...more: readonly string[]) => {
  const told = at.guard('agent', 'draft', '--role', role, '--json', ...more, '--', steps.join('\n'));
  return told.json() as { agentId: string; queued?: { place: number; words: string; why: string } };
};

describe('more agents than may work at once', () => {
  it('are queued, shown with their place, and started when one ends, without anybody’s asking', async () => {
    const at = harness({ agents: { running: 1 } });
    const first = at.draft('dev', ['sh while ! test -e go; do sleep 0.05; done', 'result One.']);
    const second = queued(at, 'dev', ['result Two.']);
    expect(second.queued).toMatchObject({ place: 1, of: 1, why: 'place' });
    const third = queued(at, 'dev', ['result Three.'], '--priority', '1');
    expect(third.queued?.place).toBe(1);
    const rows = at.list();
    expect(rows.map(({ status }) => status).sort()).toEqual([
      'queued',
      'queued',
      expect.stringMatching(/starting|running/),
    ]);
    expect(rows.find(({ id }) => id === second.agentId)?.queue).toMatchObject({ place: 2, of: 2 });
    expect(at.guard('agent', 'list').stdout).toContain('queued, 2nd of 2: waits for a place');
    const told = at.guard('agent', 'await', second.agentId, '--timeout', '100ms', '--json');
    expect(told.json()).toMatchObject({ status: 'queued', queue: { place: 2 }, turns: 0 });
    at.at.put('go', '');
    const { status, space } = peek(at);
    await until(() => status(second.agentId) === 'completed', 30_000);
    space.close();
    const exits = at.at.log('exit').map(({ agent }) => agent);
    expect(exits).toEqual([first, third.agentId, second.agentId]);
  });

  it('are each started once, though many end in the same moment', async () => {
    const at = harness({ agents: { running: 4 } });
    const ids = Array.from({ length: 12 }, (_, n) =>
      at.draft('dev', [`sleep ${n < 4 ? 1500 : 100}`, 'result x']),
    );
    const lookers = Array.from(
      { length: 3 },
      () => at.at.startGuard(at.env, 'agent', 'await', ...ids, '--json').done,
    );
    for (const { exit } of await Promise.all(lookers)) expect(exit).toBe(0);
    const starts = at.at
      .log('draft')
      .filter(({ phase }) => phase === 'run')
      .map(({ agent }) => agent);
    expect(starts.sort()).toEqual([...ids].sort());
    expect(at.at.log('exit')).toHaveLength(12);
  });

  it('are started by another supervisor when one that ran is killed -9', async () => {
    const at = harness({ agents: { running: 2 } });
    const lost = at.draft('dev', ['hang']);
    at.draft('dev', ['hang']);
    const { agentId } = queued(at, 'dev', ['result Three.']);
    const { status, space } = peek(at);
    await until(() => status(lost) === 'running', 15_000);
    process.kill(at.supervisor(lost), 'SIGKILL');
    await until(() => status(agentId) === 'completed', 30_000);
    expect(status(lost)).toBe('failed');
    space.close();
  });

  it('are started by the next command where nobody is left', async () => {
    const at = harness({ agents: { running: 1 } });
    const lost = at.draft('dev', ['hang']);
    const { agentId } = queued(at, 'dev', ['result Two.']);
    const { status, space } = peek(at);
    await until(() => status(lost) === 'running', 15_000);
    process.kill(at.supervisor(lost), 'SIGKILL');
    await until(
      () => status(lost) !== 'running' || at.list().length < 2 || status(agentId) !== 'queued',
      15_000,
    );
    await until(() => status(agentId) === 'completed', 30_000);
    space.close();
  });

  it('are started though whoever took one out of the queue died before that', async () => {
    const at = harness({ agents: { running: 1 } });
    const first = at.draft('dev', ['hang']);
    const { agentId } = queued(at, 'dev', ['result Two.']);
    const dying = spawn('sleep', ['60']);
    const starter = markProcess(dying.pid ?? 0);
    const { status, space } = peek(at);
    await until(() => status(first) === 'running', 15_000);
    // Its place is free, but no process has looked yet.
    const ending = {
      exit_code: 0,
      signal: null,
      last_output: '',
      result: null,
      needs: null,
      api_error: null,
    };
    const usage = { turns: 0, cost_usd: 0, tools: {} };
    const who = { id: first, kind: 'session', parent: null, session: first.slice(7), proc: null } as const;
    space.run({
      type: 'draft',
      phase: 'exit',
      who,
      status: 'completed',
      reason: '',
      ...ending,
      usage,
      worktree: null,
    });
    const taken = space.run({ type: 'draft', phase: 'next', who, starter });
    if (taken.draft !== null) {
      expect(taken.draft.id).toBe(agentId);
      dying.kill('SIGKILL');
      await until(() => dying.signalCode !== null, 5_000);
    }
    await until(() => {
      at.list();
      return status(agentId) === 'completed';
    }, 30_000);
    expect(
      at.at.log('draft').filter(({ phase, agent }) => phase === 'run' && agent === agentId),
    ).toHaveLength(1);
    space.close();
  });

  it('can be killed before they begin; who comes after one that did is refused', () => {
    const at = harness({ agents: { running: 1 } });
    const first = at.draft('dev', ['hang']);
    const { agentId } = queued(at, 'dev', ['result Two.'], '--name', 'two');
    const later = queued(at, 'dev', ['result Three.'], '--after', 'two');
    expect(later.queued).toMatchObject({ why: 'after', words: 'queued, 2nd of 2: waits for the end of two' });
    expect(at.guard('agent', 'discard', 'two', '--json').json()).toMatchObject({
      error: { facts: { why: 'queued' } },
    });
    expect(at.guard('agent', 'kill', 'two').exit).toBe(0);
    expect(at.await(agentId)).toMatchObject({ status: 'killed', turns: 0 });
    const told = at.guard('agent', 'await', later.agentId, '--json');
    expect(told.exit).toBe(1);
    expect(told.json()).toMatchObject({
      status: 'refused',
      reason: 'two ended as killed, and it was to follow that agent',
    });
    expect(at.guard('agent', 'kill', first).exit).toBe(0);
    expect(queued(at, 'dev', ['result x'], '--after', 'nobody-here')).toMatchObject({
      error: { facts: { field: 'after' } },
    });
  });

  it('are told what those reported that they come after', () => {
    const at = harness();
    const REPORT = JSON.stringify(
      'Done.\n```json\n{"summary":"the port is 8080","changes":[],"issues":[],"questions":[]}\n```',
    );
    at.draft('dev', ['sleep 500', `js ended(${REPORT})`], '--task', 'port');
    const { agentId, queued: place } = queued(at, 'dev', ['result Used.'], '--after', 'port');
    expect(place?.why).toBe('after');
    expect(at.await(agentId).status).toBe('completed');
    expect(at.started(agentId).prompt).toContain('the port is 8080');
  });
});

describe('leads that wait for agents that are queued', () => {
  it('do not keep them from starting, also where every place is a lead’s', async () => {
    const at = harness({ agents: { running: 2 } });
    const leads = [at.draft('lead', ['hang']), at.draft('lead', ['hang'])];
    const { status, space } = peek(at);
    await until(() => leads.every((id) => status(id) === 'running'), 15_000);
    const children = leads.map((lead) =>
      ['result A.', 'result B.'].map(
        (steps) =>
          (at.as(lead, 'agent', 'draft', '--role', 'dev', '--json', steps).json() as { agentId: string })
            .agentId,
      ),
    );
    expect(children.flat().map(status)).toEqual(['queued', 'queued', 'queued', 'queued']);
    const asLead = (id: string) => ({
      ...at.env,
      CLAUDECODE: '1',
      CLAUDE_CODE_SESSION_ID: id.slice('claude-'.length),
    });
    const awaits = leads.map(
      (lead, n) => at.at.startGuard(asLead(lead), 'agent', 'await', ...(children[n] ?? []), '--json').done,
    );
    for (const { exit, stdout } of await Promise.all(awaits))
      expect([exit, JSON.parse(stdout)]).toMatchObject([0, { status: 'completed' }]);
    space.close();
  });

  it('are told at once where that would never end: who starts after them, who has no money but theirs', () => {
    const at = harness(
      {},
      { payer: { category: 'conversational', prompt: 'x', limits: { tree_cost_usd: 1, cost_usd: 1 } } },
    );
    const lead = at.draft('payer', ['hang']);
    const draft = (...more: string[]) =>
      at.as(lead, 'agent', 'draft', '--role', 'dev', '--json', 'result x', ...more).json() as {
        agentId: string;
        queued?: { why: string };
      };
    const later = draft('--after', lead);
    expect(at.as(lead, 'agent', 'await', later.agentId, '--json').json()).toMatchObject({
      error: { facts: { why: 'circle' } },
    });
    const poor = draft();
    expect(poor.queued?.why).toBe('share');
    expect(at.as(lead, 'agent', 'await', poor.agentId, '--json').json()).toMatchObject({ status: 'refused' });
  });

  it('ask at most once in the time that their client waits for a call, however many they wait for', async () => {
    const at = harness({ agents: { running: 2 }, mcp: { streamTimeout: 3_000 } });
    const gate = join(at.at.home, 'go-on');
    const steps = [`sh while [ ! -e '${gate}' ]; do sleep 0.2; done`, 'result x'];
    const ids = [0, 1, 2, 3].map(() => at.draft('dev', steps));
    const { anonymous } = await serve(at.at, at.env, ['--tools', 'harness']);
    const calls: { status: string; lasted_ms: number }[] = [];
    do {
      const began = performance.now();
      const { status } = (await anonymous.call('await_agent', { agentId: ids })) as unknown as {
        status: string;
      };
      calls.push({ status, lasted_ms: performance.now() - began });
      if (calls.length === 3) writeFileSync(gate, '');
    } while (['running', 'queued'].includes(calls.at(-1)?.status ?? ''));
    expect(calls.at(-1)?.status).toBe('completed');
    // A busy machine may answer late, but never early. awaiting.test.ts tests when it starts to answer.
    for (const { lasted_ms } of calls.slice(0, 3)) expect(lasted_ms).toBeGreaterThan(3_000 * 0.75);
  });
});
