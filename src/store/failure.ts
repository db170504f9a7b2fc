/** Failures of the store, from what the operating system said to what guard says. */
import { type ErrorFacts, isGuardError } from '../core/error.ts';
import { systemFailure } from './told-failure.ts';

export function knownErrno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A failed file operation as a GuardError; a GuardError stays what it is, and so does what is no system error. */
export function asFailure(error: unknown, doing: string, facts: ErrorFacts = {}): unknown {
  const errno = knownErrno(error);
  return errno === undefined || isGuardError(error) ? error : systemFailure(error, errno, doing, facts);
}

/** The index cannot be believed. Never leaves the engine: it rebuilds the index from the ledger and goes on. */
export class IndexAnomaly extends Error {
  override readonly name = 'IndexAnomaly';
}

/** By name, not by class: what is loaded on use has classes of its own. */
export function isIndexAnomaly(error: unknown): error is Error {
  return error instanceof Error && error.name === 'IndexAnomaly';
}
