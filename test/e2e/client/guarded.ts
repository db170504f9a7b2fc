import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ClientRun, HookEvent } from './run.ts';
import type { Files, Scratch } from './scratch.ts';
import type { Stage } from './stage.ts';

export interface Setup {
  readonly preset?: 'standard' | 'strict' | 'auto';
  readonly scope?: 'project' | 'local' | 'user';
  /** Package directory of another guard than the one under test. */
  readonly guard?: string;
  /** Register guard's MCP server too. */
  readonly mcp?: boolean;
}

/**
 * A repository under guard, as its user would set it up: file tools allowed in the user's own settings, then
 * `guard init`. Shell commands are allowed by nothing but the rules that guard adds.
 */
export function guarded(stage: Stage, files: Files, setup: Setup = {}): Scratch {
  const { preset = 'standard', scope = 'project', guard, mcp = false } = setup;
  const scratch = stage.scratch(files, guard);
  userSettings(scratch, { permissions: { allow: ['Read', 'Edit', 'Write', 'NotebookEdit'] } });
  const told = scratch.guard('init', '--scope', scope, '--preset', preset, ...(mcp ? ['--mcp'] : []));
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

/** Who holds a path, in the words of `guard lock status`. */
export function holderOf(scratch: Scratch, file: string): string | null {
  const { stdout } = scratch.guard('lock', 'status', file, '--json');
  const status = JSON.parse(stdout) as { results: readonly { holder: string | null }[] };
  return status.results[0]?.holder ?? null;
}

/** Who held a path, record by record. */
export function holdersOf(scratch: Scratch, path: string): readonly (readonly string[])[] {
  return logOf(scratch).flatMap(({ s }) => {
    const state = (s as Record<string, { holds?: readonly { agent: string }[] } | null> | undefined)?.[
      `path:${path}`
    ];
    return state?.holds === undefined ? [] : [state.holds.map(({ agent }) => agent)];
  });
}

/** Hook processes that ended in another way than "no objection" or "denied". */
export function failedHooks({ hooks }: ClientRun): readonly HookEvent[] {
  return hooks.filter(({ exit_code }) => exit_code !== 0 && exit_code !== 2);
}
