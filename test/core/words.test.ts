/** Text from outside, quoted as one word for a shell and shown as one line on a terminal. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from '../../src/core/plain.ts';
import { shellWord } from '../../src/core/shell-word.ts';

describe('one word of a shell command', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['', "''"],
    ['~', "'~'"],
    ['$(x)', "'$(x)'"],
    ['a\nb', "'a\nb'"],
  ])('%j', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });

  it('reaches a real shell as it was, whatever it is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (words) => {
        const told = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`]);
        const sent = words.map((word) => Buffer.from(word).toString());
        expect(told.toString().split('\0').slice(0, -1)).toEqual(sent);
      }),
      { numRuns: 25 },
    );
  });
});

describe('text for a terminal', () => {
  it('keeps letters of every script, and makes what a terminal would obey visible', () => {
    expect(plain('a\u200bb\u061cc\ufeff\u{e0041}d👩\u200d💻')).toBe(
      'a\\u200bb\\u061cc\\ufeff\\ue0041d👩\u200d💻',
    );
    expect(plain('héllo ‏x‮y\u001b[2J\n\u009b')).toBe('héllo \\u200fx\\u202ey\\x1b[2J\\x0a\\x9b');
  });

  it('is one line without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // eslint-disable-next-line no-control-regex -- these are what must not be left
        expect(plain(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
      }),
    );
  });
});
