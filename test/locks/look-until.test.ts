import { describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { lookUntil } from '../../src/locks/look-until.ts';
import type { Bell } from '../../src/locks/subscribe.ts';

const never = (): boolean => false;

/** Rings immediately, and stores the requested times. */
function bellOf(isOver: () => boolean = never) {
  const limits: number[] = [];
  const bell: Bell = {
    isOver,
    rung(_concerns, limit_ms) {
      limits.push(limit_ms);
      return Promise.resolve();
    },
    close: () => undefined,
  };
  return { bell, limits };
}

const concerns = ({ type }: LedgerRecord): boolean => type !== '';

describe('looking until there is something', () => {
  it('ends with the first result, without a rest before the first look', async () => {
    const { bell, limits } = bellOf();
    const firsts: boolean[] = [];
    const look = (isFirst: boolean): string | undefined => {
      firsts.push(isFirst);
      return firsts.length === 3 ? 'there' : undefined;
    };
    expect(await lookUntil(bell, { look, concerns })).toBe('there');
    expect(firsts).toEqual([true, false, false]);
    expect(limits).toEqual([1_000, 1_000]);
  });

  it('rests at most until its time is up, and then looks once more', async () => {
    const { bell, limits } = bellOf();
    const left = [1_500, 400, 0];
    let looks = 0;
    const look = (): undefined => {
      looks++;
    };
    expect(await lookUntil(bell, { look, concerns, left_ms: () => left.shift() ?? 0 })).toBeNull();
    expect(limits).toEqual([1_000, 400]);
    expect(looks).toBe(3);
  });

  it('that is cancelled ends after a last look, which may still find it', async () => {
    const over = bellOf(() => true);
    expect(await lookUntil(over.bell, { look: () => undefined, concerns })).toBeNull();
    expect(await lookUntil(over.bell, { look: () => 'there', concerns })).toBe('there');
    expect(over.limits).toEqual([]);
  });

  it('fails as its look fails', async () => {
    const look = (): undefined => {
      throw new Error('broken');
    };
    await expect(lookUntil(bellOf().bell, { look, concerns })).rejects.toThrow('broken');
  });
});
