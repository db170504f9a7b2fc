/** What the victim of a deadlock has to give up, whether that can be taken from it, and taking it. */
import { isIntentLive } from '../alive.ts';
import { GLOBS } from '../keys.ts';
import { isShadow } from '../shadow.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, GraphEdge, LetGo, Policy, RepoPath } from '../types.ts';
import { leaveQueue } from './edges.ts';
import { heldBy, reservationsOn } from './reserved.ts';
import { keep } from './reserved-index.ts';
import { noteRevoked } from './revoke.ts';

export const isHeld = ({ because }: GraphEdge): boolean => because === 'hold';

/** @param edges every wait of those in the cycle, as of now */
export function letGo(
  draft: Draft,
  victim: AgentId,
  cycle: readonly GraphEdge[],
  edges: readonly GraphEdge[],
  facts: Facts,
): LetGo {
  const before = cycle.filter(({ to }) => to === victim).map(({ from }) => from);
  const held = edges.filter((edge) => isHeld(edge) && edge.to === victim && before.includes(edge.from));
  const release = [...new Set(held.map(({ path }) => path))].sort();
  const covering = draft.get(GLOBS)
    ? release.flatMap((path) => reservationsOn(draft, path, facts)).filter(({ agent }) => agent === victim)
    : [];
  const reservations = [...new Set(covering.map(({ id }) => id))];
  if (reservations.length === 0) return { release };
  const leases = release.filter((path) => draft.path(path).holds.some(({ agent }) => agent === victim));
  return { release, reservations, leases };
}

/** Of something larger. */
export const onlyLetGo = ({ release, reservations, leases }: LetGo): LetGo => ({
  release,
  ...(reservations === undefined ? {} : { reservations }),
  ...(leases === undefined ? {} : { leases }),
});

/** What cannot be done now becomes a notice, and the record says why. */
export function resolutionFor(
  draft: Draft,
  victim: AgentId,
  paths: readonly RepoPath[],
  facts: Facts,
): { resolve: Policy['resolve']; note: string | null } {
  const { resolve } = facts.policy;
  if (resolve === 'cancel' && draft.agent(victim)?.drafted_by === undefined)
    return { resolve: 'notify', note: 'not cancelled: guard did not start the victim' };
  const isBusy = paths.some((path) => {
    const { intent } = draft.path(path);
    return isIntentLive(draft, intent, facts) && intent.agent === victim;
  });
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

export function takeAway(draft: Draft, dead: Taken, facts: Facts): void {
  const { victim, cycle, release, leases = release } = dead;
  const winnerOf = (path: RepoPath | undefined): AgentId =>
    cycle.find((edge) => edge.to === victim && edge.path === path)?.from ?? victim;
  const revoked = { type: 'revoke', agent: victim, ts_ms: facts.now.wall_ms, cause: 'deadlock' } as const;
  for (const path of leases) {
    const state = draft.path(path);
    draft.setPath(path, { ...state, holds: state.holds.filter((hold) => hold.agent !== victim) });
    leaveQueue(draft, path, { id: victim });
    const to = winnerOf(path);
    noteRevoked(draft, victim, { path, to, cause: 'deadlock' }, facts);
    draft.record({ ...revoked, path, to });
  }
  const { reservations = [] } = dead;
  if (reservations.length === 0) return;
  const held = heldBy(draft, victim);
  const ended = held.filter(({ id }) => reservations.includes(id));
  keep(
    draft,
    victim,
    held.filter((one) => !ended.includes(one)),
  );
  const patterns = ended.map(({ scope, pattern }) => scope + pattern);
  draft.record({ ...revoked, reservations, patterns, to: winnerOf(release[0]) });
}
