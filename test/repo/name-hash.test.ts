import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameHash } from '../../src/repo/name-hash.ts';

describe('a short name for a long text', () => {
  it('is 16 hex digits, always the same, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(nameHash(text)).toMatch(/^[0-9a-f]{16}$/);
        expect(nameHash(text)).toBe(nameHash(text));
      }),
    );
    // Versions of guard find each other's files by this hash: it must never change.
    expect([nameHash(''), nameHash('a'), nameHash('claude-1\0src/a.ts')]).toEqual([
      '6ea7ab0e981a078c',
      '8128dd1425fbf5b6',
      '2134ef9bd0d9ca14',
    ]);
  });

  it('differs for 200,000 names that differ in one character', () => {
    const names = new Set<string>();
    const halves = [new Set<string>(), new Set<string>()] as const;
    for (let i = 0; i < 200_000; i++) {
      const name = nameHash(`claude-018bcb71\0packages/p${i >> 9}/src/f${i & 511}.ts`);
      names.add(name);
      halves[0].add(name.slice(0, 8));
      halves[1].add(name.slice(8));
    }
    expect(names.size).toBe(200_000);
    // Each half is a separate hash: about n²/2³³ = 5 collisions are expected.
    for (const half of halves) expect(half.size).toBeGreaterThan(199_975);
  });
});
