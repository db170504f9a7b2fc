import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const GUARD = join(import.meta.dirname, '../../bin/guard.mjs');
/** Warm processes answer its hooks; play.test.ts starts a process for each event. */
const WARM = pathToFileURL(join(import.meta.dirname, '../claude/driver/warm-hooks.mjs')).href;
const SESSIONS = join(import.meta.dirname, 'sessions');
/** 36 recordings, 430 events. */
const LONG_MS = 300_000;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'replay-sessions-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function guard(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Told {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', WARM, GUARD, ...args], {
    cwd: dir,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return { code: status, stdout, stderr };
}

test(
  'every recorded session is decided as recorded beside it',
  () => {
    const { code, stdout, stderr } = guard(['replay', '--ci', '--json', SESSIONS]);
    const { sessions } = JSON.parse(stdout) as {
      sessions: { file: string; verdict: string; events: { differs?: string }[] }[];
    };
    const wrong = sessions.filter(({ verdict }) => verdict !== 'match');
    expect(
      wrong.map(({ file, events }) => [file, events.filter(({ differs }) => differs !== undefined)]),
    ).toEqual([]);
    expect([code, stderr]).toEqual([0, '']);
    expect(sessions.length).toBeGreaterThan(30);
  },
  LONG_MS,
);

test('sessions made by hand say in themselves what they expect', () => {
  const names = readdirSync(SESSIONS).filter(
    (name) => name.endsWith('.jsonl') && !name.includes('.expected.'),
  );
  const silent = names.filter((name) => !readFileSync(join(SESSIONS, name), 'utf8').includes('{"expect":'));
  expect(silent).toEqual(['malformed-input.jsonl']);
});

describe('on the command line', () => {
  const stale = join(SESSIONS, 'stale-edit-then-read-again.jsonl');

  test('a difference ends in exit code 1, and GitHub is told its line', () => {
    const lines = readFileSync(stale, 'utf8').replace(
      '"error_type":"STALE_FILE"',
      '"error_type":"NOT_LOCKED"',
    );
    writeFileSync(join(dir, 'wrong.jsonl'), lines);
    const { code, stdout } = guard(['replay', '--ci', 'wrong.jsonl'], {
      ...process.env,
      GITHUB_ACTIONS: 'true',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^::error file=wrong\.jsonl,line=\d+,title=guard replay::PreToolUse Edit: error_type: expected "NOT_LOCKED", got "STALE_FILE"$/m,
    );
  });

  test('another preset decides otherwise', () => {
    const { stdout } = guard([
      'replay',
      '--preset',
      'auto',
      '--json',
      join(SESSIONS, 'two-agents-lock-in-turn.jsonl'),
    ]);
    expect(stdout).toMatch(/expected \\"deny\\", got \\"pass\\"/);
  });

  test('an update is recorded beside the session, and met from then on', () => {
    writeFileSync(join(dir, 'mine.jsonl'), readFileSync(stale));
    expect(guard(['replay', '--update', 'mine.jsonl']).code).toBe(0);
    expect(readFileSync(join(dir, 'mine.expected.jsonl'), 'utf8')).toMatch(
      /"decision":"deny","error_type":"STALE_FILE"/,
    );
    expect(guard(['replay', '--ci', 'mine.jsonl']).stdout).toMatch(/^mine\.jsonl: as expected/);
  });

  test('what cannot be played ends in exit code 2', () => {
    writeFileSync(join(dir, 'broken.jsonl'), '{"nonsense":1}\n');
    expect(guard(['replay', 'broken.jsonl'])).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('GUARD_ERR_INPUT') as string,
    });
  });

  test('a file that is not there cannot be played either', () => {
    expect(guard(['replay', 'gone.jsonl']).code).toBe(2);
  });

  test.each([
    ['no recording', ['replay']],
    ['an unknown format', ['replay', '--format', 'yaml', stale]],
    ['an update in CI', ['replay', '--ci', '--update', stale]],
    ['two formats', ['replay', '--json', '--format', 'text', stale]],
  ])('%s is wrong usage', (_name, args) => {
    expect(guard(args).code).toBe(64);
  });

  test('a configuration that is none is named', () => {
    writeFileSync(join(dir, 'bad.json'), '[]');
    expect(guard(['replay', '--config', 'bad.json', stale])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('GUARD_ERR_CONFIG') as string,
    });
  });
});

test('a session recorded with the program in the documentation can be replayed', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/replay.md'), 'utf8');
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  writeFileSync(join(dir, 'record-hook.mjs'), program);
  const payload = {
    hook_event_name: 'SessionStart',
    session_id: 's',
    cwd: '/work/x',
    source: 'startup',
    transcript_path: '/home/me/t',
  };
  const env = {
    CLAUDE_PROJECT_DIR: '/work/x',
    HOME: '/home/me',
    SECRET_TOKEN: 'x',
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_SESSION_ID: 's',
  };
  spawnSync(process.execPath, [join(dir, 'record-hook.mjs'), 'my.jsonl'], {
    cwd: dir,
    env,
    input: JSON.stringify(payload),
  });
  const line = JSON.parse(readFileSync(join(dir, 'my.jsonl'), 'utf8')) as object;
  expect(line).toMatchObject({
    stdin: { cwd: '/repo', transcript_path: '/home/user/t' },
    env: { CLAUDE_PROJECT_DIR: '/repo', CLAUDE_CODE_SESSION_ID: 's' },
  });
  expect(JSON.stringify(line)).not.toMatch(/SECRET|API_KEY/);
  expect(guard(['replay', 'my.jsonl']).code).toBe(0);
});
