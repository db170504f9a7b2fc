/**
 * What a forecast keeps for the next one, in guard's own directory: indexes, objects, and the results of pairs. All of
 * it may be deleted at any time; then the next forecast takes longer.
 */
import { closeSync, constants, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { attempt } from '../core/attempt.ts';
import { GuardError } from '../core/error.ts';
import { monotonic } from '../repo/clock.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { chooseFlock } from '../store/flock/flock.ts';
import type { FileConflict } from './merged.ts';
import type { Taken } from './take.ts';

export interface KeptPair {
  readonly tree: string;
  readonly conflicts: readonly FileConflict[];
  readonly is_unrelated: boolean;
}

export interface Kept {
  /** Identifies the git version and configuration that the results depend on. */
  readonly rules: string;
  readonly taken: Readonly<Record<string, Taken>>;
  /** By the ids of both commits. */
  readonly pairs: Readonly<Record<string, KeptPair>>;
  /** The disk space of its objects when any were last added. */
  readonly bytes?: number;
}

const VERSION = 1;
const NAME = 'kept.json';
const KEPT_BYTES_MAX = 64 << 20;

export const NOTHING_KEPT: Kept = { rules: '', taken: {}, pairs: {} };

export const forecastDir = (state_dir: string): string => join(state_dir, 'forecast');
export const objectsDir = (dir: string): string => join(dir, 'objects');

function readKept(dir: string): Kept {
  const text = textOf(join(dir, NAME), KEPT_BYTES_MAX) ?? '';
  const found = attempt(() => JSON.parse(text) as Kept & { readonly v: number }, null);
  return found?.v === VERSION ? found : NOTHING_KEPT;
}

export const writeKept = (dir: string, kept: Kept): void =>
  replaceWhole(join(dir, NAME), JSON.stringify({ v: VERSION, ...kept }));

/** A first forecast for 50 worktrees that all conflict creates 24,000. */
const OBJECTS_MAX = 100_000;
const FOLDERS = 256;

/** 50 worktrees that all conflict take 0.2 GB; a large file that changes often is stored once per forecast. */
const BYTES_USUAL_MAX = 1 << 30;

/** Reads what is kept. Everything is deleted if there are too many objects, or too large ones: it can be rebuilt. */
export function sweptKept(dir: string, bytes_max = BYTES_USUAL_MAX): Kept {
  const kept = readKept(dir);
  // Estimated as in `git gc --auto`: digests are spread evenly.
  const sample = attempt(() => readdirSync(join(objectsDir(dir), '17')).length, 0);
  const isTooMuch = sample * FOLDERS > OBJECTS_MAX || (kept.bytes ?? 0) > bytes_max;
  if (isTooMuch) forgetKept(dir);
  mkdirSync(objectsDir(dir), { recursive: true, mode: 0o700 });
  return isTooMuch ? NOTHING_KEPT : kept;
}

export function forgetKept(dir: string): void {
  for (const name of attempt(() => readdirSync(dir), []))
    if (name !== LOCK) rmSync(join(dir, name), { recursive: true, force: true });
}

const LOCK = 'lock';
const POLL_MS = 50;
const PATIENCE_MS = 60_000;

/** Lets a caller that does something lengthy give others a turn. */
export interface ForecastTurn {
  /** @throws GuardError GUARD_ERR_BUSY */
  readonly enter: () => Promise<void>;
  readonly leave: () => void;
}

/** For a directory that is not kept, which no one else uses. */
export const ALONE: ForecastTurn = { enter: () => Promise.resolve(), leave: () => undefined };

/**
 * Runs `work` while no other process uses what is kept.
 * @throws GuardError GUARD_ERR_BUSY
 */
export async function holding<T>(dir: string, work: (turn: ForecastTurn) => Promise<T>): Promise<T> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  let free: (() => void) | null = null;
  const turn: ForecastTurn = {
    enter: async () => {
      free ??= await locked(dir);
    },
    leave: () => {
      free?.();
      free = null;
    },
  };
  await turn.enter();
  try {
    return await work(turn);
  } finally {
    turn.leave();
  }
}

async function locked(dir: string): Promise<() => void> {
  const until_ms = monotonic() + PATIENCE_MS;
  let free = tryLock(join(dir, LOCK));
  while (free === null) {
    if (monotonic() > until_ms) throw busy(dir);
    await pause(POLL_MS);
    free = tryLock(join(dir, LOCK));
  }
  return free;
}

/** Opens the file again on each attempt, because it may have been replaced. Null while another process has the lock. */
function tryLock(path: string): (() => void) | null {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  let free: (() => void) | null = null;
  try {
    free = chooseFlock().take({ fd, path }) ?? null;
  } finally {
    if (free === null) closeSync(fd);
  }
  if (free === null) return null;
  const freeOthers = free;
  return () => {
    freeOthers();
    closeSync(fd);
  };
}

const busy = (dir: string): GuardError =>
  new GuardError(
    'GUARD_ERR_BUSY',
    'Another forecast is running in this repository.',
    'Try again in a minute.',
    { dir },
  );
