/** Reserving files by pattern: failures of single patterns are reported next to the successes. */
import { CONFLICTS_SHOWN, RESERVE_TTL_MAX_MS, RESERVE_TTL_MS } from '../core/limits.ts';
import type { Conflict } from '../core/rules/conflict.ts';
import type { ReserveResult } from '../core/rules/reserve-event.ts';
import { reservationReport, type ReservationReport } from '../core/rules/reservation-report.ts';
import type { Meant } from '../core/rules/meant.ts';
import { projectOf } from './project.ts';
import type { CallerWorkspace, Workspace } from '../workspace/workspace.ts';
import { flag, type InputOf, listOf, number, text, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { locatePattern } from './pattern.ts';

export interface ProjectReservation extends ReservationReport {
  readonly project: string;
}

export interface ConflictDetail extends Conflict {
  readonly held_by: string;
}

const MINUTE_MS = 60_000;
/** The part of a reason that other agents are shown. */
export const REASON_CHARS = 500;

/** A problem with one pattern is reported without refusing the others. */
export const patterns = (about: string) => listOf(about, text(''), { min: 1 });

const ASKED = {
  patterns: patterns("Globs from the repository's root, like src/http/**"),
  reason: text('Shown to others', { max_chars: REASON_CHARS, cut: true }),
  ttl_minutes: withDefault(
    number('At most 1440', { above: 0, max: RESERVE_TTL_MAX_MS / MINUTE_MS, cut: true }),
    RESERVE_TTL_MS / MINUTE_MS,
  ),
  exclusive: withDefault(flag(''), true),
  all_or_nothing: withDefault(flag(''), false),
};

export interface ReserveAnswer {
  readonly reservations: readonly ProjectReservation[];
  /** One sentence for each pattern that was not reserved. */
  readonly errors: readonly string[];
  /** At most 20 per pattern. */
  readonly conflicts: readonly ConflictDetail[];
}

export const RESERVE_FILES = operation('reserve_files', ASKED, reserveFiles);

function reserveFiles(request: InputOf<typeof ASKED>, space: CallerWorkspace): ReserveAnswer {
  const { found, errors } = locatedPatterns(space, request.patterns);
  const { exclusive, reason, all_or_nothing: all } = request;
  if (all && errors.length > 0) return { reservations: [], errors, conflicts: [] };
  // Joining gets its own record, so the records that follow are only the grant's.
  space.run({ type: 'agent.present', who: space.who });
  const ttl_ms = Math.round(request.ttl_minutes * MINUTE_MS);
  const results = ask(space, found, { exclusive, reason, all, ttl_ms, dry: false });
  const project = projectOf(space);
  const made = results.flatMap(({ reservation }) => reservation ?? []);
  return {
    reservations: made.map((one) => ({ ...reservationReport(one), project })),
    errors: [...errors, ...results.flatMap(wordsFor)],
    conflicts: results.flatMap(({ conflicts }) => someOf(conflicts).map(detailOf)),
  };
}

/** Agents read these answers: some conflicts are enough, and a thousand would fill their context. */
export const someOf = <T>(conflicts: readonly T[]): readonly T[] => conflicts.slice(0, CONFLICTS_SHOWN);

export const detailOf = (conflict: Conflict): ConflictDetail => ({ ...conflict, held_by: conflict.agent_id });

export function locatedPatterns(
  space: Workspace,
  patterns: readonly string[],
): { found: Meant[]; errors: string[] } {
  const located = patterns.map((pattern) => locatePattern(space, pattern));
  return {
    found: located.flatMap((one) => ('error' in one ? [] : [one])),
    errors: located.flatMap((one) => ('error' in one ? [`${one.file}: ${one.error}`] : [])),
  };
}

interface Asked {
  readonly exclusive: boolean;
  readonly reason: string;
  readonly ttl_ms: number;
  readonly all: boolean;
  readonly dry: boolean;
}

/** One transaction per checkout; without `all` one per pattern, so that each grant has its own number. */
export function ask({ run, who }: CallerWorkspace, found: readonly Meant[], asked: Asked): ReserveResult[] {
  const { exclusive, ...rest } = asked;
  const groups = asked.all || asked.dry ? byScope(found) : found.map((one) => [one]);
  return groups.flatMap((group) =>
    run({
      ...{ type: 'reserve', who },
      scope: group[0]?.scope ?? '',
      patterns: group.map(({ pattern }) => pattern),
      mode: exclusive ? 'exclusive' : 'shared',
      ...rest,
    }),
  );
}

function byScope(found: readonly Meant[]): Meant[][] {
  const scopes = [...new Set(found.map(({ scope }) => scope))];
  return scopes.map((scope) => found.filter((one) => one.scope === scope));
}

function wordsFor({ pattern, reservation, conflicts, error, has_more }: ReserveResult): string[] {
  if (reservation !== null) return [];
  if (error === 'QUOTA') return [`${pattern}: you have reached the limit of reservations per agent`];
  const [one] = conflicts;
  if (one === undefined) return [`${pattern}: not reserved, because all or none were requested`];
  const more =
    conflicts.length > 1
      ? `; ${has_more ? 'at least ' : ''}${conflicts.length - 1} more ${conflicts.length === 2 ? 'is' : 'are'} in the way`
      : '';
  return [
    `${pattern}: ${one.pattern} is held by ${one.agent_id} until ${one.expires_at} (${one.reason})${more}`,
  ];
}
