/**
 * The Optimistic Locking Guard's comparison (its FR-003 to FR-006), and what applies between turns: content that
 * another author changed since the agent last saw it must be read before it is written.
 */
import type { Objection } from '../denial.ts';
import type { ShownFile } from '../shown.ts';
import type { Digest, Facts } from '../types.ts';
import type { Baseline, Compared, Judged } from './compared.ts';
import { changedSinceJoin, staleSince, unreadAs } from './changed-since.ts';

export type { Baseline, Compared, Disk, Judged, Range } from './compared.ts';

/** The objection to overwriting this content, or `null`. */
export function judgeBaseline(
  at: ShownFile,
  agent: Judged,
  { state: path, baseline, disk }: Compared,
  facts: Pick<Facts, 'policy'>,
): Objection | null {
  const current = disk.state === 'missing' ? null : disk.digest;
  if (baseline !== null && baseline.turn === agent.turn)
    return isAsSeen(baseline, current)
      ? null
      : staleSince(at, { state: path, baseline, disk }, facts.policy.enforcement);
  if (current === null || facts.policy.unread === 'off') return null;
  if (baseline?.knows === 'content' && baseline.digest === current) return null;
  const is_unread =
    baseline !== null || facts.policy.unread === 'always' || changedSinceJoin(agent, path, disk);
  return is_unread ? unreadAs(at, path, current) : null;
}

function isAsSeen({ knows, digest }: Baseline, current: Digest | null): boolean {
  return knows !== 'unverified' && (knows === 'absent' ? current === null : digest === current);
}
