/** How long guard waits for the ledger to take what must not be lost. */
import { describe, expect, it } from 'vitest';
import { GuardError } from '../../src/core/error.ts';
import { patiently } from '../../src/harness/retry-while-busy.ts';

/** The tries that something takes which succeeds after so many failures; with waits of no time. */
async function tries(failures: number, error: Error): Promise<number> {
  let count = 0;
  const work = (): number => {
    count += 1;
    if (count <= failures) throw error;
    return count;
  };
  return patiently(work, () => Promise.resolve());
}

const HOUR = 1_800;

describe('an end that the ledger does not take', () => {
  it.each([
    'GUARD_ERR_BUSY',
    'GUARD_ERR_FULL',
    'GUARD_ERR_ENGINE_AWAY',
    'GUARD_ERR_ENGINE_RESTORED',
  ] as const)('waits for hours while the ledger says %s', async (code) => {
    const error = new GuardError(code, 'x', 'y', {});
    await expect(tries(8 * HOUR, error)).resolves.toBe(8 * HOUR + 1);
    await expect(tries(25 * HOUR, error)).rejects.toBe(error);
  });

  it('is tried again after another error, however long the ledger was locked before', async () => {
    const errors = Array.from({ length: HOUR }, () => new GuardError('GUARD_ERR_BUSY', 'x', 'y', {}));
    const all: Error[] = [...errors, new Error('once')];
    const work = (): string => {
      const error = all.shift();
      if (error !== undefined) throw error;
      return 'recorded';
    };
    await expect(patiently(work, () => Promise.resolve())).resolves.toBe('recorded');
  });

  it('is left to the next look after two minutes where waiting does not help', async () => {
    const error = new Error('x');
    await expect(tries(59, error)).resolves.toBe(60);
    await expect(tries(60, error)).rejects.toBe(error);
  });
});
