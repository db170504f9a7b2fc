/**
 * Brings the running guard into the program home. The pointer moves only forward: a newer version moves it, an older one
 * never does. Between versions with the same number and different content, it moves only if a person asks (`guard init`),
 * because neither is known to be newer.
 */
import { attempt } from '../../core/attempt.ts';
import { GuardError } from '../../core/error.ts';
import { isBusy } from '../../core/is-busy.ts';
import { monotonic } from '../../repo/clock.ts';
import { lockSync } from '../../store/upkeep.ts';
import { chooseFlock } from '../../store/flock/flock.ts';
import { packageOf } from '../guard-root.ts';
import { cannotKeep } from './cannot-keep.ts';
import { programContent } from './content.ts';
import { copyProgram } from './copy.ts';
import { homeAround, isPassing, programHome, unpackedIn } from './home.ts';
import { makeHome } from './make-home.ts';
import { readPointer, versionOf, writePointer } from './pointer.ts';
import { markRetired, removeRetired } from './retire.ts';
import { writeStubs } from './stubs.ts';
import { compareVersions } from './version-order.ts';
import type { Environment } from '../../repo/user-dirs.ts';

export interface Settled {
  readonly home: string;
  /** The version that the home starts now. */
  readonly version: string;
  readonly moved: boolean;
}

const LOCK_DEADLINE_MS = 10_000;

/**
 * For `guard init`: afterwards the home starts this guard, or a newer one.
 * @throws GuardError GUARD_ERR_PATH, GUARD_ERR_INTERNAL, GUARD_ERR_UNSTABLE, GUARD_ERR_BUSY, GUARD_ERR_IO
 */
export function settleProgram(guard_root: string, home: string, now_ms: number): Settled {
  try {
    return settle(guard_root, home, now_ms);
  } catch (error) {
    throw cannotKeep(home, error);
  }
}

function settle(guard_root: string, home: string, now_ms: number): Settled {
  const content = programContent(guard_root);
  if (content === null) throw notWhole(guard_root);
  return underLock(home, () => {
    const before = readPointer(home);
    const isOlder = before !== null && compareVersions(content.version, versionOf(before)) < 0;
    if (isOlder) return { home, version: versionOf(before), moved: false };
    copyProgram(guard_root, home, content);
    writeStubs(home, content.name);
    movePointer(home, content.name, before?.dir ?? null, now_ms);
    return { home, version: content.version, moved: before?.dir !== content.name };
  });
}

/**
 * For every other command: a guard newer than the one in use replaces it. A home that is not in use is left alone, unless a
 * standalone binary unpacked the running program there. `null` if there is nothing to do or it failed, which must not keep
 * the command from its own work.
 */
export function advanceProgram(guard_root: string, env: Environment, now_ms: number): Settled | null {
  const unpacked = unpackedIn(guard_root);
  if (unpacked === null && (homeAround(guard_root) !== null || !isPassing(guard_root))) return null;
  const home = unpacked ?? programHome(env);
  const before = readPointer(home);
  const version = packageOf(guard_root).version;
  if (version === undefined || (before === null && unpacked === null)) return null;
  if (before !== null && compareVersions(version, versionOf(before)) <= 0) return null;
  return attempt(() => settleProgram(guard_root, home, now_ms), null);
}

function movePointer(home: string, to: string, from: string | null, now_ms: number): void {
  writePointer(home, to);
  if (from === to) return;
  if (from !== null) markRetired(home, from, now_ms);
  removeRetired(home, [to, ...(from === null ? [] : [from])], now_ms);
}

function underLock(home: string, work: () => Settled): Settled {
  makeHome(home);
  const options = { dir: home, flock: chooseFlock(), deadline_ms: LOCK_DEADLINE_MS, writable: true };
  let held;
  try {
    held = lockSync({ ...options, mono_ms: monotonic });
  } catch (error) {
    throw isBusy(error) ? beingMade(home) : error;
  }
  try {
    return work();
  } finally {
    held.free();
  }
}

function beingMade(home: string): GuardError {
  return new GuardError(
    'GUARD_ERR_BUSY',
    `Another guard has been writing to ${home} for ${LOCK_DEADLINE_MS / 1000} s.`,
    'Try again; if that persists, look for a guard process that hangs.',
    { home },
  );
}

function notWhole(guard_root: string): GuardError {
  return new GuardError(
    'GUARD_ERR_INTERNAL',
    `The guard in ${guard_root} is incomplete.`,
    'Reinstall guard.',
    { guard_root },
  );
}
