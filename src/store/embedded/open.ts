/**
 * The embedded store: a JSONL ledger that is the truth, an index that is a cache, and one flock(2).
 *
 * `openEmbedded(dir, …)`, then any number of looks, commits and scans; `close` at the end. Each of them opens
 * what it needs and closes it again: between two operations the process holds no lock and no file, so nothing
 * it does or does not do (sleep, fork, die) is in another one's way.
 *
 * A process that dies anywhere in a transaction leaves the ledger as if it had not begun, or with the commit
 * whole; the next one cleans up. A commit that returned is in the file: it survives the death of every
 * process, and with `durability: "fsync"` that of the machine.
 */
import type { Key, RecordBody } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { GuardError } from '../../core/error.ts';
import { noteCommit } from '../../fence/keep.ts';
import { isOn } from '../../fence/site.ts';
import { chooseFlock, type Flock } from '../flock/flock.ts';
import { misuse } from '../failure.ts';
import { explicitIds } from '../explicit-ids.ts';
import { lookOf } from '../look.ts';
import { fillAll } from '../placeholder.ts';
import type { Committed, Engine, Index, StoreLook, Read, Stated, StillOptions, Store } from '../store.ts';
import { append, SEGMENT_BYTES } from './append.ts';
import type { AttachOptions } from './attach.ts';
import { type StorePlace, useLedger } from './use.ts';
import { checkDir, list } from './files.ts';
import { idAt, isIndexed, type LedgerFiles, lookup, newestOf, recordAt } from './ledger.ts';
import { type FlockOptions, type Held, LOCK_DEADLINE_MS, lockSync } from './lock.ts';
import { hasMoved } from './has-moved.ts';
import { neverWritten } from './never-written.ts';
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

interface Context extends StorePlace {
  readonly options: Required<EmbeddedOptions>;
  flock: Flock | undefined;
  state: 'idle' | 'inside' | 'closed';
}

function enter(context: Context): void {
  if (context.state === 'idle') return;
  const problem =
    context.state === 'closed' ? 'The store is closed.' : 'A step may not use the store itself.';
  throw misuse(problem, { dir: context.dir });
}

/** Checks what costs next to nothing to check every time, and names the lock. */
function prepare(context: Context, writable: boolean): FlockOptions {
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
  use: (ledger: LedgerFiles, options: AttachOptions) => T,
): T {
  context.state = 'inside';
  try {
    return useLedger(context, held, writable, use);
  } finally {
    context.state = 'idle';
    held.free();
  }
}

/** State and version of a key, as the ledger has it now. */
function statedIn(ledger: LedgerFiles, key: Key): Stated {
  const version = newestOf(ledger, key) ?? 0;
  return { version, state: version === 0 ? undefined : (recordAt(ledger, version).s[key] ?? undefined) };
}

function lookIn(
  ledger: LedgerFiles,
  now: Now,
  keys: readonly Key[],
  indexes: readonly Index[] = [],
): StoreLook {
  const states = new Map(keys.map((key) => [key, statedIn(ledger, key)]));
  const lists = indexes.map((index) => ({ ...index, ...range(ledger, index) }));
  return lookOf({ states, lists, tip: ledger.header.applied, now, indexed: isIndexed(ledger) });
}

function commitIn(
  ledger: LedgerFiles,
  options: AttachOptions,
  read: Read,
  bodies: readonly RecordBody[],
  id?: string,
): Committed {
  const given = bodies.map((body, at) => (at === 0 && id !== undefined ? { id, ...body } : body));
  const ids = given.some((one) => one.id !== undefined) ? explicitIds(given) : [];
  for (const [agent, one] of ids) {
    const lsn = idAt(ledger, agent, one);
    if (lsn !== undefined) return { verdict: 'repeated', lsn };
  }
  const lsn = ledger.header.applied;
  // While no record was appended at all nothing can have moved.
  if (read.tip !== lsn && hasMoved(ledger, read))
    return { verdict: 'moved', look: lookIn(ledger, options.now, [...read.keys.keys()], read.lists) };
  write(ledger, fillAll(given, lsn), options);
  return { verdict: 'done', lsn };
}

const engineOn = (ledger: LedgerFiles, options: AttachOptions): Engine<'now'> => ({
  look: (keys, indexes) => lookIn(ledger, options.now, keys, indexes),
  commit: (read, records, id) => commitIn(ledger, options, read, records, id),
});

/** Records that change who holds what. */
const HOLDS = /^(?:hold|re(?:new|lease|voke|serve)|unreserve|expire|turn|agent|command|background)/;

/** Commands that run in a fence are told (src/fence), under the same lock. */
function write(ledger: LedgerFiles, records: readonly RecordBody[], options: AttachOptions): void {
  const add = (): boolean => append(ledger, records, options);
  if (records.some(({ type }) => HOLDS.test(type)) && isOn(ledger.dir))
    noteCommit(ledger.dir, records, { now: options.now, get: (key) => lookup(ledger, key) }, add);
  else add();
}

const defaults = (options: EmbeddedOptions): Required<EmbeddedOptions> => ({
  durability: 'process',
  lock_deadline_ms: LOCK_DEADLINE_MS,
  segment_bytes: SEGMENT_BYTES,
  create: true,
  ...options,
});

/** An empty store has no lock file, and a read must not make one: nothing can be in it. */
function isUntouched(dir: string): boolean {
  const names = list(dir);
  return names.segments.length === 0 && !names.hasIndex && names.checkpoints.length === 0;
}

/** Opens the store in `dir`, a directory that exists. Touches nothing until it is used. */
export function openEmbedded(dir: string, given: EmbeddedOptions): Store {
  const options = defaults(given);
  const { now, segment_bytes } = options;
  const durable = options.durability === 'fsync';
  const context: Context = { dir, now, segment_bytes, durable, options, flock: undefined, state: 'idle' };

  const still = <T>(use: (engine: Engine<'now'>) => T, { writes, wait_ms }: StillOptions): T => {
    const locking = prepare(context, writes);
    if (!writes && isUntouched(dir)) return use(neverWritten(now()));
    const held = lockSync(wait_ms === undefined ? locking : { ...locking, deadline_ms: wait_ms });
    return inside(context, held, writes, (ledger, attached) => use(engineOn(ledger, attached)));
  };

  return {
    supports: { watch: true, shared: false, durable },
    still,
    look: (keys, indexes) => still((engine) => engine.look(keys, indexes), { writes: false }),
    commit: (read, records, id) => still((engine) => engine.commit(read, records, id), { writes: true }),
    scan(from) {
      enter(context);
      checkDir(dir);
      return scanLedger(dir, from);
    },
    watch(from, signal) {
      enter(context);
      return watchLedger(dir, from, signal);
    },
    tip: () => still((engine) => engine.look([]).tip, { writes: false }),
    close() {
      context.state = 'closed';
    },
  };
}
