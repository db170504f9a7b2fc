import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/cli/view/columns.ts';

describe('columns', () => {
  it('stay straight beside characters that take two cells, or none', () => {
    expect(
      columns([
        ['日本.md', 'x'],
        ['👩‍👩‍👧.md', 'x'],
        ['e\u0301.md', 'x'],
        ['\u001b[31ma.md\u001b[39m', 'x'],
      ]),
    ).toEqual(['  日本.md  x', '  👩‍👩‍👧.md    x', '  e\u0301.md     x', '  \u001b[31ma.md\u001b[39m     x']);
  });
});
