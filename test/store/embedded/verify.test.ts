import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/store/embedded/verify.ts';
import type { VerifyReport } from '../../../src/store/embedded/verify-report.ts';
import { forged, linesOf } from '../../chaos/forge.ts';
import { files, fill, open, put, record } from '../kit.ts';
import { clock, withDir } from '../scratch.ts';

const FIRST = 'ledger-000000000001.jsonl';
const verify = (dir: string): VerifyReport => verifyLedger(dir, { now: clock() });
const edit = (path: string, change: (whole: Buffer) => Buffer): void =>
  writeFileSync(path, change(readFileSync(path)));
/** Line `at` of a file: its offset and length. */
function place(path: string, at: number): { readonly offset: number; readonly bytes: number } {
  const line = linesOf(readFileSync(path))[at];
  return { offset: line?.start ?? -1, bytes: (line?.end ?? 0) - (line?.start ?? 0) };
}

describe('verifying a ledger', () => {
  test('that is whole finds nothing, and says how much there is', () =>
    withDir((dir) => {
      fill(dir, 20);
      const report = verify(dir);
      expect(report).toMatchObject({
        ok: true,
        records: 20,
        keys: 5,
        first: 1,
        end: open(dir).tip(),
        problems: [],
        notes: [],
      });
      expect(report.segments.map(({ file }) => file)).toEqual(files(dir, 'ledger-'));
      expect(report.segments.reduce((sum, { records }) => sum + records, 0)).toBe(20);
    }));

  test('says how far it has come, and in the end has read every byte', () =>
    withDir((dir) => {
      fill(dir, 20);
      const heard: (readonly [number, number])[] = [];
      const { bytes, segments } = verifyLedger(dir, {
        now: clock(),
        onRead: (read, total) => heard.push([read, total]),
      });
      expect(segments.length).toBeGreaterThan(1);
      expect(heard.length).toBeGreaterThanOrEqual(20);
      expect(new Set(heard.map(([, total]) => total))).toEqual(new Set([bytes]));
      expect(heard.reduce((sum, [read]) => sum + read, 0)).toBe(bytes);
    }));

  test('reads and never writes, and reports a directory that is empty', () =>
    withDir((dir) => {
      expect(verify(dir)).toMatchObject({ ok: true, records: 0, segments: [] });
      expect(files(dir)).toEqual([]);
    }));

  test('names a changed byte by file, offset and lsn, and goes on behind it', () =>
    withDir((dir) => {
      fill(dir, 20);
      const { offset, bytes } = place(`${dir}/${FIRST}`, 2);
      edit(`${dir}/${FIRST}`, (whole) => {
        whole[offset + 40] = (whole[offset + 40] ?? 0) ^ 1;
        return whole;
      });
      const report = verify(dir);
      expect(report.problems).toEqual([
        { kind: 'bad_record', file: FIRST, lsn: offset + 1, offset, bytes, reason: 'checksum' },
      ]);
      expect([report.ok, report.records]).toEqual([false, 19]);
    }));

  test('names a record that was replaced by another one, rightly sealed', () =>
    withDir((dir) => {
      fill(dir, 5);
      edit(`${dir}/${FIRST}`, (whole) =>
        forged(whole, 1, (text) => text.replace('"agent":"a"', '"agent":"b"')),
      );
      const { offset, bytes } = place(`${dir}/${FIRST}`, 2);
      expect(verify(dir).problems).toEqual([
        { kind: 'broken_chain', file: FIRST, lsn: offset + 1, offset, bytes, reason: 'prev' },
      ]);
    }));

  test('names the place where a line was removed, and not every line behind it', () =>
    withDir((dir) => {
      fill(dir, 5);
      const removed = place(`${dir}/${FIRST}`, 1);
      edit(`${dir}/${FIRST}`, (whole) =>
        Buffer.concat([whole.subarray(0, removed.offset), whole.subarray(removed.offset + removed.bytes)]),
      );
      const { problems } = verify(dir);
      expect(problems[0]).toMatchObject({
        kind: 'misplaced_record',
        file: FIRST,
        offset: removed.offset,
        reason: `it says it is at lsn ${removed.offset + removed.bytes + 1}`,
      });
      expect(problems.map(({ kind }) => kind)).toEqual(['misplaced_record', 'shorter_than_acknowledged']);
    }));

  test('names two lines that changed places', () =>
    withDir((dir) => {
      fill(dir, 5);
      edit(`${dir}/${FIRST}`, (whole) => {
        const [a, b, c, ...rest] = linesOf(whole).map(({ start, end }) => whole.subarray(start, end));
        return Buffer.concat([a, c, b, ...rest].filter((line) => line !== undefined));
      });
      expect(verify(dir).problems.map(({ kind }) => kind)).toContain('misplaced_record');
      expect(verify(dir).ok).toBe(false);
    }));

  test.each([0, 1, 2])('names segment %d when it is missing', (which) =>
    withDir((dir) => {
      fill(dir, 20);
      const gone = files(dir, 'ledger-')[which] ?? '';
      rmSync(`${dir}/${gone}`);
      const missing = verify(dir).problems.filter(({ kind }) => kind === 'missing_segment');
      expect(missing.map(({ file }) => file)).toEqual([gone]);
    }),
  );

  test('notices that the last segment is missing, because the index remembers it', () =>
    withDir((dir) => {
      fill(dir, 20);
      rmSync(`${dir}/${files(dir, 'ledger-').at(-1) ?? ''}`);
      expect(verify(dir).problems.map(({ kind }) => kind)).toContain('shorter_than_acknowledged');
    }));

  test('notices records that were acknowledged and are gone', () =>
    withDir((dir) => {
      fill(dir, 4);
      const end = open(dir).tip();
      const { offset } = place(`${dir}/${FIRST}`, 3);
      truncateSync(`${dir}/${FIRST}`, offset);
      expect(verify(dir).problems).toEqual([
        { kind: 'shorter_than_acknowledged', file: FIRST, lsn: offset + 1, bytes: end - offset - 1 },
      ]);
    }));

  test('calls a torn tail a note, because the next transaction cuts it', () =>
    withDir((dir) => {
      fill(dir, 3);
      const end = open(dir).tip();
      appendFileSync(`${dir}/${FIRST}`, '{"v":1,"torn');
      expect(verify(dir)).toMatchObject({
        ok: true,
        records: 3,
        end,
        notes: [{ kind: 'torn_tail', file: FIRST, lsn: end, bytes: 12 }],
      });
      put(open(dir), record({ k: 1 }));
      expect(verify(dir)).toMatchObject({
        ok: true,
        records: 5,
        notes: [{ kind: 'cut', bytes: 12, reason: 'torn' }],
      });
    }));

  test('names an index entry that is not what the ledger says', () =>
    withDir((dir) => {
      fill(dir, 3);
      copyFileSync(`${dir}/index`, `${dir}/old`);
      fill(dir, 3);
      // The old index's pages under the new one's header: every page is intact, and wrong.
      edit(`${dir}/index`, (whole) =>
        Buffer.concat([whole.subarray(0, 512), readFileSync(`${dir}/old`).subarray(512)]),
      );
      const { problems } = verify(dir);
      expect(problems.length).toBeGreaterThan(0);
      expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['index_differs']));
    }));

  test('names a checkpoint that cannot be used', () =>
    withDir((dir) => {
      fill(dir, 20);
      const [checkpoint = ''] = files(dir, 'checkpoint-');
      edit(`${dir}/${checkpoint}`, (whole) => whole.fill(0, 1024, 1536));
      expect(verify(dir).problems).toEqual([
        expect.objectContaining({ kind: 'bad_checkpoint', file: checkpoint }),
      ]);
    }));

  test('names what a newer guard wrote', () =>
    withDir((dir) => {
      fill(dir, 3);
      edit(`${dir}/${FIRST}`, (whole) => forged(whole, 1, (text) => text.replace('{"v":1', '{"v":9'), true));
      expect(verify(dir).problems).toContainEqual(
        expect.objectContaining({ kind: 'newer_version', reason: 'version 9' }),
      );
    }));

  test('can be printed as JSON', () =>
    withDir((dir) => {
      fill(dir, 3);
      renameSync(`${dir}/${FIRST}`, `${dir}/ledger-000000000007.jsonl`);
      const report = verify(dir);
      expect(JSON.parse(JSON.stringify(report))).toEqual(report);
      expect(report.ok).toBe(false);
    }));
});
