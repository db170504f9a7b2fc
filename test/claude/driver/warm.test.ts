/** A warm process gives tests the same answers as a separate process. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failClosed, PROJECT_HOOK_COMMAND } from '../../../src/install/command.ts';
import { type Around, runLine } from './hook-line.ts';
import { type Finished, GUARD, HOOK, runNow } from './process.ts';
import { scratch, type Scratch } from './scratch.ts';
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

  it.each([
    '',
    'no event',
    '{"hook_event_name":"PreToolUse"}',
    '{"hook_event_name":"Stop"}',
    '{"hook_event_name":"WorktreeCreate"}',
  ])('a hook that is given "%s"', (stdin) => {
    const at = scratch();
    for (const args of [[HOOK], [HOOK, 'guard', '--host', 'gemini']]) {
      const start = { args, cwd: at.root, env: at.env, stdin };
      expect(told(runNow(start))).toEqual(told(runNow({ ...start, apart: true })));
    }
  });
});

/** The environment of a client that finds guard's hooks in the settings. */
const aroundIn = (at: Scratch, stdin: string): Around => ({
  ...{ cwd: at.root, stdin },
  env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root },
});

describe('a line of the settings is answered as by a shell', () => {
  const WRITE = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: 'a.txt', content: 'x' } };
  const event = (at: Scratch, fields: object): string =>
    JSON.stringify({ session_id: 's1', cwd: at.root, transcript_path: '/t', ...fields });

  it.each([
    ['the start of a session', { hook_event_name: 'SessionStart', source: 'startup' }],
    ['a write without a lock', { hook_event_name: 'PreToolUse', ...WRITE }],
    [
      'a write of 300 KB without a lock',
      {
        ...{ hook_event_name: 'PreToolUse', ...WRITE },
        tool_input: { file_path: 'a.txt', content: 'x'.repeat(300_000) },
      },
    ],
    ['no event', {}],
  ])('%s', (_, fields) => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    for (const line of [PROJECT_HOOK_COMMAND, failClosed(PROJECT_HOOK_COMMAND)]) {
      const around = aroundIn(at, event(at, fields));
      const shell = runNow({ ...around, program: '/bin/sh', args: ['-c', line] });
      expect(told(runLine(line, around))).toEqual(told(shell));
    }
  });

  it('where nothing says that guard was set up, and where it was, but is gone', () => {
    const [plain, lost] = [scratch(), scratch()];
    for (const name of ['repo/.git/guard', 'home'])
      fs.rmSync(join(plain.root, '..', name), { recursive: true });
    fs.rmSync(lost.state, { recursive: true });
    const answers = [plain, lost].map((at) => {
      const around = aroundIn(at, event(at, { hook_event_name: 'PreToolUse', ...WRITE }));
      const line = failClosed(PROJECT_HOOK_COMMAND);
      const shell = runNow({ ...around, program: '/bin/sh', args: ['-c', line] });
      expect(told(runLine(line, around))).toEqual(told(shell));
      return shell.exit;
    });
    expect(answers).toEqual([0, 2]);
  });
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
