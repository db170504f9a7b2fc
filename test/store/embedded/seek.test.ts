import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scanLedger } from '../../../src/store/embedded/scan.ts';
import { scanSince } from '../../../src/store/embedded/seek.ts';
import { openStore } from '../../../src/store/open.ts';
import { clock, withDir } from '../scratch.ts';

const now = clock();
const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** One record per time; each segment holds some of them. */
function write(dir: string, times_ms: readonly number[], segment_bytes = 300_000): void {
  const store = openStore({ dir, now, segment_bytes });
  for (let at = 0; at < times_ms.length; at += 50) {
    const { tip } = store.look([]);
    const part = times_ms.slice(at, at + 50);
    const bodies = part.map((ts_ms, nth) => ({
      type: 'x',
      agent: 'a',
      ts_ms,
      pad: 'x'.repeat((at + nth) % 900),
      s: {},
    }));
    store.commit({ tip, keys: new Map(), lists: [] }, bodies);
  }
}

const every = (count: number, step_ms: number): number[] =>
  Array.from({ length: count }, (_, nth) => START_MS + nth * step_ms);

/** The bytes that a process reads with pread(2), as counted by the kernel. */
function bytesRead(act: () => void): number {
  const count = (): number => Number(/rchar: (\d+)/.exec(fs.readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const before = count();
  act();
  return count() - before;
}

/** What a reader of the whole ledger would have shown. */
const shown = (dir: string, wall_ms: number): readonly number[] =>
  [...scanLedger(dir)].filter(({ ts }) => Date.parse(ts) >= wall_ms).map(({ lsn }) => lsn);
const found = (dir: string, wall_ms: number): readonly number[] =>
  [...scanSince(dir, { wall_ms })].filter(({ ts }) => Date.parse(ts) >= wall_ms).map(({ lsn }) => lsn);

describe('records since a time', () => {
  test('are all there, whatever the time', () =>
    withDir((dir) => {
      const times = every(3_000, 1_000);
      write(dir, times);
      for (const nth of [-9, 0, 1, 17, 999, 1_500, 2_998, 2_999, 3_000, 9_999]) {
        const at_ms = START_MS + nth * 1_000;
        expect(found(dir, at_ms), String(nth)).toEqual(shown(dir, at_ms));
      }
    }));

  test('are all there where times go back: by a few seconds, and by an hour where segments end', () =>
    withDir((dir) => {
      const jitter = every(3_000, 200).map((ms, nth) => ms - ((nth * 7_919) % 14_000));
      write(dir, jitter);
      const earlier = jitter.map((ms) => ms - 3_600_000);
      write(dir, earlier.slice(0, 50), 1);
      write(dir, earlier.slice(50));
      for (let nth = 0; nth < 3_000; nth += 271) {
        const at_ms = START_MS + nth * 200;
        expect(found(dir, at_ms), String(nth)).toEqual(shown(dir, at_ms));
      }
    }));

  test('are found by little reading, however much is before them', () =>
    withDir((dir) => {
      write(dir, every(8_000, 10_000), 1 << 20);
      const late_ms = START_MS + 7_990 * 10_000;
      const all = bytesRead(() => expect([...scanLedger(dir)]).toHaveLength(8_000));
      expect(all).toBeGreaterThan(4_000_000);
      expect(bytesRead(() => expect(found(dir, late_ms)).toHaveLength(10))).toBeLessThan(700_000);
    }));

  test('damage before them is not looked at, and damage in them is said', () =>
    withDir((dir) => {
      write(dir, every(3_000, 10_000));
      const names = fs
        .readdirSync(dir)
        .filter((name) => name.startsWith('ledger-'))
        .sort();
      const spoil = (name: string, part: number): void => {
        const bytes = fs.readFileSync(`${dir}/${name}`);
        bytes.write('#', Math.floor(bytes.length * part));
        fs.writeFileSync(`${dir}/${name}`, bytes);
      };
      const last_ms = START_MS + 2_990 * 10_000;
      spoil(names[1] ?? '', 0.5);
      expect(found(dir, last_ms)).toHaveLength(10);
      spoil(names.at(-2) ?? '', 0.9);
      expect(() => found(dir, START_MS + 2_300 * 10_000)).toThrow(
        expect.objectContaining({ code: 'GUARD_ERR_CORRUPT' }) as Error,
      );
    }));
});

describe('records since an lsn', () => {
  test('that need not be one of a record', () =>
    withDir((dir) => {
      write(dir, every(600, 1_000), 60_000);
      const lsns = [...scanLedger(dir)].map(({ lsn }) => lsn);
      for (const nth of [0, 1, 50, 51, 300, 598, 599])
        for (const off of [-1, 0, 1]) {
          const lsn = (lsns[nth] ?? 0) + off;
          const expected = lsns.filter((one) => one >= lsn);
          expect(
            [...scanSince(dir, { lsn })].map((record) => record.lsn),
            `${nth} ${off}`,
          ).toEqual(expected);
        }
      expect([...scanSince(dir, { lsn: 1e9 })]).toEqual([]);
    }));
});
