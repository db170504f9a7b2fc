import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'guard-demo-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const demo = (root: string, ...args: string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [join(root, 'scripts/demo.mjs'), ...args], {
    encoding: 'utf8',
    timeout: 55_000,
  });

const repoOf = (stdout: string): string => /in one scratch repository: (.+)$/m.exec(stdout)?.[1] ?? '';

describe('npm run demo', () => {
  const { status, stdout, stderr } = demo(ROOT);

  test('tells the whole story, and all of it is true', () => {
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const titles = [...stdout.matchAll(/^ ?(\d+) {2}(.+?) {2,}\d+ ms$/gm)].map(([, , title = '']) => title);
    expect(titles).toHaveLength(17);
    for (const word of [
      'guard records its baseline',
      'Someone else changes',
      'the denial names the holder',
      'guard deadlock',
      'guard status',
    ]) {
      expect(titles.some((title) => title.includes(word))).toBe(true);
    }
    expect(stdout).toMatch(/^All \d+ statements were true\. 17 steps in [\d.]+ s\.$/m);
    expect(stdout).not.toContain('✗');
  });

  test('prints the whole denial, which a program can read', () => {
    const [json = ''] = /^ {6}\{\n[\s\S]*?^ {6}\}$/m.exec(stdout) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      error_type: 'STALE_FILE',
      details: { cause: 'modified', changed_by: 'outside' },
    });
  });

  test('is plain text where nobody looks, and leaves nothing behind', () => {
    expect(stdout).not.toContain('\u001b');
    expect(repoOf(stdout)).toContain(tmpdir());
    expect(existsSync(repoOf(stdout))).toBe(false);
  });

  test('refuses an option that it does not know', () => {
    expect(demo(ROOT, '--kep')).toMatchObject({ status: 64 });
  });
});

describe('a demo of a guard that does not guard', () => {
  test('fails: a hook that lets everything pass makes its statements false', () => {
    const copy = join(scratch, 'toothless');
    for (const name of ['scripts', 'bin', 'hooks', 'dist', 'package.json']) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    writeFileSync(join(copy, 'dist/hook.cjs'), 'process.exitCode = 0;\n');
    const { status, stdout } = demo(copy);
    expect(status).toBe(1);
    expect(stdout).toContain('✗');
    expect(stdout).not.toMatch(/statements were true/);
  });
});

/** Names of fields down to the leaves; a list contributes those of its first entry. */
function shapeOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return shapeOf(value[0], `${at}[]`);
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value)
    .flatMap(([name, inner]) => shapeOf(inner, `${at}.${name}`))
    .sort();
}

function nameOf(event: Readonly<Record<string, unknown>>): string {
  const { hook_event_name, tool_name } = event;
  return `${typeof hook_event_name === 'string' ? hook_event_name : ''} ${typeof tool_name === 'string' ? tool_name : ''}`;
}

interface Stage {
  readonly repo: string;
  path(name: string): string;
  hooks(event: Readonly<Record<string, unknown>>): Promise<readonly object[]>;
  start(program: string, args: readonly string[]): object;
}

interface Agent {
  start(prompt: string): Promise<string>;
  read(name: string): Promise<unknown>;
  edit(name: string, from: string, to: string): Promise<unknown>;
  bash(command: string): Promise<{ readonly ended: Promise<unknown> }>;
  stop(): Promise<unknown>;
}

describe('the events of the demo', () => {
  const events: Readonly<Record<string, unknown>>[] = [];
  const stage: Stage = {
    repo: scratch,
    path: (name) => join(scratch, name),
    hooks: (event) => {
      events.push(event);
      return Promise.resolve([{ exit: 0, stdout: '', stderr: '', ms: 1 }]);
    },
    start: (_, [, command]) => ({
      ended: Promise.resolve({ exit: command === 'true' ? 0 : 1, signal: null, stdout: '', stderr: '' }),
    }),
  };

  /** Recorded with client 2.1.330. */
  const RECORDED: Readonly<Record<string, string>> = {
    'SessionStart ': 'SessionStart.startup',
    'UserPromptSubmit ': 'UserPromptSubmit',
    'PreToolUse Read': 'PreToolUse.Read',
    'PostToolUse Read': 'PostToolUse.Read',
    'PreToolUse Edit': 'PreToolUse.Edit',
    'PostToolUse Edit': 'PostToolUse.Edit',
    'PreToolUse Bash': 'PreToolUse.Bash',
    'PostToolUse Bash': 'PostToolUse.Bash',
    'PostToolUseFailure Bash': 'PostToolUseFailure.Bash.fails',
    'Stop ': 'Stop',
  };

  test('have exactly the fields that the client was recorded to send', async () => {
    const { openAgent } = (await import(pathToFileURL(join(ROOT, 'scripts/demo/agent.mjs')).href)) as {
      openAgent: (stage: Stage, session: string) => Agent;
    };
    const agent = openAgent(stage, 'ada');
    writeFileSync(join(scratch, 'a.txt'), 'one\ntwo\n');
    await agent.start('go');
    await agent.read('a.txt');
    await agent.edit('a.txt', 'two', 'TWO');
    await (
      await agent.bash('true')
    ).ended;
    await (
      await agent.bash('false')
    ).ended;
    await agent.stop();
    expect(readFileSync(join(scratch, 'a.txt'), 'utf8')).toBe('one\nTWO\n');

    const sent = events.filter((event) => event['hook_event_name'] !== 'PostToolBatch');
    const names = sent.map(nameOf);
    expect([...new Set(names)].sort()).toEqual(Object.keys(RECORDED).sort());
    for (const [at, event] of sent.entries()) {
      const file = join(ROOT, 'test/fixtures/payloads', `${RECORDED[names[at] ?? ''] ?? ''}.json`);
      const recorded = JSON.parse(readFileSync(file, 'utf8')) as object;
      expect(shapeOf(event), names[at]).toEqual(shapeOf(recorded));
    }
  });
});
