/**
 * Promise P6 in practice: every way in which an installation can be broken, in every scope, with the exact command
 * lines that `guard init` and the plugin write, run by `sh -c` in a real repository. It generates the table in
 * docs/promises.md (GUARD_UPDATE_DOCS=1 writes it).
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hookLines } from '../../src/install/hook-lines.ts';
import { matcherMatches } from '../../src/install/matcher.ts';
import type { JsonObject } from '../../src/install/settings-text.ts';
import { NOT_INITIALISED, type Place, statesOf } from './broken-states.ts';
import { gitRepo, json, PACKAGE, plainEnv, run, scratchDir } from '../install/scratch.ts';

const SCOPES = ['project', 'local', 'user', 'plugin'] as const;
const TOOLS = ['Edit', 'mcp__filesystem__write_file', 'Bash'] as const;
type Scope = (typeof SCOPES)[number];
type Tool = (typeof TOOLS)[number];

const base = scratchDir('guard broken ');
const program = join(base, 'the program');
const home = join(base, 'home');
const repo = join(base, 'repo');
const lines = new Map<string, string | null>();

beforeAll(() => {
  for (const name of ['dist', 'bin', 'hooks', '.claude-plugin', 'package.json', 'native'])
    fs.cpSync(join(PACKAGE, name), join(program, name), { recursive: true });
  fs.mkdirSync(home);
  gitRepo(repo);
  const files: Readonly<Record<Scope, string>> = {
    user: join(home, '.claude', 'settings.json'),
    local: join(repo, '.claude', 'settings.local.json'),
    plugin: join(program, 'hooks', 'hooks.json'),
    project: join(repo, '.claude', 'settings.json'),
  };
  for (const [scope, file] of Object.entries(files)) {
    if (scope !== 'plugin') guard('init', '--scope', scope);
    for (const tool of TOOLS) lines.set(`${scope} ${tool}`, lineFor(json(file) as JsonObject, tool));
  }
});

function guard(...args: string[]): void {
  const told = run(process.execPath, [join(program, 'bin', 'guard.cjs'), ...args], {
    cwd: repo,
    env: plainEnv(home),
  });
  if (told.code !== 0) throw new Error(told.stderr);
}

/** Null if the installed hooks do not cover this tool. */
const lineFor = (settings: JsonObject, tool: Tool): string | null =>
  hookLines(settings).find(({ event, matcher }) => event === 'PreToolUse' && matcherMatches(matcher, tool))
    ?.command ?? null;

interface Cell {
  readonly scope: Scope;
  readonly tool: Tool;
  readonly exit: number | null;
  readonly code: string;
}

async function ask(scope: Scope, tool: Tool, at: Place): Promise<Cell | null> {
  const line = lines.get(`${scope} ${tool}`) ?? null;
  if (line === null) return null;
  const env = plainEnv(at.home, { CLAUDE_PROJECT_DIR: at.root, CLAUDE_PLUGIN_ROOT: program });
  const child = spawn('/bin/sh', ['-c', line], { cwd: at.root, env, stdio: ['pipe', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(eventFor(scope, tool, at)));
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { scope, tool, exit, code: codeIn(stdout) };
}

function eventFor(scope: Scope, tool: Tool, { root }: Place): object {
  // A separate file for each, because they are written at the same time.
  const file = join(root, 'src', `${scope} ${tool}.ts`);
  const inputs: Readonly<Record<Tool, object>> = {
    Edit: { file_path: file, old_string: 'export', new_string: 'x' },
    mcp__filesystem__write_file: { path: file },
    Bash: { command: 'echo' },
  };
  const about = { hook_event_name: 'PreToolUse', tool_name: tool, tool_use_id: `t-${scope}-${tool}` };
  return {
    session_id: `s-${scope}-${tool}`,
    transcript_path: '/t',
    cwd: root,
    ...about,
    tool_input: inputs[tool],
  };
}

function codeIn(stdout: string): string {
  try {
    const { hookSpecificOutput } = JSON.parse(stdout) as {
      hookSpecificOutput: { permissionDecisionReason: string };
    };
    const { error_type, details } = JSON.parse(hookSpecificOutput.permissionDecisionReason) as {
      error_type: string;
      details: { code?: string };
    };
    return details.code ?? error_type;
  } catch {
    return '';
  }
}

const here: Place = { root: repo, home };
const isRoot = process.getuid?.() === 0;
const STATES = statesOf({ base, program, home, repo });

const TABLE = new Map<string, readonly string[]>();

describe('an installation in every state and scope', () => {
  for (const { name, code, harm, mute = false } of STATES) {
    it(name, async () => {
      const { at = here, undo } = harm();
      try {
        const cells = await Promise.all(SCOPES.flatMap((scope) => TOOLS.map((tool) => ask(scope, tool, at))));
        TABLE.set(
          name,
          cells.map((cell) => wordFor(cell, mute)),
        );
        for (const cell of cells) if (cell !== null) expectRight(cell, code, mute);
      } finally {
        undo();
      }
    });
  }

  it('is what docs/promises.md says', () => {
    const file = join(PACKAGE, 'docs', 'promises.md');
    const text = fs.readFileSync(file, 'utf8');
    const [begin, end] = ['<!-- states: begin -->\n\n', '\n<!-- states: end -->'];
    expect(text.split(begin)).toHaveLength(2);
    expect(text.split(end)).toHaveLength(2);
    const [before = '', rest = ''] = text.split(begin);
    const [, after = ''] = rest.split(end);
    const now = `${before}${begin}${table()}${end}${after}`;
    if (process.env['GUARD_UPDATE_DOCS'] === '1') fs.writeFileSync(file, now);
    if (isRoot) expect(fs.readFileSync(file, 'utf8')).toBe(now);
  });
});

function expectRight({ scope, tool, exit, code }: Cell, expected: string, mute: boolean): void {
  const what = `${scope}, ${tool}`;
  if (tool === 'Bash' || expected === '') {
    expect(exit, what).not.toBe(2);
    return;
  }
  expect(exit, what).toBe(2);
  if (mute && scope !== 'project')
    expect([expected, NOT_INITIALISED, 'NOT_LOCKED', ''], what).toContain(code);
  else expect(code, what).toBe(expected);
}

/** One column per scope, with one word for each of Edit, the MCP writer and Bash. */
function table(): string {
  const head = `| State | ${SCOPES.join(' | ')} |\n| --- | ${SCOPES.map(() => '---').join(' | ')} |\n`;
  const rows = [...TABLE].map(([name, words]) => {
    const columns = SCOPES.map((_, nth) => words.slice(nth * TOOLS.length, (nth + 1) * TOOLS.length));
    return `| ${name} | ${columns.map((column) => column.join(', ')).join(' | ')} |\n`;
  });
  return head + rows.join('');
}

/** Without a launcher, the code depends on whether the program is back at that moment; it is denied in either case. */
function wordFor(cell: Cell | null, mute: boolean): string {
  if (cell === null) return 'not asked';
  if (cell.exit !== 2) return 'passes';
  return cell.code === 'NOT_LOCKED' && !(mute && cell.scope !== 'project') ? 'checked' : 'denied';
}
