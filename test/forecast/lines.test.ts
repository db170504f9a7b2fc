import { describe, expect, test } from 'vitest';
import { conflictLines } from '../../src/forecast/lines.ts';

const merged = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const MARKED = ['<<<<<<< one', 'mine', '=======', 'theirs', 'theirs too', '>>>>>>> two'];

describe('the lines of a conflict', () => {
  test('are those of each side, however the rest was merged', () => {
    const text = merged('added by b', 'same', ...MARKED, 'end', 'added by a');
    const a = merged('same', 'mine', 'end', 'added by a');
    const b = merged('added by b', 'same', 'theirs', 'theirs too', 'end');
    expect(conflictLines(text, a, b)).toEqual({ a: [[2, 2]], b: [[3, 4]] });
  });

  test('of a side that deleted them are none, before the next line', () => {
    const text = merged('same', '<<<<<<< one', '=======', 'theirs', '>>>>>>> two', 'end');
    expect(conflictLines(text, merged('same', 'end'), merged('same', 'theirs', 'end'))).toEqual({
      a: [[2, 1]],
      b: [[2, 2]],
    });
  });

  test('of several conflicts are told in order', () => {
    const text = merged(...MARKED, 'between', ...MARKED);
    const [a, b] = [
      merged('mine', 'between', 'mine'),
      merged('theirs', 'theirs too', 'between', 'theirs', 'theirs too'),
    ];
    expect(conflictLines(text, a, b)).toEqual({
      a: [
        [1, 1],
        [3, 3],
      ],
      b: [
        [1, 2],
        [4, 5],
      ],
    });
  });

  test('cannot be told where there are no markers', () => {
    expect(conflictLines('a\n', 'a\n', 'b\n')).toBeNull();
  });

  test('a heading in dashes of its own is no marker', () => {
    const text = merged('Title', '=======', ...MARKED);
    expect(
      conflictLines(
        text,
        merged('Title', '=======', 'mine'),
        merged('Title', '=======', 'theirs', 'theirs too'),
      ),
    ).toEqual({
      a: [[3, 3]],
      b: [[3, 4]],
    });
  });
});
