/** Agents as a list, as a tree with what they hold and wait for, and how often they called which tool. Pure except for reading. */
import type { Needs } from '../core/needs.ts';
import { type DraftState, isOver, type Usage } from '../core/drafts.ts';
import type { QueuePlace } from '../core/queue-words.ts';
import type { StatusReport } from '../core/report.ts';
import { canGoOn } from '../core/resumable.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { AgentId } from '../core/types.ts';
import { shortIds } from './agent-meant.ts';
import { isListed, type ListedBy } from './listed.ts';
import type { QueuedNow } from './queue-place.ts';

type AsItIs = 'id' | 'role' | 'status' | 'drafted_by' | 'depth' | 'reason';
type OfItsWork = 'needs' | 'api_error' | 'doing' | 'share_usd';

export interface AgentRow
  extends Pick<DraftState, AsItIs>, Required<Pick<DraftState, OfItsWork>>, Pick<Usage, 'turns' | 'cost_usd'> {
  /** guard's own estimate, until the client reports the cost. */
  readonly cost_is_estimate: boolean;
  /** When its client last reported anything. */
  readonly heard: string | null;
  readonly taskSlug: string;
  readonly startedAt: string;
  /** `null` if it has begun, or never will. */
  readonly queue: QueuePlace | null;
}

function agentRow(draft: DraftState, queued: QueuedNow): AgentRow {
  const { id, role, task, status, drafted_by, depth, usage, reason } = draft;
  const { turns, cost_usd, is_estimate: cost_is_estimate = false } = usage;
  const { needs = null, api_error = null, doing = null, share_usd = null, heard_wall_ms } = draft;
  const heard = heard_wall_ms === undefined ? null : rfc3339(heard_wall_ms);
  const startedAt = rfc3339(draft.started_wall_ms);
  const work = { turns, cost_usd, cost_is_estimate, doing, heard, share_usd, needs, api_error };
  const queue = queued.get(id) ?? null;
  return { id, role, taskSlug: task, startedAt, status, drafted_by, depth, reason, queue, ...work };
}

/** The agents that have not ended. */
export const agentRows = (drafts: readonly DraftState[], queued: QueuedNow): AgentRow[] =>
  drafts.filter((draft) => !isOver(draft)).map((draft) => agentRow(draft, queued));

export interface TreeRow extends AgentRow {
  readonly name: string | null;
  /** The shortest unique prefix of its id. */
  readonly short: string;
  readonly endedAt: string | null;
  /** It ended through no fault of its own, and a message resumes its session where it stopped. */
  readonly can_be_resumed: boolean;
  readonly lastEventAt: string | null;
  readonly doing: string | null;
  readonly needs: Needs | null;
  /** `null` if it has none, or no longer has one. */
  readonly worktree: { readonly branch: string; readonly files: number; readonly commits: number } | null;
  readonly leases: readonly string[];
  readonly waiting_for: readonly string[];
}

export interface ListWish extends ListedBy {
  readonly queued: QueuedNow;
}

/** Parents before children; agents that need something first, then by age. */
export function treeRows(
  drafts: readonly DraftState[],
  { leases, waits }: Pick<StatusReport, 'leases' | 'waits'>,
  { queued, ...listed }: ListWish,
): TreeRow[] {
  const shorts = shortIds(drafts.map(({ id }) => id));
  const isOf = (agent: AgentId, id: AgentId): boolean => agent === id || agent.startsWith(`${id}/`);
  const row = (draft: DraftState): TreeRow => {
    const { heard_wall_ms, doing, needs } = listed.live(draft);
    const { ended_wall_ms, worktree } = draft;
    return {
      ...agentRow(draft, queued),
      ...{ name: draft.name ?? null, short: shorts.get(draft.id) ?? draft.id },
      endedAt: ended_wall_ms === null ? null : rfc3339(ended_wall_ms),
      can_be_resumed: canGoOn(draft),
      lastEventAt: heard_wall_ms === null ? null : rfc3339(heard_wall_ms),
      ...{ doing, needs },
      worktree:
        worktree?.kept === true && worktree.is_unfinished !== true
          ? { branch: worktree.branch, files: worktree.changed?.length ?? 0, commits: worktree.commits }
          : null,
      leases: leases.filter(({ holder }) => isOf(holder, draft.id)).map(({ path }) => path),
      waiting_for: [
        ...new Set(
          waits.filter((edge) => edge.kind === 'wait' && isOf(edge.from, draft.id)).map(({ path }) => path),
        ),
      ],
    };
  };
  const needy = (rows: readonly TreeRow[]): number => (rows.some(isNeedy) ? 0 : 1);
  const known = new Set(drafts.map(({ id }) => id));
  // Its parent may be forgotten long after that one ended.
  const parentOf = ({ parent }: DraftState): AgentId | null =>
    parent !== null && known.has(parent) ? parent : null;
  const below = (parent: AgentId | null): TreeRow[] =>
    drafts
      .filter((draft) => parentOf(draft) === parent && isListed(draft, drafts, listed))
      .map((draft) => [row(draft), ...below(draft.id)])
      .sort((a, b) => needy(a) - needy(b))
      .flat();
  return below(null);
}

/** It asks someone, was refused something, or starts only if someone resumes another agent. */
export const isNeedy = ({ needs, queue }: Pick<TreeRow, 'needs' | 'queue'>): boolean =>
  needs !== null || queue?.is_stuck === true;

export interface Sums {
  /** The number of agents in each state. */
  readonly states: Readonly<Record<string, number>>;
  readonly needing: number;
  readonly turns: number;
  readonly cost_usd: number;
  /** That of one of them at least is estimated. */
  readonly cost_is_estimate: boolean;
}

export function sumsOf(rows: readonly TreeRow[]): Sums {
  const states: Record<string, number> = {};
  for (const { status } of rows) states[status] = (states[status] ?? 0) + 1;
  return {
    states,
    needing: rows.filter(isNeedy).length,
    turns: rows.reduce((sum, { turns }) => sum + turns, 0),
    cost_usd: rows.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
    cost_is_estimate: rows.some((row) => 'cost_is_estimate' in row && row.cost_is_estimate),
  };
}

export interface ToolCount {
  readonly agent: AgentId;
  readonly role: string;
  readonly tool: string;
  readonly calls: number;
}

/** How often each agent called each tool, most often first. */
export const toolCounts = (drafts: readonly DraftState[]): ToolCount[] =>
  drafts
    .flatMap(({ id, role, usage }) =>
      Object.entries(usage.tools).map(([tool, calls]) => ({ agent: id, role, tool, calls })),
    )
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
