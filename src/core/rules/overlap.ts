/** Which reservations and which files a glob overlaps. */
import { areApart } from '../glob/apart.ts';
import { intersects } from '../glob/intersect.ts';
import { matchesGlob } from '../glob/match.ts';
import { parseGlob } from '../glob/parse.ts';
import type { Glob } from '../glob/pattern.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { reserversMeeting, reserversOn } from './places.ts';
import { placeOfPath } from './place-of-path.ts';
import { allReservers, liveReservationsOf } from './reserved.ts';
import type { OwnedReservation, ScopedPattern } from './reserved.ts';

/** Every live reservation, oldest first. */
export function allReserved(changes: Changes, facts: Facts): OwnedReservation[] {
  return reservedBy(changes, allReservers(changes), facts);
}

/** The live reservations of some agents, oldest first. */
export const reservedBy = (changes: Changes, agents: readonly AgentId[], facts: Facts): OwnedReservation[] =>
  agents.flatMap((agent) => liveReservationsOf(changes, agent, facts)).sort((a, b) => a.token - b.token);

/** All agents that may have reserved something that one of the globs matches too. */
export const reserversOver = (changes: Changes, scope: string, globs: readonly Glob[]): AgentId[] =>
  reserversNear(changes, scope, globs) ?? allReservers(changes);

/** The same; `null` if all agents with reservations have to be looked at. */
export function reserversNear(changes: Changes, scope: string, globs: readonly Glob[]): AgentId[] | null {
  if (changes.view.indexed !== true) return null;
  const met = globs.map((glob) => reserversMeeting(changes, scope, glob));
  return met.includes(null) ? null : [...new Set(met.flatMap((ids) => ids ?? []))];
}

/** All agents that may have reserved one of the paths. */
export function reserversOf(changes: Changes, paths: readonly RepoPath[]): readonly AgentId[] {
  if (changes.view.indexed !== true) return allReservers(changes);
  const found = paths.flatMap((path) => {
    const place = placeOfPath(path);
    return place === null ? [] : reserversOn(changes, { scope: place.scope, names: place.rel.split('/') });
  });
  return [...new Set(found)];
}

/** The live reservations of one checkout, each parsed at most once for many comparisons. */
export interface OverlapStanding {
  readonly one: OwnedReservation;
  readonly meets: (glob: Glob) => boolean;
}

export const standingIn = (scope: string, reserved: readonly OwnedReservation[]): OverlapStanding[] =>
  reserved.filter((one) => one.scope === scope).map((one) => ({ one, meets: meeting(one.pattern) }));

function meeting(pattern: string): OverlapStanding['meets'] {
  let own: Glob | undefined;
  return (glob) => !areApart(pattern, glob.text) && intersects((own ??= parseGlob(pattern)), glob);
}

/** True if the two have a path in one checkout in common. */
export const meetIn = (one: ScopedPattern, scope: string, glob: Glob): boolean =>
  one.scope === scope && intersects(parseGlob(one.pattern), glob);

export function matchesIn(scope: string, glob: Glob, path: RepoPath): boolean {
  const place = placeOfPath(path);
  return place?.scope === scope && matchesGlob(glob, place.rel);
}
