/**
 * The command lines that run guard: from a hook (never looked up on PATH: another `guard` may be there), and as
 * agents type them. Loaded by the hook bundle: no imports beyond core/.
 */
import { shellWord } from '../core/shell-word.ts';

/** The launcher that a project install commits; it finds guard on each machine. */
export const LAUNCHER = '.claude/guard-hook.cjs';

/** Where a project keeps its MCP servers. */
export const MCP_FILE = '.mcp.json';

/**
 * Before the Node of a hook. Where a company's proxy has certificates named, Node 20 reads them at each start, 38 ms of CPU; a
 * hook asks nobody over the network, and an empty value costs nothing (docs/decisions/192).
 */
export const NO_CERTIFICATES = 'NODE_EXTRA_CA_CERTS= ';

/** `:-.`: other hosts run these hooks too, in the project's root and without CLAUDE_PROJECT_DIR. */
export const PROJECT_HOOK_COMMAND = `${NO_CERTIFICATES}node "\${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs"`;

export const PLUGIN_HOOK_COMMAND = `${NO_CERTIFICATES}node "\${CLAUDE_PLUGIN_ROOT}/hooks/guard-hook.cjs"`;

/**
 * The Node that set the repository up, or the one on PATH when that is gone (a version manager removed it): the test is
 * the shell's own and starts nothing. The last word does nothing but say whose hook it is: many programs have a
 * `dist/hook.cjs`.
 */
export function absoluteHookCommand(node: string, guard_root: string): string {
  const hook = shellWord(`${guard_root}/dist/hook.cjs`);
  return `N=${shellWord(node)}; [ -x "$N" ] || N=node; ${NO_CERTIFICATES}"$N" ${hook} guard`;
}

const FAIL_CLOSED = ` || { rc=$?; [ "$rc" = 2 ] || echo 'guard did not start: run guard doctor' >&2; exit 2; }`;

/**
 * Exit 2 is the one refusal that every client honours, and the only one left when node itself is missing (127), the
 * file is gone (1) or the process is killed (137). It comes with a line on standard error: without one, Codex, Gemini CLI
 * and Qwen Code take exit 2 for no refusal (measured, docs/hosts.md).
 */
export const failClosed = (command: string): string => `${command}${FAIL_CLOSED}`;

/** In this form, and in the silent one of guard 0.1.0 (`|| exit 2`), which `guard init` replaces. */
export const isFailClosed = (command: string): boolean =>
  /\|\|\s*(?:exit 2|\{ rc=\$\?; \[ "\$rc" = 2 \] \|\| echo '[^']*' >&2; exit 2; \})\s*$/.test(command);

const GUARD_HOOKS: readonly RegExp[] = [
  /(?:^|[\s"'/\\])\.claude[/\\]guard-hook\.cjs(?=["'\s]|$)/,
  /\$\{CLAUDE_PLUGIN_ROOT\}[/\\]hooks[/\\]guard-hook\.cjs(?=["'\s]|$)/,
  /[/\\]dist[/\\]hook\.cjs["']? guard(?=\s|$)/,
];

/** True for a command line that runs guard's hook, in each of its three forms, and from whatever place. */
export const isGuardHookCommand = (command: string): boolean =>
  GUARD_HOOKS.some((form) => form.test(command));
