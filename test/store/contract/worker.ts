/** The tasks that racing processes do in the contract suite. Each answers lines of JSON. */
import type { Json, RecordBody, View } from '../../../src/core/ledger.ts';
import type { Store } from '../../../src/store/store.ts';

export type Say = (line: Json) => void;
export type Task = (store: Store, say: Say, args: readonly string[]) => Promise<void>;

export const body = (s: RecordBody['s'], more: Partial<RecordBody> = {}): RecordBody => ({
  type: 'test',
  agent: 'tester',
  ts_ms: 1_700_000_000_000,
  s,
  ...more,
});

const countOf = (view: View, key: string): number => Number(view.get(key) ?? 0);

/** Adds one, `times` times; says what it read each time. */
async function count(
  store: Store,
  say: Say,
  [key = '', times = '1', agent = 'counter']: readonly string[],
): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    const [before, token] = await store.transact([key], (view) => ({
      records: [body({ [key]: countOf(view, key) + 1 }, { agent })],
      result: [countOf(view, key), view.next] as const,
    }));
    say({ before, token });
  }
}

/** Moves one from key to key: the sum of all stays. Several records in one commit. */
async function move(store: Store, say: Say, [times = '1', seed = '1']: readonly string[]): Promise<void> {
  for (let round = 0; round < Number(times); round++) {
    const from = `sum:${(round * 7 + Number(seed)) % 5}`;
    const to = `sum:${(round * 3 + Number(seed) * 2 + 1) % 5}`;
    await store.transact([from, to], (view) => ({
      records:
        from === to ? [] : [body({ [from]: countOf(view, from) - 1 }), body({ [to]: countOf(view, to) + 1 })],
      result: null,
    }));
  }
  say({ done: true });
}

/** Reads all five until the file of that name in the store says stop; says every sum that it saw. */
async function sum(store: Store, say: Say, [times = '1']: readonly string[]): Promise<void> {
  const keys = Array.from({ length: 5 }, (_, at) => `sum:${at}`);
  const seen = new Set<number>();
  for (let round = 0; round < Number(times); round++) {
    const view = await store.read(keys, ['sum:']);
    seen.add(keys.reduce((total, key) => total + countOf(view, key), 0));
    seen.add(view.range('sum:').reduce((total, [, state]) => total + Number(state), 0));
  }
  say({ sums: [...seen] });
}

/** Takes the next ticket of a queue by asking for keys one after the other. */
async function chain(store: Store, say: Say, [agent = '', links = '5']: readonly string[]): Promise<void> {
  const taken = await store.transact(['chain:0'], (view) => {
    for (let at = 0; ; at++) {
      const key = `chain:${at}`;
      if (!view.has(key)) return { need: [key] };
      if (view.get(key) === undefined)
        return { records: at < Number(links) ? [body({ [key]: agent })] : [], result: at };
    }
  });
  say({ taken });
}

/** Appends the same record twice under one id. */
async function twice(store: Store, say: Say, [agent = '', id = '']: readonly string[]): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await store.transact(['twice'], (view) => ({
      records: [body({ twice: countOf(view, 'twice') + 1 }, { agent, id })],
      result: null,
    }));
  }
  say({ done: true });
}

/** Dies in the middle of a step. */
async function die(store: Store, say: Say, [key = '']: readonly string[]): Promise<void> {
  await store.transact([key], (view) => {
    say({ saw: view.get(key) ?? null });
    process.kill(process.pid, 'SIGKILL');
    return { records: [body({ [key]: 'never' })], result: null };
  });
}

/** Waits for `times` records and says each. */
async function follow(store: Store, say: Say, [from = '0', times = '1']: readonly string[]): Promise<void> {
  const stop = new AbortController();
  let left = Number(times);
  say({ following: true });
  for await (const record of store.watch?.(Number(from), stop.signal) ?? []) {
    say({ lsn: record.lsn, seen_ms: Date.now() });
    if (--left === 0) stop.abort();
  }
}

export const TASKS: Readonly<Record<string, Task>> = { count, move, sum, chain, twice, die, follow };
