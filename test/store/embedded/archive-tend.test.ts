import fs from 'node:fs';
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveSize, scanArchive } from '../../../src/store/embedded/archive.ts';
import {
  type ArchiveOptions,
  type ArchiveReport,
  tendArchive,
} from '../../../src/store/embedded/archive-tend.ts';
import { compactLedger } from '../../../src/store/embedded/compact.ts';
import { openStore } from '../../../src/store/open.ts';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import { files, fill, SEGMENT_BYTES } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const DAY_MS = 86_400_000;
const now = clock();
const FREE = { max_bytes: Infinity, max_age_ms: Infinity };
const wide = { segment_bytes: SEGMENT_BYTES };

/** A ledger with some segments in its archive, and their original contents. */
function withArchive(use: (dir: string, plain: ReadonlyMap<string, Buffer>) => void): Promise<void> {
  return withDir((dir) => {
    fill(dir, 40);
    const { archived } = compactLedger(dir, { now, ...wide, keep_bytes: SEGMENT_BYTES });
    expect(archived.length).toBeGreaterThan(4);
    use(dir, new Map(archived.map((name) => [name, fs.readFileSync(`${dir}/archive/${name}`)])));
  });
}

const tend = (dir: string, options: Partial<ArchiveOptions> = {}): ArchiveReport =>
  tendArchive(openStore({ dir, now, ...wide }), dir, { limits: FREE, now: now(), ...options });
const cuts = (dir: string) =>
  [...openStore({ dir, now, ...wide }).scan()].filter(({ type }) => type === 'ledger.archive_cut');
const lsns = (dir: string): number[] => [...scanArchive(dir)].map(({ lsn }) => lsn);
const namesIn = (dir: string): readonly string[] => files(`${dir}/archive`);
const age = (dir: string, name: string, days: number): void => {
  const then = new Date(Date.now() - days * DAY_MS);
  fs.utimesSync(`${dir}/archive/${name}`, then, then);
};

describe('the archive', () => {
  test('is compressed, with its times, and reads as before', () =>
    withArchive((dir, plain) => {
      const before = lsns(dir);
      const [first = ''] = plain.keys();
      age(dir, first, 3);
      const report = tend(dir);
      expect(report).toMatchObject({ packed: plain.size, segments: plain.size, cut: [] });
      expect(namesIn(dir)).toEqual([...plain.keys()].map((name) => `${name}.gz`));
      for (const [name, bytes] of plain)
        expect(gunzipSync(fs.readFileSync(`${dir}/archive/${name}.gz`)).equals(bytes), name).toBe(true);
      expect(Date.now() - fs.statSync(`${dir}/archive/${first}.gz`).mtimeMs).toBeGreaterThan(2.9 * DAY_MS);
      expect(lsns(dir)).toEqual(before);
      expect(tend(dir)).toMatchObject({ packed: 0, cut: [] });
      expect(cuts(dir)).toEqual([]);
    }));

  test('whose compression was killed has both forms, is read once, and is put right by the next', () =>
    withArchive((dir, plain) => {
      const before = lsns(dir);
      const [[name, bytes] = ['', Buffer.alloc(0)], [half] = ['']] = [...plain];
      fs.writeFileSync(`${dir}/archive/${name}.gz`, gzipSync(bytes));
      fs.writeFileSync(`${dir}/archive/${half}.gz`, 'half');
      expect(lsns(dir)).toEqual(before);
      tend(dir);
      expect(namesIn(dir)).toEqual([...plain.keys()].map((one) => `${one}.gz`));
      expect(lsns(dir)).toEqual(before);
    }));

  test('loses what is too old, on record with its digest, from the oldest on', () =>
    withArchive((dir, plain) => {
      const [first = '', second = '', third = '', fourth = ''] = plain.keys();
      for (const name of [first, second, fourth]) age(dir, name, 31);
      const { cut } = tend(dir, { limits: { ...FREE, max_age_ms: 30 * DAY_MS } });
      expect(cut).toEqual([`${first}.gz`, `${second}.gz`]);
      expect(namesIn(dir)[0]).toBe(`${third}.gz`);
      const told = [first, second].map((name) => {
        const bytes = plain.get(name) ?? Buffer.alloc(0);
        const base = parseInt(name.slice(7, 19), 16);
        return {
          first: base,
          end: base + bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        };
      });
      expect(cuts(dir)).toMatchObject([{ agent: 'guard', segments: told }]);
      expect(verifyLedger(dir, { now }).ok).toBe(true);
      expect(archiveSize(dir)).toMatchObject({ segments: plain.size - 2, first: told[1]?.end });
    }));

  test('loses the oldest until the rest fits, and what is asked for', () =>
    withArchive((dir, plain) => {
      const { bytes } = tend(dir);
      const kept = tend(dir, { limits: { ...FREE, max_bytes: bytes / 2 } });
      expect(kept.bytes).toBeLessThanOrEqual(bytes / 2);
      expect(kept.bytes).toBeGreaterThan(bytes / 4);
      expect(namesIn(dir)).toEqual([...plain.keys()].slice(-kept.segments).map((name) => `${name}.gz`));
      const [last = ''] = [...plain.keys()].slice(-1);
      expect(tend(dir, { drop: [last] }).cut).toEqual([`${last}.gz`]);
      expect(cuts(dir)).toHaveLength(2);
    }));

  test('says of one that nobody can read that it went, and not what it was', () =>
    withArchive((dir, plain) => {
      tend(dir);
      const [first = ''] = plain.keys();
      fs.writeFileSync(`${dir}/archive/${first}.gz`, 'damaged');
      expect(lsns(dir)[0]).toBeGreaterThan(1);
      tend(dir, { drop: [first] });
      expect(cuts(dir)).toMatchObject([{ segments: [{ first: 1, end: null, sha256: null }] }]);
    }));
});
