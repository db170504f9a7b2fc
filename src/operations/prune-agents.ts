/** Removes what agents left behind and no one needs. */
import { rfc3339 } from '../core/rfc3339.ts';
import { KEEP_BYTES, prunableLogs } from '../harness/old-logs.ts';
import { prunableWorktrees, prune } from '../harness/prune.ts';
import { reconcile } from '../harness/reconcile.ts';
import type { DrafterWorkspace } from './drafted.ts';
import { flag, number, optional, withDefault } from './field.ts';
import { operation } from './operation.ts';

const MIB = 1_048_576;
const WEEK_S = 7 * 86_400;

export const PRUNE_AGENTS = operation(
  'prune_agents',
  {
    older_seconds: withDefault(
      number('What agents left that ended longer ago than this', { min: 0, max: 1e9 }),
      WEEK_S,
    ),
    max_mb: optional(number('If the logs take more than this, also the oldest', { min: 0, max: 1e9 })),
    apply: withDefault(flag('Remove them; otherwise only list them'), false),
  },
  ({ older_seconds, max_mb, apply }, space: DrafterWorkspace) => {
    reconcile(space);
    const { wall_ms } = space.facts().now;
    const max_bytes = max_mb === undefined ? KEEP_BYTES : max_mb * MIB;
    const before_wall_ms = wall_ms - older_seconds * 1000;
    const logs = prunableLogs(space, { before_wall_ms, max_bytes });
    const bytes = logs.reduce((sum, one) => sum + one.bytes, 0);
    const found = { logs, worktrees: prunableWorktrees(space, { before_wall_ms }), bytes };
    if (apply) prune(space, found, { before_wall_ms });
    return {
      ...found,
      logs: logs.map(({ endedAt, ...one }) => ({ ...one, endedAt: rfc3339(endedAt) })),
      done: apply,
    };
  },
);
