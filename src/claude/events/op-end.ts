/** Ends tool calls that have no result: they failed, were denied by someone else, or ended unreported with their batch. */
import { everyStep } from '../../core/every-step.ts';
import type { Hook, HookSpace } from '../context.ts';
import { noteAlive } from './alive.ts';
import { isLocated, locate } from './targets.ts';

/** Prefix of the ids of permission prompts; as one of `ops` it selects all of them. */
export const ASKED = 'asked:@';

/** Ends these calls in every ledger that keeps one of their files. */
export function endOps(hook: Hook, ops: readonly string[], paths: readonly string[]): void {
  const { home, who } = hook;
  const located = locate(hook, [...new Set(paths)]).filter(isLocated);
  const places = new Set([home, ...located.map(({ space }) => space)]);
  const end = (space: HookSpace): void => {
    const { op, calls = [] } = space.agent() ?? {};
    const isUnknown = space.isAgentMissed();
    const open = isUnknown
      ? ops.filter((id) => /[^@]$/.test(id))
      : [...(op ? [op] : []), ...calls].map(({ id }) => id);
    const over = open.filter((id) => ops.some((one) => isSame(one, id)));
    if (over.length > 0) space.run({ type: 'op.end', who, ops: over });
    else if (space === home) noteAlive(hook);
  };
  everyStep(...[...places].map((space) => () => end(space)));
}

/** A call without an id is identified by its arguments, with its start time after the `@`. */
const isSame = (op: string, open: string): boolean =>
  op === open || (op.endsWith('@') && open.startsWith(op));
