/** Answers one event with the code that a hook process runs. */
import { runHook } from '../claude/hook.ts';
import { attempt } from '../core/attempt.ts';
import type { OpenEngine } from '../workspace/shared-ledger.ts';
import type { AsIf } from './as-if.ts';
import { type Answer, REFUSED, type HookRequest } from './protocol.ts';
import { toldOnce } from './told-once.ts';

interface Answering {
  readonly as_if: AsIf;
  readonly engines: OpenEngine;
  /** Absolute: an event is answered in its own working directory. */
  readonly state_dir: string;
}

/** If it refuses, nothing was done; if it throws, something may have been, under the request's ids. */
export function answerTo(request: HookRequest, { as_if, engines, state_dir }: Answering): Answer {
  if (!as_if.become(request)) return REFUSED;
  const { env, id, event } = request;
  const cwd = attempt(() => process.cwd(), '/');
  const told = id === '' ? undefined : toldOnce(state_dir, id);
  const output = runHook({ text: event, whole: true, tail: '' }, { env, cwd, named: told?.named, engines });
  told?.answered(output);
  return { ...output, sent: told?.drop };
}
