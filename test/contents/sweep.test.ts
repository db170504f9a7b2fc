import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asksForSweep } from '../../src/contents/due.ts';
import { contentsDir } from '../../src/contents/entry.ts';
import { isSweepDue, noteSweep } from '../../src/repo/sweep-due.ts';
import { keptContent } from '../../src/contents/read-content.ts';
import { sizeOfContents, sweepContents } from '../../src/contents/sweep.ts';
import { UNDO_DEFAULTS, type UndoLimits } from '../../src/core/undo-limits.ts';
import { digestOf, place, type Place } from './scratch.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

function keepAged(at: Place, content: string, age_ms: number): string {
  at.keep(content);
  const digest = digestOf(content);
  const then = (NOW - age_ms) / 1000;
  fs.utimesSync(join(at.dir, digest), then, then);
  return digest;
}

const sweep = ({ state_dir }: Place, limits: Partial<UndoLimits> = {}, spared: readonly string[] = []) =>
  sweepContents(state_dir, {
    limits: { ...UNDO_DEFAULTS, ...limits },
    wall_ms: NOW,
    spared: new Set(spared),
  });

test('what is older than a week goes, but not what an agent at work saw', () => {
  const at = place();
  const [old, spared, young] = [8, 9, 6].map((days) =>
    keepAged(at, `content ${String(days)}`, days * DAY_MS),
  );
  expect(sweep(at, {}, [spared ?? ''])).toMatchObject({ entries: 2, removed: 1 });
  expect(at.names()).toEqual([spared, young].sort());
  expect(at.names()).not.toContain(old);
});

test('the oldest go first, what agents at work saw last, until it is little enough', () => {
  const at = place();
  const digests = [5, 4, 3, 2, 1].map((hours) =>
    keepAged(at, String(hours).repeat(1_000), hours * 3_600_000),
  );
  const [oldest = '', , , fourth = '', youngest = ''] = digests;
  expect(sweep(at, { max_bytes: 2_500 }, [oldest])).toMatchObject({ entries: 2, bytes: 2_000, removed: 3 });
  expect(at.names()).toEqual([oldest, youngest].sort());
  expect(sweep(at, { max_bytes: 1_000 }, [oldest, fourth])).toMatchObject({ entries: 1 });
  expect(at.names()).toEqual([oldest]);
});

test('what is left is packed, keeps its time, and is the same', () => {
  const at = place();
  const text = 'a line of text that comes again\n'.repeat(1_000);
  const digest = keepAged(at, text, DAY_MS);
  const report = sweep(at);
  expect(report.packed).toBe(1);
  expect(report.bytes).toBeLessThan(text.length / 20);
  expect(at.names()).toEqual([`${digest}.z`]);
  expect(NOW - fs.statSync(join(at.dir, `${digest}.z`)).mtimeMs).toBeGreaterThan(DAY_MS - 5_000);
  expect(keptContent(at.state_dir, digest)?.toString()).toBe(text);
  expect(at.keep(text)).toBe('known');
  expect(sweep(at)).toMatchObject({ packed: 0, entries: 1 });
});

test('what does not get smaller stays as it is', () => {
  const at = place();
  const noise = process.getBuiltinModule('node:crypto').randomBytes(8_192).toString('latin1');
  const digest = keepAged(at, noise, DAY_MS);
  const bytes = fs.readFileSync(join(at.dir, digest));
  expect(bytes.length).toBeGreaterThan(8_192);
  sweep(at);
  expect(keptContent(at.state_dir, digest)).toEqual(bytes);
});

test('what a killed process wrote aside goes after an hour; what somebody writes now stays', () => {
  const at = place();
  at.keep('x');
  const [dead, busy] = ['dead', 'busy'].map((name) => join(at.dir, `${digestOf(name)}.1.tmp`));
  for (const file of [dead, busy]) fs.writeFileSync(file ?? '', 'half');
  fs.utimesSync(dead ?? '', 1, 1);
  sweep(at);
  expect(at.names()).toEqual([digestOf('x'), `${digestOf('busy')}.1.tmp`].sort());
});

test('switched off, all of it goes', () => {
  const at = place();
  at.keep('x');
  expect(sweep(at, { enabled: false })).toMatchObject({ entries: 0, removed: 1 });
});

test('10,000 entries are swept in seconds, and to the bound', { timeout: 120_000 }, () => {
  const at = place();
  at.keep('x');
  for (let i = 0; i < 10_000; i++) {
    const file = join(at.dir, i.toString(16).padStart(64, '0'));
    fs.writeFileSync(file, `${String(i)} `.repeat(100));
    fs.utimesSync(file, (NOW - i * 1_000) / 1000, (NOW - i * 1_000) / 1000);
  }
  const before = process.cpuUsage();
  const report = sweep(at, { max_bytes: 1_000_000 });
  const { user, system } = process.cpuUsage(before);
  expect(report.bytes).toBeLessThanOrEqual(1_000_000);
  expect(report.bytes).toBeGreaterThan(990_000);
  expect(sizeOfContents(at.state_dir)).toEqual({ entries: report.entries, bytes: report.bytes });
  expect((user + system) / 1_000).toBeLessThan(20_000);
});

test('it is due once an hour, where there is anything', () => {
  const at = place();
  expect(isSweepDue(contentsDir(at.state_dir), NOW)).toBe(false);
  at.keep('x');
  expect(isSweepDue(contentsDir(at.state_dir), NOW)).toBe(true);
  noteSweep(contentsDir(at.state_dir), NOW);
  expect(isSweepDue(contentsDir(at.state_dir), NOW + 60_000)).toBe(false);
  expect(isSweepDue(contentsDir(at.state_dir), NOW + 2 * 3_600_000)).toBe(true);
});

test('additions ask for it about once in 8 MiB', () => {
  const asked = (bytes: number, count: number): number =>
    Array.from({ length: count }, (_, i) => asksForSweep(digestOf(String(i)), bytes)).filter(Boolean).length;
  expect(asked(4 << 20, 200)).toBeGreaterThan(60);
  expect(asked(4 << 20, 200)).toBeLessThan(140);
  expect(asked(10_000, 2_000)).toBeLessThan(20);
});
