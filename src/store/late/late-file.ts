/**
 * Events that happened but could not be recorded in time: one file for each in `late/`, next to the ledger, with
 * everything that its rule needs. The next process that commits takes them in first (take-in.ts). The directory exists
 * only while it has files in it, so the listing of the state directory, which every look makes anyway, shows whether
 * there are any.
 */
import { constants, fstatSync, readdirSync, readFileSync } from 'node:fs';
import type { EventOf } from '../../core/decide.ts';
import type { WrittenFile } from '../../core/rules/write-end.ts';
import type { Lsn } from '../../core/ledger.ts';
import type { Digest, Now, Policy, RepoPath } from '../../core/types.ts';
import { asFailure, knownErrno } from '../failure.ts';
import { close, LATE, openFile } from '../embedded/files.ts';
import type { Home } from '../embedded/home-identity.ts';
import { isGuardError } from '../../core/error.ts';
import { unsealLine } from '../sealed-line.ts';

/** Mostly ends: what they end has already happened and cannot be repeated. */
const KEPT = [
  // Only if covered by a cached lease.
  'write.begin',
  'write.end',
  'command.end',
  'op.end',
  'background',
  'turn.end',
  'agent.detached',
  'agent.leave',
  'lock.release',
  'lock.release_all',
] as const;

export type KeptType = (typeof KEPT)[number];
export const isKeptType = (type: unknown): type is KeptType => (KEPT as readonly unknown[]).includes(type);

/** The result of `WrittenFile.original`, and the approved content it is about. Null: it was not asked. */
type AnsweredFile = Omit<WrittenFile, 'original'> & {
  readonly original: {
    readonly digest: Digest | null;
    readonly verdict: ReturnType<WrittenFile['original']>;
  } | null;
};

export type LateEvent =
  | EventOf<Exclude<KeptType, 'write.end'>>
  | (Omit<EventOf<'write.end'>, 'written'> & { readonly written: readonly AnsweredFile[] });

export interface LateStep {
  readonly v: typeof LATE_VERSION;
  /** Id of the commit, so that an event taken in twice is recorded once. */
  readonly id: string;
  /** The ledger that it was left for. In a copy or a restored ledger it would end something that never happened there. */
  readonly home: Home;
  /** The name of a shared ledger, if it is one; then `home` does not matter. */
  readonly shared_as?: string | undefined;
  /** For a write that began under cached leases: their tokens. */
  readonly tokens?: Readonly<Record<RepoPath, Lsn>> | undefined;
  readonly event: LateEvent;
  /** When it happened; `policy` is the one that its rule applies. */
  readonly now: Now;
  readonly policy: Policy;
  readonly guard_command: string;
  /** Orders the events of one boot. */
  readonly left_us: number;
  /** That boot, if `now` is the clock of a shared engine. Absent: an older guard left it. */
  readonly machine_boot?: string | undefined;
}

export const LATE_VERSION = 1;
/** A call that wrote ten thousand files takes about 2 MB. */
export const LATE_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum number of files: a ledger with more than that is not just busy. */
export const LATE_MAX = 1_000;

/** Where files go that guard cannot process, for a person to look at. */
export const UNREAD = 'late-unread';

export const lateDir = (dir: string): string => `${dir}/${LATE}`;

/** Complete files; one that is still being written has another name. */
const NAME = /^[0-9a-f]{16}\.json$/;
const SCRATCH = /^[0-9a-f]{16}\.json\.\d+\.\d+\.tmp$/;

/** Kind of a file: `newer` is for a newer guard, `odd` for a person. */
export type LateFile = { readonly name: string } & (
  { readonly kind: 'step'; readonly step: LateStep } | { readonly kind: 'newer' | 'odd' | 'scratch' }
);

/** Throws on passing errors: a directory that cannot be listed right now must not be taken for an empty one. */
function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isPassing(error)) throw asFailure(error, `look into ${dir}`, { path: dir });
    return [];
  }
}

/** Errors that concern this process or machine at this moment, not the file. */
const PASSING = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'];

const isPassing = (error: unknown): boolean =>
  PASSING.includes(String(isGuardError(error) ? error.facts['errno'] : knownErrno(error)));

export const lateNames = (dir: string): readonly string[] => namesIn(lateDir(dir));
export const unreadNames = (dir: string): readonly string[] => namesIn(`${dir}/${UNREAD}`);

export { hasLate } from '../embedded/files.ts';

/** In no particular order. */
export const lateFiles = (dir: string): readonly LateFile[] =>
  lateNames(dir).flatMap((name) => readLate(dir, name) ?? []);

/** Null if the file has disappeared. */
function readLate(dir: string, name: string): LateFile | null {
  if (SCRATCH.test(name)) return { name, kind: 'scratch' };
  if (!NAME.test(name)) return { name, kind: 'odd' };
  try {
    const step = unsealLine(textOf(dir, name));
    if (step !== null && Number(step['v']) > LATE_VERSION) return { name, kind: 'newer' };
    return isStep(step) ? { name, kind: 'step', step } : { name, kind: 'odd' };
  } catch (error) {
    if (isPassing(error)) throw asFailure(error, `read ${lateDir(dir)}/${name}`, { path: name });
    return knownErrno(error) === 'ENOENT' ? null : { name, kind: 'odd' };
  }
}

function textOf(dir: string, name: string): string | null {
  const { fd } = openFile(lateDir(dir), name, constants.O_RDONLY);
  try {
    return fstatSync(fd).size > LATE_BYTES_MAX ? null : readFileSync(fd, 'utf8');
  } finally {
    close(fd);
  }
}

/** Checks a few fields; the checksum vouches for the rest. */
function isStep(value: unknown): value is LateStep {
  const { v, id, home, event, now, left_us } = (value ?? {}) as Partial<LateStep>;
  const { who } = (event ?? {}) as Partial<LateEvent>;
  const texts = [id, who?.id, now?.boot];
  return (
    v === LATE_VERSION &&
    texts.every((text) => typeof text === 'string') &&
    [left_us, home?.ino, home?.birth_ms].every((count) => typeof count === 'number') &&
    isKeptType(event?.type)
  );
}
