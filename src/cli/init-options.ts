/** The options of `guard init`. */
import { type Command, Option } from 'commander';
import type { Preset } from '../config/schema.ts';
import type { InstallWish } from '../install/facts.ts';
import { HOST_NAMES, type HostName } from '../install/hosts/index.ts';
import { type Scope, SCOPES } from '../install/scopes.ts';

export interface InitOptions {
  readonly host?: HostName;
  readonly scope?: Scope;
  readonly preset?: Preset;
  readonly mcp?: true;
  readonly gitHooks?: true;
  readonly pushHook?: true;
  readonly warm?: boolean;
  readonly worktrees?: boolean;
  readonly statusline?: boolean;
  readonly join?: string;
  readonly leave?: true;
  readonly roles?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const PRESET_HELP =
  'standard: lock before writing; strict: also read every file first; auto: locks are taken at the first write';

export function declareInit(command: Command): void {
  command
    .addOption(new Option('--host <name>', 'a client other than Claude Code').choices(HOST_NAMES))
    .addOption(
      new Option(
        '--scope <scope>',
        'project: committed, for the team; local: this checkout; user: every repository of yours',
      ).choices(SCOPES),
    )
    .addOption(new Option('--preset <preset>', PRESET_HELP).choices(['standard', 'strict', 'auto']))
    .option('--mcp', 'also register the MCP server with the lock tools in .mcp.json')
    .option('--git-hooks', 'also install a pre-commit hook that refuses files another agent holds')
    .option('--push-hook', 'also install a pre-push hook that refuses work that may overwrite that of others')
    .option('--warm', 'let a server answer hooks, for a fraction of the processor time')
    .option('--no-warm', 'go back to one process per hook')
    .option('--worktrees', 'let guard create the worktrees of sessions and subagents, one at a time')
    .option('--no-worktrees', 'let the client create its worktrees again')
    .option('--statusline', 'add a line about guard below each session, after an existing status line')
    .option('--no-statusline', 'remove it again')
    .option('--join <dir>', 'share the ledger of another clone of the same origin on this machine')
    .option('--leave', 'go back to a separate ledger')
    .option('--roles', 'also write two starter roles: lead and dev')
    .option('--dry-run', 'show what would change without changing anything')
    .option('--json', 'print the result as JSON');
}

export const wishOf = (options: InitOptions): InstallWish => ({
  host: options.host ?? null,
  scope: options.scope ?? null,
  preset: options.preset ?? null,
  mcp: options.mcp === true,
  git_hooks: [
    ...(options.gitHooks === true ? (['pre-commit'] as const) : []),
    ...(options.pushHook === true ? (['pre-push'] as const) : []),
  ],
  warm: options.warm ?? null,
  worktrees: options.worktrees ?? null,
  statusline: options.statusline ?? null,
});
