/** The initial state of a drafted agent. */
import { type Bounds, type DraftState, NO_USAGE } from '../drafts.ts';
import type { Queued } from '../in-queue.ts';
import type { View } from '../ledger.ts';
import type { Facts, ProcessMark } from '../types.ts';
import type { Who } from './who.ts';

export interface DraftBegin extends Pick<
  DraftState,
  'role' | 'category' | 'access' | 'task' | 'limits' | 'name' | 'plan'
> {
  readonly agent: Who;
  readonly bounds: Bounds;
  readonly drafter: ProcessMark | null;
  /** Absent: it follows no other agent and has no priority. */
  readonly queue?: Pick<Queued, 'after' | 'anyway' | 'priority'>;
}

type Drafting = DraftBegin & {
  readonly who: Who;
  readonly depth: number;
  readonly parent: DraftState | undefined;
};

/** Claims the draft for its starter, so that no other process starts it. */
export const claimedBy = (draft: DraftState, starter: ProcessMark | null, share_usd: number | null) => ({
  ...draft,
  ...({ status: 'starting', share_usd, supervisor: starter } as const),
  ...(draft.queued === undefined
    ? {}
    : { queued: { ...draft.queued, starts: draft.queued.starts + 1, is_claimed: true } }),
});

/** Its state while it is queued. */
export function newDraft(event: Drafting, { next }: View, { now }: Facts): DraftState {
  const { agent, who, role, category, access, task, limits, name, plan, parent } = event;
  const { after, anyway, priority } = event.queue ?? { after: [], anyway: false, priority: 0 };
  return {
    id: agent.id,
    session: agent.session ?? '',
    ...(name === undefined ? {} : { name }),
    ...(plan === undefined ? {} : { plan }),
    ...{ role, category, access, task, drafted_by: who.id },
    parent: parent?.id ?? null,
    root: parent?.root ?? agent.id,
    depth: event.depth,
    status: 'queued',
    ...{ limits, bounds: event.bounds },
    usage: NO_USAGE,
    queued: {
      since_wall_ms: now.wall_ms,
      ticket: next,
      ...{ priority, after, anyway },
      machine: event.drafter?.machine ?? null,
      starts: 0,
      is_claimed: false,
    },
    supervisor: null,
    client: null,
    started_wall_ms: now.wall_ms,
    started_mono_ms: now.mono_ms,
    ended_wall_ms: null,
    kill: null,
    reason: null,
    exit_code: null,
    signal: null,
    last_output: '',
    result: null,
    worktree: null,
  };
}
