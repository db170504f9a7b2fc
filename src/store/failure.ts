/** Failures of the store: turns errors of the operating system into guard's. */
import { type ErrorFacts, isGuardError } from '../core/error.ts';
import { systemFailure } from './told-failure.ts';

export function knownErrno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Turns a failed file operation into a GuardError; GuardErrors and errors without an errno are returned unchanged. */
export function asFailure(error: unknown, doing: string, facts: ErrorFacts = {}): unknown {
  const errno = knownErrno(error);
  return errno === undefined || isGuardError(error) ? error : systemFailure(error, errno, doing, facts);
}

/** The index cannot be trusted. This never leaves the engine, which rebuilds the index from the ledger and continues. */
export class IndexAnomaly extends Error {
  override readonly name = 'IndexAnomaly';
}

/** Checks the name, not the class: modules loaded on demand have their own copy of the class. */
export function isIndexAnomaly(error: unknown): error is Error {
  return error instanceof Error && error.name === 'IndexAnomaly';
}
