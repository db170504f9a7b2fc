/**
 * One hook event from text to answer. Whatever goes wrong: a write that cannot be judged is denied with the
 * cause and the next step, everything else goes on with a line on stderr (promise P6).
 */
import { isGuardError } from '../core/error.ts';
import { denialOf } from '../core/denial.ts';
import { inboxKey } from '../core/letters.ts';
import { guardError } from '../core/messages.ts';
import { glance, peekEvent, peekTool } from './glance.ts';
import { withMail } from './events/mail.ts';
import { asStranger } from './events/stranger.ts';
import { parseInput } from './input.ts';
import type { HookInput } from './input.ts';
import { loadConfig } from '../config/load.ts';
import { guardCommand } from '../install/guard-command.ts';
import { locateRepo } from '../repo/locate.ts';
import { complain, deny, SILENT } from './output.ts';
import type { HookOutput } from './output.ts';
import { OVERSIZED, ROUTES } from './route.ts';
import { openScene } from './scene.ts';
import type { Environment, Scene } from './scene.ts';
import { cannotWrite, mayWrite } from './tools.ts';

/** What stdin held. `whole` false: more than the limit, and only its beginning and its end are here. */
export interface Stdin {
  readonly text: string;
  readonly whole: boolean;
  readonly tail: string;
}

/** A larger event is not parsed: 12 MB of JSON cost 151 ms and 90 MB of memory (measured). */
export const STDIN_LIMIT_BYTES = 16 * 1024 * 1024;

export function runHook(stdin: Stdin, around: Environment): HookOutput {
  const { text, whole, tail } = stdin;
  const input = whole ? parseInput(text, around.cwd) : glance(text, tail, around.cwd);
  const routes = whole ? ROUTES : OVERSIZED;
  if (input === null || (!whole && !Object.hasOwn(OVERSIZED, input.event)))
    return notUnderstood(stdin, around.cwd);
  const route = Object.hasOwn(routes, input.event) ? routes[input.event] : undefined;
  if (route === undefined || route.passes?.(input) === true) return SILENT;
  try {
    if (route.alone !== undefined) return route.alone(input, around);
    const doubted = isDoubtful(input, around.env) ? asStranger(input, around, judging(route.run)) : null;
    if (doubted !== null) return doubted;
    const scene = openScene(input, around);
    try {
      const has_mail = HEARS.test(input.event) && glimpseOfInbox(scene);
      const output = route.run(scene);
      return has_mail ? withMail(scene, output) : output;
    } finally {
      scene.close();
    }
  } catch (error) {
    return failed(input, error, around);
  }
}

const judging = (run: (scene: Scene) => HookOutput) => ({ open: openScene, run });

/** Nearly none is: told without loading the rules about it (src/core/speakers.ts). */
const isDoubtful = (
  { session }: HookInput,
  { CLAUDE_CODE_SESSION_ID: own, CLAUDE_PROJECT_DIR: root }: NodeJS.ProcessEnv,
) => own !== undefined && (own !== session || root === undefined);

/** Where an agent is told what others want of it. */
const HEARS = /^(?:UserPromptSubmit|PostToolUse)$/;

const glimpseOfInbox = ({ home, who }: Scene): boolean => {
  const key = inboxKey(who.id);
  return home.glimpse.at([key])(key) !== undefined;
};

/** Not valid, cut off, or too large. A write may hide in it unless it certainly is another event, or of another tool. */
function notUnderstood({ text, whole }: Stdin, cwd: string): HookOutput {
  const event = peekEvent(text);
  const message = whole
    ? 'the hook event on stdin is not valid.'
    : `the hook event on stdin is larger than ${STDIN_LIMIT_BYTES} bytes.`;
  if (event !== null && event !== 'PreToolUse') return complain(message);
  if (event !== null && cannotWrite(peekTool(text) ?? '')) return complain(message);
  const hint = whole ? 'Try the call again.' : 'Write the file in smaller steps.';
  return refuse(cwd, '', { code: 'GUARD_ERR_INPUT', message, hint });
}

function failed(input: HookInput, error: unknown, around: Environment): HookOutput {
  const known = isGuardError(error)
    ? { code: error.code, message: error.message, hint: error.hint }
    : { code: 'GUARD_ERR_INTERNAL', message: describe(error), hint: 'This is a bug in guard.' };
  const writes = input.event === 'PreToolUse' && mayWrite(input, () => writersHere(input, around));
  return writes
    ? refuse(input.cwd, targetOf(input), known)
    : complain(`${known.code}: ${known.message} ${known.hint}`);
}

/** Whatever keeps guard from judging, its configuration may still be readable, and say which tools write. */
function writersHere(input: HookInput, { env }: Environment) {
  return loadConfig({ repo: locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd), env }).mcp.writers;
}

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} (${(error.stack ?? '').split('\n')[1]?.trim() ?? ''})`
    : String(error);

function targetOf({ tool_input }: HookInput): string {
  const path = tool_input['file_path'] ?? tool_input['filePath'] ?? tool_input['notebook_path'];
  return typeof path === 'string' ? path : '';
}

/** As the permission rules of this repository spell it, where that can still be found out. */
function commandHere(cwd: string): string {
  try {
    return guardCommand(locateRepo(cwd));
  } catch {
    return 'guard';
  }
}

function refuse(
  cwd: string,
  path: string,
  failure: { code: string; message: string; hint: string },
): HookOutput {
  const denial = denialOf([guardError({ abs: path, path, guard: commandHere(cwd) }, failure)]);
  return denial === null ? SILENT : deny(denial);
}
