/**
 * The embedded store: a JSONL ledger that is the truth, an index that is a cache, and one flock(2).
 *
 * Call `openEmbedded({dir, …})`, then look, commit and scan any number of times, and `close` at the end. Each
 * operation opens what it needs and closes it again. Between two operations the process holds no lock and no open
 * file, so it cannot block others, whether it sleeps, forks or dies.
 *
 * A process that dies anywhere in a transaction leaves the ledger either untouched or with the whole commit, and
 * the next process cleans up. A commit that has returned is in the file: it survives the death of any
 * process and, with `durability: "fsync"`, of the machine.
 */
import type { Now } from '../../core/types.ts';
import type { Store } from '../store.ts';
import { SEGMENT_BYTES } from './append.ts';
import { type Context, mustBeIdle } from './context.ts';
import { checkDir } from './files.ts';
import { LOCK_DEADLINE_MS } from './lock.ts';
import type { Remembered } from './remembered.ts';
import { scanLedger } from './scan.ts';
import { still } from './still.ts';
import type { StorePlace } from './use.ts';
import { watchLedger } from './watch.ts';

/** Configuration of a ledger that belongs to this machine alone. */
export interface LocalConfig extends Pick<StorePlace, 'takeIn'> {
  /** The state directory, which must exist. */
  readonly dir: string;
  readonly now: () => Now;
  /** "process" (default): an acknowledged record survives kill -9. "fsync": power loss too, at 1 to 20 ms per commit. */
  readonly durability?: 'process' | 'fsync';
  /** How long to wait for another process. Default: 4000. */
  readonly lock_deadline_ms?: number;
  /** A segment that has reached this length is followed by a new one. Default: 8 MiB. */
  readonly segment_bytes?: number;
  /** False: refuse a directory that has no ledger yet. Default: true. */
  readonly create?: boolean;
  /** Records cached between uses; only for long-running processes. */
  readonly remembered?: Remembered | undefined;
}

/** Touches no file until it is used. */
export function openEmbedded({ durability, ...given }: LocalConfig): Store {
  const { dir } = given;
  const durable = durability === 'fsync';
  const context: Context = {
    ...{
      segment_bytes: SEGMENT_BYTES,
      lock_deadline_ms: LOCK_DEADLINE_MS,
      create: true,
      ...given,
      durable,
    },
    ...{ flock: undefined, waited_until_mono_ms: 0 },
    state: 'idle',
  };
  return {
    supports: { watch: true, shared: false, durable },
    still: (use, options) => still(context, use, options),
    look: (keys, indexes) => still(context, (engine) => engine.look(keys, indexes), { writes: false }),
    commit: (read, records, id) =>
      still(context, (engine) => engine.commit(read, records, id), { writes: true }),
    scan(from) {
      mustBeIdle(context);
      checkDir(dir);
      return scanLedger(dir, from);
    },
    watch(from, signal) {
      mustBeIdle(context);
      return watchLedger(dir, from, signal);
    },
    tip: () => still(context, (engine) => engine.look([]).tip, { writes: false }),
    close() {
      context.state = 'closed';
    },
  };
}
