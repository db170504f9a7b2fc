/** Which agents of a list share one line so that the list fits on a screen: those that need nobody. Pure. */
import { isNeedy, type TreeRow } from '../../harness/list.ts';

export interface AgentLines {
  readonly row: Pick<TreeRow, 'status' | 'needs' | 'worktree' | 'queue'>;
  readonly lines: readonly string[];
}

/** From what is looked at last. An agent that failed, or needs somebody, always has its own lines. */
const FOLDABLE: readonly ((row: AgentLines['row']) => boolean)[] = [
  ({ status, worktree }) => status === 'completed' && worktree === null,
  ({ status }) => status === 'completed',
  ({ status }) => status === 'killed',
  ({ status }) => status === 'queued',
  ({ status }) => status === 'starting' || status === 'running',
];

const linesOf = (agents: readonly AgentLines[]): number =>
  agents.reduce((sum, { lines }) => sum + lines.length, 0);

/**
 * As few as possible, the oldest first; none if that would not help.
 * @param room how many lines there are for all of them
 */
export function foldedFor<A extends AgentLines>(agents: readonly A[], room: number): ReadonlySet<A> {
  const folded = new Set<A>();
  // One of the lines is for those that are folded.
  let over = linesOf(agents) - room + 1;
  if (over <= 1) return folded;
  for (const isFoldable of FOLDABLE)
    for (const agent of agents) {
      if (over <= 0) return folded;
      if (folded.has(agent) || isNeedy(agent.row) || !isFoldable(agent.row)) continue;
      folded.add(agent);
      over -= agent.lines.length;
    }
  return linesOf([...folded]) > 1 ? folded : new Set();
}
