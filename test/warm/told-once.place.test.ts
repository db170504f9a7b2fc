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
  expect(named.isAgain?.(joined, 'PostToolUse')).toBe(false);
  named.note?.('Zed holds a.txt.');
  const again = namedBy(REQUEST);
  expect(again.isAgain?.(joined, 'PostToolUse')).toBe(true);
  expect(again.completed(SILENT).stdout).toContain('Zed holds a.txt.');
  // Told once.
  expect(namedBy(REQUEST).isAgain?.(joined, 'PostToolUse')).toBe(false);
  drop();
  expect(existsSync(`${own}/warm`)).toBe(false);
});
