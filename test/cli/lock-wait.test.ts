/** `guard lock wait` is bounded and keeps its order; however it ends, its edge and its ticket are removed. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';

const waits = (at: Scratch): unknown => (at.guard('status', '--json').json() as { waits: unknown }).waits;
const rows = (stdout: string) =>
  (JSON.parse(stdout) as { results: Readonly<Record<string, unknown>>[] }).results;

async function until(check: () => boolean): Promise<void> {
  for (let n = 0; n < 100 && !check(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(check()).toBe(true);
}

function held(): Scratch {
  const at = scratch();
  at.guard('lock', 'try', 'a', '--agent', 'holder');
  return at;
}

const startWaiting = (at: Scratch, who: string, ...args: readonly string[]) =>
  at.startGuard({}, 'lock', 'wait', ...args, '--agent', who, '--json');

describe('guard lock wait', () => {
  it('gets the lock when its holder releases it, and its edge is gone', async () => {
    const at = held();
    const waiting = startWaiting(at, 'me', 'a', '--timeout', '20s');
    await until(() => JSON.stringify(waits(at)).includes('"from":"me"'));
    expect(waits(at)).toMatchObject([{ from: 'me', to: 'holder', path: 'a', kind: 'wait', because: 'hold' }]);
    at.guard('lock', 'release', 'a', '--agent', 'holder');
    const done = await waiting.done;
    expect(done.exit).toBe(0);
    expect(rows(done.stdout)).toMatchObject([{ filepath: 'a', acquired: true, holder: null }]);
    expect(waits(at)).toEqual([]);
  });

  it('ends at its timeout with exit 1 and the holder; the wait ended, the wish stays for a while', () => {
    const at = held();
    const told = at.guard('lock', 'wait', 'a', '--timeout', '300ms', '--agent', 'me', '--json');
    expect(told.exit).toBe(1);
    expect(told.took_ms).toBeGreaterThanOrEqual(300);
    expect(rows(told.stdout)).toMatchObject([{ acquired: false, holder: 'holder', error: 'timeout' }]);
    expect(at.log('unwait')).toMatchObject([{ agent: 'me', paths: ['a'], cause: 'timeout' }]);
    expect(waits(at)).toMatchObject([{ from: 'me', kind: 'wanted' }]);
    expect(at.guard('deadlock').exit).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'that is ended by %s leaves no edge and takes nothing afterwards',
    async (signal) => {
      const at = held();
      const waiting = startWaiting(at, 'me', 'a', 'b', '--timeout', '20s');
      await until(() => JSON.stringify(waits(at)).includes('"from":"me"'));
      waiting.signal(signal);
      const done = await waiting.done;
      expect(done.exit).toBe(1);
      expect(rows(done.stdout)).toMatchObject([
        { filepath: 'a', acquired: false, error: 'cancelled' },
        { filepath: 'b', acquired: false, error: 'cancelled' },
      ]);
      expect(at.log('unwait')).toMatchObject([{ cause: 'cancelled' }]);
      expect(waits(at)).toEqual([]);
      at.guard('lock', 'release', 'a', '--agent', 'holder');
      expect(at.guard('lock', 'try', 'a', 'b', '--agent', 'other').exit).toBe(0);
    },
  );

  it('takes files in canonical order, each with its own time, and keeps what it got', () => {
    const at = held();
    const told = at.guard('lock', 'wait', 'c', 'b', 'a', '--timeout', '200ms', '--agent', 'me', '--json');
    expect(rows(told.stdout).map(({ filepath, acquired }) => [filepath, acquired])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
  });

  it('--all has one timeout and takes nothing where it cannot take everything', () => {
    const at = held();
    const told = at.guard('lock', 'wait', 'a', 'b', '--all', '--timeout', '200ms', '--agent', 'me', '--json');
    expect(rows(told.stdout).map(({ acquired }) => acquired)).toEqual([false, false]);
    expect(at.guard('lock', 'status', 'b', '--json').json()).toMatchObject({ results: [{ holder: null }] });
  });

  it('is served in the order of asking: no one overtakes, not even a try', async () => {
    const at = held();
    const first = startWaiting(at, 'first', 'a', '--timeout', '20s');
    await until(() => JSON.stringify(waits(at)).includes('"from":"first"'));
    const second = startWaiting(at, 'second', 'a', '--timeout', '20s');
    await until(() => JSON.stringify(waits(at)).includes('"from":"second"'));
    at.guard('lock', 'release', 'a', '--agent', 'holder');
    expect((await first.done).exit).toBe(0);
    expect(at.guard('lock', 'try', 'a', '--agent', 'third').exit).toBe(1);
    at.guard('lock', 'release', 'a', '--agent', 'first');
    expect((await second.done).exit).toBe(0);
  });

  it('is a try if the file is free', () => {
    const at = scratch();
    expect(at.guard('lock', 'wait', 'a', '--agent', 'me').exit).toBe(0);
    expect(at.log('wait')).toEqual([]);
  });

  it('that was killed holds no one up for longer than it meant to wait', async () => {
    const at = held();
    const waiting = startWaiting(at, 'me', 'a', '--timeout', '1s');
    await until(() => JSON.stringify(waits(at)).includes('"from":"me"'));
    waiting.signal('SIGKILL');
    await waiting.done;
    at.guard('lock', 'release', 'a', '--agent', 'holder');
    await until(() => at.guard('lock', 'try', 'a', '--agent', 'other').exit === 0);
  });

  it.each([
    ['before', 'SIGKILL'],
    ['after', 'SIGSTOP'],
  ] as const)(
    'that is killed %s the release is passed over at once, however long it meant to wait',
    async (_, first) => {
      const at = held();
      const killed = startWaiting(at, 'killed', 'a', '--timeout', '300s');
      await until(() => JSON.stringify(waits(at)).includes('"from":"killed"'));
      const next = startWaiting(at, 'next', 'a', '--timeout', '300s');
      await until(() => JSON.stringify(waits(at)).includes('"from":"next"'));
      killed.signal(first);
      if (first === 'SIGKILL') {
        await killed.done;
        expect(JSON.stringify(waits(at))).not.toContain('"from":"killed"');
      }
      at.guard('lock', 'release', 'a', '--agent', 'holder');
      const begun = performance.now();
      killed.signal('SIGKILL');
      const done = await next.done;
      expect(rows(done.stdout)).toMatchObject([{ filepath: 'a', acquired: true }]);
      // It used to take half a minute; now it takes a second on an idle machine.
      expect(performance.now() - begun).toBeLessThan(10_000);
    },
  );
});
