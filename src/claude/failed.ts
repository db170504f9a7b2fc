// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A hook's answer when it cannot check: a write is denied with the cause and the next step, anything else continues. */
import { toolOnlyLooks } from './mcp/names.ts';
import { knownPaths } from './mcp/known.ts';
import { tellPerson } from './events/tell-person.ts';
import { readNow } from '../repo/clock.ts';
import { readPause } from '../install/user-pause.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import { attempt } from '../core/attempt.ts';
import { type GuardError, isGuardError } from '../core/error.ts';
import { guardError } from '../core/messages.ts';
import { loadConfig } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { requireBelieved } from '../repo/known/belief.ts';
import { locateRepo } from '../repo/locate.ts';
import { eventNameIn, peekTool } from './parse-partial.ts';
import type { HookInput } from './hook-input.ts';
import { complain, context, denyFor, type HookOutput, SILENT } from './output.ts';
import type { HookEnvironment } from './context.ts';
import { type Stdin, STDIN_LIMIT_BYTES } from './stdin.ts';
import { cannotWrite, writerPaths } from './tools.ts';
import type { McpTools } from './mcp/mcp-tools.ts';

/** Invalid, cut off, or too large. It may contain a write unless it is certainly another event, or another tool's. */
export function notUnderstood({ text, whole }: Stdin, cwd: string): HookOutput {
  const event = eventNameIn(text);
  const message = whole
    ? 'the hook event on stdin is not valid.'
    : `the hook event on stdin is larger than ${STDIN_LIMIT_BYTES} bytes.`;
  if (event !== null && event !== 'PreToolUse') return complain(message);
  if (event !== null && cannotWrite(peekTool(text) ?? '')) return complain(message);
  const hint = whole ? 'Try the call again.' : 'Write the file in smaller steps.';
  return refuse(cwd, '', { code: 'GUARD_ERR_INPUT', message, hint });
}

export function failed(input: HookInput, error: unknown, around: HookEnvironment): HookOutput {
  const other = isGuardError(error) && error.facts['fault'] ? unbelieved(input, error, around) : null;
  if (other !== null) return other;
  const known = isGuardError(error)
    ? { code: error.code, message: error.message, hint: error.hint }
    : { code: 'GUARD_ERR_INTERNAL', message: describe(error), hint: 'This is a bug in guard.' };
  const writes = input.event === 'PreToolUse' && mayWrite(input, () => mcpHere(input, around));
  return writes
    ? refuse(input.cwd, targetOf(input), known)
    : complain(`${known.code}: ${known.message} ${known.hint}`);
}

/** Even if guard cannot check, its configuration may still be readable, and say which tools write. */
function mcpHere(input: HookInput, { env }: HookEnvironment) {
  return loadConfig({ repo: locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd, env), env }).mcp;
}

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} (${(error.stack ?? '').split('\n')[1]?.trim() ?? ''})`
    : String(error);

function targetOf({ tool_input }: HookInput): string {
  const path = tool_input['file_path'] ?? tool_input['filePath'] ?? tool_input['notebook_path'];
  return typeof path === 'string' ? path : '';
}

/** The command as this repository's permission rules spell it, if that can still be determined. */
const commandHere = (cwd: string): string =>
  attempt(() => {
    const repo = locateRepo(cwd);
    requireBelieved(repo, process.env);
    return guardCommand(repo);
  }, 'guard');

function refuse(
  cwd: string,
  path: string,
  failure: { code: string; message: string; hint: string },
): HookOutput {
  return denyFor([guardError({ abs: path, path, guard: commandHere(cwd) }, failure)]);
}

/**
 * In a repository whose state directory is untrusted or missing: a person's pause still applies, and the start of a
 * session reports what is wrong. Null: handle it like every other failure.
 */
function unbelieved(
  input: HookInput,
  { message, hint, facts }: GuardError,
  { env }: HookEnvironment,
): HookOutput | null {
  const pause = readPause(locateRepo(String(facts['root']), env), env, readNow());
  if (input.event === 'SessionStart') {
    const until = pause === null ? '' : rfc3339(pause.until_wall_ms);
    const state = pause === null ? 'Until then writes are denied.' : `guard is switched off until ${until}.`;
    const text = `guard: ${message} ${hint.replace(/\.?$/, '.')} ${state}`;
    return tellPerson(context('SessionStart', [text]), text);
  }
  return pause === null ? null : SILENT;
}

/**
 * `here` may throw, as with a broken configuration. It is then unknown which tools are configured as writers, and a tool
 * that names a path without saying that it only reads counts as one.
 */
function mayWrite(input: HookInput, here: () => McpTools): boolean {
  if (cannotWrite(input.tool)) return false;
  if (!input.tool.startsWith('mcp__')) return true;
  try {
    return writerPaths(input, here()) !== null;
  } catch {
    if (knownPaths(input, 'writers') !== null) return true;
    return (
      !toolOnlyLooks(input.tool) && Object.keys(input.tool_input).some((name) => /path|file|uri/i.test(name))
    );
  }
}
