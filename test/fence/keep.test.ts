/** A commit and what is held: never one without the other for longer than until the next hook. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { isDue, noteCommit } from '../../src/fence/keep.ts';
import { openClock } from '../../src/repo/clock.ts';
import { scratch } from '../claude/driver.ts';
import { Fenced } from './client.ts';
import { describeFenced } from './machine.ts';

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
