/** What a reservation would conflict with, and which agents have some of it in other checkouts. */
import { CONFLICTS_SHOWN, RESERVE_TTL_MS } from '../core/limits.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { type Beside, besides } from '../workspace/checkouts.ts';
import { flag, type InputOf, withDefault } from './field.ts';
import { operation } from './operation.ts';
import { meantBy } from './pattern.ts';
import { isHere, ofProject } from './project.ts';
import { ask, type ConflictDetail, detailOf, locatedPatterns, patterns, someOf } from './reservations.ts';

export interface ConflictsAnswer {
  readonly conflicts: readonly (ConflictDetail & { readonly requested: string })[];
  /** Patterns that could be reserved now. */
  readonly clear: readonly string[];
  readonly errors?: readonly string[];
  /** Agents that have some of it in another checkout, which is not a conflict here. Absent: none. */
  readonly elsewhere?: readonly (ConflictDetail &
    Pick<Beside, 'branch' | 'checkout'> & { readonly requested: string })[];
}

const ONLY_LOOKED = { reason: '', ttl_ms: RESERVE_TTL_MS, all: false, dry: true };
const CHECKED = { patterns: patterns(''), exclusive: withDefault(flag(''), true), ...ofProject };

/**
 * What a reservation would answer; nothing is reserved.
 * @throws GuardError GUARD_ERR_GLOB, GUARD_ERR_PATH if no pattern is valid here
 */
export const CHECK_CONFLICTS = operation('check_conflicts', CHECKED, checkConflicts);

function checkConflicts(request: InputOf<typeof CHECKED>, space: CallerWorkspace): ConflictsAnswer {
  const { exclusive, project } = request;
  if (!isHere(space, project)) return { conflicts: [], clear: [] };
  const { found, errors } = locatedPatterns(space, request.patterns);
  // One bad pattern among others is reported as an error; if none is valid, an empty answer would look like no
  // conflicts.
  if (found.length === 0) request.patterns.forEach((pattern) => meantBy(space, pattern));
  const givenAs = (pattern: string): string => found.find((one) => one.pattern === pattern)?.file ?? pattern;
  const look = { exclusive, ...ONLY_LOOKED };
  const results = ask(space, found, look);
  const elsewhere = besides(space, found).flatMap(({ checkout, branch, found: there }) =>
    ask(space, there, look).flatMap(({ pattern, conflicts }) =>
      someOf(conflicts).map((one) => ({
        ...detailOf(one),
        requested: givenAs(pattern),
        checkout,
        branch,
      })),
    ),
  );
  return {
    conflicts: results.flatMap(({ pattern, conflicts }) =>
      someOf(conflicts).map((one) => ({ ...detailOf(one), requested: givenAs(pattern) })),
    ),
    clear: results.filter(({ conflicts }) => conflicts.length === 0).map(({ pattern }) => givenAs(pattern)),
    ...(errors.length > 0 ? { errors } : {}),
    ...(elsewhere.length > 0 ? { elsewhere: elsewhere.slice(0, CONFLICTS_SHOWN) } : {}),
  };
}
