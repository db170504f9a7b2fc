/**
 * What was done and could not be written down in time: one file for each event in `late/`, beside the ledger, as it was told and
 * with all that its rule needs. Whoever commits next takes it in first (take-in.ts). There is no such directory while there is
 * nothing in it, so the listing of the state directory, which every look makes, says whether there is.
 */
import { constants, existsSync, fstatSync, readdirSync, readFileSync } from 'node:fs';
import type { EventOf } from '../../core/decide.ts';
import type { WrittenFile } from '../../core/rules/write-end.ts';
import type { Lsn } from '../../core/ledger.ts';
import type { Digest, Now, Policy, RepoPath } from '../../core/types.ts';
import { asFailure, knownErrno } from '../failure.ts';
import { close, LATE, openFile } from '../embedded/files.ts';
import type { Home } from '../embedded/home-identity.ts';
import { isGuardError } from '../../core/error.ts';
import { unsealLine } from '../sealed-line.ts';

/** Ends: of what was done, nobody can do it again. */
const KEPT = [
  // Only where a lease is kept that covers it.
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

/** What `WrittenFile.original` answered, and about which approved content. Null: it was not asked. */
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
  /** Of its commit: told or taken in twice, it is one. */
  readonly id: string;
  /** The ledger beside which it was left. In another place, or put back there, it would end what it never knew. */
  readonly home: Home;
  /** By which name others know the ledger, where they share it: then no place counts. */
  readonly shared_as?: string | undefined;
  /** Of a write that began under leases that are kept: their tokens. */
  readonly tokens?: Readonly<Record<RepoPath, Lsn>> | undefined;
  readonly event: LateEvent;
  /** When it happened, and by which policy it is judged. */
  readonly now: Now;
  readonly policy: Policy;
  readonly guard_command: string;
  /** Its place among those of one boot. */
  readonly left_us: number;
}

export const LATE_VERSION = 1;
/** A call that wrote ten thousand files has some 2 MB. */
export const LATE_BYTES_MAX = 8 * 1024 * 1024;
/** Of files: more than that is no busy ledger any more. */
export const LATE_MAX = 1_000;

/** What guard can make nothing of goes there, for a person. */
export const UNREAD = 'late-unread';

export const lateDir = (dir: string): string => `${dir}/${LATE}`;

/** Whole files; one that is being written has another name. */
const NAME = /^[0-9a-f]{16}\.json$/;
const SCRATCH = /^[0-9a-f]{16}\.json\.\d+\.\d+\.tmp$/;

/** What stands there for an event: `newer` is for a newer guard, `odd` for a person. */
export type LateFile = { readonly name: string } & (
  { readonly kind: 'step'; readonly step: LateStep } | { readonly kind: 'newer' | 'odd' | 'scratch' }
);

/** Of what cannot be listed now nobody may say that nothing is there. */
function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isPassing(error)) throw asFailure(error, `look into ${dir}`, { path: dir });
    return [];
  }
}

/** Of this process or machine at this moment, not of the file. */
const PASSING = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR'];

const isPassing = (error: unknown): boolean =>
  PASSING.includes(String(isGuardError(error) ? error.facts['errno'] : knownErrno(error)));

/** While there is nothing in it there is no such directory. */
export const isLeft = (dir: string): boolean => existsSync(lateDir(dir));

export const lateNames = (dir: string): readonly string[] => namesIn(lateDir(dir));
export const unreadNames = (dir: string): readonly string[] => namesIn(`${dir}/${UNREAD}`);

/** In no order. */
export const lateFiles = (dir: string): readonly LateFile[] =>
  lateNames(dir).flatMap((name) => readLate(dir, name) ?? []);

/** Null: it is gone. */
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

/** Its checksum vouches for the rest. */
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
