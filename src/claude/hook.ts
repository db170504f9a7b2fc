/**
 * One hook event from text to answer. Whatever goes wrong: a write that cannot be judged is denied with the
 * cause and the next step, everything else goes on with a line on stderr (promise P6).
 */
import { isGuardError } from '../core/error.ts';
import { denialOf } from '../core/denial.ts';
import { guardError } from '../core/messages.ts';
import { parseInput, peekEvent } from './input.ts';
import type { HookInput } from './input.ts';
import { complain, deny, SILENT } from './output.ts';
import type { HookOutput } from './output.ts';
import { ROUTES } from './route.ts';
import { openScene } from './scene.ts';
import type { Environment } from './scene.ts';

/** What stdin held: at most the limit; `whole` false when there was more. */
export interface Stdin {
  readonly text: string;
  readonly whole: boolean;
}

/** A larger event is not parsed: 12 MB of JSON cost 151 ms and 90 MB of memory (measured). */
export const STDIN_LIMIT_BYTES = 16 * 1024 * 1024;

export function runHook(stdin: Stdin, around: Environment): HookOutput {
  const input = stdin.whole ? parseInput(stdin.text, around.cwd) : null;
  if (input === null) return notUnderstood(stdin);
  const route = Object.hasOwn(ROUTES, input.event) ? ROUTES[input.event] : undefined;
  if (route === undefined || route.passes?.(input) === true) return SILENT;
  try {
    const scene = openScene(input, around);
    try {
      return route.run(scene);
    } finally {
      scene.close();
    }
  } catch (error) {
    return failed(input, error);
  }
}

/** Not valid, cut off, or too large. A write may hide in it unless it certainly is another event. */
function notUnderstood({ text, whole }: Stdin): HookOutput {
  const event = peekEvent(text);
  const message = whole
    ? 'the hook event on stdin is not valid.'
    : `the hook event on stdin is larger than ${STDIN_LIMIT_BYTES} bytes.`;
  if (event !== null && event !== 'PreToolUse') return complain(message);
  const hint = whole ? 'Try the call again.' : 'Write the file in smaller steps.';
  return refuse('', { code: 'GUARD_ERR_INPUT', message, hint });
}

function failed(input: HookInput, error: unknown): HookOutput {
  const known = isGuardError(error)
    ? { code: error.code, message: error.message, hint: error.hint }
    : { code: 'GUARD_ERR_INTERNAL', message: describe(error), hint: 'This is a bug in guard.' };
  const writes = input.event === 'PreToolUse' && input.tool !== 'Bash';
  return writes ? refuse(targetOf(input), known) : complain(`${known.code}: ${known.message} ${known.hint}`);
}

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} (${(error.stack ?? '').split('\n')[1]?.trim() ?? ''})`
    : String(error);

function targetOf({ tool_input }: HookInput): string {
  const path = tool_input['file_path'] ?? tool_input['filePath'] ?? tool_input['notebook_path'];
  return typeof path === 'string' ? path : '';
}

function refuse(path: string, failure: { code: string; message: string; hint: string }): HookOutput {
  const denial = denialOf([guardError({ abs: path, path, guard: 'guard' }, failure)]);
  return denial === null ? SILENT : deny(denial);
}
