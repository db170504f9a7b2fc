/** Like storm.ts, on a shared ledger: workers are killed, and so are the server's processes that answer them. */
import type pg from 'pg';
import { openPostgres, type PostgresConfig } from '../../src/store/postgres/open.ts';
import type { Store } from '../../src/store/store.ts';
import { bundleProgram } from '../store/bundle.ts';
import { all, range } from '../store/contract/bench.ts';
import { judge, type Verdict } from './judge.ts';
import { judgeSeen, type Seen } from './seen.ts';
import { blow } from './storm.ts';

export interface SharedStorm {
  readonly config: PostgresConfig;
  readonly kills: number;
  readonly workers: number;
  /** The superuser's connection, which ends server processes of the role. Absent if none should be ended. */
  readonly owner?: pg.Client;
  readonly role: string;
}

export interface SharedReport {
  readonly kills: number;
  /** The number of server processes ended. */
  readonly ended: number;
  readonly acknowledged: number;
  readonly records: number;
  readonly failures: readonly string[];
  readonly verdicts: readonly Verdict[];
}

const isSeen = (line: unknown): line is Seen =>
  typeof line === 'object' && line !== null && 'versions' in line;
const END_MS = 150;
/** Time for some acts, because an agent connects first. */
const KILL_MS = 600;

/** Ends one of the role's server processes, preferably one in the middle of a commit. */
const END = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1
  ORDER BY state = 'active' AND query LIKE '%commit_2%' DESC, random() LIMIT 1`;
const BUSY = `SELECT FROM pg_stat_activity WHERE usename = $1 AND state <> 'idle'`;

/** Checks the ledger against what every worker was told. */
export async function judgeShared(
  store: Store<'later'>,
  told: readonly Seen[],
): Promise<{ records: number; verdicts: Verdict[] }> {
  const records = await all(store);
  const states = await range(store, '');
  const granted = told.filter(({ answer }) => answer.granted);
  const refused = told.filter(({ answer }) => !answer.granted);
  return {
    records: records.length,
    verdicts: [...judge(records, granted, states), ...judgeSeen(records, refused)],
  };
}

export async function sharedStorm({
  config,
  kills,
  workers,
  owner,
  role,
}: SharedStorm): Promise<SharedReport> {
  let ended = 0;
  const ending = setInterval(() => {
    void owner?.query(END, [role]).then(({ rowCount }) => (ended += rowCount ?? 0));
  }, END_MS);
  const program = bundleProgram('test/chaos/shared-worker.ts');
  const { killed, lines } = await blow({
    program,
    place: JSON.stringify(config),
    kills,
    workers,
    pause_ms: KILL_MS,
  });
  clearInterval(ending);
  while (((await owner?.query(BUSY, [role]))?.rowCount ?? 0) > 0);
  const told = lines.filter(isSeen);
  const failures = lines.filter((line) => !isSeen(line)).map((line) => JSON.stringify(line));
  const store = await openPostgres(config);
  const { records, verdicts } = await judgeShared(store, told);
  await store.close();
  return { kills: killed, ended, acknowledged: told.length, records, failures, verdicts };
}
