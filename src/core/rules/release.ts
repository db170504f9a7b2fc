// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Letting go: of some paths, of everything, and of waits. Nothing here can end another agent's lease. */
import { GLOBS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts, ProcessMark, RepoPath } from '../types.ts';
import { addEdge, leaveQueue } from './edges.ts';
import { dropLeases, present } from './agent.ts';
import type { Who } from './agent.ts';
import { indexAnew, pathsHeldBy } from './held-paths.ts';
import { setHolds } from './holds.ts';
import { liveHolds } from './lease.ts';
import { asksFor, keepPromises, requestsTo, waive } from './promised.ts';
import { reservationsOn } from './reserved.ts';
import type { OwnedReservation } from './reserved.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import { staysFor } from './tickets.ts';

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
  const paths = [...new Set(event.paths)];
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const held = paths.filter((path) => liveHolds(draft, path, facts).some((hold) => hold.agent === agent.id));
  for (const path of held) drop(draft, path, agent);
  for (const path of paths) waive(draft, agent.id, path);
  obey(draft, agent, held);
  if (held.length > 0) forget(view, draft, agent, facts);
  if (held.length > 0) {
    draft.record({ type: 'release', agent: agent.id, ts_ms: facts.now.wall_ms, paths: held });
  }
  keepPromises(draft, agent.id, { paths: held, reservations: [] }, facts, view.next);
  const results = paths.map((path): ReleaseResult => {
    const reserved = stillReserved(draft, agent.id, path, facts);
    const was_held = held.includes(path) || reserved.length > 0;
    return { path, released: reserved.length === 0, was_held, reserved };
  });
  return answer(draft, agent, facts, results);
}

function stillReserved(draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): StillReserved[] {
  const all = draft.get(GLOBS) ? reservationsOn(draft, path, facts) : [];
  return all
    .filter((one) => one.agent === agent)
    .map(({ id, scope, pattern, reason }) => ({ id, pattern: scope + pattern, reason }));
}

/** Whoever lets go while it waits for more of the same file queues anew: a holder's place was never in anybody's way. */
function drop(draft: Draft, path: RepoPath, agent: AgentState): void {
  const state = draft.path(path);
  setHolds(draft, path, { ...state, holds: state.holds.filter((hold) => hold.agent !== agent.id) });
  leaveQueue(draft, path, agent);
}

/** Who was refused and holds nothing any more is in nobody's way: what it wanted is no edge (section 7). */
function forget(view: View, draft: Draft, agent: AgentState, facts: Facts): void {
  const wait = draft.wait(agent.id);
  const waits = wait.edges.filter(({ kind }) => kind === 'wait');
  if (waits.length === wait.edges.length || holdsMore(view, draft, agent, facts)) return;
  draft.setWait(agent.id, { ...wait, edges: waits });
}

/** Only for the few that were refused something. */
const holdsMore = (view: View, draft: Draft, agent: AgentState, facts: Facts): boolean =>
  pathsHeldBy(view, draft, agent.id, facts).some((path) =>
    draft.path(path).holds.some((hold) => hold.agent === agent.id && hold.epoch === agent.epoch),
  );

/** A victim that let go of everything that a cycle asked of it is none any more. */
function obey(draft: Draft, agent: AgentState, released: readonly RepoPath[]): void {
  const wait = draft.wait(agent.id);
  if (wait.verdicts === undefined || released.length === 0) return;
  const verdicts = wait.verdicts
    .map((verdict) => ({ ...verdict, release: verdict.release.filter((path) => !released.includes(path)) }))
    .filter(({ release: left, told }) => !told || left.length > 0);
  draft.setWait(agent.id, { ...wait, verdicts });
}

export interface ReleaseAllEvent {
  readonly type: 'lock.release_all';
  readonly who: Who;
  /** What the caller saw this agent hold, for the record's readers; the release itself is of everything. */
  readonly held: readonly RepoPath[];
}

/** One rewritten number, however many leases there are (types.ts, `epoch`). */
export function releaseAllLeases(view: View, event: ReleaseAllEvent, facts: Facts): Step<null> {
  const { id } = event.who;
  const draft = draftOver(view);
  indexAnew(view, draft, facts.now.wall_ms);
  const talks = requestsTo(draft, id);
  const asked = event.held.filter((path) => talks.some((talk) => asksFor(talk, path)));
  const agent = dropLeases(draft, present(draft, event.who, facts, view.next));
  draft.record({ type: 'release', agent: agent.id, ts_ms: facts.now.wall_ms, all: true, paths: event.held });
  keepPromises(draft, id, { paths: asked, reservations: [] }, facts, view.next);
  return answer(draft, agent, facts, null);
}

export interface UnwaitEvent {
  readonly type: 'lock.unwait';
  readonly who: Who;
  readonly paths: readonly RepoPath[];
  readonly cause: 'timeout' | 'cancelled';
  /** The process that waited: others of this agent may go on. Absent or null: not known. */
  readonly waiter?: ProcessMark | null;
}

/** The end of a wait that was not granted. After a timeout the path stays "wanted" for a while (section 7). */
export function unwait(view: View, event: UnwaitEvent, facts: Facts): Step<null> {
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const paths = event.paths.filter((path) => !staysFor({ draft, agent, facts }, path, event.waiter ?? null));
  for (const path of paths) leaveQueue(draft, path, agent);
  const wait = draft.wait(agent.id);
  const ended = wait.edges.filter((edge) => edge.kind === 'wait' && paths.includes(edge.path));
  draft.setWait(agent.id, { ...wait, edges: wait.edges.filter((edge) => !ended.includes(edge)) });
  if (event.cause === 'timeout') {
    for (const edge of ended) addEdge({ draft, agent, facts }, edge.path, edge.mode, null);
  }
  draft.record({
    type: 'unwait',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    paths: event.paths,
    cause: event.cause,
  });
  return answer(draft, agent, facts, null);
}
