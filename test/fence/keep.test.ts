/** A commit and the `held` file agree again at the next hook at the latest. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdAll, isDue, noteCommit } from '../../src/fence/keep.ts';
import { openClock } from '../../src/repo/clock.ts';
import { scratch } from '../claude/driver.ts';
import { Fenced } from './client.ts';
import { describeFenced } from './machine.ts';

const nothing = { get: () => undefined, has: () => true, range: () => [], next: 0 };

/** A place where no one can write a file, not even root. */
function unwritable(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-held-'));
  fs.mkdirSync(join(dir, 'fence', 'held', 'in-it'), { recursive: true });
  const on = { v: 1, repo: { root: dir, common_dir: null, worktree: null }, policy: {}, mode: 'open' };
  fs.writeFileSync(
    join(dir, 'fence', 'on'),
    JSON.stringify({ ...on, helper: { kind: 'bwrap', program: '/bin/false', file: '/bin/false' } }),
  );
  return dir;
}

it('nothing fails if the list of held files can be neither written nor removed', () => {
  const dir = unwritable();
  const now = openClock()();
  expect(() => holdAll(dir, nothing, now)).not.toThrow();
  fs.writeFileSync(join(dir, 'fence', 'late'), '');
  expect(() => noteCommit(dir, [], { now, get: () => undefined }, () => true)).not.toThrow();
  expect(isDue(dir, now)).toBe(true);
  fs.rmSync(dir, { recursive: true });
});

describeFenced('a commit', () => {
  it.each(['throws', 'is not indexed', 'is whole'])('that %s', (how) => {
    const at = scratch({ files: { 'a.txt': '' } });
    new Fenced(at);
    const late = `${at.state}/fence/late`;
    const now = openClock()();
    const commit = (): void => {
      noteCommit(at.state, [], { now, get: () => undefined }, () => {
        expect(fs.existsSync(late)).toBe(true);
        if (how === 'throws') throw new Error('a full disk');
        return how === 'is whole';
      });
    };
    if (how === 'throws') expect(commit).toThrow('a full disk');
    else commit();
    expect([fs.existsSync(late), isDue(at.state, now)]).toEqual(
      how === 'is whole' ? [false, false] : [true, true],
    );
  });
});
