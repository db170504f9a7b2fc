/** Agents as a list, as a tree with what they hold and wait for, and what they called how often. Pure but for reading. */
import { type DraftState, isOver, type Usage } from '../core/drafts.ts';
import type { StatusReport } from '../core/report.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { AgentId } from '../core/types.ts';

type AsItIs = 'id' | 'role' | 'status' | 'drafted_by' | 'depth' | 'reason';

export interface AgentRow extends Pick<DraftState, AsItIs>, Pick<Usage, 'turns' | 'cost_usd'> {
  readonly taskSlug: string;
  readonly startedAt: string;
}

export function agentRow(draft: DraftState): AgentRow {
  const { id, role, task, status, drafted_by, depth, usage, reason } = draft;
  const { turns, cost_usd } = usage;
  const startedAt = rfc3339(draft.started_wall_ms);
  return { id, role, taskSlug: task, startedAt, status, drafted_by, depth, turns, cost_usd, reason };
}

/** Those that are not over; with `all`, the others too. */
export const agentRows = (drafts: readonly DraftState[], all: boolean): AgentRow[] =>
  drafts.filter((draft) => all || !isOver(draft)).map(agentRow);

export interface TreeRow extends AgentRow {
  readonly leases: readonly string[];
  readonly waiting_for: readonly string[];
}

/** Parents before children, roots by age. An agent that is over stays while something below it runs. */
export function treeRows(
  drafts: readonly DraftState[],
  { leases, waits }: Pick<StatusReport, 'leases' | 'waits'>,
  all: boolean,
): TreeRow[] {
  const isShown = (draft: DraftState): boolean =>
    all || !isOver(draft) || drafts.some((child) => child.parent === draft.id && isShown(child));
  const isOf = (agent: AgentId, id: AgentId): boolean => agent === id || agent.startsWith(`${id}/`);
  const row = (draft: DraftState): TreeRow => ({
    ...agentRow(draft),
    leases: leases.filter(({ holder }) => isOf(holder, draft.id)).map(({ path }) => path),
    waiting_for: [
      ...new Set(
        waits.filter((edge) => edge.kind === 'wait' && isOf(edge.from, draft.id)).map(({ path }) => path),
      ),
    ],
  });
  const below = (parent: AgentId | null): TreeRow[] =>
    drafts
      .filter((draft) => draft.parent === parent && isShown(draft))
      .flatMap((draft) => [row(draft), ...below(draft.id)]);
  return below(null);
}

export interface ToolCount {
  readonly agent: AgentId;
  readonly role: string;
  readonly tool: string;
  readonly calls: number;
}

/** Which agent called which tool how often, most first. */
export const toolCounts = (drafts: readonly DraftState[]): ToolCount[] =>
  drafts
    .flatMap(({ id, role, usage }) =>
      Object.entries(usage.tools).map(([tool, calls]) => ({ agent: id, role, tool, calls })),
    )
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
