/** Locks of other agents, as a session learns of them at its start. */
import { describe, expect, it } from 'vitest';
import { thatFit } from '../../../src/claude/events/welcome.ts';

describe('the locks that a session is told of', () => {
  it('are as many as fit, whole', () => {
    const each = ['a'.repeat(99), 'b'.repeat(99), 'c'];
    expect(thatFit(each)).toEqual(each.slice(0, 2));
    expect(thatFit(['a', 'b'])).toEqual(['a', 'b']);
    expect(thatFit(['a'.repeat(201), 'b'])).toEqual([]);
  });

  it('are looked at only as far as that, be there a hundred thousand', () => {
    const each = Array.from({ length: 100_000 }, (_, n) => `"src/some/file-${n}.ts" by claude-x`);
    let looked = 0;
    const counting = new Proxy(each, {
      get(of, name, self) {
        looked++;
        return Reflect.get(of, name, self) as unknown;
      },
    });
    expect(thatFit(counting).length).toBeGreaterThan(3);
    expect(looked).toBeLessThan(100);
  });
});
