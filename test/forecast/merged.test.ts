import { describe, expect, test } from 'vitest';
import { mergesIn } from '../../src/forecast/merged.ts';

const CLEAN = ['1', 'tree', ''];
const fields = (...all: readonly (readonly string[])[]): string => `${all.flat().join('\0')}\0`;

describe('what git merge-tree answers', () => {
  test('is read pair by pair: clean ones, files with both sides, names with blanks and tabs', () => {
    const stages = ['100644 b1 1\ta\tb c', '100644 b2 2\ta\tb c', '100644 b3 3\ta\tb c', ''];
    const messages = [
      '1',
      'a\tb c',
      'Auto-merging',
      'text',
      '1',
      'a\tb c',
      'CONFLICT (contents)',
      'text',
      '',
      '',
    ];
    expect(mergesIn(fields(CLEAN, ['0', 'other'], stages, messages.slice(0, -1), CLEAN))).toEqual([
      { tree: 'tree', conflicts: [] },
      { tree: 'other', conflicts: [{ path: 'a\tb c', kind: 'contents', sides: ['b2', 'b3'] }] },
      { tree: 'tree', conflicts: [] },
    ]);
  });

  test('is a conflict where no file has stages: git names the directory, or nothing', () => {
    const split = ['1', 'd', 'CONFLICT(directory rename unclear split)', 'text', ''];
    const nothing = ['0', 'tree', '', ''];
    expect(
      mergesIn(fields(['0', 'tree', ''], split, nothing, CLEAN)).map(({ conflicts }) => conflicts),
    ).toEqual([
      [{ path: 'd', kind: 'directory rename unclear split', sides: null }],
      [{ path: '.', kind: 'contents', sides: null }],
      [],
    ]);
  });

  test('goes on behind the advice on submodules', () => {
    const sub = ['160000 c1 2\tsub', '160000 c2 3\tsub', '', '1', 'sub', 'CONFLICT (submodule)', 'text'];
    const advice = 'Recursive merging with submodules …';
    expect(
      mergesIn(fields(['0', 'tree'], sub, [advice], CLEAN)).map(({ conflicts }) => conflicts.length),
    ).toEqual([1, 0]);
  });

  test('of a git that gave up is what was whole', () => {
    expect(mergesIn('').length).toBe(0);
    expect(mergesIn(fields(CLEAN)).length).toBe(1);
  });
});
