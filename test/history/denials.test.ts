import { describe, expect, it } from 'vitest';
import { recentAt, trackDenials } from '../../src/history/denials.ts';
import { msAt, recordAt } from './records.ts';

const DIGEST = 'ab'.repeat(32);

function taken(denial: unknown, more: object = {}) {
  const log = trackDenials();
  const record = recordAt(1, 'write.rejected', { tool: 'Edit', paths: ['a.ts'], denial, ...more });
  log.take(record, { lsn: 100, ms: msAt(1), type: record.type });
  return log.denials[0];
}

describe('denials', () => {
  it('have their reason, and both digests', () => {
    const details = { baseline_hash: DIGEST, current_disk_hash: DIGEST.replace('ab', 'cd') };
    expect(taken({ error_type: 'STALE_FILE', message: 'm', recovery_hint: 'h', details })).toEqual({
      ...{ lsn: 100, ms: msAt(1), agent: 'ann', tool: 'Edit', paths: ['a.ts'], error_type: 'STALE_FILE' },
      ...{ message: 'm', hint: 'h', seen: DIGEST, found: DIGEST.replace('ab', 'cd') },
    });
  });

  it('are cut to what a page shows, whatever is in the record', () => {
    const long = 'x'.repeat(5_000);
    const paths = Array.from({ length: 200 }, (_, nth) => `${nth}.ts`);
    const cut = taken(
      { message: long, recovery_hint: long, details: { baseline_hash: '<b>' } },
      { paths, tool: 3 },
    );
    expect([cut?.message.length, cut?.hint.length, cut?.paths.length]).toEqual([600, 600, 50]);
    expect(cut).toMatchObject({ error_type: '', tool: '', seen: null, found: null });
    expect(taken('not an object')).toMatchObject({ error_type: '', message: '' });
  });

  it('are the newest ones of very many', () => {
    const log = trackDenials();
    for (let nth = 0; nth < 20_001; nth++)
      log.take(recordAt(nth, 'write.rejected', {}), { lsn: nth, ms: nth, type: 'write.rejected' });
    expect([log.denials.length, log.denials.at(-1)?.lsn]).toEqual([18_001, 20_000]);
  });

  it('are nothing else', () => {
    const log = trackDenials();
    log.take(recordAt(1, 'hold', { denial: {} }), { lsn: 1, ms: 1, type: 'hold' });
    expect(log.denials).toEqual([]);
  });
});

it('at an earlier moment, the denials of the ten minutes before it need attention, newest first', () => {
  const log = trackDenials();
  for (const second of [1, 500, 700, 900])
    log.take(recordAt(second, 'write.rejected', {}), {
      ...{ lsn: second, ms: msAt(second), type: 'write.rejected' },
    });
  const lsns = (second: number) =>
    recentAt(log.denials, { lsn: second, at_ms: msAt(second) }).map(({ lsn }) => lsn);
  expect([lsns(0), lsns(500), lsns(700), lsns(899), lsns(3_000)]).toEqual([
    [],
    [500, 1],
    [700, 500],
    [700, 500],
    [],
  ]);
});
