/** How many requests an operation makes to a remote engine. */
import { beforeEach, expect, test } from 'vitest';
import type { EventOf, EventType } from '../../src/core/decide.ts';
import { operate } from '../../src/store/operate.ts';
import type { Store } from '../../src/store/store.ts';
import { consult } from '../../src/store/transact.ts';
import { openMemory } from './memory.ts';
import { Fleet } from '../core/fleet.ts';

let asked: string[] = [];
let fleet: Fleet;
let store: Store;
beforeEach(() => {
  asked = [];
  fleet = new Fleet();
  const memory = openMemory({ now: () => fleet.now, shared: true });
  store = {
    supports: memory.supports,
    look(keys, indexes) {
      asked.push(keys.length + (indexes?.length ?? 0) === 0 ? 'nothing' : 'look');
      return memory.look(keys, indexes);
    },
    commit(read, records, id) {
      asked.push('commit');
      return memory.commit(read, records, id);
    },
    scan: (from) => memory.scan(from),
    watch: (from, signal) => memory.watch(from, signal),
    tip: () => memory.tip(),
    close: () => memory.close(),
  };
});

test('a reader asks once, and never for nothing', () => {
  expect(consult(store, (view) => view.get('path:f') ?? view.range('agent:').length)).toBe(0);
  expect(asked).toEqual(['look']);
});

test('a step that reads nothing is still run on what the engine says', () => {
  fleet.pass(5);
  expect(consult(store, ({ now, tip }) => [now.mono_ms, tip > 0])).toEqual([fleet.now.mono_ms, true]);
  expect(asked).toEqual(['nothing']);
});

test('what a step throws of nothing counts for nothing', () => {
  const seen = consult(store, ({ now }) => {
    if (now.boot !== fleet.now.boot) throw new RangeError('no such clock');
    return now.boot;
  });
  expect(seen).toBe(fleet.now.boot);
});

test('an agent that is known takes and gives back in one look and one commit', () => {
  const machine = fleet.machine('m-a');
  const who = machine.session('a', 42);
  const run = <T extends EventType>(event: EventOf<T>) => operate(store, event, machine.facts);
  const take = (...paths: readonly string[]) =>
    run({
      ...{ type: 'lock.acquire', who, paths, mode: 'exclusive', ttl_ms: null, all: true },
      wait_until_mono_ms: null,
    });
  run({ type: 'agent.present', who });
  asked = [];
  expect(take('f', 'g').map(({ acquired }) => acquired)).toEqual([true, true]);
  const taking = asked;
  asked = [];
  run({ type: 'lock.release', who, paths: ['f', 'g'] });
  expect({ taking, giving: asked }).toEqual({ taking: ['look', 'commit'], giving: ['look', 'commit'] });
});
