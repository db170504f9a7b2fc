/** Silence during a wait or a running tool, and silence that is a stall. */
import { describe, expect, it } from 'vitest';
import { callLimits, openCallsMs, ownServerMs } from '../../src/harness/silence.ts';
import { scratch } from '../claude/driver.ts';
import { harness, type Harness, until } from './harness.ts';

const GUARD = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
const nervous = (stall = '2500ms') => {
  const limits = { stall };
  return harness(
    {},
    {
      waiter: { category: 'worker', prompt: 'x', limits },
      leader: { category: 'conversational', prompt: 'x', limits },
    },
  );
};
const pause = (duration_ms: number) => new Promise((resolve) => setTimeout(resolve, duration_ms));
const waitsFor = (at: Harness, path: string): boolean =>
  at.list().some(({ waiting_for }) => waiting_for.includes(path));

describe('an agent that says nothing', () => {
  it('because its command waits for a lock is not taken for silent, however it asked', async () => {
    // More than a look of the supervisor may be late on a busy machine, but less than the agent waits.
    const at = nervous('4500ms');
    at.guard('lock', 'try', 'a.txt', '--agent', 'other');
    const id = at.draft('waiter', [`sh ${GUARD} lock wait a.txt --timeout 30s`, 'sleep 200', 'result Done.']);
    await until(() => waitsFor(at, 'a.txt'), 15_000);
    await pause(5_000);
    expect(at.list()).toMatchObject([{ id, status: 'running' }]);
    at.guard('lock', 'release', 'a.txt', '--agent', 'other');
    expect(at.await(id)).toMatchObject({ status: 'completed' });
  });

  it('because its command waits for another agent is not taken for silent', () => {
    const at = nervous();
    const other = at.draft('dev', ['sleep 6000', 'result Done.']);
    const id = at.draft('leader', [`sh ${GUARD} agent await ${other}`, 'result Done.']);
    expect(at.await(id)).toMatchObject({ status: 'completed' });
  });

  it('after its wait is over is one that is silent', async () => {
    const at = nervous();
    at.guard('lock', 'try', 'a.txt', '--agent', 'other');
    const id = at.draft('waiter', [`sh ${GUARD} lock wait a.txt --timeout 30s > waited; sleep 600`]);
    await until(() => waitsFor(at, 'a.txt'), 15_000);
    at.guard('lock', 'release', 'a.txt', '--agent', 'other');
    expect(at.await(id)).toMatchObject({ status: 'timeout', reason: 'it was silent for more than 2.5 s' });
  });

  it('because a command is at work is not silent before the command’s own time is over', () => {
    const at = nervous();
    const id = at.draft('waiter', ['open Bash {"command":"npm test"}', 'sleep 5000', 'result Done.']);
    expect(at.await(id)).toMatchObject({ status: 'completed' });
  });
});

describe('the time that open calls have', () => {
  const call = (tool: string, input = {}) => ({ [tool]: { tool, input } });
  it.each([
    ['of a command, the client’s own', call('Bash'), {}, 130_000],
    ['of a command that asks for more', call('Bash', { timeout: 600_000 }), {}, 610_000],
    ['of a command that asks for less', call('Bash', { timeout: 5_000 }), {}, 15_000],
    ['of a command that asks for more than there is', call('Bash', { timeout: 1e9 }), {}, 610_000],
    ['of a command that asks for nonsense', call('Bash', { timeout: 'x' }), {}, 130_000],
    ['by the user’s settings', call('Bash'), { BASH_DEFAULT_TIMEOUT_MS: '900000' }, 910_000],
    ['by the user’s bound', call('Bash', { timeout: 1e9 }), { BASH_MAX_TIMEOUT_MS: '1800000' }, 1_810_000],
    ['of another server’s tool', call('mcp__x__y'), { MCP_TOOL_TIMEOUT: '60000' }, 70_000],
    ['of a server’s tool that nobody bounds, for ever', call('mcp__x__y'), {}, Infinity],
    [
      'of a server’s tool, by the server’s own entry',
      call('mcp__own__y'),
      { MCP_TOOL_TIMEOUT: '60000' },
      910_000,
    ],
    ['of a tool that has none', call('Read'), {}, 0],
    ['of several, the longest', { ...call('Read'), ...call('Bash') }, {}, 130_000],
    ['of none', {}, {}, 0],
  ])('is %s', (_, open, env, ms) => {
    expect(openCallsMs({ open }, { env, servers: new Map([['mcp__own__', 900_000]]) })).toBe(ms);
  });

  it('is read where the client reads it: in the settings and servers of its user and project', () => {
    const at = scratch();
    const given = (env: object): string => JSON.stringify({ env });
    at.put('.claude/settings.local.json', given({ BASH_DEFAULT_TIMEOUT_MS: 900_000 }));
    at.put('.claude/settings.json', given({ BASH_DEFAULT_TIMEOUT_MS: '1', BASH_MAX_TIMEOUT_MS: '1200000' }));
    at.put(
      '.mcp.json',
      JSON.stringify({
        mcpServers: {
          ...{ 'my db': { command: 'x', timeout: 300_000 }, y: {} },
          ...{ guard: { timeout: 90_000 }, 'guard-harness': { timeout: 40_000 }, guards: { timeout: 5 } },
        },
      }),
    );
    const limits = callLimits(at.root, {
      HOME: at.home,
      BASH_MAX_TIMEOUT_MS: '5',
      MCP_TOOL_TIMEOUT: '60000',
    });
    expect(openCallsMs({ open: call('Bash') }, limits)).toBe(910_000);
    expect(openCallsMs({ open: call('Bash', { timeout: 1e9 }) }, limits)).toBe(1_210_000);
    expect(openCallsMs({ open: call('mcp__my_db__query') }, limits)).toBe(310_000);
    expect(openCallsMs({ open: call('mcp__y__query') }, limits)).toBe(70_000);
    expect(ownServerMs(limits)).toBe(40_000);
    expect(ownServerMs({ servers: new Map([['mcp__y__', 5]]) })).toBe(Infinity);
  });
});
