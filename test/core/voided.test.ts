import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/ledger.ts';
import { voided } from '../../src/core/voided.ts';

const HOLD = { agent: 'a', mode: 'exclusive', token: 7 };
const WRITE = { agent: 'a', digest: null, lsn: 7, op: null };

describe('in a copied ledger', () => {
  test.each<readonly [string, string, Json, Json]>([
    [
      'nobody holds or waits for a file, and who wrote it last stays',
      'path:a',
      { holds: [HOLD], queue: [{ agent: 'b' }], intent: { agent: 'a' }, last_write: WRITE, touched: 7 },
      { holds: [], queue: [], intent: null, last_write: WRITE, touched: 7 },
    ],
    [
      'an agent is in no call, and what it believes to hold is of an older epoch',
      'agent:a',
      { id: 'a', epoch: 3, op: { id: 'x' }, background: ['t'], live: true },
      { id: 'a', epoch: 4, op: null, background: [], live: true },
    ],
    ['nobody waits', 'wait:a', { edges: [{}] }, null],
    ['nobody reserves', 'globs:a', { held: [{}] }, null],
    ['nobody is listed as reserving', 'globs:', { agents: {} }, null],
  ])('%s', (_, key, state, next) => {
    expect(voided(key, state)).toEqual(next);
  });

  test.each<readonly [string, Json]>([
    ['message:m-1', { id: 'm-1' }],
    ['inbox:a', { heads: [] }],
    ['profile:a', { name: 'a' }],
    ['path:free', { holds: [], queue: [], intent: null, last_write: WRITE, touched: 7 }],
  ])('%s stays as it is', (key, state) => {
    expect(voided(key, state)).toBeUndefined();
  });
});
