/**
 * What is happening now, for all readers: one look at the ledger serves all of them, at most four times a second, and each
 * reader gets the newest one when it takes the next. A slow reader misses looks; nothing is buffered for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ringing } from './ringing.ts';

export interface FeedSource {
  /** The whole state as text, identical as long as nothing has changed. */
  readonly look: () => Promise<string>;
  /** Yields whenever something may have changed, until the signal aborts. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<unknown>;
  /** Whether the next look differs even without a change. */
  readonly isUnderWay: () => boolean;
  readonly complain: (error: unknown) => void;
}

export interface FeedLimits {
  readonly readers: number;
  /** Pause between two looks. */
  readonly rest_ms: number;
  /** How often to look even without a change, because leases lapse without a record. */
  readonly tick_ms: number;
  /** A reader that takes nothing for this long is dropped. */
  readonly slow_ms: number;
}

const FEED_LIMITS: FeedLimits = { readers: 8, rest_ms: 250, tick_ms: 5_000, slow_ms: 30_000 };

export interface Feed {
  readonly readers: number;
  /** Server-sent events; `null` if the maximum number of readers is reached. */
  join(signal: AbortSignal): ReadableStream<Uint8Array> | null;
}

export function openFeed(source: FeedSource, closing: AbortSignal, limits: FeedLimits = FEED_LIMITS): Feed {
  const state: { event: Uint8Array; version: number; text: string } = {
    ...{ event: new Uint8Array(), version: 0, text: '' },
  };
  const readers = new Set<() => void>();
  let running: AbortController | null = null;

  const look = async (): Promise<void> => {
    const text = await source.look();
    if (text === state.text) return;
    Object.assign(state, {
      text,
      version: state.version + 1,
      event: encoded(`event: now\ndata: ${text}\n\n`),
    });
    for (const wake of readers) wake();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const bell = ringing(source.changes(signal), signal, limits.tick_ms);
    while (!signal.aborted) {
      const began_under_way = source.isUnderWay();
      try {
        await look();
      } catch (error) {
        source.complain(error);
      }
      await sleep(limits.rest_ms, undefined, { signal }).catch(() => undefined);
      // A look that began before the end has not shown it.
      if (!began_under_way && !source.isUnderWay()) await bell();
    }
  };
  const start = (): void => {
    if (running !== null) return;
    running = new AbortController();
    const signal = AbortSignal.any([running.signal, closing]);
    void run(signal).catch(source.complain);
  };
  return {
    get readers() {
      return readers.size;
    },
    join(signal) {
      if (readers.size >= limits.readers || closing.aborted) return null;
      let wake = (): void => undefined;
      const ring = (): void => wake();
      const gone = AbortSignal.any([signal, closing]);
      readers.add(ring);
      const leave = (): void => {
        readers.delete(ring);
        ring();
        if (readers.size > 0) return;
        running?.abort();
        running = null;
        // A later reader must not be shown an old state.
        Object.assign(state, { version: 0, text: '' });
      };
      gone.addEventListener('abort', leave, { once: true });
      start();
      let seen = 0;
      let slow: NodeJS.Timeout | undefined;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            clearTimeout(slow);
            while (seen === state.version && readers.has(ring))
              await new Promise<void>((resolve) => (wake = resolve));
            if (!readers.has(ring)) {
              controller.close();
              return;
            }
            seen = state.version;
            controller.enqueue(state.event);
            slow = setTimeout(() => {
              leave();
              controller.error(new Error('nobody reads'));
            }, limits.slow_ms);
            slow.unref();
          },
          cancel() {
            clearTimeout(slow);
            leave();
          },
        },
        { highWaterMark: 0 },
      );
    },
  };
}

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);
