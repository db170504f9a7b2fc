/** The answer of the lock operations: one row per given path, in the format of the first lock tools. */
import { toldToVictim, toldToWinner } from '../core/deadlock-words.ts';
import { elsewhereLines } from '../core/elsewhere-words.ts';
import type { AcquireResult } from '../core/rules/acquire.ts';
import type { Deadlock } from '../core/rules/deadlock.ts';
import type { RefusedLease } from '../core/rules/refused.ts';
import type { AgentId, GraphEdge, LetGo, Mode } from '../core/types.ts';
import type { LocatedPath } from './located.ts';

/** Two spellings of one file are two rows about one lock. */
export interface LockRow extends Pick<
  AcquireResult,
  'acquired' | 'holder' | 'holders' | 'token' | 'expires_at'
> {
  readonly filepath: string;
  /** For a lock that was refused: what is in the way, its `mode` and `since` when; `expires_at` is when it ends. */
  readonly because?: RefusedLease['because'];
  readonly mode?: Mode;
  readonly since?: string;
  readonly reservation?: RefusedLease['reservation'];
  /** Where its holder works, if leases count in all checkouts: a linked worktree, or '' for the main one. */
  readonly checkout?: string;
  /** Other agents with the same path in other checkouts, if not reported before. */
  readonly elsewhere?: AcquireResult['elsewhere'];
  /** The caller's place in the queue, from 1; after a try, the place that a wait would get. */
  readonly place?: number;
  /** How many others wait for the file. */
  readonly waiters?: number;
  /** Why there is no lock: `timeout`, `cancelled`, `DEADLOCK`, or what is wrong with the path. */
  readonly error?: string;
  readonly deadlock?: DeadlockFacts;
  /** It differs from what the caller last saw and must be read before a write. Absent: unchanged, or never seen. */
  readonly changed?: ChangedSince;
}

export interface ChangedSince {
  readonly since_read: true;
  /** An AgentId; `outside`: no guarded write left this content; `unknown`: it is not even certain that it changed. */
  readonly by: string;
  /** The file no longer exists. */
  readonly gone?: true;
}

/** `release`: the exact command or call for the release. */
export interface DeadlockFacts {
  readonly victim: AgentId;
  readonly cycle: readonly GraphEdge[];
  readonly release: string;
}

export interface Acquired {
  readonly results: readonly LockRow[];
  readonly all_acquired: boolean;
  /** Sentences for agents in a deadlock, and about agents that work on the same files in other checkouts. */
  readonly notes?: readonly string[];
}

/** How an interface phrases the command or call for the release. */
export type SayRelease = (given: LetGo) => string;

export interface RowSpeaker {
  readonly me: AgentId;
  readonly release: SayRelease;
}

/** @param why why the wait for a refused path ended; `null` if it was only a try */
export function answerOf(
  located: readonly LocatedPath[],
  results: readonly AcquireResult[],
  why: string | null,
  speaker: RowSpeaker,
): Acquired {
  const rows = located.map((row) => rowOf(row, results, why, speaker));
  const deadlocks = results.flatMap(({ deadlock }) => deadlock ?? []);
  const beside = results.flatMap(({ elsewhere = [] }) => elsewhere);
  const notes = [...new Set([...deadlocks.map((dead) => noteOn(dead, speaker)), ...elsewhereLines(beside)])];
  return {
    results: rows,
    all_acquired: rows.every(({ acquired }) => acquired),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function rowOf(
  row: LocatedPath,
  results: readonly AcquireResult[],
  why: string | null,
  { release }: RowSpeaker,
): LockRow {
  const result = results.find(({ path }) => path === row.path);
  const error = row.error ?? (result?.acquired === true ? null : (result?.error ?? why));
  const dead = result?.deadlock;
  return {
    filepath: row.given,
    acquired: result?.acquired ?? false,
    holder: result?.holder ?? null,
    holders: result?.holders ?? [],
    token: result?.token ?? null,
    expires_at: result?.expires_at ?? null,
    ...result?.refused,
    ...(result?.elsewhere === undefined ? {} : { elsewhere: result.elsewhere }),
    ...(error === null ? {} : { error }),
    ...(dead === undefined
      ? {}
      : { deadlock: { victim: dead.victim, cycle: dead.cycle, release: release(dead) } }),
  };
}

export const noteOn = (dead: Deadlock, { me, release }: RowSpeaker): string =>
  dead.victim === me ? toldToVictim(dead, release(dead)) : toldToWinner(dead, me);
