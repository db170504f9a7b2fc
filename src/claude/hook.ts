/**
 * One hook event from text to answer. Whatever goes wrong: a write that cannot be judged is denied with the
 * cause and the next step, everything else goes on with a line on stderr (promise P6).
 */
import { inboxKey } from '../core/letters.ts';
import { failed, notUnderstood } from './failure.ts';
import { glance } from './glance.ts';
import { withMail } from './events/mail.ts';
import { answerFor } from './hosts/answer.ts';
import { parseInput } from './input.ts';
import type { HookInput } from './input.ts';
import { SILENT } from './output.ts';
import type { HookOutput } from './output.ts';
import { OVERSIZED, ROUTES } from './route.ts';
import { openScene } from './scene.ts';
import type { Environment, Scene } from './scene.ts';

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
  const input = whole ? parseInput(text, around.cwd, around.env) : glance(text, tail, around.cwd);
  if (input === null || (!whole && !Object.hasOwn(OVERSIZED, input.event)))
    return notUnderstood(stdin, around.cwd, STDIN_LIMIT_BYTES);
  const output = outcomeOf(input, whole ? ROUTES : OVERSIZED, around);
  return input.host === 'claude' ? output : answerFor(input, output);
}

function outcomeOf(input: HookInput, routes: typeof ROUTES, around: Environment): HookOutput {
  const route = Object.hasOwn(routes, input.event) ? routes[input.event] : undefined;
  if (route === undefined || route.passes?.(input) === true) return SILENT;
  try {
    if (route.alone !== undefined) return route.alone(input, around);
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

/** Where an agent is told what others want of it. */
const HEARS = /^(?:UserPromptSubmit|PostToolUse)$/;

const glimpseOfInbox = ({ home, who }: Scene): boolean => {
  const key = inboxKey(who.id);
  return home.glimpse.at([key])(key) !== undefined;
};
