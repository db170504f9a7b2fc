// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The opener of a ledger that machines share, for those who wait by blocking. */
import { packageRoot } from '../repo/native.ts';
import { openBlocking } from './blocking/open.ts';
import type { startThread } from './blocking/thread.ts';
import type { PostgresConfig } from './postgres/open.ts';
import type { Store } from './store.ts';

/** Beyond what the engine itself tries: for a thread to begin, on a busy machine. */
const BEGIN_MS = 3_000;

export interface SharedConfig extends PostgresConfig {
  readonly deadline_ms: number;
}

/** Touches nothing until it is used. @param start absent: a thread of its own */
export const openShared = (config: SharedConfig, start?: typeof startThread): Store =>
  openBlocking({
    program: `${packageRoot(import.meta.filename)}/dist/cli/postgres.mjs`,
    config,
    supports: { watch: true, shared: true, durable: true },
    answer_ms: config.deadline_ms + BEGIN_MS,
    ...(start === undefined ? {} : { start }),
  });
