/** What every grant does: a new lease, and the end of those that yielded to it. */
import type { Lsn } from '../ledger.ts';
import type { Draft } from '../states.ts';
import type { AgentState, Facts, Hold, Mode, RepoPath } from '../types.ts';

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

/** Writes down whose leases end because they yielded to this agent. */
export function revoke(
  draft: Draft,
  path: RepoPath,
  holds: readonly Hold[],
  by: AgentState,
  facts: Facts,
): void {
  for (const hold of holds) {
    const state = draft.path(path);
    draft.setPath(path, {
      ...state,
      holds: state.holds.filter((other) => other.token !== hold.token || other.agent !== hold.agent),
      queue: state.queue.filter((ticket) => ticket.agent !== hold.agent),
    });
    draft.record({
      type: 'revoke',
      agent: hold.agent,
      ts_ms: facts.now.wall_ms,
      path,
      token: hold.token,
      to: by.id,
      cause: by.parent === hold.agent ? 'delegated' : 'idle',
    });
  }
}
