/** What people and programs ask about a ledger: who is here, who holds what, who waits for whom. */
import { isAlive } from './alive.ts';
import { agentOfKey, AGENTS, GLOBS, PATHS, pathOfKey, WAITS } from './keys.ts';
import type { Lsn, View } from './ledger.ts';
import { callsOpenAt, type Outlook, outlookOf } from './outlook.ts';
import { leftOf } from './profiles.ts';
import { isShadow } from './shadow.ts';
import { type Changes, changesOver } from './states.ts';
import { rfc3339 } from './rfc3339.ts';
import type { AgentId, AgentState, Facts, Hold, Mode, RepoPath } from './types.ts';
import { liveHolds } from './rules/lease.ts';
import { type ReservationReport, reservationReports } from './rules/reservation-report.ts';
import { spawns } from './rules/children.ts';
import { circlesNow } from './rules/circles-now.ts';
import { type Cycle, edgesOf, type GraphEdge } from './rules/wait-graph.ts';

export interface LeaseReport extends Outlook {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly mode: Mode;
  readonly token: number;
  readonly since: string;
  /** The command line (tool_use_id) that took it for itself, and gives it back when it ends. Absent: an ordinary lease. */
  readonly command?: string;
}

export interface AgentReport {
  readonly agent: AgentId;
  readonly kind: AgentState['kind'];
  readonly joined: string;
  readonly last_active_seconds: number;
  readonly pid: number | null;
  readonly turn: number;
  readonly denials: number;
  /** Paths of the write that is in flight. */
  readonly writing: readonly RepoPath[];
  /** Tool calls that it is in, as far as they may outlast a silence; the oldest first. */
  readonly at_work: readonly { readonly tool: string; readonly since: string }[];
}

export interface StatusReport {
  readonly agents: readonly AgentReport[];
  readonly leases: readonly LeaseReport[];
  readonly reservations: readonly ReservationReport[];
  readonly waits: readonly GraphEdge[];
  readonly cycles: readonly Cycle[];
}

/** Live agents, leases and waits of this moment. */
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

const aliveIn = (view: View, changes: Changes, facts: Facts): AgentId[] =>
  view
    .range(AGENTS)
    .map(([key]) => agentOfKey(key))
    .filter((id) => isAlive(changes, id, facts));

/** Nobody holds a path that was last touched before anybody who is still alive had joined. */
const oldestOf = (changes: Changes, alive: readonly AgentId[]): Lsn =>
  Math.min(Infinity, ...alive.map((id) => changes.agent(id)?.joined_lsn ?? 0));

const leasesIn = (changes: Changes, paths: ReturnType<View['range']>, facts: Facts): LeaseReport[] =>
  paths.flatMap(([key]) => leasesOf(changes, pathOfKey(key), facts));

/** Of so many paths that were touched last. */
const NEWEST = 64;

/** All that are held, or, where those are more than `enough`, some of the newest. */
export function someLeases(
  view: View,
  facts: Facts,
  enough: number,
): { readonly leases: readonly LeaseReport[]; readonly isAll: boolean } {
  const newest = view.range(PATHS, 0, NEWEST);
  const leases = leasesIn(changesOver(view), newest, facts);
  if (newest.length < NEWEST) return { leases, isAll: true };
  if (leases.length > enough) return { leases, isAll: false };
  return { leases: leasesNow(view, facts), isAll: true };
}

/** All that are held. */
export function leasesNow(view: View, facts: Facts): LeaseReport[] {
  const changes = changesOver(view);
  return leasesIn(changes, view.range(PATHS, oldestOf(changes, aliveIn(view, changes, facts))), facts);
}

/** Who waits for whom, and the circles among them. */
export function waitsNow(view: View, facts: Facts): Pick<StatusReport, 'waits' | 'cycles'> {
  const changes = changesOver(view);
  return waitsAmong(changes, aliveIn(view, changes, facts), facts);
}

function waitsAmong(
  changes: Changes,
  alive: readonly AgentId[],
  facts: Facts,
): Pick<StatusReport, 'waits' | 'cycles'> {
  const blocked = alive.filter((id) => spawns(changes.agent(id), facts).length > 0);
  const waiting = [...new Set([...changes.view.range(WAITS).map(([key]) => agentOfKey(key)), ...blocked])];
  const waits = waiting.flatMap((id) => edgesOf(changes, id, facts));
  return { waits, cycles: circlesNow(changes, waiting, waits, facts) };
}

/** A sign of life that is put on record only later. */
const holds = (
  id: AgentId,
  leases: readonly LeaseReport[],
  reservations: readonly ReservationReport[],
): boolean =>
  leases.some(({ holder }) => holder === id) || reservations.some(({ agent_id }) => agent_id === id);

/** Without a process to look at, an agent that was silent for longer than a lease lasts is not listed. */
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
      since: rfc3339(now.wall_ms + call.since_mono_ms - now.mono_ms),
    })),
  };
}

function leasesOf(changes: Changes, path: RepoPath, facts: Facts): LeaseReport[] {
  return liveHolds(changes, path, facts).map((hold) => leaseReport(changes, path, hold, facts));
}

export function leaseReport(changes: Changes, path: RepoPath, hold: Hold, facts: Facts): LeaseReport {
  return {
    path,
    holder: hold.agent,
    mode: hold.mode,
    token: hold.token,
    since: rfc3339(hold.since_wall_ms),
    ...(hold.command === undefined ? {} : { command: hold.command }),
    ...outlookOf(changes, path, hold, facts),
  };
}
