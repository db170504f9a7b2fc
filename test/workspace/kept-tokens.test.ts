/** Under which cached leases a write may begin without asking. */
import { expect, test } from 'vitest';
import { pathKey } from '../../src/core/keys.ts';
import type { Json } from '../../src/core/ledger.ts';
import type { KeptLeases } from '../../src/workspace/kept-leases.ts';
import { tokensIn } from '../../src/workspace/kept-tokens.ts';

const NEAR_MS = 5_000;

function tokensWith(left_ms: number, margin_ms: number) {
  const lease = { path: 'a.txt', holder: 'a', parent: null, token: 7, left_ms, margin_ms };
  const kept = { leases: () => [lease], leaseKeyOf: (key: string) => key } as unknown as KeptLeases;
  const state = { holds: [{ agent: 'a', token: 7 }] } as unknown as Json;
  const record = { type: 'intent', agent: 'a', ts_ms: 0, s: { [pathKey('a.txt')]: state } };
  return tokensIn([record], kept, NEAR_MS);
}

test.each([
  ['much time left', 60_000, 18_000, { 'a.txt': 7 }],
  ['no more than its margin left', 18_000, 18_000, null],
  ['no more left than a hook may take', 5_000, 2_000, null],
  ['a little more than both', 5_001, 2_000, { 'a.txt': 7 }],
])('a lease with %s', (_name, left_ms, margin_ms, tokens) => {
  expect(tokensWith(left_ms, margin_ms)).toEqual(tokens);
});
