import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { learnBaselines, readBook } from '../../../src/claude/commands/watch-book.ts';
import { digestBytes } from '../../../src/repo/digest.ts';
import { baselineFiles } from '../../../src/workspace/baseline-file.ts';
import { scratchDir } from '../../repo/scratch.ts';

const HOUR_MS = 3_600_000;

test('a file written between its digest and the line that says so is compared by its content', () => {
  const state_dir = scratchDir();
  const abs = join(state_dir, 'a.txt');
  fs.writeFileSync(abs, 'written after it was seen\n');
  const digest = digestBytes(Buffer.from('as it was seen\n'));
  baselineFiles(state_dir, 'a').write('a.txt', { turn: 1, knows: 'content', digest });
  const book = readBook(state_dir, 'a');
  // Late enough for the file's times to have settled.
  const now_ms = fs.lstatSync(abs).ctimeMs + HOUR_MS;
  learnBaselines(book, { state_dir, agent: 'a', now_ms, spelled: () => abs });
  expect(book.files.get('a.txt')).toMatchObject({ key: '', digest });
});
