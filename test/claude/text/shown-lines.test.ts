import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareShown } from '../../../src/claude/text/shown.ts';
import { anyFile, byteChange, RUNS, withOneByteChanged } from './arbitrary.ts';
import { read } from './client-model.ts';

describe('any file', () => {
  const range = fc.record({
    offset: fc.integer({ min: 1, max: 16 }),
    limit: fc.integer({ min: 1, max: 16 }),
  });

  test('read whole is whole', () => {
    fc.assert(
      fc.property(anyFile, ({ bytes }) => {
        expect(compareShown(read(bytes), bytes)).toMatchObject({ verdict: 'whole', extent: 'whole' });
      }),
      RUNS,
    );
  });

  test('read in part is that part, or whole where the part is all', () => {
    fc.assert(
      fc.property(anyFile, range, ({ bytes }, part) => {
        const response = read(bytes, part);
        const isAll = part.offset === 1 && response.file.numLines === response.file.totalLines;
        expect(compareShown(response, bytes).verdict).toBe(isAll ? 'whole' : 'part');
      }),
      RUNS,
    );
  });

  test('changed in one byte is not whole, unless that byte is never shown', () => {
    fc.assert(
      fc.property(anyFile, byteChange, ({ bytes }, change) => {
        const now = withOneByteChanged(bytes, change);
        if (!now || read(now).file.content === read(bytes).file.content) return;
        expect(compareShown(read(bytes), now).verdict).not.toBe('whole');
      }),
      RUNS,
    );
  });

  test('the parts it was read in add up to all of its lines', () => {
    fc.assert(
      fc.property(anyFile, fc.integer({ min: 1, max: 5 }), ({ bytes }, limit) => {
        const total = compareShown(read(bytes), bytes).total_lines ?? 0;
        let seen = 0;
        for (let offset = 1; offset <= total; offset += limit) {
          const part = compareShown(read(bytes, { offset, limit }), bytes);
          expect(part.from_line).toBe(seen + 1);
          seen += part.lines ?? 0;
        }
        expect(seen).toBe(total);
      }),
      RUNS,
    );
  });
});
