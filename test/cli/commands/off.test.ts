import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  gitRepo,
  guard,
  json,
  PACKAGE,
  plainEnv,
  PROGRAM,
  put,
  run as start,
  scratchDir,
} from '../../install/scratch.ts';

const base = scratchDir('guard-off-');
const repo = gitRepo(join(base, 'repo'));
const home = join(base, 'home');
mkdirSync(home);
const env = plainEnv(home);
const file = join(repo, '.git', 'guard', 'off.json');
guard(repo, env, 'init');

/** Runs guard in its own terminal, made by script(1) of util-linux. */
function inTerminal(more: Record<string, string>, ...args: string[]) {
  const command = [process.execPath, PROGRAM, ...args].join(' ');
  return start('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: repo,
    env: { ...env, ...more },
  });
}

const write = (session_id: string) => {
  const event = {
    session_id,
    transcript_path: '/t',
    cwd: repo,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_use_id: `t${session_id}`,
  };
  const input = JSON.stringify({
    ...event,
    tool_input: { file_path: join(repo, 'src', 'a.ts'), content: 'x' },
  });
  return start(process.execPath, [join(PACKAGE, 'dist', 'hook.cjs')], {
    cwd: repo,
    env: { ...env, CLAUDE_PROJECT_DIR: repo },
    input,
  });
};

describe('guard off', () => {
  it('lets writes pass for a while, from a terminal, and says who did it in the ledger', () => {
    expect(write('s1').code).toBe(2);
    expect(inTerminal({}, 'off', '--for', '10m').code).toBe(0);
    const { since_wall_ms, until_wall_ms } = json(file) as Record<string, number>;
    expect((until_wall_ms ?? 0) - (since_wall_ms ?? 0)).toBe(600_000);
    expect(write('s2').code).toBe(0);
    const { code, stdout } = guard(repo, env, 'off', '--now-on', '--json');
    expect([code, JSON.parse(stdout), existsSync(file)]).toEqual([
      0,
      { off: false, until: null, by: null },
      false,
    ]);
    expect(write('s3').code).toBe(2);
    const bypasses = guard(repo, env, 'log', '--type', 'bypass', '--json').stdout;
    expect(bypasses.match(/"what":"(off|on)"/g)).toEqual(['"what":"off"', '"what":"on"']);
  });

  it('is refused without a terminal', () => {
    expect(guard(repo, env, 'off', '--for', '10m')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('terminal') as string,
    });
    expect(existsSync(file)).toBe(false);
  });

  it.each([{ CLAUDECODE: '1' }, { CLAUDE_CODE_SESSION_ID: 's' }])(
    'is refused to an agent that has a terminal (%j)',
    (agent) => {
      expect(inTerminal(agent, 'off', '--for', '10m').code).toBe(64);
      expect(existsSync(file)).toBe(false);
    },
  );

  it('may be ended by anyone', () => {
    inTerminal({}, 'off', '--for', '1h');
    expect(
      guard(repo, { ...env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's' }, 'off', '--now-on').code,
    ).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['off'],
    ['off', '--for'],
    ['off', '--for', 'soon'],
    ['off', '--for', '0s'],
    ['off', '--for', '25h'],
    ['off', '--for', '1m', '--now-on'],
  ])('is wrong usage as "guard %s %s %s %s"', (...args) => {
    expect(inTerminal({}, ...args.filter((arg) => typeof arg === 'string')).code).toBe(64);
    expect(existsSync(file)).toBe(false);
  });

  it('works with a ledger that is damaged: it is a way out', () => {
    put(join(repo, '.git', 'guard', 'index'), 'nonsense');
    expect(inTerminal({}, 'off', '--for', '1m').code).toBe(0);
    expect(guard(repo, env, 'off', '--now-on').code).toBe(0);
  });

  it('says so where guard is not set up', () => {
    const other = gitRepo(join(base, 'other'));
    expect(guard(other, env, 'off', '--now-on')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('GUARD_ERR_NOT_INITIALISED') as string,
    });
  });
});
