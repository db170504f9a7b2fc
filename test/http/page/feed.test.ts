import { describe, expect, it, onTestFinished } from 'vitest';
import { openFeed } from '../../../src/http/page/feed.ts';

const LIMITS = { readers: 2, rest_ms: 1, tick_ms: 20, slow_ms: 10_000 };

function feeding(limits = LIMITS) {
  const state = { looks: 0, text: '0', open: 0, isUnderWay: false };
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const bell = { ring: (): void => undefined };
  const feed = openFeed(
    {
      look: () => {
        state.looks++;
        return Promise.resolve(state.text);
      },
      async *changes(signal) {
        state.open++;
        signal.addEventListener('abort', () => bell.ring());
        while (!signal.aborted) {
          await new Promise<void>((resolve) => (bell.ring = resolve));
          yield null;
        }
        state.open--;
      },
      isUnderWay: () => state.isUnderWay,
      complain: (error) => {
        throw error;
      },
    },
    closing.signal,
    limits,
  );
  const join = () => {
    const gone = new AbortController();
    const stream = feed.join(gone.signal);
    return { gone, reader: stream?.getReader() };
  };
  return { state, feed, join, closing };
}

const textOf = async (
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<string | null> => {
  const part = await reader?.read();
  return part?.value === undefined ? null : new TextDecoder().decode(part.value);
};

describe('the live feed', () => {
  it('gives each reader the newest look when it takes one, and nothing that it missed', async () => {
    const { state, join } = feeding();
    const { reader } = join();
    expect(await textOf(reader)).toBe('event: now\ndata: 0\n\n');
    for (const text of ['1', '2', '3']) {
      state.text = text;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    // The reader may have been given an earlier look first.
    const seen = [await textOf(reader)];
    if (!seen[0]?.includes('3')) seen.push(await textOf(reader));
    expect(seen.at(-1)).toBe('event: now\ndata: 3\n\n');
    expect(seen.length).toBeLessThan(3);
  });

  it('has room for so many readers, and again when one has gone', async () => {
    const { feed, join } = feeding();
    const [first] = [join(), join()];
    expect(join().reader).toBe(undefined);
    first.gone.abort();
    expect(feed.readers).toBe(1);
    expect(join().reader).not.toBe(undefined);
    await Promise.resolve();
  });

  it('lets go of a reader that takes nothing', async () => {
    const { feed, join } = feeding({ ...LIMITS, slow_ms: 30 });
    const { reader } = join();
    await textOf(reader);
    await expect.poll(() => feed.readers, { timeout: 30_000 }).toBe(0);
    await expect(reader?.read()).rejects.toThrow('nobody reads');
  });

  it('looks at nothing while nobody reads', async () => {
    const { state, join } = feeding();
    const { gone, reader } = join();
    await textOf(reader);
    gone.abort();
    await new Promise((resolve) => setTimeout(resolve, 30));
    const { looks } = state;
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(state.looks).toBe(looks);
    expect(state.open).toBe(0);
  });

  it('ends for everybody when the server does', async () => {
    const { join, closing } = feeding();
    const { reader } = join();
    await textOf(reader);
    const next = reader?.read();
    closing.abort();
    expect((await next)?.done).toBe(true);
  });

  it('looks again without a change as long as something is under way', async () => {
    const { state, join } = feeding({ ...LIMITS, tick_ms: 60_000 });
    state.isUnderWay = true;
    const { reader } = join();
    await textOf(reader);
    state.text = '50 %';
    expect(await textOf(reader)).toContain('50 %');
    state.isUnderWay = false;
  });
});
