/** What the victim of a deadlock has to give up, whether guard can take it from the victim, and how. */
import { isWriting } from '../alive.ts';
import { isShadow } from '../shadow.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, GraphEdge, LetGo, Policy, RepoPath } from '../types.ts';
import { dropHolds } from './holds.ts';
import { reservedOver, liveHolds, yields } from './lease.ts';
import { heldBy } from './reserved.ts';
import { indexReservations } from './reserved-index.ts';
import { noteRevoked } from './note-revoked.ts';
import type { Seeing } from './transaction.ts';

/** A place in a queue can be passed by another waiter; everything else ends only when its agent releases it. */
export const isHeld = ({ because }: GraphEdge): boolean => because !== 'ticket';

/** What an edge waits for, as a string: a path, or an agent's end. */
export const stepOf = ({ path, to, because }: GraphEdge): string => (because === 'agent' ? endOf(to) : path);

/** No path begins like this. */
export const endOf = (agent: AgentId): string => `\0${agent}`;

/** What the previous agent in the cycle waits for, and its holder: the victim, or an agent that waits for its end. */
interface Kept {
  readonly holder: AgentId;
  readonly paths: readonly RepoPath[];
}

/** @param edges every wait of the agents in the cycle, as of now */
function keptBehind(victim: AgentId, cycle: readonly GraphEdge[], edges: readonly GraphEdge[]): Kept {
  let holder = victim;
  let into = cycle.find(({ to }) => to === holder);
  while (into?.because === 'agent' && into.from !== victim) {
    holder = into.from;
    into = cycle.find(({ to }) => to === holder);
  }
  const before = into?.from;
  const held = edges.filter((edge) => edge.because === 'hold' && edge.to === holder && edge.from === before);
  return { holder, paths: [...new Set(held.map(({ path }) => path))].sort() };
}

/**
 * What this agent can give up to end the cycle: what it holds itself, or what it takes over from the agent that started
 * it and waits for it. If `release` is empty, it can only stop waiting.
 */
export function releaseVictim(
  seeing: Seeing,
  victim: AgentId,
  cycle: readonly GraphEdge[],
  edges: readonly GraphEdge[],
): LetGo {
  const { changes, facts } = seeing;
  const { holder, paths: release } = keptBehind(victim, cycle, edges);
  if (holder !== victim)
    return release.length > 0 && release.every((path) => canTakeOver(seeing, victim, holder, path))
      ? { release, held_by: holder }
      : { release: [] };
  const covering = release
    .flatMap((path) => reservedOver(changes, path, facts))
    .filter(({ agent }) => agent === victim);
  const reservations = [...new Set(covering.map(({ id }) => id))];
  if (reservations.length === 0) return { release };
  const leases = release.filter((path) => changes.path(path).holds.some(({ agent }) => agent === victim));
  return { release, reservations, leases };
}

/** A subagent can take over its parent's exclusive lease if no write is in flight (lease.ts), but not a reservation. */
function canTakeOver({ changes, facts }: Seeing, child: AgentId, holder: AgentId, path: RepoPath): boolean {
  const asker = changes.agent(child);
  if (asker?.parent !== holder || isShadow(path)) return false;
  const hold = liveHolds(changes, path, facts).find(({ agent }) => agent === holder);
  const reserved = reservedOver(changes, path, facts);
  if (hold?.mode !== 'exclusive' || reserved.some(({ agent }) => agent === holder)) return false;
  return yields({ changes, agent: asker, facts }, path, hold);
}

/** The `LetGo` part of a larger object. */
export const onlyLetGo = ({ release, reservations, leases, held_by }: LetGo): LetGo => ({
  release,
  ...(reservations === undefined ? {} : { reservations }),
  ...(leases === undefined ? {} : { leases }),
  ...(held_by === undefined ? {} : { held_by }),
});

/** The resolution that is possible now; otherwise `notify`, with a note for the record. */
export function resolutionFor(
  { changes, facts }: Seeing,
  victim: AgentId,
  { release: paths, held_by = victim }: LetGo,
  resolve: Policy['resolve'] = facts.policy.resolve,
): { resolve: Policy['resolve']; note: string | null } {
  if (resolve === 'cancel' && changes.agent(victim)?.drafted_by === undefined)
    return { resolve: 'notify', note: 'not cancelled: guard did not start the victim' };
  const isBusy = paths.some((path) => isWriting(changes, path, held_by, facts));
  if (resolve === 'release' && isBusy)
    return { resolve: 'notify', note: 'not released: the victim is writing' };
  if (resolve === 'release' && paths.some(isShadow))
    return { resolve: 'notify', note: 'not released: another lock server keeps it' };
  return { resolve, note: null };
}

interface Taken extends LetGo {
  readonly victim: AgentId;
  readonly cycle: readonly GraphEdge[];
}

export function takeAway(changes: Changes, dead: Taken, facts: Facts): void {
  const { victim, cycle, release, leases = release, held_by: holder = victim } = dead;
  const winnerOf = (path: RepoPath | undefined): AgentId =>
    cycle.find((edge) => edge.to === holder && edge.path === path)?.from ?? victim;
  const revoked = { type: 'revoke', agent: holder, ts_ms: facts.now.wall_ms, cause: 'deadlock' } as const;
  for (const path of leases) {
    dropHolds(changes, path, holder);
    const to = winnerOf(path);
    noteRevoked(changes, holder, { path, to, cause: 'deadlock' }, facts);
    changes.record({ ...revoked, path, to });
  }
  const { reservations = [] } = dead;
  if (reservations.length === 0) return;
  const held = heldBy(changes, victim);
  const ended = held.filter(({ id }) => reservations.includes(id));
  indexReservations(
    changes,
    victim,
    held.filter((one) => !ended.includes(one)),
  );
  const patterns = ended.map(({ scope, pattern }) => scope + pattern);
  changes.record({ ...revoked, reservations, patterns, to: winnerOf(release[0]) });
}
