import { describe, expect, test } from 'vitest';
import { viewOf } from '../../../src/core/fold.ts';
import { statusOf } from '../../../src/core/report.ts';
import type { Facts } from '../../../src/core/types.ts';
import { operate } from '../../../src/store/operate.ts';
import { openMemory } from '../memory.ts';
import { plain } from '../plain.ts';
import { files, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

describe('a look at the store', () => {
  test('sees every key and every range, and writes nothing', () =>
    withDir((dir) => {
      expect(open(dir).lookSync((view) => [view.get('path:0'), view.range('')])).toEqual([undefined, []]);
      expect(files(dir)).toEqual([]);
      fill(dir, 20);
      const seen = open(dir).lookSync((view) => [view.get('path:3'), view.range('path:').length]);
      expect(seen).toEqual([18, 5]);
    }));

  test('leaves out of a range what was last written before', () =>
    withDir((dir) => {
      fill(dir, 20);
      const since = put(open(dir), record({ 'path:1': 'new', 'wait:1': 'new' }));
      expect(open(dir).lookSync((view) => view.range('path:', since))).toEqual([['path:1', 'new']]);
      expect(open(dir).lookSync((view) => view.range('path:', since + 1))).toEqual([]);
      expect(open(dir).lookSync((view) => view.range('path:', Infinity))).toEqual([]);
    }));
});

const facts: Facts = {
  now: { mono_ms: 1_000_000, boot: 'b', wall_ms: 0 },
  policy: {
    enforcement: 'required',
    unread: 'changed',
    ttl_ms: 900_000,
    idle_ms: 180_000,
    release_on: 'never',
    wanted_ms: 1000,
    victim: 'youngest',
    resolve: 'notify',
  },
  machine: 'm',
  isDead: () => false,
  guard_command: 'guard',
};

test('the status of a look, which passes over old paths, is that of everything', () =>
  withDir((dir) => {
    for (const { store, ...at } of [open(dir), plain(openMemory({ now: clock() }))]) {
      for (let round = 0; round < 60; round++) {
        const id = `claude-${round % 7}`;
        const who = { id, kind: 'session', parent: null, session: id, proc: null } as const;
        operate(store, { type: 'agent.present', who }, facts);
        const paths = [`a${round % 11}`, `b${round % 5}`];
        const how = { mode: 'exclusive', ttl_ms: null, all: false, wait_until_mono_ms: null } as const;
        if (round % 4 !== 3) operate(store, { type: 'lock.acquire', who, paths, ...how }, facts);
        else operate(store, { type: 'agent.leave', who, reason: 'other' }, facts);
        const looked = at.lookSync((view) => statusOf(view, facts));
        expect(looked).toEqual(statusOf(viewOf(new Map(at.readSync([], ['']).range(''))), facts));
        if (round > 5) expect(looked.leases.length).toBeGreaterThan(0);
      }
    }
  }));
