/** What every grant does: a new lease, and the end of those that yielded to it. */
import type { Lsn } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts, Hold, Mode, RepoPath } from '../types.ts';
import { endYielded } from './revoke.ts';

/** A new exclusive or shared lease; `token` is this commit's number. */
export function newHold(agent: AgentState, mode: Mode, ttl_ms: number, facts: Facts, token: Lsn): Hold {
  return {
    agent: agent.id,
    mode,
    token,
    epoch: agent.epoch,
    since_wall_ms: facts.now.wall_ms,
    since_mono_ms: facts.now.mono_ms,
    boot: facts.now.boot,
    ttl_ms,
  };
}

/** Nothing of other agents on the path outlives the grant but what is shared with it. */
export function revoke(
  draft: Draft,
  path: RepoPath,
  yielded: readonly Hold[],
  by: AgentState,
  facts: Facts,
): void {
  if (draft.path(path).holds.some(({ agent }) => agent !== by.id))
    endYielded(draft, path, yielded, by, facts);
}
