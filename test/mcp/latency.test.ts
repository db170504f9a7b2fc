/** The time from a release to the next waiter's grant, by the ledger's own times. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve, until } from './client.ts';

const ROUNDS = 15;
const MEDIAN_MS_MAX = 50;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

describe('a release wakes the waiter', () => {
  it.each<[string, boolean]>([
    ['a tool call', true],
    ['a command in another process', false],
  ])(`that is %s: median under ${MEDIAN_MS_MAX} ms`, async (_, is_tool) => {
    const at = scratch();
    const { as } = await serve(at);
    const delays: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const waiter = `claude-w${round}`;
      await as('claude-a').lockTry('a');
      const wait = is_tool
        ? as(waiter).lockWait(20, 'a')
        : at.startGuard({}, 'lock', 'wait', 'a', '--agent', waiter).done;
      await until(() => at.log('wait').some(({ agent }) => agent === waiter));
      // The watch on the ledger starts shortly after the wait is recorded.
      await new Promise((resolve) => setTimeout(resolve, 60));
      await as('claude-a').release('a');
      await wait;
      const [granted = NaN] = at
        .log('hold')
        .filter(({ agent }) => agent === waiter)
        .map(at_ms);
      delays.push(granted - (at.log('release').map(at_ms).at(-1) ?? NaN));
      await as(waiter).release('a');
    }
    expect(median(delays), delays.join(' ')).toBeLessThan(MEDIAN_MS_MAX);
  });
});

const at_ms = (record: Readonly<Record<string, unknown>>): number => Date.parse(String(record['ts']));
