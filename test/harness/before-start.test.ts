/** Mistakes found before an agent exists: it is refused without an id, a task or a record. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { harness, type Harness } from './harness.ts';

interface Refused {
  readonly error: { code: string; message: string; hint: string; facts: Record<string, unknown> };
}

/** Without the stand-in for the client, or with `script` in its place. */
function draftWith(at: Harness, script: string | null, ...more: readonly string[]) {
  const dir = at.at.path('../bin');
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'claude');
  if (script !== null) writeFileSync(file, `#!/bin/sh\n${script}\n`);
  if (script !== null) chmodSync(file, 0o755);
  const path = [dir, at.at.env['PATH']].join(delimiter);
  return at.at.guardWith(
    { ...at.env, PATH: path },
    'agent',
    'draft',
    '--role',
    'dev',
    '--json',
    ...more,
    'x',
  );
}

const nothingBegan = (at: Harness): void => {
  expect(at.list('--all')).toEqual([]);
  expect(existsSync(at.at.path('.agents/tasks'))).toBe(false);
};

describe('no agent is on record', () => {
  it('where there is no client', () => {
    const at = harness();
    const told = draftWith(at, null);
    expect(told.exit).toBe(1);
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_AGENT', facts: { lacks: 'client' } } });
    nothingBegan(at);
  });

  it('but one that only npm puts on PATH is found', () => {
    const at = harness();
    const dir = at.at.path('node_modules/.bin');
    at.at.put('node_modules/.bin/claude', '#!/bin/sh\nexit 3\n');
    chmodSync(join(dir, 'claude'), 0o755);
    const env = { ...at.env, PATH: [dir, at.at.env['PATH']].join(delimiter) };
    expect(at.at.guardWith(env, 'agent', 'draft', '--role', 'dev', '--json', 'x').exit).toBe(0);
  });

  it('where the client is older than any that was tried', () => {
    const at = harness();
    const told = draftWith(at, 'echo "1.9.0 (Claude Code)"');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_AGENT', facts: { version: '1.9.0' } } });
    nothingBegan(at);
  });

  it('where the client lacks a flag that the role needs, and only then', () => {
    const help =
      '--help) printf "  --input-format <f>\\n  --replay-user-messages\\n  --output-format <f>\\n  --verbose\\n  --include-partial-messages\\n  -p, --print\\n  --session-id <u>\\n  --settings <f>\\n  --mcp-config <c>\\n  --append-system-prompt <p>\\n  --model <m>\\n";;';
    const client = `case "$1" in --version) echo 2.0.90;; ${help} *) cat >/dev/null;; esac`;
    const at = harness({}, { dev: { category: 'worker', prompt: 'x', limits: { cost_usd: 1 } } });
    expect(draftWith(at, client).json()).toMatchObject({
      error: { code: 'GUARD_ERR_AGENT', facts: { lacks: '--max-budget-usd', version: '2.0.90' } },
    });
    nothingBegan(at);
    at.at.put('.agents/roles/dev.json', JSON.stringify({ name: 'dev', category: 'worker', prompt: 'x' }));
    expect(draftWith(at, client).exit).toBe(0);
  });

  it('but a client that says nothing of its flags is tried, and one that was updated is asked again', () => {
    const at = harness({}, { dev: { category: 'worker', prompt: 'x', limits: { cost_usd: 1 } } });
    expect(draftWith(at, 'case "$1" in --version) echo 2.0.90;; *) exit 1;; esac').exit).toBe(0);
    const poor = 'case "$1" in --help) echo "  --output-format";; *) echo 2.0.91;; esac';
    expect(draftWith(at, poor).exit).toBe(1);
    expect(draftWith(at, `${poor} # better\ncase "$1" in --help) echo "  --verbose";; esac`).exit).toBe(1);
  });

  it('where the role is unknown: those that there are are named', () => {
    const at = harness();
    const told = at.guard('agent', 'draft', '--role', 'devs', '--json', 'x');
    expect(told.exit).toBe(64);
    const { error } = told.json() as Refused;
    expect(error).toMatchObject({ code: 'GUARD_ERR_USAGE', facts: { field: 'role', role: 'devs' } });
    expect(String(error.facts['known']).split(',')).toEqual(
      expect.arrayContaining(['dev', 'lead', 'short']) as string[],
    );
    nothingBegan(at);
  });

  it('where its worktree would begin with what is no commit', () => {
    const at = harness({}, { off: { category: 'worker', prompt: 'x', worktree: { base: '--output=x' } } });
    const told = at.guard('agent', 'draft', '--role', 'off', '--json', 'x');
    expect(told.json()).toMatchObject({ error: { facts: { field: 'role', base: '--output=x' } } });
    nothingBegan(at);
  });
});

describe('roles', () => {
  it('are listed, with what is wrong with a file', () => {
    const at = harness();
    at.at.put('.agents/roles/odd.json', '{"name":"odd"}');
    const told = at.guard('role', 'list', '--json');
    expect(told.exit).toBe(1);
    const { roles } = told.json() as { roles: { name: string }[] };
    expect(roles).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'lead', category: 'conversational', access: 'full', problem: null }),
        expect.objectContaining({ name: 'dev', access: 'readonly', model: 'opus', tools: ['Edit'] }),
        expect.objectContaining({
          name: 'odd',
          access: null,
          problem: expect.stringContaining('category') as string,
        }),
      ]),
    );
  });

  it('two to begin with are written by guard init, over none that is there, and can be drafted', () => {
    const at = harness();
    const before = at.at.read('.agents/roles/dev.json');
    expect(at.guard('init', '--roles', '--dry-run').exit).toBe(0);
    const there = (): string => readFileSync(at.at.path('.agents/roles/lead.json'), 'utf8');
    expect(there()).toContain('You lead.');
    at.at.put('guard.config.json', JSON.stringify({ rolesDir: 'who' }));
    expect(at.guard('init', '--roles').exit).toBe(0);
    expect(at.at.read('.agents/roles/dev.json')).toBe(before);
    expect(at.guard('role', 'list', '--json').json()).toMatchObject({
      roles_dir: 'who',
      roles: [
        { name: 'dev', access: 'readonly', problem: null },
        { name: 'lead', access: 'full', problem: null },
      ],
    });
    const agent = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'me' };
    expect(at.at.guardWith({ ...at.env, ...agent }, 'init', '--roles').exit).toBe(64);
  });
});

describe('categories that a repository adds', () => {
  it('are without effect, and guard doctor says so', () => {
    const at = harness({ mcp: { fullAccessCategories: ['conversational', 'worker'] } });
    const { results } = at.guard('doctor', '--json').json() as { results: { id: string }[] };
    expect(results.find(({ id }) => id === 'roles')).toMatchObject({
      status: 'warn',
      facts: { without_effect: ['worker'] },
    });
  });
});
