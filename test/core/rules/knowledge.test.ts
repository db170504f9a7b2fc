/** What an agent knows about a file after a read or a write. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../src/core/rules/baseline.ts';
import { afterMissing, afterRead, afterWrite, type ShownPart } from '../../../src/core/rules/knowledge.ts';
import { H1, H2, H3, seen } from '../world.ts';

const whole: ShownPart = { verdict: 'whole' };
const part = (from_line: number, lines: number, total_lines = 10): ShownPart => ({
  verdict: 'part',
  from_line,
  lines,
  total_lines,
});
const TURN = 3;

describe('after a read', () => {
  it.each<[string, Baseline | null, ShownPart, string | null, Partial<Baseline>]>([
    ['of everything: the content', null, whole, H1, { knows: 'content', digest: H1 }],
    ['of everything, over older knowledge', seen(H1, TURN), whole, H2, { knows: 'content', digest: H2 }],
    [
      'of something else than the disk has',
      seen(H1, TURN),
      { verdict: 'different', digest: H3 },
      H2,
      { knows: 'unverified', digest: H3 },
    ],
    ['of a file that is gone by then', seen(H1, TURN), whole, null, { knows: 'unverified', digest: H1 }],
    [
      'of an image that stood still',
      null,
      { verdict: 'unsure', quiet: true },
      H1,
      { knows: 'content', digest: H1 },
    ],
    [
      'of an image that moved',
      seen(H1, TURN),
      { verdict: 'unsure', quiet: false },
      H2,
      { knows: 'unverified', digest: H1 },
    ],
    ['of a part of the unknown', null, part(1, 3), H1, { knows: 'content', digest: H1 }],
    ['of a part of the known', seen(H1, 1), part(1, 3), H1, { knows: 'content', digest: H1, turn: TURN }],
    [
      'of a part of what changed',
      seen(H1, TURN),
      part(1, 3),
      H2,
      { knows: 'content', digest: H1, turn: TURN },
    ],
    [
      'of a part of what changed since another turn: no newer for it',
      seen(H1, 1),
      part(1, 3),
      H2,
      { digest: H1, turn: 1 },
    ],
    ['of a part of what was absent', afterMissing(TURN), part(1, 3), H1, { knows: 'absent', digest: null }],
    [
      'of a part of what was torn',
      { turn: TURN, knows: 'unverified', digest: H1 },
      part(1, 3),
      H1,
      { knows: 'unverified' },
    ],
  ])('%s', (_, old, shown, current, expected) => {
    expect(afterRead(old, TURN, shown, { digest: current, is_old: true })).toMatchObject(expected);
  });

  it('parts of one content add up, in any cut and order, and only when nothing is left out', () => {
    const ranges = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 })),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(ranges, (given) => {
        const shown = new Set<number>();
        let known: Baseline = seen(H1, TURN);
        for (const [from, lines] of given) {
          known = afterRead(known, TURN, part(from, lines), { digest: H2, is_old: true });
          for (let line = from; line < from + lines; line++) shown.add(line);
        }
        const all = Array.from({ length: 10 }, (_, n) => n + 1).every((line) => shown.has(line));
        expect(known.digest === H2).toBe(all);
      }),
    );
  });

  it('parts of another content start again', () => {
    const half = afterRead(seen(H1, TURN), TURN, part(1, 5), { digest: H2, is_old: true });
    expect(afterRead(half, TURN, part(6, 5), { digest: H3, is_old: true }).digest).toBe(H1);
    expect(afterRead(half, TURN, part(6, 5), { digest: H2, is_old: true })).toEqual({
      turn: TURN,
      knows: 'content',
      digest: H2,
    });
  });
});

describe('after a write', () => {
  it.each<[string, string | null, boolean, string | null, Partial<Baseline>]>([
    ['as meant: the content', H1, true, H1, { knows: 'content', digest: H1 }],
    ['not as meant: what was meant, to be read again', H2, false, H1, { knows: 'unverified', digest: H1 }],
    ['of a file that is gone', null, true, H1, { knows: 'unverified', digest: H1 }],
  ])('%s', (_, current, known, intended, expected) => {
    expect(afterWrite(TURN, current, known, intended)).toMatchObject({ turn: TURN, ...expected });
  });
});
