/** What a status line shows of one session. It is refreshed all the time, so nothing of other agents is listed. */
import { isAlive } from './alive.ts';
import { agentOfKey, WAITS } from './keys.ts';
import type { View } from './ledger.ts';
import { edgesOf, isEdgeLive } from './rules/wait-graph.ts';
import { pathsHeldBy } from './rules/held-paths.ts';
import { liveHolds } from './rules/lease.ts';
import { type Changes, changesOver } from './states.ts';
import type { AgentId, Facts } from './types.ts';

export interface SessionGlance {
  /** Files that the session and its subagents have locked. */
  readonly locks: number;
  /** Agents that now wait for one of them. */
  readonly waiters: number;
  /** How long the session itself has been waiting; `null` if it is not. */
  readonly waits_ms: number | null;
  /** It is the victim of a deadlock and has been notified. */
  readonly is_victim: boolean;
}

/** `null` if the ledger does not know the session, or the session has ended. @param main the session's main agent */
export function glanceOf(view: View, main: AgentId, facts: Facts): SessionGlance | null {
  const changes = changesOver(view);
  const state = changes.agent(main);
  if (state === undefined || !isAlive(changes, main, facts)) return null;
  const own = [main, ...(state.children ?? [])].filter((id) => isAlive(changes, id, facts));
  return {
    locks: locksOf(view, changes, own, facts),
    waiters: waitersOn(view, changes, own, facts),
    waits_ms: waitingFor_ms(changes, own, facts),
    is_victim: own.some((id) => (changes.wait(id).verdicts ?? []).length > 0),
  };
}

const locksOf = (view: View, changes: Changes, own: readonly AgentId[], facts: Facts): number =>
  new Set(
    own.flatMap((id) =>
      pathsHeldBy(view, changes, id, facts).filter((path) =>
        liveHolds(changes, path, facts).some(({ agent }) => agent === id),
      ),
    ),
  ).size;

const waitersOn = (view: View, changes: Changes, own: readonly AgentId[], facts: Facts): number =>
  view
    .range(WAITS)
    .map(([key]) => agentOfKey(key))
    .filter((id) => !own.includes(id))
    .filter((id) => edgesOf(changes, id, facts).some(({ to, kind }) => kind === 'wait' && own.includes(to)))
    .length;

function waitingFor_ms(changes: Changes, own: readonly AgentId[], facts: Facts): number | null {
  const began = own
    .filter((id) => edgesOf(changes, id, facts).some(({ kind, path }) => kind === 'wait' && path !== ''))
    .flatMap((id) => changes.wait(id).edges)
    .filter((edge) => edge.kind === 'wait' && isEdgeLive(edge, facts))
    .map(({ since_mono_ms }) => since_mono_ms);
  return began.length === 0 ? null : Math.max(0, facts.now.mono_ms - Math.min(...began));
}
