/**
 * guard's own failures. A refusal is not an error: it is a denial (denial.ts).
 * Every error has a stable code, the facts, and a hint that names the next step.
 */

export const ERROR_CODES = {
  GUARD_ERR_AGENT: 'An agent cannot be drafted, awaited or ended.',
  GUARD_ERR_BUSY: 'Another process holds the ledger.',
  GUARD_ERR_CONFIG: 'The configuration is not valid.',
  GUARD_ERR_COPIED: 'The ledger is a copy that was not adopted.',
  GUARD_ERR_CORRUPT: 'The ledger is damaged.',
  GUARD_ERR_CURSOR: 'A list cannot be continued there.',
  GUARD_ERR_DEADLINE: 'guard ran out of time.',
  GUARD_ERR_ENGINE_ACCESS: 'The server of the shared ledger refuses, or cannot be trusted.',
  GUARD_ERR_ENGINE_AWAY: 'The server of the shared ledger does not answer.',
  GUARD_ERR_ENGINE_RESTORED: 'The shared ledger was restored to an earlier moment.',
  GUARD_ERR_ENGINE_VERSION: 'The schema of the shared ledger does not fit this guard.',
  GUARD_ERR_EXPORT: 'A collector did not accept what was sent.',
  GUARD_ERR_FLEET: 'A repository cannot be moved to, or out of, a shared ledger.',
  GUARD_ERR_FULL: 'The disk is full.',
  GUARD_ERR_GIT: 'git cannot do what is needed.',
  GUARD_ERR_GLOB: 'The pattern cannot be used.',
  GUARD_ERR_HOST: 'A client writes in a way that guard cannot read.',
  GUARD_ERR_INPUT: 'The input cannot be understood.',
  GUARD_ERR_INTERNAL: 'guard has a bug.',
  GUARD_ERR_IO: 'A file operation failed.',
  GUARD_ERR_JOIN: 'A ledger cannot be shared.',
  GUARD_ERR_LISTEN: 'guard cannot listen on an address.',
  GUARD_ERR_MACHINE: 'Two machines have the same id.',
  GUARD_ERR_NETWORK_FS: 'The state directory is on a file system without working locks.',
  GUARD_ERR_NO_CONTENT: 'The requested content was not kept.',
  GUARD_ERR_NO_FLOCK: 'No way to take a file lock on this machine.',
  GUARD_ERR_NOT_INITIALISED: 'This repository is not set up for guard.',
  GUARD_ERR_PATH: 'The path cannot be used.',
  GUARD_ERR_SETTINGS: 'The settings file cannot be edited.',
  GUARD_ERR_SPEAKER: 'It is unknown which agent this is.',
  GUARD_ERR_STATE_DIR: 'The state directory is not safe to use.',
  GUARD_ERR_UNDO: 'A change cannot be undone.',
  GUARD_ERR_UNREADABLE: 'A file cannot be read.',
  GUARD_ERR_UNSTABLE: 'A file keeps changing while it is read.',
  GUARD_ERR_USAGE: 'The command line is not valid.',
  GUARD_ERR_VERSION: 'The ledger was written by a newer guard.',
  GUARD_ERR_WORKTREE: 'A worktree cannot be created.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorFacts {
  readonly [name: string]: string | number | boolean | null | undefined;
}

/** `message` says what happened to what; `hint` says what to do next; `facts` are for programs. */
export class GuardError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, hint: string, facts: ErrorFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'GuardError';
    this.code = code;
    this.hint = hint;
    this.facts = facts;
  }
}

/** Checks the code, not the class: two bundles have two classes. */
export function isGuardError(error: unknown): error is GuardError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('GUARD_ERR_')
  );
}
