/** The options of `guard log` that narrow it. */
import type { LedgerRecord } from '../../core/ledger.ts';
import type { RepoPath } from '../../core/types.ts';
import { targetIn } from '../../workspace/target-in.ts';
import type { AskedAgent } from '../agent-asked.ts';
import type { Shell } from '../shell.ts';
import { pathsOfRecord } from '../view/record-line.ts';
import type { Since } from './since.ts';

interface FilterOptions {
  readonly type?: readonly string[];
  readonly path?: string;
}

/** The agent of the live events of `guard doctor` 0.1, which left five records per run. */
const DOCTOR = 'claude-guard-doctor';

interface Narrowed {
  readonly since: Since | null;
  readonly meant: AskedAgent | null;
}

/** Which records `guard log` prints. */
export function recordFilter(
  options: FilterOptions,
  { since, meant }: Narrowed,
  shell: Shell,
): (record: LedgerRecord) => boolean {
  const path = options.path === undefined ? null : pathOf(options.path, shell);
  return (record) =>
    (options.type === undefined || options.type.includes(record.type)) &&
    (meant === null ? !record.agent.startsWith(DOCTOR) : meant.isOf(record.agent)) &&
    (path === null || pathsOfRecord(record).includes(path)) &&
    (since === null || ('lsn' in since ? record.lsn >= since.lsn : Date.parse(record.ts) >= since.wall_ms));
}

const pathOf = (given: string, { cwd, env }: Shell): RepoPath => targetIn({ cwd, env }, given).path;
