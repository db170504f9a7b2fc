/** What a verdict does to its victim's wait, for guard's own waits and those of foreign lock servers. */
import type { Changes } from '../states.ts';
import type { AgentState, Mode, RepoPath } from '../types.ts';
import { stepOf } from './victim-release.ts';
import type { Deadlock } from './deadlock.ts';
import { addEdge, leaveQueue } from './edges.ts';
import { type Acting, record } from './transaction.ts';

/** True if this agent must stop one of these waits (`stepOf`). */
export const mustStop = (
  { victim, cycle }: Deadlock,
  agent: AgentState,
  paths: readonly RepoPath[],
): boolean =>
  victim === agent.id && cycle.some((edge) => edge.from === agent.id && paths.includes(stepOf(edge)));

/** Ends waits for these paths; the paths stay "wanted" for a while. */
export function stopWaiting(tx: Acting, paths: readonly RepoPath[], mode: Mode): void {
  const { changes, agent } = tx;
  const wait = changes.wait(agent.id);
  const ended = wait.edges.filter((edge) => paths.includes(edge.path));
  if (ended.length === 0) return;
  changes.setWait(agent.id, { ...wait, edges: wait.edges.filter((edge) => !ended.includes(edge)) });
  for (const { path } of ended) leaveQueue(changes, path, agent);
  for (const { path } of ended) addEdge(tx, path, mode, null);
  record(tx, 'unwait', { paths: ended.map(({ path }) => path), cause: 'deadlock' });
}

/** A delivered verdict is kept while its cycle exists, for the hooks, unless its leases were taken away. */
export function markDelivered(
  changes: Changes,
  agent: AgentState,
  paths: readonly RepoPath[],
  found: readonly Deadlock[],
): void {
  const wait = changes.wait(agent.id);
  const { verdicts } = wait;
  if (verdicts === undefined) return;
  const left = verdicts.flatMap((verdict) => {
    const own = verdict.cycle.find(({ from }) => from === agent.id);
    if (own === undefined || !paths.includes(stepOf(own))) return [verdict];
    const stays = found.some(({ origin, resolve }) => origin === verdict.cycle && resolve !== 'release');
    return stays ? [{ ...verdict, told: true }] : [];
  });
  changes.setWait(agent.id, { ...wait, verdicts: left });
}
