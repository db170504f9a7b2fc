/**
 * The embedded store: a JSONL ledger that is the truth, an index that is a cache, and one flock(2).
 *
 * `openEmbedded(dir, …)`, then any number of `transact`, `read`, `scan`; `close` at the end. Each of them opens
 * what it needs and closes it again: between two operations the process holds no lock and no file, so nothing
 * it does or does not do (sleep, fork, die) is in another one's way.
 *
 * A process that dies anywhere in a transaction leaves the ledger as if it had not begun, or with the commit
 * whole; the next one cleans up. A commit that returned is in the file: it survives the death of every
 * process, and with `durability: "fsync"` that of the machine.
 */
import type { Key, LedgerRecord, Lsn, RecordBody, View } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { GuardError } from '../../core/error.ts';
import { noteCommit } from '../../fence/keep.ts';
import { isOn } from '../../fence/site.ts';
import type { Flock } from '../flock/flock.ts';
import { chooseFlock } from '../flock/flock.ts';
import type { Step, Store } from '../store.ts';
import { explicitIds, makeView, runStep } from '../view.ts';
import type { Source } from '../view.ts';
import { FIRST_LSN } from '../record.ts';
import { append, SEGMENT_BYTES } from './append.ts';
import type { AttachOptions } from './attach.ts';
import { useLedger } from './use.ts';
import type { Place } from './use.ts';
import { checkDir, list } from './files.ts';
import { hasId, lookup } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { LOCK_DEADLINE_MS, lockAsync, lockSync } from './lock.ts';
import type { Held, LockOptions } from './lock.ts';
import { range } from './range.ts';
import { scanLedger } from './scan.ts';
import { watchLedger } from './watch.ts';

export interface EmbeddedOptions {
  readonly now: () => Now;
  /** "process" (default): an acknowledged record survives kill -9. "fsync": power loss too, for 1 to 20 ms a commit. */
  readonly durability?: 'process' | 'fsync';
  /** How long to wait for another process, default 4000. */
  readonly lock_deadline_ms?: number;
  /** A segment that is at least this long is followed by a new one, default 8 MiB. */
  readonly segment_bytes?: number;
  /** False: refuse a directory that has no ledger yet. Default true. */
  readonly create?: boolean;
}

/** How long one call waits for other processes: instead of the store's own limit, or until the signal is aborted. */
export interface LockLimits {
  readonly deadline_ms?: number;
  readonly signal?: AbortSignal;
}

/** The same store, synchronously: a promise costs a cold process start-up time. */
export interface SyncStore extends Store {
  transact<T>(keys: readonly Key[], step: (view: View) => Step<T>, limits?: LockLimits): Promise<T>;
  transactSync<T>(keys: readonly Key[], step: (view: View) => Step<T>): T;
  readSync(keys: readonly Key[], prefixes?: readonly string[]): View;
  lookSync<T>(look: (view: View) => T): T;
  scanSync(from?: Lsn): Iterable<LedgerRecord>;
  closeSync(): void;
  /** The lsn behind the last record: `scan(tip())` yields what comes later. */
  tip(): Lsn;
}

export type EmbeddedStore = SyncStore;

interface Context extends Place {
  readonly options: Required<EmbeddedOptions>;
  flock: Flock | undefined;
  state: 'idle' | 'inside' | 'closed';
}

function enter(context: Context): void {
  if (context.state === 'idle') return;
  const problem =
    context.state === 'closed' ? 'The store is closed.' : 'A step may not use the store itself.';
  throw new GuardError('GUARD_ERR_INTERNAL', problem, 'Report this as a bug of guard.', { dir: context.dir });
}

/** Checks what costs next to nothing to check every time, and names the lock. */
function prepare(context: Context, writable: boolean): LockOptions {
  const { dir, options } = context;
  enter(context);
  checkDir(dir);
  if (!options.create && list(dir).segments.length === 0) {
    throw new GuardError('GUARD_ERR_NOT_INITIALISED', `There is no ledger in ${dir}.`, 'Run guard init.', {
      path: dir,
    });
  }
  context.flock ??= chooseFlock();
  return {
    dir,
    flock: context.flock,
    deadline_ms: options.lock_deadline_ms,
    writable,
    mono_ms: () => options.now().mono_ms,
  };
}

function inside<T>(
  context: Context,
  held: Held,
  writable: boolean,
  use: (ledger: Ledger, options: AttachOptions) => T,
): T {
  context.state = 'inside';
  try {
    return useLedger(context, held, writable, use);
  } finally {
    context.state = 'idle';
    held.free();
  }
}

const sourceOf = (ledger: Ledger): Source => ({
  next: ledger.header.applied,
  lookup: (key) => lookup(ledger, key),
  range: (prefix, since) => range(ledger, prefix, since),
});

function commit<T>(keys: readonly Key[], step: (view: View) => Step<T>) {
  return (ledger: Ledger, options: AttachOptions): T => {
    const { records, result } = runStep(sourceOf(ledger), keys, step);
    const repeated = explicitIds(records).some(([agent, id]) => hasId(ledger, agent, id));
    if (!repeated) write(ledger, records, options);
    return result;
  };
}

/** Records that change who holds what. */
const HOLDS = /^(?:hold|re(?:new|lease|voke|serve)|unreserve|expire|turn|agent|command|background)/;

/** Commands that run in a fence are told (src/fence), under the same lock. */
function write(ledger: Ledger, records: readonly RecordBody[], options: AttachOptions): void {
  const add = (): boolean => append(ledger, records, options);
  if (records.some(({ type }) => HOLDS.test(type)) && isOn(ledger.dir))
    noteCommit(ledger.dir, records, { now: options.now, get: (key) => lookup(ledger, key) }, add);
  else add();
}

const EMPTY: Source = { next: FIRST_LSN, lookup: () => undefined, range: () => [] };

/** Reads everything while the lock is held; the view needs neither lock nor files afterwards. */
function snapshot(keys: readonly Key[], prefixes: readonly string[]) {
  return (ledger: Ledger): View => {
    const states = new Map(keys.map((key) => [key, lookup(ledger, key)]));
    const ranges = new Map(prefixes.map((prefix) => [prefix, range(ledger, prefix)]));
    const source: Source = {
      next: ledger.header.applied,
      lookup: (key) => states.get(key),
      range: (prefix) => ranges.get(prefix) ?? [],
    };
    return makeView(source, new Set(keys), prefixes);
  };
}

function defaults(options: EmbeddedOptions): Required<EmbeddedOptions> {
  return {
    durability: 'process',
    lock_deadline_ms: LOCK_DEADLINE_MS,
    segment_bytes: SEGMENT_BYTES,
    create: true,
    ...options,
  };
}

/** A synchronous sequence for callers that await. */
async function* later<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  for (const item of items) yield await Promise.resolve(item);
}

/** An empty store has no lock file, and a read must not make one: nothing can be in it. */
function isUntouched(dir: string): boolean {
  const names = list(dir);
  return names.segments.length === 0 && !names.hasIndex && names.checkpoints.length === 0;
}

/** Opens the store in `dir`, a directory that exists. Touches nothing until it is used. */
export function openEmbedded(dir: string, given: EmbeddedOptions): EmbeddedStore {
  const options = defaults(given);
  const { now, segment_bytes } = options;
  const durable = options.durability === 'fsync';
  const context: Context = { dir, now, segment_bytes, durable, options, flock: undefined, state: 'idle' };

  function look<T>(empty: () => T, use: (ledger: Ledger) => T): T {
    const locking = prepare(context, false);
    return isUntouched(dir) ? empty() : inside(context, lockSync(locking), false, use);
  }

  const readSync = (keys: readonly Key[], prefixes: readonly string[] = []): View =>
    look(() => makeView(EMPTY, new Set(keys), prefixes), snapshot(keys, prefixes));

  function scanSync(from?: Lsn): Iterable<LedgerRecord> {
    enter(context);
    checkDir(dir);
    return scanLedger(dir, from);
  }

  return {
    supports: { watch: true, shared: false, durable },
    transactSync: (keys, step) => inside(context, lockSync(prepare(context, true)), true, commit(keys, step)),
    async transact(keys, step, limits = {}) {
      const held = await lockAsync({ ...prepare(context, true), ...limits });
      return inside(context, held, true, commit(keys, step));
    },
    readSync,
    lookSync: (use) =>
      look(
        () => use(makeView(EMPTY)),
        (ledger) => use(makeView(sourceOf(ledger))),
      ),
    read: (keys, prefixes) => Promise.resolve().then(() => readSync(keys, prefixes)),
    scanSync,
    scan: (from) => later(scanSync(from)),
    watch(from, signal) {
      enter(context);
      return watchLedger(dir, from, signal);
    },
    tip: () => readSync([]).next,
    closeSync() {
      context.state = 'closed';
    },
    close: () => Promise.resolve().then(() => void (context.state = 'closed')),
  };
}
