/** What tests are told by a process that is there already is what a process of its own tells. */
import { describe, expect, it } from 'vitest';
import { GUARD, HOOK, runNow } from './process.ts';
import type { Finished } from './process.ts';
import { scratch } from './scratch.ts';
import { Session } from './session.ts';

const told = ({ exit, stdout, stderr }: Finished) => ({ exit, stdout, stderr });

describe('a warm process answers as one of its own', () => {
  it.each([
    '--version',
    '--help',
    'lock --help',
    'status --unknown',
    'verify --json',
    'log --json',
    'lock try',
    'no-such-command',
    'undo --json',
  ])('guard %s', (line) => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    new Session(at).lock('a.txt');
    const start = { args: [GUARD, ...line.split(' ')], cwd: at.root, env: at.env };
    expect(told(runNow(start))).toEqual(told(runNow({ ...start, apart: true })));
  });

  it.each(['', 'no event', '{"hook_event_name":"PreToolUse"}', '{"hook_event_name":"Stop"}'])(
    'a hook that is given "%s"',
    (stdin) => {
      const at = scratch();
      const start = { args: [HOOK], cwd: at.root, env: at.env, stdin };
      expect(told(runNow(start))).toEqual(told(runNow({ ...start, apart: true })));
    },
  );
});

describe('a warm process keeps nothing of a request', () => {
  it('not its environment, not its directory, not its exit code', () => {
    const [one, other] = [scratch(), scratch()];
    const agents = (): readonly unknown[] => other.log().map(({ agent }) => agent);
    expect(one.guardWith({ GUARD_AGENT_ID: 'go-1' }, 'join').exit).toBe(0);
    expect(one.guard('no-such-command').exit).toBe(64);
    expect(other.guard('status').exit).toBe(0);
    expect(agents()).not.toContain('go-1');
    expect(one.log().map(({ agent }) => agent)).toContain('go-1');
  });

  it('and one that takes longer than it may is ended, and the next is answered', () => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    new Session(at).lock('a.txt');
    const args = [GUARD, 'lock', 'wait', 'a.txt', '--timeout', '60s', '--agent', 'go-2'];
    expect(() => runNow({ args, cwd: at.root, env: at.env, timeout_ms: 2_000 })).toThrow(
      expect.objectContaining({ code: 'ETIMEDOUT' }),
    );
    expect(at.guard('status').exit).toBe(0);
  });
});
