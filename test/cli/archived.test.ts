/** How commands report archived records and deleted ones. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, type Scratch } from '../claude/driver.ts';
import { fillSegment } from './fill-segment.ts';

/** Two edits of a file, each in its own segment, both segments archived. */
function compacted(): Scratch {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  agent.lock('a.txt');
  agent.read('a.txt');
  agent.edit('a.txt', 'one', 'two');
  fillSegment(at);
  agent.edit('a.txt', 'two', 'three');
  fillSegment(at);
  expect(at.guard('compact', '--all').exit).toBe(0);
  return at;
}

/** Makes the oldest segment look long archived, so that it is deleted. */
function cutOldest(at: Scratch): void {
  const [oldest = ''] = fs.readdirSync(`${at.state}/archive`).sort();
  const then = new Date(Date.now() - 90 * 86_400_000);
  fs.utimesSync(`${at.state}/archive/${oldest}`, then, then);
  expect(at.guard('compact').stdout).toContain('1 deleted');
}

const firstOf = (at: Scratch, ...args: readonly string[]) =>
  Number(at.guard('log', '--json', ...args).lines()[0]?.['lsn']);

describe('after a compaction', () => {
  it('the log says where it begins, and shows the rest on request', () => {
    const at = compacted();
    expect(fs.readdirSync(`${at.state}/archive`).every((name) => name.endsWith('.jsonl.gz'))).toBe(true);
    expect(firstOf(at)).toBeGreaterThan(1);
    expect(firstOf(at, '--archived')).toBe(1);
    const told = at.guard('log', '--type', 'write');
    expect(told.stderr).toMatch(
      /^guard: the ledger begins at 2.*; "guard log --archived" has older records\.\n$/,
    );
    const all = at.guard('log', '--archived', '--type', 'write');
    expect([all.stderr, all.stdout.split('\n').length - 1]).toEqual(['', 2]);
    expect(at.guard('verify').stdout).toMatch(/segments archived in \d+\.\d MiB, all there ever was\n/);
    expect(at.guard('blame', 'a.txt').stderr).toBe('');
    expect(at.guard('undo', 'a.txt', '--to', '1', '--dry-run').exit).toBe(0);
  });

  it('the deletion is recorded, and no command answers as if it knew the deleted part', () => {
    const at = compacted();
    cutOldest(at);
    expect(at.log('ledger.archive_cut')).toMatchObject([
      { segments: [{ first: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }] },
    ]);
    const first = firstOf(at, '--archived');
    expect(first).toBeGreaterThan(1);
    expect(at.guard('log', '--archived').stderr).toMatch(
      new RegExp(`^guard: records before 2.* \\(lsn ${first}\\) are no longer kept\\.\n$`),
    );
    expect(at.guard('verify').stdout).toContain(`none before lsn ${first}\n`);
    expect(at.guard('blame', 'a.txt').stderr).toContain('are no longer kept');
    expect(at.guard('blame', 'a.txt', '--json').json()).toMatchObject({ kept_from: { lsn: first } });
    // The original content is unknown, so undo must not use the first remaining record instead.
    const undo = at.guard('undo', 'a.txt', '--to', '1', '--json');
    expect([undo.exit, undo.json()]).toMatchObject([1, { error: { code: 'GUARD_ERR_NO_CONTENT' } }]);
  });

  it('older segments are deleted immediately if they are not to be kept', () => {
    const { at } = oneAgent();
    fillSegment(at);
    const { deleted, archived, archive } = at
      .guard('compact', '--all', '--delete', '--json')
      .json() as Record<string, unknown>;
    expect([archived, archive]).toMatchObject([[], { segments: 0 }]);
    expect(deleted).not.toEqual([]);
    expect(at.log('ledger.archive_cut')).toHaveLength(1);
  });
});
