// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Releases some paths, everything, or waits. Nothing here can end another agent's lease. */
import { leaseIn } from '../lease-scope.ts';
import type { View } from '../ledger.ts';
import type { Changes } from '../states.ts';
import type { AgentId, AgentState, Facts, ProcessMark, RepoPath } from '../types.ts';
import { addEdge, leaveQueue } from './edges.ts';
import { dropLeases } from './agent.ts';
import type { Who } from './who.ts';
import { indexAnew, pathsHeldBy } from './held-paths.ts';
import { dropHolds } from './holds.ts';
import { isHolder, reservedOver } from './lease.ts';
import { asksFor, keepPromises, requestsTo, waive } from './promised.ts';
import type { OwnedReservation } from './reserved.ts';
import { staysFor } from './tickets.ts';
import { transactionOf } from './opened.ts';
import { answer, record, type Step, type Transaction } from './transaction.ts';

export interface ReleaseEvent {
  readonly type: 'lock.release';
  readonly who: Who;
  readonly paths: readonly RepoPath[];
}

/** `released`: the caller does not hold it afterwards; `was_held`: it did before. */
export interface ReleaseResult {
  readonly path: RepoPath;
  readonly released: boolean;
  readonly was_held: boolean;
  /** Its reservations that still cover the path. */
  readonly reserved: readonly StillReserved[];
}

export type StillReserved = Pick<OwnedReservation, 'id' | 'pattern' | 'reason'>;

/** Idempotent: releasing what is not held succeeds. */
export function release(view: View, event: ReleaseEvent, facts: Facts): Step<readonly ReleaseResult[]> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const given = [...new Set(event.paths)];
  const paths = [...new Set(given.map((path) => leaseIn(changes, path)))];
  const held = paths.filter((path) => isHolder(changes, path, agent.id, facts));
  for (const path of held) dropHolds(changes, path, agent.id);
  for (const path of paths) waive(changes, agent.id, path);
  obey(changes, agent, held);
  if (held.length > 0) {
    forget(tx);
    record(tx, 'release', { paths: held });
  }
  keepPromises(tx, { paths: held, reservations: [] });
  const ended = new Set(held);
  const results = given.map((path): ReleaseResult => {
    const reserved = stillReserved(changes, agent.id, path, facts);
    const was_held = ended.has(leaseIn(changes, path)) || reserved.length > 0;
    return { path, released: reserved.length === 0, was_held, reserved };
  });
  return answer(tx, results);
}

function stillReserved(changes: Changes, agent: AgentId, path: RepoPath, facts: Facts): StillReserved[] {
  return reservedOver(changes, path, facts)
    .filter((one) => one.agent === agent)
    .map(({ id, scope, pattern, reason }) => ({ id, pattern: scope + pattern, reason }));
}

/** An agent that was refused and holds nothing is in no one's way, so what it wanted is not an edge (section 7). */
function forget(tx: Transaction): void {
  const { changes, agent } = tx;
  const wait = changes.wait(agent.id);
  const waits = wait.edges.filter(({ kind }) => kind === 'wait');
  if (waits.length === wait.edges.length || holdsMore(tx)) return;
  changes.setWait(agent.id, { ...wait, edges: waits });
}

/** Needed only for the few agents that were refused something. */
const holdsMore = ({ view, changes, agent, facts }: Transaction): boolean =>
  pathsHeldBy(view, changes, agent.id, facts).some((path) =>
    changes.path(path).holds.some((hold) => hold.agent === agent.id && hold.epoch === agent.epoch),
  );

/** A victim that released everything a cycle required of it is no longer a victim. */
function obey(changes: Changes, agent: AgentState, released: readonly RepoPath[]): void {
  const wait = changes.wait(agent.id);
  if (wait.verdicts === undefined || released.length === 0) return;
  const verdicts = wait.verdicts
    .map((verdict) => ({ ...verdict, release: verdict.release.filter((path) => !released.includes(path)) }))
    .filter(({ release: left, told }) => !told || left.length > 0);
  changes.setWait(agent.id, { ...wait, verdicts });
}

export interface ReleaseAllEvent {
  readonly type: 'lock.release_all';
  readonly who: Who;
  /** What the caller saw this agent hold, for readers of the record; the release itself covers everything. */
  readonly held: readonly RepoPath[];
}

/** Rewrites one number, however many leases there are (types.ts, `epoch`). */
export function releaseAllLeases(view: View, event: ReleaseAllEvent, facts: Facts): Step<null> {
  const { id } = event.who;
  const tx = transactionOf(view, event.who, facts);
  const { changes } = tx;
  indexAnew(view, changes, facts.now.wall_ms);
  const talks = requestsTo(changes, id);
  const asked = event.held.filter((path) => talks.some((negotiation) => asksFor(negotiation, path)));
  dropLeases(changes, tx.agent);
  record(tx, 'release', { all: true, paths: event.held });
  keepPromises(tx, { paths: asked, reservations: [] });
  return answer(tx, null);
}

export interface UnwaitEvent {
  readonly type: 'lock.unwait';
  readonly who: Who;
  readonly paths: readonly RepoPath[];
  readonly cause: 'timeout' | 'cancelled';
  /** The process that waited: other processes of this agent may keep waiting. Absent or `null` if not known. */
  readonly waiter?: ProcessMark | null;
}

/** The end of a wait that was not granted. After a timeout the path stays "wanted" for a while (section 7). */
export function unwait(view: View, event: UnwaitEvent, facts: Facts): Step<null> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const paths = event.paths
    .map((path) => leaseIn(changes, path))
    .filter((path) => !staysFor(tx, path, event.waiter ?? null));
  for (const path of paths) leaveQueue(changes, path, agent);
  const wait = changes.wait(agent.id);
  const ended = wait.edges.filter((edge) => edge.kind === 'wait' && paths.includes(edge.path));
  changes.setWait(agent.id, { ...wait, edges: wait.edges.filter((edge) => !ended.includes(edge)) });
  if (event.cause === 'timeout') {
    for (const edge of ended) addEdge(tx, edge.path, edge.mode, null);
  }
  record(tx, 'unwait', { paths: event.paths, cause: event.cause });
  return answer(tx, null);
}
