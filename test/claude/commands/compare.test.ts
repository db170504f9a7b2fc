import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { differing } from '../../../src/claude/commands/compare.ts';
import { learnHolds, readBook } from '../../../src/claude/commands/watch-book.ts';
import { digestBytes } from '../../../src/repo/digest.ts';
import { scratchDir } from '../../repo/scratch.ts';

it('a held file that changed just before it is first seen has not changed, and is known from then on', () => {
  const dir = scratchDir();
  const file = join(dir, 'f.txt');
  const [agent, spelled] = ['claude-a', () => file];
  fs.writeFileSync(file, 'one\n');
  const book = readBook(dir, agent);
  const look = (after_ms: number) => {
    const now_ms = fs.statSync(file).ctimeMs + after_ms;
    learnHolds(book, new Set(['f.txt']), { state_dir: dir, agent, now_ms, spelled });
    const comparing = { deadline: () => undefined, learns: false, keep: () => undefined };
    return differing(book, { ...comparing, now_ms, spelled });
  };
  expect(look(5)).toEqual([]);
  expect(look(9)).toEqual([]);
  fs.writeFileSync(file, 'two\n');
  const [from, to] = ['one\n', 'two\n'].map((text) => digestBytes(Buffer.from(text)));
  expect(look(5)).toMatchObject([{ path: 'f.txt', from, to }]);
});
