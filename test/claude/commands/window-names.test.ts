import fs from 'node:fs';
import { expect, it } from 'vitest';
import {
  changeWindow,
  endWindows,
  putWindow,
  type WindowFile,
  windowOf,
  windowsIn,
} from '../../../src/claude/commands/open-windows.ts';
import { historyIn } from '../../../src/claude/commands/window-history.ts';
import { windowNamesOf } from '../../../src/claude/commands/window-names.ts';
import { scratchDir } from '../../repo/scratch.ts';

const OPEN: WindowFile = {
  ...{ v: 1, agent: 'a', op: '1', since_ms: 5, until_ms: null, targets: null },
  ...{ task: null, in_background: false, candidates: {} },
};

const { open, ended } = windowNamesOf('a', '1');

it('a window has one name while its command runs and another afterwards', () => {
  const dir = scratchDir();
  const names = (): string[] => fs.readdirSync(`${dir}/windows`);
  putWindow(dir, OPEN);
  changeWindow(dir, { ...OPEN, task: 't' });
  expect([names(), windowOf(dir, 'a', '1')?.task]).toEqual([[open], 't']);
  endWindows(dir, 9, () => true);
  expect([names(), windowOf(dir, 'a', '1')?.until_ms]).toEqual([[ended], 9]);
  // The end of a turn reads none that has ended.
  endWindows(dir, 10, () => expect.unreachable());
  expect(windowsIn(dir)).toMatchObject([{ until_ms: 9 }]);
});

it('of which both files are left, because its process was killed while it ended it, has ended', () => {
  const dir = scratchDir();
  putWindow(dir, OPEN);
  const text = fs.readFileSync(`${dir}/windows/${open}`);
  changeWindow(dir, { ...OPEN, until_ms: 9 });
  fs.writeFileSync(`${dir}/windows/${open}`, text);
  expect(windowOf(dir, 'a', '1')?.until_ms).toBe(9);
  expect(windowsIn(dir)).toMatchObject([{ until_ms: 9 }]);
  expect(historyIn(dir)).toMatchObject({ windows: [{ until_ms: 9 }], before_ms: Infinity });
  endWindows(dir, 10, () => expect.unreachable());
  expect(fs.readdirSync(`${dir}/windows`)).toEqual([ended]);
});

it('that an earlier guard ended under its first name is not open', () => {
  const dir = scratchDir();
  putWindow(dir, { ...OPEN, until_ms: 7 });
  endWindows(dir, 9, () => true);
  expect(windowsIn(dir)).toMatchObject([{ until_ms: 7 }]);
});
