/** How an agent's client is started for one run of its session, and what it is sent first. Pure. */
import type { Said } from '../core/said.ts';
import type { DraftState } from '../core/drafts.ts';
import { type RunMark, runMark } from '../core/run-mark.ts';
import type { Job } from './agent-files.ts';
import { resuming, withBudget } from './client-call.ts';
import { dispatchLine } from './dispatch-line.ts';

export interface RunOf {
  readonly args: readonly string[];
  readonly opening: readonly Said[];
  /** The line in the log between this run and the one before. */
  readonly before: string | null;
  readonly of: RunMark;
}

const GO_ON =
  'The API failed before you were done, and answers may come again now. Continue where you stopped; first check how far you got.';

/** @param id id for guard's own message to the agent; other messages to it are sent as its state has them */
export function runOf({ args, input }: Pick<Job, 'args' | 'input'>, draft: DraftState, id: string): RunOf {
  const { dispatch = 1, has_session, share_usd = null, usage, unheard = [] } = draft;
  const told = (text: string): Said => ({ id, by: null, text });
  const of = runMark(draft);
  if (dispatch === 1) return { args, opening: [told(input)], before: null, of };
  const left_usd = share_usd === null ? null : Number(Math.max(1e-6, share_usd - usage.cost_usd).toFixed(6));
  const before = dispatchLine(draft);
  const anew = withBudget(args, left_usd);
  if (has_session !== true) return { args: anew, opening: [told(input)], before, of };
  return { args: resuming(anew), opening: unheard.length === 0 ? [told(GO_ON)] : [], before, of };
}
