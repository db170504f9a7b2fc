/** Which agent's locks a tool call takes. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch } from '../claude/driver.ts';
import { serve, signatureOf } from './client.ts';

const SESSION = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'one' };
const holder = (at: ReturnType<typeof scratch>, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: string | null }[] }).results[0]
    ?.holder;

describe('a call that nobody signed', () => {
  it('is refused in a session of Claude Code, with what to do, and nothing happens', async () => {
    const at = scratch();
    const server = await serve(at, SESSION);
    const told = await server.anonymous.lockTry('a');
    expect(told.error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    expect(told.error?.hint).toContain('guard init --mcp');
    expect(holder(at, 'a')).toBeNull();
  });

  it('takes the locks of GUARD_AGENT_ID outside of a session', async () => {
    const server = await serve(scratch(), { GUARD_AGENT_ID: 'robot-7' });
    expect((await server.anonymous.lockTry('a')).agent).toBe('robot-7');
  });

  it("takes those of the server's own process else, and they end with it", async () => {
    const at = scratch();
    const server = await serve(at);
    const told = await server.anonymous.lockTry('a');
    expect(told.agent).toBe(`${hostname()}-${server.pid}`);
    expect(at.guard('lock', 'try', 'a', '--agent', 'other').exit).toBe(1);
    await server.close();
    expect(at.guard('lock', 'try', 'a', '--agent', 'other').exit).toBe(0);
  });
});

describe('a name in a call', () => {
  it.each([
    ['from the shell of another session', SESSION],
    ['outside of any session', {}],
  ])('counts for nothing without the seal, %s', async (_, env) => {
    const at = scratch();
    const server = await serve(at, env);
    await server.as('claude-b').lockTry('g.txt');
    at.guard('message', 'send', 'for b alone', '--to', 'claude-b', '--agent', 'carol');
    const thief = server.claiming('claude-b');
    expect((await thief.release('g.txt')).error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    for (const tool of ['release_all', 'fetch_inbox'])
      expect((await thief.call(tool)).error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    expect(holder(at, 'g.txt')).toBe('claude-b');
    expect(await server.as('claude-b').call('fetch_inbox')).toMatchObject({ messages: [{ read: false }] });
  });

  it('under a seal counts once, for its tool and its agent', async () => {
    const at = scratch();
    const server = await serve(at, SESSION);
    const sealed = signatureOf(at, 'claude-b', 'lock_try');
    expect((await server.claiming(sealed).call('lock_release', { filepaths: ['a'] })).error).toBeDefined();
    expect((await server.claiming(sealed.replace('claude-b', 'claude-c')).lockTry('a')).error).toBeDefined();
    expect((await server.claiming(sealed).lockTry('a')).all_acquired).toBe(true);
    expect((await server.claiming(sealed).lockTry('b')).error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    const other = await serve(at, SESSION);
    expect((await other.claiming(sealed).lockTry('b')).error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    expect(holder(at, 'b')).toBeNull();
  });

  it('under a seal that is an hour old counts as well: its call may have waited for a person', async () => {
    const at = scratch();
    const server = await serve(at, SESSION);
    const { signed } = await import('../../src/claude/events/sign-call.ts');
    const old = signed(
      { agent: 'claude-b', tool: 'lock_try', id: 't' },
      { wall_ms: Date.now() - 3_600_000 },
      at.env,
    );
    expect((await server.claiming(old ?? '').lockTry('a')).all_acquired).toBe(true);
  });

  it('that is none is refused as data', async () => {
    const { as } = await serve(scratch());
    expect((await as('../../etc').lockTry('a')).error).toMatchObject({ code: 'GUARD_ERR_USAGE' });
  });
});

describe('what .mcp.json says', () => {
  it('takes the seal away, and nobody becomes somebody else by it', async () => {
    const { at, agent } = oneAgent();
    const server = await serve(at, SESSION);
    await server.as('claude-b').lockTry('g.txt');
    at.put('.mcp.json', JSON.stringify({ mcpServers: { guard: { command: 'sh' } } }));
    const input = { filepaths: ['g.txt'], _agent: 'claude-b' };
    const { updated } = agent.pre(agent.call('mcp__guard__lock_release', input));
    expect(updated).toEqual({ filepaths: ['g.txt'] });
    for (const sent of [input, updated ?? {}]) {
      const told = await server.anonymous.call('lock_release', sent);
      expect(told.error).toMatchObject({ code: 'GUARD_ERR_SPEAKER' });
    }
    expect(holder(at, 'g.txt')).toBe('claude-b');
  });

  it('need not know the server: what the user added by "claude mcp add" is signed', () => {
    const { at, agent } = oneAgent();
    const entry = { command: 'guard', args: ['mcp'] };
    const call = agent.call('mcp__locks__lock_try', { filepaths: ['a'] });
    expect(agent.pre(call).updated).toBeNull();
    for (const said of [
      { mcpServers: { locks: entry } },
      { projects: { [at.root]: { mcpServers: { locks: entry } } } },
    ]) {
      writeFileSync(join(at.home, '.claude.json'), JSON.stringify(said));
      expect(String(agent.pre(call).updated?.['_agent'])).toMatch(new RegExp(`^${agent.name} ${call.id} `));
    }
  });
});

describe('guard mcp --agent', () => {
  it('is who calls, where no hook says it', async () => {
    const at = scratch();
    const server = await serve(at, {}, ['--agent', 'codex-7']);
    expect(await server.anonymous.lockTry('a')).not.toHaveProperty('agent');
    expect(holder(at, 'a')).toBe('codex-7');
  });

  it("in a session is that session's own agent, or refused before it serves", async () => {
    const at = scratch();
    const server = await serve(at, SESSION, ['--agent', 'claude-one']);
    expect((await server.anonymous.lockTry('a')).all_acquired).toBe(true);
    expect((await server.as('claude-one/x').lockTry('b')).all_acquired).toBe(true);
    expect(holder(at, 'b')).toBe('claude-one/x');
    expect(at.guardWith(SESSION, 'mcp', '--agent', 'claude-two').exit).toBe(64);
    const parent = await serve(at, SESSION, ['--agent', 'claude-one/x']);
    expect((await parent.anonymous.release('b')).error).toMatchObject({ code: 'GUARD_ERR_USAGE' });
  });
});

describe('two subagents of one session', () => {
  it('are two holders on one server', async () => {
    const { as } = await serve(scratch(), SESSION);
    await as('claude-one/x').lockTry('a');
    expect((await as('claude-one/y').lockTry('a')).results[0]).toMatchObject({
      acquired: false,
      holder: 'claude-one/x',
    });
    expect(await as('claude-one/y').call('lock_release_all')).toEqual({ count: 0 });
    expect(await as('claude-one/x').call('lock_release_all')).toEqual({ count: 1 });
  });

  it('take over what their session locked before: delegating does not deadlock', async () => {
    const { as } = await serve(scratch());
    await as('claude-one').lockTry('a');
    expect((await as('claude-one/x').lockTry('a')).all_acquired).toBe(true);
  });
});

describe('the key', () => {
  it('is made once, whichever of several hooks at once is first, and only this user can read it', async () => {
    const { at, agent } = oneAgent();
    rmSync(join(at.home, '.local/state/guard/key'), { force: true });
    const sub = agent.subagent('s1');
    const calls = Array.from({ length: 6 }, () => sub.preLater(sub.call('Bash', { command: 'ls' })));
    const seals = (await Promise.all(calls)).map(({ updated }) => String(updated?.['command']).slice(-8));
    expect(new Set(seals).size).toBe(1);
    expect(readdirSync(join(at.home, '.local/state/guard')).filter((name) => name.startsWith('key'))).toEqual(
      ['key'],
    );
    expect(at.shell('stat -c %a ~/.local/state/guard/key', {}).stdout.trim()).toBe('600');
  });
});
