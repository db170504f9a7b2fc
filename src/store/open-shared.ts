// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Opens a shared ledger for callers that block. Only `openStore` calls this. */
import { packageRoot } from '../repo/native.ts';
import { openBlocking } from './blocking/open.ts';
import type { startThread } from './blocking/thread.ts';
import type { PostgresConfig } from './postgres/address.ts';
import { sharedEngine } from './shared-engines.ts';
import type { Store } from './store.ts';

/** Extra time, on top of what the engine tries itself, for a thread to start on a busy machine. */
const BEGIN_MS = 3_000;

export interface SharedConfig extends PostgresConfig {
  readonly deadline_ms: number;
  /** Set by a process that keeps threads from one event to the next. Default: a new thread. */
  readonly start?: typeof startThread;
}

/** Connects to nothing until it is used. */
export const openShared = ({ start, ...config }: SharedConfig): Store =>
  openBlocking({
    program: `${packageRoot(import.meta.filename)}/dist/cli/${sharedEngine(config.url)}.mjs`,
    config,
    supports: { watch: true, shared: true, durable: true },
    answer_ms: config.deadline_ms + BEGIN_MS,
    ...(start === undefined ? {} : { start }),
  });
