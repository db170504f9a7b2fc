/**
 * A denial: a refusal as data, the envelope of design section 4. `error_type`, `message`, `recovery_hint`
 * and, for STALE_FILE, `details.path`, `baseline_hash`, `current_disk_hash` are the Optimistic Locking
 * Guard's own words (its FR-006) and stay verbatim; everything of ours is inside `details`.
 */
import { PRIORITY } from './denial-order.ts';
import type { Json } from './ledger.ts';

export type ErrorType =
  | 'PROTECTED_PATH'
  | 'GUARD_ERROR'
  | 'STALE_FILE'
  | 'WRITE_IN_FLIGHT'
  | 'LOCKED_BY_OTHER'
  | 'UNREAD_FILE'
  | 'DEADLOCK'
  | 'NOT_LOCKED'
  // Of harness tools, never of a write, so it has no place in the order below.
  | 'NOT_PERMITTED';

export interface Denial {
  readonly error_type: ErrorType;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
}

/** One thing that is wrong with one target. `path` is absolute, as the seed has it. */
export interface Objection {
  readonly error_type: ErrorType;
  readonly path: string;
  readonly message: string;
  readonly details: Readonly<Record<string, Json>>;
  readonly recovery_hint: string;
  /** Steps, each with its place: what is wrong with locks comes before reading, or the reading is old again. */
  readonly next: readonly Step[];
}

export interface Step {
  readonly order: 'release' | 'wait' | 'lock' | 'read' | 'other';
  readonly text: string;
}

const ORDER: readonly Step['order'][] = ['other', 'release', 'wait', 'lock', 'read'];

/** Joins the objections to one call into one denial; null when there are none. */
export function denialOf(objections: readonly Objection[]): Denial | null {
  const sorted = [...objections].sort(byPriority);
  const first = sorted[0];
  if (first === undefined) return null;
  const same = sorted.filter((objection) => objection.path === first.path);
  const also = unique(same.slice(1).map((objection) => objection.error_type));
  const merged = Object.assign({}, ...same.map((objection) => objection.details).reverse()) as Record<
    string,
    Json
  >;
  const paths = unique(sorted.map((objection) => objection.path));
  return {
    error_type: first.error_type,
    message: first.message,
    details: {
      path: first.path,
      ...merged,
      ...(also.length > 0 ? { also } : {}),
      next: stepsOf(sorted),
      ...(paths.length > 1 ? { targets: paths.map((path) => targetOf(path, sorted)) } : {}),
    },
    recovery_hint: first.recovery_hint,
  };
}

function targetOf(path: string, sorted: readonly Objection[]): Json {
  const own = sorted.filter((objection) => objection.path === path);
  return { path, error_types: own.map((objection) => objection.error_type), ...own[0]?.details };
}

/** Files in one order for everybody: two agents that lock as they are told do not wait for each other. */
function stepsOf(objections: readonly Objection[]): string[] {
  const sorted = [...objections].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const steps = sorted.flatMap((objection) => objection.next);
  return unique(
    ORDER.flatMap((order) => steps.filter((step) => step.order === order).map((step) => step.text)),
  );
}

function byPriority(a: Objection, b: Objection): number {
  return PRIORITY.indexOf(a.error_type) - PRIORITY.indexOf(b.error_type);
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
