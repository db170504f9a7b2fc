/** The status of a ledger for people and programs: the agents here, the holders, and which agent waits for which. */
import { GLOBS, PATHS } from './keys.ts';
import type { View } from './ledger.ts';
import { type LeaseReport, leasesIn } from './leases.ts';
import { aliveIn, oldestOf } from './living.ts';
import { callsOpenAt } from './outlook.ts';
import { leftOf } from './profiles.ts';
import { isShadow } from './shadow.ts';
import { type Changes, changesOver } from './states.ts';
import { rfc3339 } from './rfc3339.ts';
import type { AgentId, AgentState, Facts, RepoPath } from './types.ts';
import { type ReservationReport, reservationReports } from './rules/reservation-report.ts';
import { type WaitReport, waitsAmong } from './waits-now.ts';
import { wallAt } from './wall-time.ts';

interface AgentReport {
  readonly agent: AgentId;
  readonly kind: AgentState['kind'];
  readonly joined: string;
  readonly last_active_seconds: number;
  readonly pid: number | null;
  readonly turn: number;
  readonly denials: number;
  /** Paths of the write in flight. */
  readonly writing: readonly RepoPath[];
  /** Open tool calls that may outlast a silence, oldest first. */
  readonly at_work: readonly { readonly tool: string; readonly since: string }[];
}

export interface StatusReport extends WaitReport {
  readonly agents: readonly AgentReport[];
  readonly leases: readonly LeaseReport[];
  readonly reservations: readonly ReservationReport[];
}

/** The live agents, leases and waits of this moment. */
export function statusOf(view: View, facts: Facts): StatusReport {
  const changes = changesOver(view);
  const alive = aliveIn(view, changes, facts);
  const since = oldestOf(changes, alive);
  const leases = leasesIn(changes, view.range(PATHS, since), facts);
  const reservations = changes.get(GLOBS) ? reservationReports(changes, facts) : [];
  const left = leftOf(view, changes, since).filter((id) => !holds(id, leases, reservations));
  return {
    agents: alive
      .filter((id) => !isShadow(id) && !left.includes(id) && isHere(changes, id, facts))
      .map((id) => agentReport(changes, id, facts)),
    leases,
    reservations,
    ...waitsAmong(changes, alive, facts),
  };
}

/** An agent that holds something is still here, even if its sign of life is recorded only later. */
const holds = (
  id: AgentId,
  leases: readonly LeaseReport[],
  reservations: readonly ReservationReport[],
): boolean =>
  leases.some(({ holder }) => holder === id) || reservations.some(({ agent_id }) => agent_id === id);

/** If no process is known, an agent that has been silent for longer than a ttl is not listed. */
function isHere(changes: Changes, id: AgentId, facts: Facts): boolean {
  const state = changes.agent(id);
  if (state === undefined) return false;
  return state.proc !== null || facts.now.mono_ms - state.active_mono_ms < facts.policy.ttl_ms;
}

function agentReport(changes: Changes, id: AgentId, { now }: Facts): AgentReport {
  const state = changes.agent(id);
  if (state === undefined) throw new Error(`no state of ${id}`);
  return {
    agent: id,
    kind: state.kind,
    joined: rfc3339(state.joined_wall_ms),
    last_active_seconds: Math.max(0, Math.round((now.mono_ms - state.active_mono_ms) / 1000)),
    pid: state.proc?.pid ?? null,
    turn: state.turn,
    denials: state.denials,
    writing: state.op?.paths ?? [],
    at_work: (state.boot === now.boot ? callsOpenAt(state, now.mono_ms) : []).map((call) => ({
      tool: call.tool,
      since: wallAt(call.since_mono_ms, now),
    })),
  };
}
