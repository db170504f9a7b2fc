/** Reads the log, stopping before any number below which a commit may still appear. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GuardError } from '../../core/error.ts';
import type { LedgerRecord, Lsn, RecordBody } from '../../core/ledger.ts';
import { monotonic } from '../../repo/clock.ts';
import { encodeRecord, FIRST_LSN } from '../record.ts';
import type { Wakes } from './wakes.ts';
import type { Connected } from './connected.ts';

const PAGE_ROWS = 500;
const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 50;
/** Longer than the silence after which the server notifies (committing.ts); commits without a notification are polled for. */
const SOON_MS = 25;
const NET_MS = 1_000;
const FOLLOWED_MS = 30_000;

interface Page {
  /** The newest number that exists. */
  readonly top: Lsn;
  readonly rows: readonly (readonly [
    lsn: Lsn,
    ts_ms: number,
    more: number,
    body: Omit<RecordBody, 'ts_ms'>,
  ])[];
}

/** The chain, built while reading, from where the read starts: dates never go back, and each record names the one before. */
interface Chain {
  next: Lsn;
  prev: number;
  ts_ms: number;
}

const chainFrom = (next: Lsn): Chain => ({ next: Math.max(next, FIRST_LSN), prev: 0, ts_ms: 0 });

async function pageAt({ line, repository }: Connected, from: Lsn, most = PAGE_ROWS): Promise<Page> {
  const answer = await line.call('scan_1', [repository, from, Math.min(most, PAGE_ROWS)]);
  return JSON.parse(String(answer['scan_1'])) as Page;
}

function* recordsIn({ rows }: Page, chain: Chain): Generator<LedgerRecord, void> {
  for (const [lsn, ts_ms, more, body] of rows) {
    chain.ts_ms = Math.max(chain.ts_ms, ts_ms);
    const whole = { ...body, ts_ms: chain.ts_ms } as RecordBody;
    const { bytes, crc } = encodeRecord(whole, { lsn, prev: chain.prev, more });
    chain.prev = crc;
    chain.next = lsn + 1;
    yield JSON.parse(bytes.toString('utf8')) as LedgerRecord;
  }
}

const unsettled = ({ line: { server, deadline_ms } }: Connected, lsn: Lsn): GuardError =>
  new GuardError(
    'GUARD_ERR_BUSY',
    `Commits before record ${lsn} of the shared ledger at ${server.host}:${server.port} did not end in time.`,
    'Try again; if the problem persists, check whether a synchronous standby is down.',
    { ...server, lsn, deadline_ms },
  );

/** Reads up to the newest record that exists when it begins. */
export async function* scanLog(engine: Connected, from: Lsn, most?: number): AsyncIterable<LedgerRecord> {
  const chain = chainFrom(from);
  let page = await pageAt(engine, chain.next, most);
  const goal = page.top;
  let begun_ms = monotonic();
  for (let pause_ms = FIRST_PAUSE_MS; ; page = await pageAt(engine, chain.next, most)) {
    yield* recordsIn(page, chain);
    if (chain.next > goal) return;
    if (page.rows.length > 0) {
      [begun_ms, pause_ms] = [monotonic(), FIRST_PAUSE_MS];
      continue;
    }
    if (monotonic() - begun_ms > engine.line.deadline_ms) throw unsettled(engine, goal);
    await sleep(pause_ms);
    pause_ms = Math.min(pause_ms * 2, LAST_PAUSE_MS);
  }
}

/** Resolves at a notification, after some time, or at the abort. */
function waiting(wakes: Wakes, signal: AbortSignal): { wait(ms: number): Promise<void>; end(): void } {
  let rung = false;
  let wake = (): void => undefined;
  const ring = (): void => {
    rung = true;
    wake();
  };
  const unhang = wakes.hang(ring);
  signal.addEventListener('abort', ring);
  return {
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      if (!rung)
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, ms);
        });
      clearTimeout(timer);
      rung = false;
    },
    end() {
      unhang();
      signal.removeEventListener('abort', ring);
    },
  };
}

export async function* followLog(
  engine: Connected,
  wakes: Wakes,
  from: Lsn,
  signal: AbortSignal,
): AsyncGenerator<LedgerRecord, void> {
  const chain = chainFrom(from);
  const waits = waiting(wakes, signal);
  const isOver = (): boolean => signal.aborted;
  let told_ms = -Infinity;
  try {
    while (!isOver()) {
      if (monotonic() - told_ms > FOLLOWED_MS / 3) {
        await engine.line.call('follow_1', [engine.repository, FOLLOWED_MS]);
        told_ms = monotonic();
      }
      const page = await pageAt(engine, chain.next);
      for (const record of recordsIn(page, chain)) {
        if (isOver()) return;
        yield record;
      }
      if (page.rows.length < PAGE_ROWS)
        await waits.wait(page.top >= chain.next || page.rows.length > 0 ? SOON_MS : NET_MS);
    }
  } finally {
    waits.end();
  }
}
