// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The store's failures as guard's errors. Few processes ever need this. */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { attempt } from '../core/attempt.ts';
import { type ErrorCode, type ErrorFacts, GuardError } from '../core/error.ts';

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

const FULL: Meaning = { code: 'GUARD_ERR_FULL', hint: 'Free some disk space (or quota), then try again.' };
const UNSAFE: Meaning = {
  code: 'GUARD_ERR_STATE_DIR',
  hint: 'Run guard doctor to see what is wrong with the state directory.',
};
const NO_LOCKS: Meaning = {
  code: 'GUARD_ERR_NETWORK_FS',
  hint: 'Keep the repository on a local file system; guard doctor tests the locks of this one.',
};
const OTHER: Meaning = { code: 'GUARD_ERR_IO', hint: 'Run guard doctor to test the state directory.' };

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

export function systemFailure(error: unknown, errno: string, doing: string, facts: ErrorFacts): GuardError {
  const { code, hint } = MEANING[errno] ?? OTHER;
  return new GuardError(code, `Cannot ${doing}: ${errno}.`, hint, { errno, ...facts }, error);
}

/** The ledger is damaged. Nothing is written until a person has looked into it. */
export function corrupt(what: string, facts: ErrorFacts): GuardError {
  return new GuardError(
    'GUARD_ERR_CORRUPT',
    `The ledger is damaged: ${what}.`,
    'Run guard verify to see what is damaged, and guard doctor for the command that repairs it.',
    facts,
  );
}

/** For things that no caller of the store may do. */
export const misuse = (message: string, facts: ErrorFacts = {}): GuardError =>
  new GuardError('GUARD_ERR_INTERNAL', message, 'Report this as a bug of guard.', facts);

export const endless = (keys: number): GuardError => misuse('A step never stops asking.', { keys });

/** @param pid of the process that holds the lock; null if unknown */
export function busy(deadline_ms: number, pid: number | null): GuardError {
  const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const seconds = Math.round(deadline_ms / 100) / 10;
  const holder = pid === null ? '' : `Process ${pid} holds its lock. `;
  return new GuardError(
    'GUARD_ERR_BUSY',
    `The ledger was busy for ${seconds} s. ${holder}The machine's load is ${load}.`,
    'Try again; if it stays busy, look for a stopped guard process.',
    { deadline_ms, pid, load },
  );
}

/** Busy because of the lock on the file with this inode. */
export const lockBusy = (deadline_ms: number, ino: number): GuardError => busy(deadline_ms, lockHolder(ino));

/** Null if the kernel does not say. */
const lockHolder = (ino: number): number | null =>
  attempt(() => {
    const found = new RegExp(`FLOCK +ADVISORY +WRITE +(\\d+) +\\S+:${ino} `).exec(
      readFileSync('/proc/locks', 'latin1'),
    );
    return found === null ? null : Number(found[1]);
  }, null);

export const newerVersion = (version: number, known: number, facts: ErrorFacts): GuardError =>
  new GuardError(
    'GUARD_ERR_VERSION',
    `The ledger has records of version ${version}; this guard knows ${known}.`,
    'Update guard on this machine.',
    { version, known, ...facts },
  );

/** @param tried names of the providers that were tried */
export const noFlock = (tried: readonly string[]): GuardError =>
  new GuardError(
    'GUARD_ERR_NO_FLOCK',
    `No way to call flock(2): ${tried.join(', ')} ${tried.length > 1 ? 'are' : 'is'} not usable here.`,
    'Reinstall guard completely, or install util-linux, which has the flock program.',
    { tried: tried.join(' '), platform: process.platform, arch: process.arch, node: process.versions.node },
  );

export function unsafe(path: string, problem: string): GuardError {
  return new GuardError(
    'GUARD_ERR_STATE_DIR',
    `${path} ${problem}.`,
    'Run guard doctor to see how to repair the state directory.',
    { path, problem },
  );
}

export const noLedger = (path: string, what: string): GuardError =>
  new GuardError('GUARD_ERR_NOT_INITIALISED', `There is no ${what} ${path}.`, 'Run guard init.', { path });

/** A store runs one step at a time, and none after it was closed. */
export const notIdle = (state: string, dir: string): GuardError =>
  misuse(state === 'closed' ? 'The store is closed.' : 'A step may not use the store itself.', { dir });
