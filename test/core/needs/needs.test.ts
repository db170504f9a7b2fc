import { expect, it } from 'vitest';
import type { DenialNow, NeedsSeen } from '../../../src/core/needs/need.ts';
import { needsIn } from '../../../src/core/needs/needs.ts';

const NOW_MS = Date.parse('2026-01-31T12:00:00.000Z');
const QUIET: NeedsSeen = {
  ...{ repository: '/code/shop', waits: [], cycles: [], leases: [] },
  ...{ denials: [], unjoined: [], other_clients: [], noticed: [] },
};
const nameOf = (id: string): string => id;
const seen = (more: Partial<NeedsSeen>) =>
  needsIn({ told: { ...QUIET, ...more }, now_ms: NOW_MS, nameOf, fullNameOf: nameOf });

const denied = (lsn: number, seconds: number): DenialNow => ({
  ...{ lsn, at: new Date(NOW_MS - seconds * 1000).toISOString(), agent: 'bob', tool: 'Edit' },
  ...{ paths: ['a.ts'], error_type: 'STALE_FILE', message: 'm' },
});

it('what is denied again and again is one row, which leads to the newest record about it', () => {
  const needs = seen({ denials: [denied(900, 10), denied(700, 90), denied(500, 200)] });
  expect(needs).toMatchObject([
    { kind: 'denied', lsn: 900, age_ms: 10_000, who: 'bob: STALE_FILE (3 times)', what: 'a.ts' },
  ]);
});

it('an agent that holds a file twice, also for a command of its own, is waited for in one row', () => {
  const since = new Date(NOW_MS - 60_000).toISOString();
  const wait = {
    from: 'bob',
    to: 'ann',
    path: 'a.ts',
    kind: 'wait',
    because: 'hold',
    since,
    lsn: 700,
  } as const;
  expect(seen({ waits: [wait, wait] })).toMatchObject([{ kind: 'wait', lsn: 700 }]);
});

it('a deadlock leads to the wait that began last, and to no moment if no beginning is known', () => {
  const edges = [
    { from: 'bob', to: 'ann', path: 'a.ts', kind: 'wait', because: 'hold' },
    { from: 'ann', to: 'bob', path: 'b.ts', kind: 'wait', because: 'hold' },
  ] as const;
  const cycles = [{ kind: 'deadlock', state: 'open', edges, victim: 'bob', release: ['b.ts'] }] as const;
  const since = new Date(NOW_MS).toISOString();
  const waits = edges.map((edge, nth) => ({ ...edge, since, lsn: 700 - 100 * nth }));
  const dated = seen({ cycles, waits });
  expect(dated).toMatchObject([{ kind: 'deadlock', lsn: 700, what: 'bob must release b.ts' }]);
  expect(seen({ cycles })[0]).not.toHaveProperty('lsn');
});
