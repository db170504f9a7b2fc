/** The life of a drafted agent, with a stand-in for the client that does what its prompt says. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { harness, until } from './harness.ts';

const BLOCK = 'Done.\\n```json\\n{"summary":"did it","changes":["a"],"issues":[],"questions":["why?"]}\\n```';

describe('a drafted agent', () => {
  it('is drafted at once, works, and its result can be had twice, by anybody', () => {
    const at = harness();
    const id = at.draft('dev', ['sleep 700', `result ${BLOCK}`]);
    expect(at.list()).toMatchObject([{ id, role: 'dev', depth: 1 }]);
    for (const told of [at.await(id), at.await(id)])
      expect(told).toMatchObject({
        status: 'completed',
        agentId: id,
        result: { summary: 'did it', changes: ['a'], issues: [], questions: ['why?'] },
      });
    expect(at.list('--all')).toMatchObject([{ id, status: 'completed', turns: 1, cost_usd: 0.01 }]);
  });

  it('has no result where it gave none, but its last words', () => {
    const at = harness();
    const told = at.await(at.draft('dev', ['result That is all.']));
    expect(told).toMatchObject({ status: 'completed', message: 'That is all.' });
    expect(told).not.toHaveProperty('result');
  });

  it('gets its role, its servers, its hooks and its id, and nobody else’s', () => {
    const at = harness({ mcp: { streamTimeout: 120_000 } });
    const outer = {
      ...at.env,
      INTERLOCK_AGENT_ID: 'x',
      INTERMUTE_AGENT_ID: 'y',
      CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: '1',
    };
    const drafted = at.at.guardWith(outer, 'agent', 'draft', '--role', 'dev', '--json', 'result x');
    const { agentId } = drafted.json() as { agentId: string };
    at.await(agentId);
    const { argv, env } = at.started(agentId);
    const option = (name: string): string => argv[argv.indexOf(name) + 1] ?? '';
    expect(option('--session-id')).toBe(agentId.slice('claude-'.length));
    expect(option('--output-format')).toBe('stream-json');
    expect(option('--model')).toBe('opus');
    expect(option('--append-system-prompt')).toContain('You write code.\nCarefully.');
    const settings = JSON.parse(option('--settings')) as { hooks: object; permissions: { allow: string[] } };
    expect(Object.keys(settings.hooks)).toContain('PreToolUse');
    expect(settings.permissions.allow).toContain('Edit');
    const { mcpServers } = JSON.parse(option('--mcp-config')) as {
      mcpServers: Record<string, { args: string[] }>;
    };
    // One process for all tools.
    expect(Object.keys(mcpServers)).toEqual(['guard']);
    expect(mcpServers['guard']?.args.slice(1)).toEqual([
      ...['mcp', '--tools', 'locks,coordination,harness', '--role', 'dev'],
    ]);
    expect(env).not.toHaveProperty('INTERLOCK_AGENT_ID');
    expect(env).not.toHaveProperty('INTERMUTE_AGENT_ID');
    expect(env).toMatchObject({ CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: '120000' });
  });

  it('is an agent of the ledger from its draft on, and its leases end with it', async () => {
    const at = harness();
    const guard = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
    const id = at.draft('dev', [`sh ${guard} lock try a.txt`, 'hang']);
    await until(() => at.list()[0]?.leases.length === 1, 15_000);
    expect(at.list()).toMatchObject([{ id, leases: ['a.txt'], status: 'running' }]);
    expect(at.guard('agent', 'kill', id).exit).toBe(0);
    const status = at.guard('lock', 'status', 'a.txt', '--json').json() as {
      results: { holder: string | null }[];
    };
    expect(status.results[0]?.holder).toBeNull();
  });
});

describe('the end of an agent is on record with its reason and last output', () => {
  it('when its client fails', () => {
    const at = harness();
    const told = at.await(at.draft('dev', ['say Working on it.', 'fail 3']));
    expect(told).toMatchObject({ status: 'failed', message: 'Working on it.' });
    expect(told.reason).toContain('ended with 3: something is wrong');
  });

  it('when its client is killed', () => {
    const at = harness();
    const told = at.await(at.draft('dev', ['say Working on it.', 'die']));
    expect(told).toMatchObject({ status: 'failed', message: 'Working on it.' });
    expect(told.reason).toContain('SIGKILL');
  });

  it('when its client cannot be run after all', () => {
    const at = harness();
    at.at.put('bin/claude', '#!/nowhere/sh\n');
    chmodSync(at.at.path('bin/claude'), 0o755);
    const broken = { ...at.env, PATH: `${at.at.path('bin')}:/usr/bin:/bin` };
    const drafted = at.at.guardWith(broken, 'agent', 'draft', '--role', 'dev', '--json', 'result x');
    const told = at.await((drafted.json() as { agentId: string }).agentId);
    expect(told.status).toBe('failed');
    expect(told.reason).toContain('it never started');
  });

  it('when its supervisor is killed: the next look ends what is left and says so', async () => {
    const at = harness();
    const id = at.draft('dev', ['deaf', 'child', 'say Halfway.', 'hang']);
    await until(() => at.list()[0]?.turns === 1, 15_000);
    process.kill(at.supervisor(id), 'SIGKILL');
    expect(at.await(id)).toMatchObject({
      status: 'failed',
      reason: 'its supervisor died',
      message: 'Halfway.',
    });
    expect(at.processes(id)).toEqual([]);
    expect(at.at.log('exit')).toMatchObject([{ agent: id, status: 'failed', reason: 'its supervisor died' }]);
  });

  it('when it is killed by id from another process, deaf and with a child that left its group', async () => {
    const at = harness();
    const id = at.draft('dev', ['deaf', 'child', 'say Halfway.', 'hang']);
    await until(() => at.list()[0]?.turns === 1, 15_000);
    expect(at.processes(id).length).toBeGreaterThan(1);
    const told = at.guard('agent', 'kill', id, '--reason', 'enough', '--json');
    expect(told.json()).toMatchObject({ success: true });
    expect(at.processes(id)).toEqual([]);
    const end = at.await(id);
    expect(end).toMatchObject({ status: 'killed', message: 'Halfway.' });
    expect(end.reason).toContain('enough (by ');
    expect(at.guard('agent', 'kill', id, '--json').json()).toMatchObject({ success: false });
  });

  it('when it leaves a child behind that holds its output open', () => {
    const at = harness();
    const id = at.draft('dev', ['child', 'result Done.']);
    expect(at.await(id)).toMatchObject({ status: 'completed', message: 'Done.' });
    expect(at.processes(id)).toEqual([]);
  });

  it('and nobody but it is waited for: an unknown id is an error', () => {
    const at = harness();
    const told = at.guard('agent', 'await', 'claude-nobody', '--json');
    expect(told.exit).toBe(1);
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_AGENT' } });
    expect(at.guard('agent', 'kill', 'claude-nobody', '--json').json()).toMatchObject({ success: false });
  });
});

describe('what an agent may use up', () => {
  it('turns', () => {
    const at = harness();
    const told = at.await(
      at.draft('short', [1, 2, 3, 4, 5].flatMap((n) => [`say ${n}`, 'sleep 200']).concat('hang')),
    );
    expect(told).toMatchObject({ status: 'budget', reason: 'it took more than 3 turns' });
  });

  it('time', () => {
    const at = harness();
    expect(at.await(at.draft('brief', ['hang']))).toMatchObject({ status: 'timeout' });
  });

  it('silence', () => {
    const at = harness();
    const told = at.await(at.draft('quiet', ['say Hm.', 'hang']));
    expect(told).toMatchObject({ status: 'timeout', reason: 'it was silent for more than 1 s' });
  });

  it('the same call again and again', () => {
    const at = harness();
    const steps = Array.from({ length: 5 }, () => 'call Bash {"command":"ls"}');
    const told = at.await(at.draft('circling', [...steps, 'hang']));
    expect(told).toMatchObject({ status: 'failed' });
    expect(told.reason).toContain('same call');
    const stats = at.guard('agent', 'stats', '--json').json() as { tools: object[] };
    expect(stats.tools).toMatchObject([{ role: 'circling', tool: 'Bash', calls: 5 }]);
  });

  it('depth, and the number that may run at once', () => {
    const at = harness({ agents: { depth: 1, running: 1 } });
    const id = at.draft('lead', ['hang']);
    const deeper = at.as(id, 'agent', 'draft', '--role', 'dev', '--json', 'result x');
    expect(deeper.exit).toBe(1);
    expect(deeper.json()).toMatchObject({
      error: { code: 'GUARD_ERR_AGENT', facts: { why: 'depth', limit: 1 } },
    });
    const more = at.guard('agent', 'draft', '--role', 'dev', '--json', 'result x');
    expect(more.json()).toMatchObject({ queued: { place: 1, why: 'place' } });
  });

  it('what its whole tree may use up', () => {
    const at = harness();
    const id = at.draft('thrifty', ['say 1', 'hang']);
    const child = at.as(id, 'agent', 'draft', '--role', 'dev', '--json', 'say 1\nsay 2\nhang');
    const told = at.await((child.json() as { agentId: string }).agentId);
    expect(told).toMatchObject({ status: 'budget', reason: 'its tree took more than 2 turns' });
    expect(at.await(id)).toMatchObject({ status: 'budget' });
    expect(at.as(id, 'agent', 'draft', '--role', 'dev', '--json', 'x').json()).toMatchObject({
      error: { facts: { why: 'ended' } },
    });
  });
});

describe('who may draft, await and kill', () => {
  it('a role of another category may only look, by whatever way it calls', () => {
    const at = harness();
    const id = at.draft('dev', ['hang']);
    const tries = [
      at.as(id, 'agent', 'draft', '--role', 'dev', '--json', 'x'),
      at.as(id, 'agent', 'await', id, '--json'),
      at.as(id, 'agent', 'kill', id, '--json'),
    ];
    for (const told of tries) expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_AGENT' } });
    expect(at.as(id, 'agent', 'list', '--json').json()).toMatchObject({ agents: [{ id }] });
    expect(at.as(id, 'task', 'list', '--json').exit).toBe(0);
  });

  it('killing a parent ends what it drafted', async () => {
    const at = harness();
    const id = at.draft('lead', ['hang']);
    const child = at.as(id, 'agent', 'draft', '--role', 'dev', '--json', 'hang').json() as {
      agentId: string;
    };
    await until(() => at.list().every(({ status }) => status === 'running'), 15_000);
    expect(at.list()).toMatchObject([
      { id, depth: 1 },
      { id: child.agentId, depth: 2, drafted_by: id },
    ]);
    expect(at.guard('agent', 'kill', id).stdout).toContain('and 1 below it');
    expect(at.await(child.agentId)).toMatchObject({ status: 'killed' });
  });
});

describe('a drafted agent that is chosen to let go of a deadlock', () => {
  it('is ended where the user says so, and the others go on', async () => {
    const at = harness();
    mkdirSync(join(at.at.home, '.config/guard'), { recursive: true });
    writeFileSync(join(at.at.home, '.config/guard/config.json'), '{"deadlock": {"resolve": "cancel"}}');
    for (const name of ['a.txt', 'b.txt']) at.at.put(name, '');
    at.guard('lock', 'try', 'b.txt', '--agent', 'other');
    const id = at.draft('dev', ['sleep 60000', 'result x']);
    expect(at.as(id, 'lock', 'try', 'a.txt').exit).toBe(0);
    const other = at.at.startGuard(at.env, 'lock', 'wait', 'a.txt', '--agent', 'other', '--timeout', '30s');
    at.as(id, 'lock', 'wait', 'b.txt', '--timeout', '20s');
    expect(at.await(id)).toMatchObject({ status: 'killed' });
    expect((await other.done).exit).toBe(0);
  });
});
