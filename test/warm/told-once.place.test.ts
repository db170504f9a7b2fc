import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namedBy } from '../../src/claude/repeated.ts';
import { toldOnce } from '../../src/warm/told-once.ts';
import { makeDir, removeDir } from '../store/scratch.ts';

const REQUEST = '0123456789abcdef0123';
const SILENT = { exit: 0, stdout: '', stderr: '' } as const;

let [own, joined] = ['', ''];
beforeEach(() => {
  own = makeDir();
  joined = makeDir();
});
afterEach(() => {
  removeDir(own);
  removeDir(joined);
});

test('a clone that joined another one’s ledger: the command finds what the server kept, in the ledger’s directory', () => {
  const { named, drop } = toldOnce(own, REQUEST);
  named.place?.(joined, 'PostToolUse');
  named.note?.('Zed holds a.txt.');
  const again = namedBy(REQUEST);
  again.place?.(joined, 'PostToolUse');
  expect(again.completed(SILENT).stdout).toContain('Zed holds a.txt.');
  // Told once.
  const third = namedBy(REQUEST);
  third.place?.(joined, 'PostToolUse');
  expect(third.completed(SILENT)).toBe(SILENT);
  drop();
  expect(existsSync(`${own}/warm`)).toBe(false);
});
