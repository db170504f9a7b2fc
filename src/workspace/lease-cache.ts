// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * The engine's last acknowledgements of this machine's leases, for all of its checkouts: one line with a checksum in the
 * user's own state directory. The checksum is keyed with the user's key. A file that is damaged, forged, or from another
 * boot, machine or ledger is ignored.
 */
import { createHmac } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { Json, Key, Lsn } from '../core/ledger.ts';
import type { AgentId, Now, RepoPath } from '../core/types.ts';
import type { BootMoment } from '../repo/boot-clock.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';
import { alone } from '../store/upkeep.ts';

export interface CachedLease {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly parent: AgentId | null;
  readonly token: Lsn;
  /** Taken before the engine was asked. The lease may be relied on for `left_ms` from then on. */
  readonly asked: BootMoment;
  readonly left_ms: number;
  readonly margin_ms: number;
  /** When the oldest of the states that this is based on was asked for. */
  readonly seen_boot_ms: number;
}

/** `tip`: the lsn after the last record at that moment. `asked_boot_ms`: taken before the engine was asked. */
export interface CachedState {
  readonly state: Json | null;
  readonly version: Lsn;
  readonly tip: Lsn;
  readonly asked_boot_ms: number;
  /** The clone that asked, whose late events it includes. */
  readonly by: string;
}

/** A state that the engine does not know yet. */
export interface UndeliveredState {
  readonly state: Json | null;
  readonly left_boot_ms: number;
  /** The clone in which the event was left. */
  readonly by: string;
}

/** Invalidates what was asked for earlier under a key, except what was granted with the commit that ended it, or later. */
export interface EndedMark {
  readonly key: Key;
  readonly until_boot_ms: number;
  /** Absent: it is not known whether that commit succeeded. */
  readonly from_token?: Lsn;
}

export interface LeaseCache {
  readonly v: 1;
  readonly shared_as: string;
  readonly machine: string;
  readonly machine_boot: string;
  /** The engine's clock, no earlier than when it was asked. Null: not known. */
  readonly clock: (Now & { readonly asked: BootMoment }) | null;
  readonly indexed: boolean;
  readonly states: Readonly<Record<Key, CachedState>>;
  readonly told: Readonly<Record<Key, UndeliveredState>>;
  readonly leases: readonly CachedLease[];
  /** By the id of the process that set the mark. */
  readonly ended: Readonly<Record<string, EndedMark>>;
  /** When the engine last failed to answer. */
  readonly away_boot_ms: number;
}

export interface CachePlace extends Pick<LeaseCache, 'shared_as' | 'machine' | 'machine_boot'> {
  /** For all clones that this user has of the repository (fleet-dir.ts). */
  readonly dir: string;
  /** The name of the clone that this process works in. */
  readonly clone: string;
  readonly key: Buffer;
}

const MAX_BYTES = 4 << 20;
/** A hook must not wait longer for a file that only saves time. */
const PATIENCE_MS = 200;

const fileOf = (dir: string): string => `${dir}/leases.cache`;

/** Includes the directory, because in a copy of it, leases would end without this file being updated. */
const sumOf = (json: string, { dir, key }: Pick<CachePlace, 'dir' | 'key'>): string =>
  createHmac('sha256', key)
    .update(`${statSync(dir).ino} ${json}`)
    .digest('hex');

export function readCache(place: CachePlace): LeaseCache | null {
  const text = textOf(fileOf(place.dir), MAX_BYTES) ?? '';
  const json = text.slice(65, -1);
  if (text.length < 66 || text.slice(0, 65) !== `${sumOf(json, place)} `) return null;
  const cache = attempt(() => JSON.parse(json) as LeaseCache, null);
  const isOurs = cache?.v === 1 && cache.shared_as === place.shared_as && cache.machine === place.machine;
  return isOurs && cache.machine_boot === place.machine_boot ? cache : null;
}

/** For when others use it for too long to change it. One that was about to write may still bring it back. */
export const dropCache = ({ dir }: Pick<CachePlace, 'dir'>): void => rmSync(fileOf(dir), { force: true });

/** If the cache is too long, only what invalidates leases is kept. */
function jsonOf(cache: LeaseCache): string {
  const json = JSON.stringify(cache);
  return json.length < MAX_BYTES / 4 ? json : JSON.stringify({ ...cache, states: {}, told: {}, leases: [] });
}

/**
 * One process at a time. If the file cannot be written it is removed, because stale content must not be trusted any
 * longer.
 * @throws GuardError GUARD_ERR_BUSY if others use it for too long; the system's error if it can be neither written nor
 *   removed
 */
export function changeCache(
  place: CachePlace,
  change: (cache: LeaseCache | null) => LeaseCache,
  patience_ms = PATIENCE_MS,
): void {
  const file = fileOf(place.dir);
  mkdirSync(place.dir, { recursive: true, mode: 0o700 });
  alone(
    place.dir,
    () => {
      const cache = change(readCache(place));
      const isWritten = attempt(() => {
        const json = jsonOf(cache);
        replaceWhole(file, `${sumOf(json, place)} ${json}\n`);
        return true;
      }, false);
      if (!isWritten) rmSync(file, { force: true });
    },
    patience_ms,
  );
}
