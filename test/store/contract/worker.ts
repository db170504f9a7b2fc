/** The tasks of racing processes in the contract suite. Each answers with lines of JSON. */
import type { Json, RecordBody, View } from '../../../src/core/ledger.ts';
import { consult, transact } from '../../../src/store/transact.ts';
import type { AnyStore } from './engine.ts';

export type Say = (line: Json) => void;
export type Task = (store: AnyStore, say: Say, args: readonly string[]) => Promise<void>;

export const body = (s: RecordBody['s'], more: Partial<RecordBody> = {}): RecordBody => ({
  type: 'test',
  agent: 'tester',
  ts_ms: 1_700_000_000_000,
  s,
  ...more,
});

const countOf = (view: View, key: string): number => Number(view.get(key) ?? 0);

/** Adds one, `times` times; reports what it read each time. */
async function count(
  store: AnyStore,
  say: Say,
  [key = '', times = '1', agent = 'counter']: readonly string[],
): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    const [before, token] = await transact(store, (view) => ({
      records: [body({ [key]: countOf(view, key) + 1 }, { agent })],
      result: [countOf(view, key), view.next] as const,
    }));
    say({ before, token });
  }
}

/** Moves one from key to key, so the sum stays the same. Several records per commit. */
async function move(store: AnyStore, say: Say, [times = '1', seed = '1']: readonly string[]): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    const from = `sum:${(round * 7 + Number(seed)) % 5}`;
    const to = `sum:${(round * 3 + Number(seed) * 2 + 1) % 5}`;
    await transact(store, (view) => ({
      records:
        from === to ? [] : [body({ [from]: countOf(view, from) - 1 }), body({ [to]: countOf(view, to) + 1 })],
      result: null,
    }));
  }
  say({ done: true });
}

/** Reads all five keys, `times` times; reports every sum it saw. */
async function sum(store: AnyStore, say: Say, [times = '1']: readonly string[]): Promise<void> {
  const keys = Array.from({ length: 5 }, (_, at) => `sum:${at}`);
  const seen = new Set<number>();
  for (let round = 0; round < Number(times); round++) {
    const totals = await consult(store, (view) => [
      keys.reduce((total, key) => total + countOf(view, key), 0),
      view.range('sum:').reduce((total, [, state]) => total + Number(state), 0),
    ]);
    for (const total of totals) seen.add(total);
  }
  say({ sums: [...seen] });
}

/** Takes the next ticket of a queue by asking for one key after another. */
async function chain(store: AnyStore, say: Say, [agent = '', links = '5']: readonly string[]): Promise<void> {
  const taken = await transact(store, (view) => {
    for (let at = 0; ; at++) {
      const key = `chain:${at}`;
      if (view.get(key) === undefined)
        return { records: at < Number(links) ? [body({ [key]: agent })] : [], result: at };
    }
  });
  say({ taken });
}

/** Appends the same record twice under one id. */
async function twice(store: AnyStore, say: Say, [agent = '', id = '']: readonly string[]): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await transact(store, (view) => ({
      records: [body({ twice: countOf(view, 'twice') + 1 }, { agent, id })],
      result: null,
    }));
  }
  say({ done: true });
}

/** Dies in the middle of a step. */
async function die(store: AnyStore, say: Say, [key = '']: readonly string[]): Promise<void> {
  await transact(store, (view) => {
    const saw = view.get(key);
    // With an engine that must be asked first, a step runs once before it sees anything.
    if (saw === undefined) return { records: [], result: null };
    say({ saw });
    process.kill(process.pid, 'SIGKILL');
    return { records: [body({ [key]: 'never' })], result: null };
  });
}

/** Waits for `times` records and reports each. */
async function follow(
  store: AnyStore,
  say: Say,
  [from = '0', times = '1']: readonly string[],
): Promise<void> {
  const stop = new AbortController();
  let left = Number(times);
  say({ following: true });
  for await (const record of store.watch(Number(from), stop.signal)) {
    say({ lsn: record.lsn, seen_ms: Date.now() });
    if (--left === 0) stop.abort();
  }
}

/** Adds one, `times` times, without the loop: it looks and commits, and retries with what the refusal returned. */
async function add(
  store: AnyStore,
  say: Say,
  [key = '', times = '1', agent = '']: readonly string[],
): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    for (let look = await store.look([key]); ;) {
      const { tip, states } = look;
      const version = states.get(key)?.version ?? 0;
      const records = [body({ [key]: Number(look.get(key) ?? 0) + 1 }, { agent })];
      const done = await store.commit({ tip, keys: new Map([[key, version]]), lists: [] }, records);
      if (done.verdict !== 'moved') {
        say({ lsn: done.lsn });
        break;
      }
      look = done.look;
    }
  }
}

/** Sets its own flag if no flag is set: it reads all of them, and writes one. */
async function skew(
  store: AnyStore,
  say: Say,
  [round = '', own = '', of = '1']: readonly string[],
): Promise<void> {
  const flags = Array.from({ length: Number(of) }, (_, at) => `skew:${round}/${at}`);
  await transact(store, (view) => ({
    records: flags.some((flag) => view.get(flag) !== undefined)
      ? []
      : [body({ [`skew:${round}/${own}`]: 1 })],
    result: null,
  }));
  say({ done: true });
}

/** Joins, several times under different names, while fewer than `most` are there. */
async function join(
  store: AnyStore,
  say: Say,
  [name = '', most = '1', times = '1']: readonly string[],
): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    await transact(store, (view) => ({
      records: view.range('member:').length < Number(most) ? [body({ [`member:${name}/${round}`]: 1 })] : [],
      result: null,
    }));
  }
  say({ done: true });
}

export const TASKS: Readonly<Record<string, Task>> = {
  count,
  move,
  sum,
  chain,
  twice,
  die,
  follow,
  add,
  skew,
  join,
};
