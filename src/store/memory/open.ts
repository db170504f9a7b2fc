/**
 * The store in memory: the same rules without a disk. For fast tests, and as the plain oracle that the
 * embedded engine is compared with. Records have the same bytes, so they have the same lsns.
 */
import { GuardError } from '../../core/error.ts';
import type { Json, Key, LedgerRecord, Lsn, RecordBody, View } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import type { SyncStore } from '../embedded/open.ts';
import { encodeRecord, FIRST_LSN } from '../record.ts';
import type { Step } from '../store.ts';
import { explicitIds, makeView, runStep } from '../view.ts';
import type { Source } from '../view.ts';

interface MemoryOptions {
  readonly now: () => Now;
}

export type MemoryStore = SyncStore;

interface Memory {
  readonly records: LedgerRecord[];
  readonly states: Map<Key, Json>;
  readonly ids: Set<string>;
  readonly wakers: Set<() => void>;
  next: Lsn;
  prev: number;
  state: 'idle' | 'inside' | 'closed';
}

function sourceOf({ states, next }: Memory): Source {
  return {
    next,
    lookup: (key) => states.get(key),
    range: (prefix) =>
      [...states].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

function place(
  memory: Memory,
  bodies: readonly RecordBody[],
): { readonly records: LedgerRecord[]; readonly next: Lsn; readonly prev: number } {
  let { next, prev } = memory;
  const records = bodies.map((body, at) => {
    const { bytes, crc } = encodeRecord(body, { lsn: next, prev, more: bodies.length - 1 - at });
    next += bytes.length;
    prev = crc;
    return JSON.parse(bytes.toString('utf8')) as LedgerRecord;
  });
  return { records, next, prev };
}

function apply(memory: Memory, bodies: readonly RecordBody[]): void {
  const ids = explicitIds(bodies).map((id) => id.join('\0'));
  if (bodies.length === 0 || ids.some((id) => memory.ids.has(id))) return;
  const { records, next, prev } = place(memory, bodies);
  for (const record of records) {
    memory.records.push(record);
    for (const [key, state] of Object.entries(record.s)) {
      if (state === null) memory.states.delete(key);
      else memory.states.set(key, state);
    }
  }
  for (const id of ids) memory.ids.add(id);
  Object.assign(memory, { next, prev });
  for (const wake of memory.wakers) wake();
}

function enter({ state }: Memory): void {
  if (state === 'idle') return;
  const problem = state === 'closed' ? 'The store is closed.' : 'A step may not use the store itself.';
  throw new GuardError('GUARD_ERR_INTERNAL', problem, 'Report this as a bug of guard.');
}

function transactIn<T>(memory: Memory, keys: readonly Key[], step: (view: View) => Step<T>): T {
  enter(memory);
  memory.state = 'inside';
  try {
    const { records, result } = runStep(sourceOf(memory), keys, step);
    apply(memory, records);
    return result;
  } finally {
    memory.state = 'idle';
  }
}

function readIn(memory: Memory, keys: readonly Key[], prefixes: readonly string[]): View {
  enter(memory);
  const now = sourceOf({ ...memory, states: new Map(memory.states) });
  return makeView(now, new Set(keys), prefixes);
}

/** First record at or after `from`. */
function positionOf(memory: Memory, from: Lsn): number {
  const at = memory.records.findIndex((record) => record.lsn >= from);
  return at < 0 ? memory.records.length : at;
}

function* scanIn(memory: Memory, from: Lsn): Generator<LedgerRecord, void> {
  enter(memory);
  yield* memory.records.slice(positionOf(memory, from));
}

async function* later<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  for (const item of items) yield await Promise.resolve(item);
}

async function* watchIn(memory: Memory, from: Lsn, signal: AbortSignal): AsyncGenerator<LedgerRecord, void> {
  enter(memory);
  let wake = (): void => undefined;
  const ring = (): void => wake();
  memory.wakers.add(ring);
  signal.addEventListener('abort', ring);
  try {
    for (let at = positionOf(memory, from); !signal.aborted;) {
      const record = memory.records[at];
      if (record === undefined) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      at++;
      yield record;
    }
  } finally {
    memory.wakers.delete(ring);
    signal.removeEventListener('abort', ring);
  }
}

/** A store that lives as long as the process. `now` is unused: what a record says of time is its body's `ts_ms`. */
export function openMemory(options: MemoryOptions): MemoryStore {
  options.now();
  const memory: Memory = {
    records: [],
    states: new Map(),
    ids: new Set(),
    wakers: new Set(),
    next: FIRST_LSN,
    prev: 0,
    state: 'idle',
  };
  const settle = <T>(act: () => T): Promise<T> => Promise.resolve().then(act);
  return {
    supports: { watch: true, shared: false, durable: false },
    transactSync: (keys, step) => transactIn(memory, keys, step),
    transact: (keys, step) => settle(() => transactIn(memory, keys, step)),
    readSync: (keys, prefixes = []) => readIn(memory, keys, prefixes),
    lookSync(look) {
      enter(memory);
      return look(makeView(sourceOf(memory)));
    },
    read: (keys, prefixes = []) => settle(() => readIn(memory, keys, prefixes)),
    scanSync: (from = FIRST_LSN) => scanIn(memory, from),
    scan: (from = FIRST_LSN) => later(scanIn(memory, from)),
    watch: (from, signal) => watchIn(memory, from, signal),
    tip: () => memory.next,
    closeSync() {
      memory.state = 'closed';
    },
    close: () => settle(() => void (memory.state = 'closed')),
  };
}
