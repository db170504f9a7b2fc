/** Failures of the store, from what the operating system said to what guard says. */
import { type ErrorCode, type ErrorFacts, GuardError, isGuardError } from '../core/error.ts';

export function knownErrno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

const FULL: Meaning = { code: 'GUARD_ERR_FULL', hint: 'Free some disk space (or quota), then try again.' };
const UNSAFE: Meaning = {
  code: 'GUARD_ERR_STATE_DIR',
  hint: 'guard doctor says what is wrong with the state directory.',
};
const NO_LOCKS: Meaning = {
  code: 'GUARD_ERR_NETWORK_FS',
  hint: 'Keep the repository on a local file system; guard doctor tests the locks of this one.',
};
const OTHER: Meaning = { code: 'GUARD_ERR_IO', hint: 'guard doctor tests the state directory.' };

const MEANING: Readonly<Record<string, Meaning>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  ELOOP: UNSAFE,
  ENOTDIR: UNSAFE,
  EISDIR: UNSAFE,
  ENOLCK: NO_LOCKS,
  ENOTSUP: NO_LOCKS,
  EOPNOTSUPP: NO_LOCKS,
  ENOSYS: NO_LOCKS,
};

/** A failed file operation as a GuardError; a GuardError stays what it is, and so does what is no system error. */
export function asFailure(error: unknown, doing: string, facts: ErrorFacts = {}): unknown {
  const errno = knownErrno(error);
  if (errno === undefined || isGuardError(error)) return error;
  const { code, hint } = MEANING[errno] ?? OTHER;
  return new GuardError(code, `Cannot ${doing}: ${errno}.`, hint, { errno, ...facts }, error);
}

/** The ledger is damaged and says so itself; nothing is written until a person has looked. */
export function corrupt(what: string, facts: ErrorFacts): GuardError {
  return new GuardError(
    'GUARD_ERR_CORRUPT',
    `The ledger is damaged: ${what}.`,
    'guard verify names what is damaged, guard doctor the command that mends it.',
    facts,
  );
}

/** What no caller of the store may do. */
export const misuse = (message: string, facts: ErrorFacts = {}): GuardError =>
  new GuardError('GUARD_ERR_INTERNAL', message, 'Report this as a bug of guard.', facts);

export const endless = (keys: number): GuardError => misuse('A step never stops asking.', { keys });

export function busy(deadline_ms: number): GuardError {
  return new GuardError(
    'GUARD_ERR_BUSY',
    `The ledger was busy for ${Math.round(deadline_ms / 100) / 10} s.`,
    'Try again; if it stays busy, look for a stopped guard process.',
    { deadline_ms },
  );
}

/** The index cannot be believed. Never leaves the engine: it rebuilds the index from the ledger and goes on. */
export class IndexAnomaly extends Error {
  override readonly name = 'IndexAnomaly';
}

/** By name, not by class: what is loaded on use has classes of its own. */
export function isIndexAnomaly(error: unknown): error is Error {
  return error instanceof Error && error.name === 'IndexAnomaly';
}
