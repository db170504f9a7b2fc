/**
 * One hook event from text to answer. On any failure, a write that cannot be checked is denied with the cause and the
 * next step, and everything else continues with a line on stderr (promise P6).
 */
import { inboxKey } from '../core/mailbox.ts';
import { withMail } from './events/mail.ts';
import { withRevoked } from './events/revoked.ts';
import { failed, notUnderstood } from './failed.ts';
import { parsePartial } from './parse-partial.ts';
import { goOn } from './events/turn-end.ts';
import { asStranger } from './events/stranger.ts';
import { answerFor } from './hosts/answer.ts';
import { parseInput } from './input.ts';
import type { HookInput } from './hook-input.ts';
import { named } from './naming.ts';
import { type HookOutput, SILENT } from './output.ts';
import { OVERSIZED, EVENT_ROUTES } from './route.ts';
import { type Hook, type HookEnvironment, openHook } from './context.ts';
import type { Stdin } from './stdin.ts';

export function runHook(stdin: Stdin, given: HookEnvironment): HookOutput {
  const { text, whole, tail } = stdin;
  const input = whole ? parseInput(text, given.cwd, given.env) : parsePartial(text, tail, given.cwd);
  const around = input?.session === DOCTOR ? { ...given, dry: true } : given;
  if (input === null || (!whole && !Object.hasOwn(OVERSIZED, input.event)))
    return notUnderstood(stdin, around.cwd);
  const output = outcomeFor(input, whole ? EVENT_ROUTES : OVERSIZED, around);
  return input.host === 'claude' ? output : answerFor(input, output);
}

/** `routes` decides how it is handled. */
export function outcomeFor(
  input: HookInput,
  routes: typeof EVENT_ROUTES,
  around: HookEnvironment,
): HookOutput {
  const route = Object.hasOwn(routes, input.event) ? routes[input.event] : undefined;
  if (route === undefined || route.passes?.(input) === true) return SILENT;
  try {
    if (route.alone !== undefined) return route.alone(input, around);
    const doubted = isDoubtful(input, around.env) ? asStranger(input, around, judging(route.run)) : null;
    if (doubted !== null) return doubted;
    const hook = openHook(input, around);
    try {
      around.named?.place?.(hook.home.state_dir, input.event);
      if (hook.home.agent()?.turn_over) goOn(hook);
      const has_mail = HEARS.includes(input.event) && hasMail(hook);
      const agent = LEARNS.includes(input.event) ? hook.home.agent() : undefined;
      const has_lost = agent?.revoked ?? agent?.drifted ?? around.named?.hasTold?.();
      const output = has_lost ? withRevoked(hook, route.run(hook)) : route.run(hook);
      const hears = has_mail || (output.exit !== 0 && hasMail(hook));
      const told = hears ? withMail(hook, output) : output;
      return told.stdout && isNameless(hook) ? named(hook, told) : told;
    } finally {
      hook.close();
    }
  } catch (error) {
    return failed(input, error, around);
  }
}

/** `guard doctor` asks under this session id, and leaves nothing in the ledger. */
const DOCTOR = 'guard-doctor';

const judging = (run: (hook: Hook) => HookOutput) => ({ open: openHook, run });

/** Nearly no event is: checked without loading the rules about it (src/core/speakers.ts). */
const isDoubtful = (
  { session }: HookInput,
  { CLAUDE_CODE_SESSION_ID: own, CLAUDE_PROJECT_DIR: root }: NodeJS.ProcessEnv,
) => own !== undefined && (own !== session || root === undefined);

/** The session's commands will not know which agent they belong to. */
const isNameless = ({ input, env }: Hook): boolean =>
  input.host === 'claude' && !env['CLAUDE_CODE_SESSION_ID'];

/** Events at which an agent receives its mail; a denial delivers it too. */
const HEARS = ['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'];

/** Events at which it learns what was taken from it: every client that knows them passes the context on. */
const LEARNS = ['SessionStart', ...HEARS];

const hasMail = ({ home, who }: Hook): boolean => {
  const key = inboxKey(who.id);
  return home.cache.get([key])(key) !== undefined;
};
