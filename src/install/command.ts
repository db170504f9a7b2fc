/**
 * The command lines that run guard: in hooks, where it is never looked up on PATH (another `guard` may be there), and as
 * agents type them. Loaded by the hook bundle: no imports beyond core/.
 */
import { shellWord } from '../core/shell-word.ts';

/** The launcher that a project install commits; it finds guard on each machine. */
export const LAUNCHER = '.claude/guard-hook.cjs';

/** Where a project configures its MCP servers. */
export const MCP_FILE = '.mcp.json';

/**
 * Precedes the Node of a hook. If this variable names a company proxy's certificates, Node 20 reads them at each start, 38
 * ms of CPU; a hook makes no network requests, and an empty value costs nothing (docs/decisions/192).
 */
export const NO_CERTIFICATES = 'NODE_EXTRA_CA_CERTS= ';

/** `:-.`: other hosts run these hooks too, in the project's root and without CLAUDE_PROJECT_DIR. */
export const PROJECT_HOOK_COMMAND = `${NO_CERTIFICATES}node "\${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs"`;

export const PLUGIN_HOOK_COMMAND = `${NO_CERTIFICATES}node "\${CLAUDE_PLUGIN_ROOT}/hooks/guard-hook.cjs"`;

/**
 * Uses the Node that set the repository up, or the one on PATH if that is gone (a version manager removed it); the shell
 * tests this itself and starts nothing. The last word has no effect except to show whose hook it is: many programs have a
 * `dist/hook.cjs`.
 */
export function absoluteHookCommand(node: string, guard_root: string): string {
  const hook = shellWord(`${guard_root}/dist/hook.cjs`);
  return `N=${shellWord(node)}; [ -x "$N" ] || N=node; ${NO_CERTIFICATES}"$N" ${hook} guard`;
}

const FAIL_CLOSED = ` || { rc=$?; [ "$rc" = 2 ] || echo 'guard did not start: run guard doctor' >&2; exit 2; }`;

/**
 * Exit 2 is the one refusal that every client honours, and the only one left if node itself is missing (127), the file is
 * gone (1) or the process is killed (137). It comes with a line on standard error: without one, Codex, Gemini CLI and Qwen
 * Code do not treat exit 2 as a refusal (measured, docs/hosts.md).
 */
export const failClosed = (command: string): string => `${command}${FAIL_CLOSED}`;

/** Accepts this form, and the silent one of guard 0.1.0 (`|| exit 2`), which `guard init` replaces. */
export const isFailClosed = (command: string): boolean =>
  /\|\|\s*(?:exit 2|\{ rc=\$\?; \[ "\$rc" = 2 \] \|\| echo '[^']*' >&2; exit 2; \})\s*$/.test(command);

const GUARD_HOOKS: readonly RegExp[] = [
  /(?:^|[\s"'/\\])\.claude[/\\]guard-hook\.cjs(?=["'\s]|$)/,
  /\$\{CLAUDE_PLUGIN_ROOT\}[/\\]hooks[/\\]guard-hook\.cjs(?=["'\s]|$)/,
  /[/\\]dist[/\\]hook\.cjs["']? guard(?=\s|$)/,
];

/** Whether a command line runs guard's hook, in any of its three forms and from any location. */
export const isGuardHookCommand = (command: string): boolean =>
  GUARD_HOOKS.some((form) => form.test(command));
