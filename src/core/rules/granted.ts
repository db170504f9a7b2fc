/** What a grant changes for its holder: notices that are no longer needed, and a lease that lasts longer. */
import type { Changes } from '../states.ts';
import type { Hold, RepoPath } from '../types.ts';
import { withoutRevoked } from './revoke.ts';
import type { Acting } from './transaction.ts';

/** Records a shorter ttl, which a call may outlast (decision 100), and drops the notice of a loss that was undone. */
export function noteGranted(
  { changes, agent: { id }, facts: { policy } }: Acting,
  paths: readonly RepoPath[],
  ttl_ms: number,
): void {
  const agent = changes.agent(id);
  if (agent === undefined) return;
  const isShortest = ttl_ms < Math.min(policy.ttl_ms, agent.shortest_ttl_ms ?? Infinity);
  if (!isShortest && agent.revoked === undefined) return;
  const told = agent.revoked === undefined ? agent : withoutRevoked(agent, paths);
  changes.setAgent(isShortest ? { ...told, shortest_ttl_ms: ttl_ms } : told);
}

/**
 * An agent that holds a file and asks for it again has it for at least as long as now requested, never for less. If its
 * command line had taken the lease for itself, the lease no longer ends with that command.
 */
export function lengthen(changes: Changes, path: RepoPath, hold: Hold, ttl_ms: number): void {
  if (ttl_ms <= hold.ttl_ms && hold.command === undefined) return;
  const state = changes.path(path);
  const { command, ...lease } = hold;
  const longer =
    command === undefined ? { ...hold, ttl_ms } : { ...lease, ttl_ms: Math.max(ttl_ms, hold.ttl_ms) };
  changes.setPath(path, {
    ...state,
    holds: state.holds.map((one) => (one.token === hold.token ? longer : one)),
  });
}
