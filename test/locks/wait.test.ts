/** Waiting for locks: the cost of a release, of idle time and of a busy ledger for waiters, and how waits end. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';
import { keepBusy, oneProcess, type Started } from './process.ts';

const WAITERS = 40;

function held(...paths: readonly string[]): Scratch {
  const at = scratch();
  at.guard('lock', 'try', ...paths, '--agent', 'holder');
  return at;
}

describe(`${WAITERS} waiters of one file in one process`, () => {
  it('cost one look each to queue, none a second, and one look for each release, in the order of asking', async () => {
    const at = held('a');
    const { wait, looks, release } = oneProcess(at);
    const waits: Started[] = [];
    for (let n = 0; n < WAITERS; n++) {
      const one = wait(`w${n}`, ['a']);
      await one.toldTimes(1);
      waits.push(one);
    }
    expect(looks()).toBe(WAITERS);
    const [first] = waits;
    await first?.toldTimes(3);
    expect(looks()).toBe(WAITERS);

    const served: number[] = [];
    const ends = waits.map(({ done }, n) => done.then(({ all_acquired }) => all_acquired && served.push(n)));
    release('holder', 'a');
    for (let n = 0; n < WAITERS; n++) {
      await ends[n];
      release(`w${n}`, 'a');
    }
    expect(served).toEqual(waits.map((_, n) => n));
    // One grant each; the guess which waiter is next may occasionally be wrong.
    expect(looks()).toBeLessThanOrEqual(2 * WAITERS + 5);
  });

  it('that can share it are all served by one release, and the ones behind them are not', async () => {
    const at = held('a');
    const { wait, looks, release } = oneProcess(at);
    const shared: Started[] = [];
    for (let n = 0; n < 5; n++) shared.push(wait(`s${n}`, ['a'], { mode: 'shared' }));
    await Promise.all(shared.map((one) => one.toldTimes(1)));
    const last = wait('writer', ['a']);
    await last.toldTimes(1);
    const before = looks();
    release('holder', 'a');
    for (const { done } of shared) expect((await done).all_acquired).toBe(true);
    expect(looks() - before).toBeLessThanOrEqual(shared.length + 2);
    for (let n = 0; n < 5; n++) release(`s${n}`, 'a');
    expect((await last.done).all_acquired).toBe(true);
  });
});

describe('a wait', () => {
  it('says who holds the file as it is now, without looking', async () => {
    const at = held('a');
    const { wait, looks, release } = oneProcess(at);
    const [first, second] = [wait('w0', ['a']), wait('w1', ['a'])];
    await Promise.all([first.toldTimes(1), second.toldTimes(1)]);
    release('holder', 'a');
    await first.done;
    const before = looks();
    await second.toldTimes(second.told.length + 2);
    expect(second.told.at(-1)?.holders).toEqual(['w0']);
    expect(looks()).toBe(before);
    second.cancel();
    expect((await second.done).results).toMatchObject([{ acquired: false, error: 'cancelled' }]);
  });

  it('notices when a lease ends without a record', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'holder', '--ttl', '2s');
    const { wait } = oneProcess(at);
    expect((await wait('w0', ['a']).done).all_acquired).toBe(true);
  });

  it('survives a ledger that is busy for longer than a look may take, and its timeout counts', async () => {
    const at = held('a');
    const { wait, release } = oneProcess(at);
    const one = wait('w0', ['a'], { timeout_ms: 30_000 });
    const late = wait('w1', ['a'], { timeout_ms: 1_500 });
    await Promise.all([one.toldTimes(1), late.toldTimes(1)]);
    const free = keepBusy(at);
    expect((await late.done).results).toMatchObject([{ acquired: false, error: 'timeout' }]);
    free();
    release('holder', 'a');
    expect((await one.done).all_acquired).toBe(true);
  }, 60_000);

  it('that never saw the ledger says so', async () => {
    const at = held('a');
    const free = keepBusy(at);
    const one = oneProcess(at).wait('w0', ['a'], { timeout_ms: 100 });
    await expect(one.done).rejects.toMatchObject({ code: 'GUARD_ERR_BUSY' });
    await expect(one.done).rejects.toThrow('The ledger was busy for 4 s.');
    free();
  }, 60_000);

  it('that is cancelled while the ledger is busy ends, and takes nothing afterwards', async () => {
    const at = held('a');
    const { wait } = oneProcess(at);
    const free = keepBusy(at);
    const one = wait('w0', ['b']);
    one.cancel();
    expect((await one.done).results).toMatchObject([{ acquired: false, error: 'cancelled' }]);
    free();
    expect(at.guard('lock', 'try', 'b', '--agent', 'other').exit).toBe(0);
  });

  it('continues when another wait of the same agent for the same file ends', async () => {
    const at = held('a');
    const { wait, release } = oneProcess(at);
    const long = wait('w0', ['a']);
    await long.toldTimes(1);
    const behind = wait('w1', ['a']);
    await behind.toldTimes(1);
    expect((await wait('w0', ['a'], { timeout_ms: 50 }).done).results).toMatchObject([{ error: 'timeout' }]);
    release('holder', 'a');
    expect((await long.done).all_acquired).toBe(true);
    behind.cancel();
    await behind.done;
  });

  it('that moved on to another file leaves no place in the queue when the same agent’s other wait ends', async () => {
    const at = held('a', 'b');
    const { wait } = oneProcess(at);
    const both = wait('w0', ['a', 'b'], { timeout_ms: 600 });
    const one = wait('w0', ['a']);
    await Promise.all([both.toldTimes(1), one.toldTimes(1)]);
    const free = keepBusy(at);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    one.cancel();
    await new Promise((resolve) => setTimeout(resolve, 300));
    free();
    await Promise.all([both.done, one.done]);
    const { results } = at.guard('lock', 'status', 'a', '--json', '--agent', 'x').json() as {
      results: unknown[];
    };
    expect(results).toMatchObject([{ holder: 'holder', queue: [] }]);
  }, 60_000);
});
