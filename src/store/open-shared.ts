// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What opens a ledger that machines share, for those who wait by blocking. Called by `openStore` alone. */
import { packageRoot } from '../repo/native.ts';
import { openBlocking } from './blocking/open.ts';
import type { startThread } from './blocking/thread.ts';
import type { PostgresConfig } from './postgres/address.ts';
import { sharedEngine } from './shared-engines.ts';
import type { Store } from './store.ts';

/** Beyond what the engine itself tries: for a thread to begin, on a busy machine. */
const BEGIN_MS = 3_000;

export interface SharedConfig extends PostgresConfig {
  readonly deadline_ms: number;
  /** Of a process that keeps them from one event to the next. Absent: a thread of its own. */
  readonly start?: typeof startThread;
}

/** Touches nothing until it is used. */
export const openShared = ({ start, ...config }: SharedConfig): Store =>
  openBlocking({
    program: `${packageRoot(import.meta.filename)}/dist/cli/${sharedEngine(config.url)}.mjs`,
    config,
    supports: { watch: true, shared: true, durable: true },
    answer_ms: config.deadline_ms + BEGIN_MS,
    ...(start === undefined ? {} : { start }),
  });
