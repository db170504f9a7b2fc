/** The effects of lines in the repository of told.ts. */
import { describe, expect, it } from 'vitest';
import { readLine } from '../../src/shell/read-line.ts';
import { startIn } from './disk.ts';
import { HARMLESS } from './lines/harmless.ts';
import { ROWS } from './lines.ts';
import { told } from './told.ts';

describe.each(ROWS)('%s', (_, rows) => {
  it.each(rows.map(([line, expected]) => ({ line, expected })))('$line', ({ line, expected }) => {
    expect(told(line)).toEqual(expected);
  });
});

describe('nothing is written by a line that only reads, or only speaks of it', () => {
  it.each(HARMLESS)('%s', (line) => {
    const { targets, scopes, unresolved } = readLine(line, startIn({ '/repo/list.txt': 'a\n' }));
    expect({ targets, scopes, unresolved }).toEqual({ targets: [], scopes: [], unresolved: [] });
  });
});
