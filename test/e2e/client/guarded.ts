import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientRun, HookEvent } from './run.ts';
import { type Answer, bash } from './scenario.ts';
import type { Files, Scratch } from './scratch.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

export interface Setup {
  readonly preset?: 'standard' | 'strict' | 'auto';
  readonly scope?: 'project' | 'local' | 'user';
  /** The package directory of another guard than the one under test. */
  readonly guard?: string;
  /** Registers guard's MCP server too. */
  readonly mcp?: boolean;
  /** Hooks are answered by a server. */
  readonly warm?: boolean;
  /** guard can be called by name, as after a global installation. */
  readonly on_path?: boolean;
  /** The user's own configuration of guard. */
  readonly config?: object;
  /** The user's own permissions and hooks, besides the permissions of the file tools. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly hooks?: object;
}

const FILE_TOOLS = ['Read', 'Edit', 'Write', 'NotebookEdit'];

/**
 * A repository guarded as its user would set it up: file tools are allowed in the user's own settings, then `guard
 * init` runs. Only the rules that guard adds allow shell commands.
 */
export function guarded(stage: Stage, files: Files, setup: Setup = {}): Scratch {
  const { preset = 'standard', scope = 'project', guard, mcp = false, on_path = false, warm = false } = setup;
  const { allow = [], deny = [], hooks = {}, config } = setup;
  const scratch = stage.scratch(files, guard, on_path);
  userSettings(scratch, {
    permissions: { allow: [...FILE_TOOLS, ...allow], deny },
    hooks,
    ...(mcp ? { enabledMcpjsonServers: ['guard'] } : {}),
  });
  if (config !== undefined) {
    mkdirSync(join(scratch.home, '.config/guard'), { recursive: true });
    writeFileSync(join(scratch.home, '.config/guard/config.json'), JSON.stringify(config));
  }
  const more = [...(mcp ? ['--mcp'] : []), ...(warm ? ['--warm'] : [])];
  const told = scratch.guard('init', '--scope', scope, '--preset', preset, ...more);
  if (told.code !== 0)
    throw new Error(`guard init failed with ${String(told.code)}: ${told.stderr}${told.stdout}`);
  return scratch;
}

export function userSettings(scratch: Scratch, settings: unknown): void {
  mkdirSync(join(scratch.home, '.claude'), { recursive: true });
  writeFileSync(join(scratch.home, '.claude/settings.json'), JSON.stringify(settings));
}

/** A record of the ledger, as `guard log --json` prints it. */
export interface LogRecord {
  readonly type: string;
  readonly agent: string;
  readonly lsn: number;
  readonly [fact: string]: unknown;
}

export function logOf(scratch: Scratch, ...filter: readonly string[]): readonly LogRecord[] {
  const { stdout } = scratch.guard('log', '--json', ...filter);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogRecord);
}

/** A Stop hook of the user that reports failing tests once, which sends the agent back to work. */
export const sendsBackOnce = (more: object = {}): object => {
  const command = `[ -e "$HOME/sent-back" ] || { touch "$HOME/sent-back"; echo 'The tests fail, go on.' >&2; exit 2; }`;
  return { Stop: [{ hooks: [{ type: 'command', command, ...more }] }] };
};

/** A Bash call that announces its start (a file `<name>.started`), and ends when `<name>.go` exists. */
export const heldUp = (name: string): Answer =>
  bash(`touch ${name}.started; until [ -e ${name}.go ]; do sleep 0.05; done`);

/** What guard's hooks said to the model: contexts and refusals, event by event. */
export function saidByHooks({ hooks }: ClientRun): readonly string[] {
  return hooks.flatMap(({ stdout }) => {
    if (!stdout.startsWith('{')) return [];
    const said = JSON.parse(stdout) as {
      reason?: string;
      hookSpecificOutput?: { additionalContext?: string; permissionDecisionReason?: string };
    };
    const { additionalContext, permissionDecisionReason = said.reason } = said.hookSpecificOutput ?? {};
    return [additionalContext, permissionDecisionReason].filter((text) => text !== undefined);
  });
}

/** The holder of a path, from `guard lock status`. */
export function holderOf(scratch: Scratch, file: string): string | null {
  const { stdout } = scratch.guard('lock', 'status', file, '--json');
  const status = JSON.parse(stdout) as { results: readonly { holder: string | null }[] };
  return status.results[0]?.holder ?? null;
}

/** The holders of a path, record by record. */
export function holdersOf(scratch: Scratch, path: string): readonly (readonly string[])[] {
  return logOf(scratch).flatMap(({ s }) => {
    const state = (s as Record<string, { holds?: readonly { agent: string }[] } | null> | undefined)?.[
      `path:${path}`
    ];
    return state?.holds === undefined ? [] : [state.holds.map(({ agent }) => agent)];
  });
}

/** The holders of a path in turn; a repeated name means a lock that was lost and taken again. */
export function successionOf(scratch: Scratch, path: string): readonly string[] {
  return holdersOf(scratch, path)
    .flat()
    .filter((id, index, ids) => id !== ids[index - 1]);
}

/** Resolves when this session (or a subagent of it) is recorded as waiting for the path. */
export function waits(scratch: Scratch, session: string, path: string): Promise<void> {
  const isIt = (record: LogRecord): boolean =>
    record['path'] === path && record['kind'] !== 'wanted' && record.agent.includes(session);
  return until(`${session} waits for ${path}`, () => logOf(scratch, '--type', 'wait').some(isIt));
}

/** Hook processes that ended with neither "no objection" nor "denied". */
export function failedHooks({ hooks }: ClientRun): readonly HookEvent[] {
  return hooks.filter(({ exit_code }) => exit_code !== 0 && exit_code !== 2);
}
