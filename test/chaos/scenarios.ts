/** Situations in which a process may die or a file operation may fail. Each prepares a store, then does one thing. */
import { appendFileSync, readdirSync, rmSync } from 'node:fs';
import type { Json, Key } from '../../src/core/ledger.ts';
import { BOOT, clock } from '../store/scratch.ts';
import type { EngineUnderTest } from './engine.ts';
import type { Operation } from './faults.ts';

const SEGMENT_BYTES = 1500;

export interface Scenario {
  readonly name: string;
  readonly boot?: string;
  readonly durability?: 'process' | 'fsync';
  prepare(engine: EngineUnderTest, dir: string): void;
  /** The act under fault. Returns when it was acknowledged. */
  act(engine: EngineUnderTest, dir: string, boot: string): void;
  /** Commits that `act` makes before it is acknowledged; 0 for maintenance. */
  readonly commits: number;
  /** Whether records may have been rewritten elsewhere. */
  readonly rewrites?: boolean;
  /** An operation that must occur, as proof that the situation is the intended one. */
  readonly uses?: Operation;
}

interface Write {
  readonly states: Readonly<Record<Key, Json>>;
  readonly id?: string;
  readonly siblings?: number;
}

export function openStore(
  engine: EngineUnderTest,
  dir: string,
  boot: string = BOOT,
  durability: 'process' | 'fsync' = 'process',
) {
  return engine.openEmbedded(dir, {
    now: clock(boot),
    segment_bytes: SEGMENT_BYTES,
    lock_deadline_ms: 1000,
    durability,
  });
}

/** One commit of `1 + siblings` records that all carry the mark. */
export function write(
  engine: EngineUnderTest,
  dir: string,
  mark: string,
  { states, id, siblings = 0 }: Write,
  boot = BOOT,
  durability: 'process' | 'fsync' = 'process',
): void {
  openStore(engine, dir, boot, durability).transactSync(Object.keys(states), () => ({
    records: Array.from({ length: 1 + siblings }, (_, at) => ({
      type: 'test',
      agent: 'victim',
      ts_ms: 1_700_000_000_000,
      ...(id === undefined ? {} : { id: `${id}${at}` }),
      mark,
      s: at === 0 ? states : { [`sibling:${at}`]: mark },
    })),
    result: null,
  }));
}

function fill(engine: EngineUnderTest, dir: string, commits: number, keys = 5): void {
  for (let at = 0; at < commits; at++)
    write(engine, dir, `fill ${at}`, { states: { [`path:${at % keys}`]: at } });
}

const segments = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name.startsWith('ledger-'))
    .sort();
const remove = (dir: string, prefix: string): void => {
  for (const name of readdirSync(dir)) if (name.startsWith(prefix)) rmSync(`${dir}/${name}`);
};

const victim =
  (made: Write, durability: 'process' | 'fsync' = 'process'): Scenario['act'] =>
  (engine, dir, boot) =>
    write(engine, dir, 'victim', made, boot, durability);

/** Enough new keys that buckets split. */
const manyKeys = (from: number): Record<Key, Json> =>
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`path:many/${from + at}`, at]));

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'the first commit of a ledger',
    prepare: () => undefined,
    act: victim({ states: { 'path:0': 'v' } }),
    commits: 1,
  },
  {
    name: 'the first commit, fsync',
    durability: 'fsync',
    prepare: () => undefined,
    act: victim({ states: { 'path:0': 'v' } }, 'fsync'),
    commits: 1,
  },
  {
    name: 'a plain commit',
    prepare: (engine, dir) => fill(engine, dir, 3),
    act: victim({ states: { 'path:0': 'v', 'path:new': 'v' } }),
    commits: 1,
  },
  {
    name: 'a plain commit, fsync',
    durability: 'fsync',
    prepare: (engine, dir) => fill(engine, dir, 3),
    act: victim({ states: { 'path:0': 'v' } }, 'fsync'),
    uses: 'fdatasyncSync',
    commits: 1,
  },
  {
    name: 'a commit of three records with ids',
    prepare: (engine, dir) => fill(engine, dir, 3),
    act: victim({ states: { 'path:0': 'v' }, id: 'one', siblings: 2 }),
    commits: 1,
  },
  {
    name: 'a removal',
    prepare: (engine, dir) => fill(engine, dir, 6),
    act: victim({ states: { 'path:0': null, 'path:1': null, 'path:2': 'v' } }),
    commits: 1,
  },
  {
    name: 'a commit that begins a segment',
    prepare: (engine, dir) => fillSegment(engine, dir),
    act: victim({ states: { 'path:0': 'v' } }),
    uses: 'copyFileSync',
    commits: 1,
  },
  {
    name: 'a commit that splits buckets',
    prepare(engine, dir) {
      for (let at = 0; at < 3; at++) write(engine, dir, `many ${at}`, { states: manyKeys(at * 60) });
    },
    act: victim({ states: manyKeys(180) }),
    commits: 1,
  },
  {
    name: 'a commit behind a torn tail',
    prepare(engine, dir) {
      fill(engine, dir, 3);
      appendFileSync(`${dir}/${segments(dir).at(-1) ?? ''}`, '{"v":1,"id":"torn","typ');
    },
    act: victim({ states: { 'path:0': 'v' } }),
    uses: 'ftruncateSync',
    commits: 1,
  },
  {
    name: 'a commit without an index',
    prepare(engine, dir) {
      fill(engine, dir, 12);
      remove(dir, 'index');
    },
    act: victim({ states: { 'path:0': 'v' } }),
    uses: 'copyFileSync',
    commits: 1,
  },
  {
    name: 'a commit without index and checkpoints',
    prepare(engine, dir) {
      fill(engine, dir, 12);
      remove(dir, 'index');
      remove(dir, 'checkpoint-');
    },
    act: victim({ states: { 'path:0': 'v' } }),
    uses: 'renameSync',
    commits: 1,
  },
  {
    name: 'the first commit after a power cut',
    boot: 'boot-2',
    prepare(engine, dir) {
      fill(engine, dir, 12);
      appendFileSync(`${dir}/${segments(dir).at(-1) ?? ''}`, Buffer.alloc(700));
    },
    act: victim({ states: { 'path:0': 'v' } }),
    uses: 'copyFileSync',
    commits: 1,
  },
  {
    name: 'compaction',
    prepare: (engine, dir) => fill(engine, dir, 16),
    act(engine, dir, boot) {
      engine.compactLedger(dir, {
        now: clock(boot),
        keep_bytes: 1000,
        segment_bytes: SEGMENT_BYTES,
        lock_deadline_ms: 1000,
      });
    },
    uses: 'mkdirSync',
    commits: 0,
    rewrites: true,
  },
  {
    name: 'repair of a lost index',
    prepare(engine, dir) {
      fill(engine, dir, 12);
      remove(dir, 'index');
    },
    act(engine, dir, boot) {
      engine.repairLedger(dir, { now: clock(boot), segment_bytes: SEGMENT_BYTES, lock_deadline_ms: 1000 });
    },
    uses: 'copyFileSync',
    commits: 0,
  },
];

/** Fills the segment so that the next commit begins a new one. */
function fillSegment(engine: EngineUnderTest, dir: string): void {
  for (let at = 0; ; at++) {
    write(engine, dir, `fill ${at}`, { states: { [`path:${at % 5}`]: at } });
    const store = openStore(engine, dir);
    if (store.tip() - 1 >= SEGMENT_BYTES) return;
  }
}
