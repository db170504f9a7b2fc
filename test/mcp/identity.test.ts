/** Whose locks a tool call takes. */
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve } from './client.ts';

describe('a call that nobody signed', () => {
  it('takes the locks of the session that the environment names, and says so', async () => {
    const at = scratch();
    const server = await serve(at, { CLAUDE_CODE_SESSION_ID: 'one' });
    const told = await server.anonymous.lockTry('a');
    expect(told).toMatchObject({
      all_acquired: true,
      agent: 'claude-one',
      notes: ['guard was not told who calls, so these are the locks of claude-one.'],
    });
    expect(at.guard('lock', 'status', 'a', '--json').json()).toMatchObject({
      results: [{ holder: 'claude-one' }],
    });
  });

  it('takes those of GUARD_AGENT_ID outside of a session', async () => {
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

  it('is another agent than a signed one on the same server', async () => {
    const server = await serve(scratch(), { CLAUDE_CODE_SESSION_ID: 'one' });
    await server.as('claude-one/sub').lockTry('a');
    expect((await server.anonymous.lockTry('a')).results[0]).toMatchObject({
      acquired: false,
      holder: 'claude-one/sub',
    });
  });
});

describe('two subagents of one session', () => {
  it('are two holders on one server', async () => {
    const { as } = await serve(scratch(), { CLAUDE_CODE_SESSION_ID: 'one' });
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

describe('a name that is none', () => {
  it('is refused as data', async () => {
    const { as } = await serve(scratch());
    expect((await as('../../etc').lockTry('a')).error).toMatchObject({ code: 'GUARD_ERR_USAGE' });
  });
});
