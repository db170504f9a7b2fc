/** Answers one event with the code that a hook process runs. */
import { runHook } from '../claude/hook.ts';
import { namedBy } from '../claude/request.ts';
import { attempt } from '../core/attempt.ts';
import type { OpenEngine } from '../workspace/shared-ledger.ts';
import type { AsIf } from './as-if.ts';
import { type Answer, REFUSED, type HookRequest } from './protocol.ts';

/** If it refuses, nothing was done; if it throws, something may have been, under the request's ids. */
export function answerTo(request: HookRequest, as_if: AsIf, engines: OpenEngine): Answer {
  if (!as_if.become(request)) return REFUSED;
  const { env, id, event } = request;
  const cwd = attempt(() => process.cwd(), '/');
  return runHook(
    { text: event, whole: true, tail: '' },
    { env, cwd, named: id === '' ? undefined : namedBy(id), engines },
  );
}
