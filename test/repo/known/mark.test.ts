import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSame, readMark } from '../../../src/repo/known/mark.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { put, scratchDir } from '../scratch.ts';

describe('a mark', () => {
  it('is none below a regular file, where there is nothing', () => {
    const file = put(join(scratchDir(), 'a.ts'));
    expect(readMark(join(file, 'b'), process.env)).toBeNull();
    expect(locateRepo(join(file, 'b', 'c.ts')).initialised).toBe(false);
  });
});

describe('identities', () => {
  const one = { dev: '1', ino: '2', birth: '3' };

  it('hold over a reboot that gives the disk another number', () => {
    expect(isSame(one, { ...one, dev: '9' })).toBe(true);
  });

  it('tell a new directory from an old one that had its number', () => {
    expect([isSame(one, { ...one, birth: '4' }), isSame(one, { ...one, ino: '4' })]).toEqual([false, false]);
  });

  it('without a birth time rest on the disk', () => {
    const unborn = { ...one, birth: '0' };
    expect([isSame(one, unborn), isSame(unborn, { ...one, dev: '9' })]).toEqual([true, false]);
  });
});
