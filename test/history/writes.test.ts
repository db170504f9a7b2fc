import { expect, it } from 'vitest';
import { trackWrites } from '../../src/history/writes.ts';
import { msAt, pathState } from './records.ts';

const written = (second: number, digest: string | null) =>
  pathState({ last_write: { agent: 'ann', digest, lsn: second * 100, op: null } });

it('writes are known with the digest before, once each, and not again when compaction carries them along', () => {
  const log = trackWrites();
  const take = (second: number, type: string, s: object): void =>
    log.take({ s: s as never }, { lsn: second * 100, ms: msAt(second), type });
  take(1, 'ledger.carry', { 'path:old': written(1, 'before') });
  take(2, 'write.end', { 'path:new': written(2, 'first'), 'agent:ann': {} });
  take(3, 'release', { 'path:new': written(2, 'first'), 'path:never': pathState({}) });
  take(4, 'write.end', { 'path:old': written(4, 'after') });
  take(5, 'write.end', { 'path:new': written(5, null) });
  expect(
    log.writes.map(({ path, ms, before, after }) => [path, (ms - msAt(0)) / 1_000, before, after]),
  ).toEqual([
    ['new', 2, null, 'first'],
    ['old', 4, 'before', 'after'],
    ['new', 5, 'first', null],
  ]);
});
