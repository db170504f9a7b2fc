/** Reserving files by pattern, in the words of the tools: snake_case, failures of single items beside what went well. */
import { AGENTS, GLOBS } from '../core/keys.ts';
import { CONFLICTS_SHOWN, RESERVE_TTL_MS } from '../core/limits.ts';
import { overlay } from '../core/overlay.ts';
import type { Conflict, ReserveResult } from '../core/rules/reserve.ts';
import { reservationReport, reservationReports } from '../core/rules/reservation-report.ts';
import type { ReservationReport } from '../core/rules/reservation-report.ts';
import type { Meant } from '../core/rules/negotiate.ts';
import { draftOver } from '../core/states.ts';
import { isHere } from './desk.ts';
import type { Desk } from './desk.ts';
import { locatePattern } from './pattern.ts';
import { consult } from '../store/transact.ts';

export interface Reservation extends ReservationReport {
  readonly project: string;
}

export interface ConflictDetail extends Conflict {
  readonly held_by: string;
}

export interface ReserveRequest {
  readonly patterns: readonly string[];
  readonly reason: string;
  /** Undefined: 15 minutes; more than a day is a day. */
  readonly ttl_ms?: number;
  readonly exclusive: boolean;
  readonly all: boolean;
}

export interface ReserveAnswer {
  readonly reservations: readonly Reservation[];
  /** One sentence for each pattern that was not reserved. */
  readonly errors: readonly string[];
  /** At most 20 for each pattern. */
  readonly conflicts: readonly ConflictDetail[];
}

export function reserveFiles(desk: Desk, request: ReserveRequest): ReserveAnswer {
  const { found, errors } = locateAll(desk, request.patterns);
  if (request.all && errors.length > 0) return { reservations: [], errors, conflicts: [] };
  // Joining is a record of its own: what follows is the grant's.
  desk.ledger.run({ type: 'agent.present', who: desk.who });
  const results = ask(desk, found, request, false);
  const made = results.flatMap(({ reservation }) => reservation ?? []);
  return {
    reservations: made.map((one) => ({ ...reservationReport(one), project: desk.project })),
    errors: [...errors, ...results.flatMap(wordsFor)],
    conflicts: results.flatMap(({ conflicts }) => someOf(conflicts).map(detailOf)),
  };
}

/** Agents read these answers: the oldest in the way are enough, a thousand would be their whole memory. */
const someOf = <T>(conflicts: readonly T[]): readonly T[] => conflicts.slice(0, CONFLICTS_SHOWN);

const detailOf = (conflict: Conflict): ConflictDetail => ({ ...conflict, held_by: conflict.agent_id });

function locateAll(desk: Desk, patterns: readonly string[]): { found: Meant[]; errors: string[] } {
  const located = patterns.map((pattern) => locatePattern(desk.ledger, pattern));
  return {
    found: located.flatMap((one) => ('error' in one ? [] : [one])),
    errors: located.flatMap((one) => ('error' in one ? [`${one.file}: ${one.error}`] : [])),
  };
}

/** One transaction for each checkout; without `all` one for each pattern, so that each grant has its own number. */
function ask(desk: Desk, found: readonly Meant[], request: ReserveRequest, dry: boolean): ReserveResult[] {
  const groups = request.all || dry ? byScope(found) : found.map((one) => [one]);
  return groups.flatMap((group) =>
    desk.ledger.run({
      type: 'reserve',
      who: desk.who,
      scope: group[0]?.scope ?? '',
      patterns: group.map(({ pattern }) => pattern),
      mode: request.exclusive ? 'exclusive' : 'shared',
      reason: request.reason.slice(0, 500),
      ttl_ms: request.ttl_ms ?? RESERVE_TTL_MS,
      all: request.all,
      dry,
    }),
  );
}

function byScope(found: readonly Meant[]): Meant[][] {
  const scopes = [...new Set(found.map(({ scope }) => scope))];
  return scopes.map((scope) => found.filter((one) => one.scope === scope));
}

function wordsFor({ pattern, reservation, conflicts, error }: ReserveResult): string[] {
  if (reservation !== null) return [];
  if (error === 'QUOTA') return [`${pattern}: you have as many reservations as one agent may have`];
  const [one] = conflicts;
  if (one === undefined) return [`${pattern}: not reserved, because all were wanted`];
  const more = conflicts.length > 1 ? `; ${conflicts.length - 1} more are in the way` : '';
  return [
    `${pattern}: ${one.pattern} is held by ${one.agent_id} until ${one.expires_at} (${one.reason})${more}`,
  ];
}

export interface ConflictsAnswer {
  readonly conflicts: readonly (ConflictDetail & { readonly requested: string })[];
  /** Patterns that could be reserved now. */
  readonly clear: readonly string[];
  readonly errors?: readonly string[];
}

/** What reserving would answer; nothing is reserved. */
export function checkConflicts(desk: Desk, patterns: readonly string[], exclusive = true): ConflictsAnswer {
  const { found, errors } = locateAll(desk, patterns);
  const request = { patterns, reason: '', exclusive, all: false };
  const results = ask(desk, found, request, true);
  const givenAs = (pattern: string): string => found.find((one) => one.pattern === pattern)?.file ?? pattern;
  return {
    conflicts: results.flatMap(({ pattern, conflicts }) =>
      someOf(conflicts).map((one) => ({ ...detailOf(one), requested: givenAs(pattern) })),
    ),
    clear: results.filter(({ conflicts }) => conflicts.length === 0).map(({ pattern }) => givenAs(pattern)),
    ...(errors.length > 0 ? { errors } : {}),
  };
}

export interface ReleaseAnswer {
  readonly released: readonly string[];
  readonly errors: readonly { readonly id: string; readonly error: string }[];
}

/** Idempotent: what nobody holds counts as released; what is no id of a reservation is an error. */
export function releaseFiles(desk: Desk, ids: readonly string[]): ReleaseAnswer {
  const results = ids.length === 0 ? [] : desk.ledger.run({ type: 'unreserve', who: desk.who, ids });
  return {
    released: results.filter(({ released }) => released).map(({ id }) => id),
    errors: results
      .filter(({ released }) => !released)
      .map(({ id, is_unknown }) => ({ id, error: is_unknown ? NOT_KNOWN : NOT_YOURS })),
  };
}

const NOT_YOURS = 'another agent holds it';
const NOT_KNOWN =
  'unknown: this is no id of a reservation; my_reservations and "guard reservations" list yours';

export const releaseAll = (desk: Desk): { readonly released_count: number } => ({
  released_count: desk.ledger.run({ type: 'unreserve', who: desk.who, ids: null }).length,
});

/** Live ones; of one agent, or of all. */
export function listReservations(
  desk: Desk,
  filter: { agent?: string | undefined; project?: string | undefined } = {},
): Reservation[] {
  if (!isHere(desk, filter.project)) return [];
  const facts = desk.ledger.facts();
  const reservations = consult(desk.ledger.store, (view) => {
    const seen = [...view.range(AGENTS), ...view.range(GLOBS)];
    return reservationReports(draftOver(overlay(view, seen, [AGENTS, GLOBS])), facts);
  });
  return reservations
    .filter((one) => filter.agent === undefined || one.agent_id === filter.agent)
    .map((one) => ({ ...one, project: desk.project }));
}
