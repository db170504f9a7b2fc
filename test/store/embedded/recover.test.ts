import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  appendFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { linesOf } from '../../chaos/forge.ts';
import { failure, files, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const FIRST = 'ledger-000000000001.jsonl';
const states = (dir: string): unknown => open(dir).readSync([], ['path:']).range('path:');
const ok = (dir: string, boot?: string): boolean => verifyLedger(dir, { now: clock(boot) }).ok;
const last = (dir: string): string => `${dir}/${files(dir, 'ledger-').at(-1) ?? ''}`;

describe('a store after its index', () => {
  test('was lost reads and writes as before, and reading alone makes no new one', () =>
    withDir((dir) => {
      fill(dir, 20);
      const expected = states(dir);
      rmSync(`${dir}/index`);
      expect(states(dir)).toEqual(expected);
      expect(files(dir)).not.toContain('index');
      put(open(dir), record({ k: 1 }));
      expect(states(dir)).toEqual(expected);
      expect(ok(dir)).toBe(true);
    }));

  test('was put back from an hour ago catches up, over several segments', () =>
    withDir((dir) => {
      fill(dir, 3);
      const old = readFileSync(`${dir}/index`);
      fill(dir, 30);
      const expected = states(dir);
      writeFileSync(`${dir}/index`, old);
      expect(states(dir)).toEqual(expected);
      put(open(dir), record({ k: 1 }));
      expect(ok(dir)).toBe(true);
    }));

  test('was put back from before a compaction still finds everything', () =>
    withDir(async (dir) => {
      const { compactLedger } = await import('../../../src/store/embedded/compact.ts');
      fill(dir, 20);
      const old = readFileSync(`${dir}/index`);
      fill(dir, 20);
      compactLedger(dir, { now: clock(), keep_bytes: 1000, segment_bytes: 1000 });
      const expected = states(dir);
      writeFileSync(`${dir}/index`, old);
      put(open(dir), record({ k: 1 }));
      expect(states(dir)).toEqual(expected);
      expect(ok(dir)).toBe(true);
    }));

  test('came from another store forgets it', () =>
    withDir((dir) =>
      withDir((other) => {
        fill(dir, 8);
        fill(other, 30);
        const expected = states(dir);
        for (const name of files(other).filter((one) => /^(index|checkpoint-.*)$/.test(one)))
          copyFileSync(`${other}/${name}`, `${dir}/${name}`);
        put(open(dir), record({ k: 1 }));
        expect(states(dir)).toEqual(expected);
      }),
    ));
});

describe('a store after a reboot', () => {
  test('loses nothing when nothing was lost', () =>
    withDir((dir) => {
      fill(dir, 20);
      const expected = states(dir);
      put(open(dir, { now: clock('boot-2') }), record({ k: 1 }));
      expect(states(dir)).toEqual(expected);
      expect(ok(dir, 'boot-2')).toBe(true);
    }));

  test('cuts pages that were never written, keeps them, says so, and gives out none of their lsns again', () =>
    withDir((dir) => {
      fill(dir, 4, { segment_bytes: 8 << 20 });
      const end = open(dir).tip();
      const whole = readFileSync(`${dir}/${FIRST}`);
      writeFileSync(`${dir}/${FIRST}`, whole.fill(0, linesOf(whole)[1]?.start, linesOf(whole)[2]?.start));
      const next = open(dir, { now: clock('boot-2') });
      expect(put(next, record({ k: 1 }))).toBeGreaterThanOrEqual(end);
      expect(next.readSync([], ['path:']).range('path:')).toEqual([['path:0', 0]]);
      const report = verifyLedger(dir, { now: clock('boot-2') });
      expect(report).toMatchObject({ ok: true, notes: [{ kind: 'cut', reason: 'power_loss' }] });
    }));

  test('with fsync refuses a hole before whole records: they were promised', () =>
    withDir((dir) => {
      fill(dir, 4, { durability: 'fsync' });
      const whole = readFileSync(`${dir}/${FIRST}`);
      writeFileSync(`${dir}/${FIRST}`, whole.fill(0, linesOf(whole)[1]?.start, linesOf(whole)[2]?.start));
      const next = open(dir, { now: clock('boot-2'), durability: 'fsync' });
      expect(failure(() => put(next, record({ k: 1 }))).code).toBe('GUARD_ERR_CORRUPT');
    }));

  test('does not take damage for a power cut', () =>
    withDir((dir) => {
      fill(dir, 4);
      const whole = readFileSync(`${dir}/${FIRST}`);
      whole[60] = (whole[60] ?? 0) ^ 1;
      writeFileSync(`${dir}/${FIRST}`, whole);
      expect(failure(() => put(open(dir, { now: clock('boot-2') }), record({ k: 1 }))).code).toBe(
        'GUARD_ERR_CORRUPT',
      );
    }));

  test('goes on behind a ledger that the power cut shortened', () =>
    withDir((dir) => {
      fill(dir, 3);
      const end = open(dir).tip();
      truncateSync(`${dir}/${FIRST}`, linesOf(readFileSync(`${dir}/${FIRST}`))[2]?.start ?? 0);
      const next = open(dir, { now: clock('boot-2') });
      expect(put(next, record({ k: 1 }))).toBeGreaterThanOrEqual(end);
      expect(next.readSync([], ['path:']).range('path:')).toEqual([
        ['path:0', 0],
        ['path:1', 1],
      ]);
    }));
});

describe('a ledger that is damaged', () => {
  test('is named by segment, lsn and offset, and stays as it is', () =>
    withDir((dir) => {
      fill(dir, 12);
      const path = last(dir);
      const whole = readFileSync(path);
      const line = linesOf(whole)[0];
      whole[(line?.start ?? 0) + 50] = 1;
      writeFileSync(path, whole);
      rmSync(`${dir}/index`);
      const error = failure(() => put(open(dir), record({ k: 1 })));
      const first = parseInt(path.slice(-18, -6), 16);
      expect(error.facts).toMatchObject({ segment: path.split('/').at(-1), lsn: first, offset: 0 });
      expect([error.code, error.hint.includes('guard verify')]).toEqual(['GUARD_ERR_CORRUPT', true]);
      expect(readFileSync(path).equals(whole)).toBe(true);
    }));

  test('in a record that is needed, behind an index that is whole, is still named', () =>
    withDir((dir) => {
      fill(dir, 4);
      const whole = readFileSync(`${dir}/${FIRST}`);
      whole[(linesOf(whole)[1]?.start ?? 0) + 70] = 1;
      writeFileSync(`${dir}/${FIRST}`, whole);
      expect(failure(() => open(dir).readSync(['path:1'])).code).toBe('GUARD_ERR_CORRUPT');
      expect(open(dir).readSync(['path:2']).get('path:2')).toBe(2);
    }));

  test('without any segment is not taken for a new one', () =>
    withDir((dir) => {
      fill(dir, 4);
      rmSync(`${dir}/${FIRST}`);
      expect(failure(() => put(open(dir), record({ k: 1 }))).code).toBe('GUARD_ERR_CORRUPT');
    }));

  test.each([0, 1, 2])('by the loss of segment %d is refused at once, by name', (which) =>
    withDir((dir) => {
      fill(dir, 20);
      const name = files(dir, 'ledger-')[which] ?? '';
      rmSync(`${dir}/${name}`);
      expect(failure(() => put(open(dir), record({ k: 1 }))).facts).toMatchObject({
        reason: 'missing_segment',
      });
    }),
  );

  test('by a line that somebody added is refused', () =>
    withDir((dir) => {
      fill(dir, 4);
      appendFileSync(last(dir), '{"v":1,"type":"hold"}\n');
      expect(failure(() => put(open(dir), record({ k: 1 }))).code).toBe('GUARD_ERR_CORRUPT');
      expect(failure(() => [...open(dir).scanSync()]).code).toBe('GUARD_ERR_CORRUPT');
    }));
});

describe('a rebuild that takes long', () => {
  test('is taken up where the last process left it', async () => {
    const { loadEngine } = await import('../../chaos/engine.ts');
    const { withFault } = await import('../../chaos/faults.ts');
    // Flushed every 128 MiB; here every 2 KiB.
    const engine = loadEngine({
      from: 'var FLUSH_BYTES = 128 * 1024 * 1024;',
      to: 'var FLUSH_BYTES = 2048;',
    });
    await withDir((dir) => {
      fill(dir, 60);
      const expected = states(dir);
      rmSync(`${dir}/index`);
      for (const name of files(dir, 'checkpoint-')) rmSync(`${dir}/${name}`);
      const next = () =>
        engine.openEmbedded(dir, { now: clock() }).transactSync([], () => ({ records: [], result: null }));
      const lengths: number[] = [];
      for (let round = 0; round < 100; round++) {
        const { calls, died } = withFault(next, { at: 75, fault: { kind: 'die', when: 'before' } });
        lengths.push(calls.filter(({ operation }) => operation === 'readSync').length);
        if (!died) break;
      }
      // Each process got further than the one before, and the last one finished.
      expect(lengths.length).toBeGreaterThan(1);
      expect(lengths.length).toBeLessThan(20);
      expect(states(dir)).toEqual(expected);
      expect(ok(dir)).toBe(true);
    });
  });
});

describe('checkpoints', () => {
  test('are made when a segment is full; two are kept', () =>
    withDir((dir) => {
      fill(dir, 5);
      expect(files(dir, 'checkpoint-')).toEqual([]);
      fill(dir, 40);
      expect(files(dir, 'checkpoint-').length).toBe(2);
    }));

  test('make recovery independent of how long the ledger is', () =>
    withDir((dir) => {
      fill(dir, 60);
      for (const name of files(dir, 'ledger-').slice(0, -2))
        renameSync(`${dir}/${name}`, `${dir}/hidden-${name}`);
      // Only the segment after the checkpoint may be read; the others exist but are unreadable.
      for (const name of files(dir, 'hidden-'))
        writeFileSync(`${dir}/${name.slice(7)}`, Buffer.alloc(statSync(`${dir}/${name}`).size), {
          mode: 0o600,
        });
      rmSync(`${dir}/index`);
      put(open(dir), record({ k: 1 }));
      expect(open(dir).readSync(['k']).get('k')).toBe(1);
    }));

  test('that do not fit are passed over', () =>
    withDir((dir) => {
      fill(dir, 40);
      const expected = states(dir);
      const [older = '', newer = ''] = files(dir, 'checkpoint-');
      writeFileSync(`${dir}/${newer}`, readFileSync(`${dir}/${newer}`).fill(7, 0, 30));
      rmSync(`${dir}/index`);
      expect(states(dir)).toEqual(expected);
      writeFileSync(`${dir}/${older}`, '');
      expect(states(dir)).toEqual(expected);
      put(open(dir), record({ k: 1 }));
      expect(states(dir)).toEqual(expected);
    }));
});
