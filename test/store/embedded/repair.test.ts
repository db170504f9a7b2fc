import {
  appendFileSync,
  chmodSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { repairLedger, type RepairOptions, type RepairReport } from '../../../src/store/embedded/repair.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { linesOf } from '../../chaos/forge.ts';
import { failure, files, fill, open, put, record, SEGMENT_BYTES } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const FIRST = 'ledger-000000000001.jsonl';
const repair = (dir: string, options: Partial<RepairOptions> = {}): RepairReport =>
  repairLedger(dir, { now: clock(), segment_bytes: SEGMENT_BYTES, ...options });

function flip(path: string, line: number): void {
  const whole = readFileSync(path);
  const at = (linesOf(whole)[line]?.start ?? 0) + 50;
  whole[at] = (whole[at] ?? 0) ^ 1;
  writeFileSync(path, whole);
}

const contents = (dir: string): unknown =>
  files(dir, 'ledger-').map((name) => readFileSync(`${dir}/${name}`, 'latin1'));
const states = (dir: string): unknown => open(dir).readSync([], ['']).range('');

describe('repairing a ledger', () => {
  test('that is whole changes nothing', () =>
    withDir((dir) => {
      fill(dir, 12);
      const before = contents(dir);
      expect(repair(dir)).toMatchObject({ before: { ok: true }, after: { ok: true } });
      expect(contents(dir)).toEqual(before);
    }));

  test('rebuilds an index that is wrong, and takes away a checkpoint that is', () =>
    withDir((dir) => {
      fill(dir, 20);
      const expected = states(dir);
      for (const name of ['index', files(dir, 'checkpoint-')[0] ?? '']) {
        const whole = readFileSync(`${dir}/${name}`);
        writeFileSync(`${dir}/${name}`, whole.fill(0, 512, 1024));
      }
      const report = repair(dir);
      expect(report.actions.map(({ kind }) => kind).sort()).toEqual([
        'checkpoint_removed',
        'index_removed',
        'opened',
      ]);
      expect(report.after).toMatchObject({ ok: true, records: 20 });
      expect(states(dir)).toEqual(expected);
    }));

  test('cuts a torn tail and keeps it', () =>
    withDir((dir) => {
      fill(dir, 3);
      appendFileSync(`${dir}/${FIRST}`, 'torn');
      const { after } = repair(dir);
      expect(after).toMatchObject({ ok: true, notes: [{ kind: 'cut', bytes: 4, reason: 'torn' }] });
      expect(readFileSync(`${dir}/${files(dir, 'cut-')[0] ?? ''}`, 'utf8')).toBe('torn');
    }));

  test('takes the rights of others away, and nothing else', () =>
    withDir((dir) => {
      fill(dir, 3);
      chmodSync(`${dir}/${FIRST}`, 0o666);
      chmodSync(dir, 0o777);
      expect(repair(dir).actions.filter(({ kind }) => kind === 'mode')).toEqual([
        { kind: 'mode', file: '.' },
        { kind: 'mode', file: FIRST },
      ]);
      expect([statSync(dir).mode & 0o777, statSync(`${dir}/${FIRST}`).mode & 0o777]).toEqual([0o700, 0o600]);
      expect(states(dir)).toEqual([
        ['path:0', 0],
        ['path:1', 1],
        ['path:2', 2],
      ]);
    }));

  test.each([
    ['a damaged record', (dir: string) => flip(`${dir}/${FIRST}`, 1)],
    ['a missing segment', (dir: string) => rmSync(`${dir}/${files(dir, 'ledger-')[1] ?? ''}`)],
    [
      'acknowledged records that are gone',
      (dir: string) => truncateSync(`${dir}/${files(dir, 'ledger-').at(-1) ?? ''}`, 0),
    ],
  ])('leaves %s alone unless giving up is asked for', (_, damage) =>
    withDir((dir) => {
      fill(dir, 20);
      damage(dir);
      const before = contents(dir);
      expect(repair(dir).after.ok).toBe(false);
      expect(contents(dir)).toEqual(before);
    }),
  );
});

describe('giving up damaged records', () => {
  test('keeps the newest whole state of every key, moves the bad segments aside and goes on', () =>
    withDir((dir) => {
      fill(dir, 20);
      put(open(dir), record({ once: 'early' }));
      fill(dir, 10);
      const end = open(dir).tip();
      const [, second = ''] = files(dir, 'ledger-');
      flip(`${dir}/${second}`, 1);
      // A checkpoint after the damage would let the store continue without having seen it.
      for (const name of ['index', ...files(dir, 'checkpoint-')]) rmSync(`${dir}/${name}`);
      expect(failure(() => put(open(dir), record({ k: 1 }))).code).toBe('GUARD_ERR_CORRUPT');
      const before = readFileSync(`${dir}/${second}`, 'latin1');
      const report = repair(dir, { quarantine: true });
      expect(report.actions).toEqual(
        expect.arrayContaining([
          { kind: 'quarantined', file: FIRST },
          { kind: 'quarantined', file: second },
        ]),
      );
      expect(report.after.problems).toEqual([]);
      expect(readFileSync(`${dir}/quarantine/${second}`, 'latin1')).toBe(before);
      expect(states(dir)).toEqual([
        ['once', 'early'],
        ...Array.from({ length: 5 }, (_, key) => [`path:${key}`, 5 + key]),
      ]);
      expect(put(open(dir), record({ k: 1 }))).toBeGreaterThan(end);
    }));

  test('gives out no lsn twice after acknowledged records are gone', () =>
    withDir((dir) => {
      fill(dir, 8);
      const end = open(dir).tip();
      const last = `${dir}/${files(dir, 'ledger-').at(-1) ?? ''}`;
      truncateSync(last, linesOf(readFileSync(last))[0]?.end ?? 0);
      expect(failure(() => put(open(dir), record({ k: 1 }))).facts['reason']).toBe('shorter');
      expect(repair(dir, { quarantine: true }).after.problems).toEqual([]);
      expect(put(open(dir), record({ k: 1 }))).toBeGreaterThanOrEqual(end);
    }));

  test('works when the last record is the bad one, and when a segment is missing', () =>
    withDir((dir) => {
      fill(dir, 20);
      const segments = files(dir, 'ledger-');
      const last = `${dir}/${segments.at(-1) ?? ''}`;
      flip(last, linesOf(readFileSync(last)).length - 1);
      rmSync(`${dir}/${segments[1] ?? ''}`);
      expect(repair(dir, { quarantine: true }).after.problems).toEqual([]);
      expect((states(dir) as unknown[]).length).toBe(5);
      put(open(dir), record({ k: 1 }));
      expect(verifyLedger(dir, { now: clock() }).problems).toEqual([]);
    }));

  test('does nothing to a ledger that is whole', () =>
    withDir((dir) => {
      fill(dir, 20);
      const before = contents(dir);
      expect(repair(dir, { quarantine: true }).actions.map(({ kind }) => kind)).toEqual(['opened']);
      expect(contents(dir)).toEqual(before);
    }));

  test('can be done again where it was interrupted', () =>
    withDir((dir) => {
      fill(dir, 20);
      flip(`${dir}/${FIRST}`, 1);
      repair(dir, { quarantine: true });
      const expected = states(dir);
      // As if it had died before it moved the first segment.
      writeFileSync(`${dir}/${FIRST}`, readFileSync(`${dir}/quarantine/${FIRST}`), { mode: 0o600 });
      rmSync(`${dir}/index`);
      expect(repair(dir, { quarantine: true }).after.problems).toEqual([]);
      expect(states(dir)).toEqual(expected);
    }));
});
