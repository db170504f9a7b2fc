/**
 * The store in memory: the same rules without a disk. For fast tests, and as the plain oracle with which the embedded
 * engine is compared. Its records have the same bytes, and therefore the same lsns.
 */
import { GuardError } from '../../src/core/error.ts';
import type { Json, Key, LedgerRecord, Lsn, RecordBody } from '../../src/core/ledger.ts';
import type { Now } from '../../src/core/types.ts';
import { explicitIds } from '../../src/store/explicit-ids.ts';
import { fillAll } from '../../src/store/placeholder.ts';
import { encodeRecord, FIRST_LSN } from '../../src/store/record.ts';
import type { Committed, Engine, Index, StoreLook, Read, Store } from '../../src/store/store.ts';

interface MemoryOptions {
  readonly now: () => Now;
  /** Like an engine that machines share: `now` is its clock, and every guard that writes to it writes index keys. */
  readonly shared?: boolean;
}

interface Memory {
  readonly records: LedgerRecord[];
  readonly states: Map<Key, Json>;
  readonly versions: Map<Key, Lsn>;
  /** The lsn of each commit, by agent and id. */
  readonly ids: Map<string, Lsn>;
  readonly now: () => Now;
  readonly indexed: true | undefined;
  readonly wakers: Set<() => void>;
  next: Lsn;
  prev: number;
  state: 'idle' | 'inside' | 'closed';
}

function lookIn(
  { states, versions, next, now, indexed }: Memory,
  keys: readonly Key[],
  indexes: readonly Index[],
): StoreLook {
  const stated = new Map(
    keys.map((key) => [key, { state: states.get(key), version: versions.get(key) ?? 0 }]),
  );
  const versionOf = (key: Key): Lsn => versions.get(key) ?? 0;
  const listed = indexes.map((index) => {
    const { below, since, most = 0, after } = index;
    const all = [...states].filter(([key]) => key.startsWith(below) && versionOf(key) >= since);
    if (after !== undefined) {
      const behind = all.map(([key]) => key).filter((key) => key > after);
      const keys = behind.sort().slice(0, most === 0 ? undefined : most);
      return { ...index, entries: [], keys, version: keys.join('\n') };
    }
    const entries = all
      .sort(([a], [b]) => versionOf(b) - versionOf(a))
      .slice(0, most === 0 ? undefined : most)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      ...index,
      entries,
      version: entries.map(([key]) => `${key} ${versions.get(key)}`).join('\n'),
    };
  });
  return {
    ...{ states: stated, lists: listed, tip: next, now: now(), indexed },
    get: (key) => stated.get(key)?.state,
  };
}

function commitIn(memory: Memory, read: Read, given: readonly RecordBody[], id?: string): Committed {
  const bodies = given.map((body, at) => (at === 0 && id !== undefined ? { id, ...body } : body));
  const known = explicitIds(bodies).flatMap((one) => memory.ids.get(one.join('\0')) ?? []);
  if (known[0] !== undefined) return { verdict: 'repeated', lsn: known[0] };
  const look = lookIn(memory, [...read.keys.keys()], read.lists);
  const isSame =
    [...read.keys].every(([key, version]) => look.states.get(key)?.version === version) &&
    read.lists.every(({ version }, at) => look.lists[at]?.version === version);
  if (!isSame) return { verdict: 'moved', look };
  const lsn = memory.next;
  apply(memory, fillAll(bodies, lsn, memory.now()));
  return { verdict: 'done', lsn };
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
  if (bodies.length === 0) return;
  const { records, next, prev } = place(memory, bodies);
  for (const record of records) {
    memory.records.push(record);
    for (const [key, state] of Object.entries(record.s)) {
      if (state === null) memory.states.delete(key);
      else memory.states.set(key, state);
      if (state === null) memory.versions.delete(key);
      else memory.versions.set(key, record.lsn);
    }
  }
  for (const [agent, id] of explicitIds(bodies)) memory.ids.set(`${agent}\0${id}`, memory.next);
  Object.assign(memory, { next, prev });
  for (const wake of memory.wakers) wake();
}

function enter({ state }: Memory): void {
  if (state === 'idle') return;
  const problem = state === 'closed' ? 'The store is closed.' : 'A step may not use the store itself.';
  throw new GuardError('GUARD_ERR_INTERNAL', problem, 'Report this as a bug of guard.');
}

function inside<T>(memory: Memory, use: () => T): T {
  enter(memory);
  memory.state = 'inside';
  try {
    return use();
  } finally {
    memory.state = 'idle';
  }
}

/** The position of the first record at or after `from`. */
function positionOf(memory: Memory, from: Lsn): number {
  const at = memory.records.findIndex((record) => record.lsn >= from);
  return at < 0 ? memory.records.length : at;
}

function* scanIn(memory: Memory, from: Lsn): Generator<LedgerRecord, void> {
  enter(memory);
  yield* memory.records.slice(positionOf(memory, from));
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

/** A store that lives as long as the process. */
export function openMemory({ now, shared = false }: MemoryOptions): Store {
  const memory: Memory = {
    records: [],
    states: new Map(),
    versions: new Map(),
    ids: new Map(),
    wakers: new Set(),
    next: FIRST_LSN,
    prev: 0,
    state: 'idle',
    now,
    indexed: shared ? true : undefined,
  };
  const engine: Engine<'now'> = {
    look: (keys, indexes = []) => lookIn(memory, keys, indexes),
    commit: (read, records, id) => commitIn(memory, read, records, id),
  };
  return {
    supports: { watch: true, shared, durable: false },
    still: (use) => inside(memory, () => use(engine)),
    look: (keys, indexes) => inside(memory, () => engine.look(keys, indexes)),
    commit: (read, records, id) => inside(memory, () => engine.commit(read, records, id)),
    scan: (from = FIRST_LSN) => scanIn(memory, from),
    watch: (from, signal) => watchIn(memory, from, signal),
    tip: () => memory.next,
    close() {
      memory.state = 'closed';
    },
  };
}
