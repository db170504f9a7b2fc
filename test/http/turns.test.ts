import { describe, expect, it } from 'vitest';
import { openTurns } from '../../src/http/turns.ts';

describe('turns', () => {
  it('come in order, and leave the event loop a round between two', async () => {
    const turn = openTurns();
    const seen: string[] = [];
    const rounds = (async () => {
      while (seen.filter((what) => what !== 'round').length < 3) {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('round');
      }
    })();
    await Promise.all(['a', 'b', 'c'].map(async (name) => turn().then(() => seen.push(name))));
    await rounds;
    expect(seen.filter((what) => what !== 'round')).toEqual(['a', 'b', 'c']);
    expect(seen.join(' ')).not.toMatch(/[abc] [abc]/);
  });

  it('can be asked for again after the last one', async () => {
    const turn = openTurns();
    await turn();
    await expect(Promise.all([turn(), turn()])).resolves.toHaveLength(2);
  });
});
