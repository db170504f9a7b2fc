/** Giving reservations back: some, all, or whatever lies on a path. Nobody else's can be ended. */
import { parseGlob } from '../glob/parse.ts';
import { AGENTS, GLOBS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { overlay } from '../overlay.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts, RepoPath } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { leaveQueue } from './edges.ts';
import { pathsHeldBy } from './held-paths.ts';
import { setHolds } from './holds.ts';
import { liveHolds } from './lease.ts';
import { allReserved, matchesIn, meetIn } from './overlap.ts';
import { keepPromises } from './promised.ts';
import { heldBy, isReservationLive } from './reserved.ts';
import type { OwnedReservation } from './reserved.ts';
import { indexReservations } from './reserved-index.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';

export interface UnreserveEvent {
  readonly type: 'unreserve';
  readonly who: Who;
  /** Null: all of them. */
  readonly ids: readonly string[] | null;
}

/** An id that nobody holds counts as released; what is no id of a reservation does not. */
export interface Unreserved {
  readonly id: string;
  readonly released: boolean;
  readonly was_held: boolean;
  readonly is_unknown?: true;
}

export function unreserve(view: View, event: UnreserveEvent, facts: Facts): Step<readonly Unreserved[]> {
  const seen = overlay(view, [...view.range(AGENTS), ...view.range(GLOBS)], [AGENTS, GLOBS]);
  const draft = draftOver(seen);
  const agent = present(draft, event.who, facts, view.next);
  const mine = heldBy(draft, agent.id);
  const live = mine.filter((one) => isReservationLive(draft, one, facts));
  const ids = [...new Set(event.ids ?? live.map(({ id }) => id))];
  const ended = live.filter(({ id }) => ids.includes(id));
  if (ended.length > 0) end(draft, agent, ended, [], facts);
  keepPromises(draft, agent.id, { paths: [], reservations: ended }, facts, view.next);
  const others = new Set(allReserved(draft, facts).map(({ id }) => id));
  const results = ids.map((id): Unreserved => {
    const was_held = ended.some((one) => one.id === id);
    if (!/^r-\d{1,15}$/.test(id)) return { id, released: false, was_held: false, is_unknown: true };
    return { id, released: was_held || !others.has(id), was_held };
  });
  return answer(draft, agent, facts, results);
}

/** Writes the end of reservations, and of leases on files, and leaves what the rest of them is. */
function end(
  draft: Draft,
  agent: AgentState,
  ended: readonly OwnedReservation[],
  paths: readonly RepoPath[],
  facts: Facts,
): void {
  if (ended.length > 0) {
    const left = heldBy(draft, agent.id).filter((one) => !ended.some(({ id }) => id === one.id));
    indexReservations(
      draft,
      agent.id,
      left.filter((one) => isReservationLive(draft, one, facts)),
    );
  }
  draft.record({
    type: 'release',
    agent: agent.id,
    ts_ms: facts.now.wall_ms,
    ...(paths.length > 0 ? { paths } : {}),
    ...(ended.length > 0
      ? { reservations: ended.map(({ id }) => id), patterns: ended.map((one) => one.scope + one.pattern) }
      : {}),
  });
}

export interface ReleaseOverEvent {
  readonly type: 'release.over';
  readonly who: Who;
  readonly scope: string;
  /** A file, or a glob. */
  readonly pattern: string;
}

/** What really ended. */
export interface ReleasedOver {
  readonly reservations: readonly { readonly id: string; readonly pattern: string }[];
  readonly paths: readonly RepoPath[];
}

/** Everything that the agent holds on what the pattern means: a reservation that is wider ends as a whole. */
export function releaseOver(view: View, event: ReleaseOverEvent, facts: Facts): Step<ReleasedOver> {
  const { id } = event.who;
  const draft = draftOver(view);
  const agent = present(draft, event.who, facts, view.next);
  const mine = pathsHeldBy(view, draft, id, facts);
  const { scope, pattern } = event;
  const held = heldOver(draft, id, scope, pattern, mine, facts);
  const released = dropOver(draft, agent, scope, pattern, mine, facts);
  keepPromises(draft, id, held, facts, view.next);
  return answer(draft, agent, facts, released);
}

/** Ends what the agent holds there, and answers what that was. */
export function dropOver(
  draft: Draft,
  agent: AgentState,
  scope: string,
  pattern: string,
  candidates: readonly RepoPath[],
  facts: Facts,
): ReleasedOver {
  const { reservations, paths } = heldOver(draft, agent.id, scope, pattern, candidates, facts);
  for (const path of paths) {
    const state = draft.path(path);
    setHolds(draft, path, { ...state, holds: state.holds.filter((hold) => hold.agent !== agent.id) });
    leaveQueue(draft, path, agent);
  }
  if (paths.length + reservations.length > 0) end(draft, agent, reservations, paths, facts);
  return { reservations: reservations.map(({ id, pattern: of }) => ({ id, pattern: of })), paths };
}

/** What an agent holds that has a path in common with the pattern. @param candidates all that it may hold (held-paths.ts) */
export function heldOver(
  draft: Draft,
  agent: AgentId,
  scope: string,
  pattern: string,
  candidates: readonly RepoPath[],
  facts: Facts,
): { readonly reservations: readonly OwnedReservation[]; readonly paths: readonly RepoPath[] } {
  const glob = parseGlob(pattern);
  const reservations = heldBy(draft, agent)
    .filter((one) => isReservationLive(draft, one, facts))
    .filter((one) => meetIn(one, scope, glob));
  const paths = candidates
    .filter((path) => liveHolds(draft, path, facts).some((hold) => hold.agent === agent))
    .filter((path) => matchesIn(scope, glob, path));
  return { reservations, paths };
}
