import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQuestioner } from '../../src/page/questioner.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that answers when the test says so. */
function asking() {
  const open: { query: object; answer: (value: string) => void; fail: () => void }[] = [];
  const heard: string[] = [];
  const questioner = openQuestioner<string>(
    (query) =>
      new Promise((resolve, reject) => {
        open.push({ query, answer: resolve, fail: () => reject(new Error('busy')) });
      }),
    (answer) => void heard.push(answer),
  );
  const asked = () => open.map(({ query }) => query);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { questioner, open, heard, asked, pass };
}

describe('questions to a slow server', () => {
  it('are asked one at a time; of those that follow meanwhile, only the newest', async () => {
    const { questioner, open, heard, asked, pass } = asking();
    questioner.ask({ nth: 1 });
    await pass(50);
    for (const nth of [2, 3, 4]) questioner.ask({ nth });
    await pass(10_000);
    expect(asked()).toEqual([{ nth: 1 }]);
    open[0]?.answer('one');
    await pass(50);
    expect([heard, asked()]).toEqual([['one'], [{ nth: 1 }, { nth: 4 }]]);
  });

  it('are asked while a slider is in motion, not only when it rests', async () => {
    const { questioner, asked, pass } = asking();
    for (let nth = 0; nth < 10; nth++) {
      questioner.ask({ nth });
      await pass(16);
    }
    expect(asked()).toHaveLength(1);
  });

  it('are asked again only after a rest, but another one is not held up by that', async () => {
    const { questioner, open, asked, pass } = asking();
    questioner.ask({ nth: 1 });
    await pass(50);
    open[0]?.answer('one');
    await pass(0);
    questioner.ask({ nth: 1 });
    await pass(50);
    expect(asked()).toHaveLength(1);
    questioner.ask({ nth: 2 });
    await pass(50);
    expect(asked()).toEqual([{ nth: 1 }, { nth: 2 }]);
  });

  it('are asked again a few times if there is no answer, and then left', async () => {
    const { questioner, open, heard, pass } = asking();
    questioner.ask({ nth: 1 });
    for (let time = 0; time < 10; time++) {
      await pass(3_000);
      open[time]?.fail();
    }
    await pass(3_000);
    expect([open.length, heard]).toEqual([4, []]);
    questioner.ask({ nth: 2 });
    await pass(50);
    open[4]?.answer('two');
    await pass(0);
    expect(heard).toEqual(['two']);
  });

  it('have no answers once nobody listens', async () => {
    const { questioner, open, heard, asked, pass } = asking();
    questioner.ask({ nth: 1 });
    await pass(50);
    questioner.ask({ nth: 2 });
    questioner.end();
    open[0]?.answer('one');
    await pass(10_000);
    expect([heard, asked()]).toEqual([[], [{ nth: 1 }]]);
  });
});
