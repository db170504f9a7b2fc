// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A write to a file that its agent has no lease on. */
import type { Objection } from '../denial.ts';
import { lockedByOtherToo, notLocked } from '../messages.ts';
import type { ShownFile } from '../shown.ts';
import type { JudgedWrite } from './judged-write.ts';
import { claim, isReserved, takesOver } from './lease.ts';

/** Null if the write may take the lease, or needs none. */
export function objectionByOthers(write: JudgedWrite, at: ShownFile): Objection | null {
  const { event, facts } = write;
  const { path } = at;
  const claimed = claim(write, path, 'exclusive');
  if (claimed.verdict !== 'blocked')
    return facts.policy.enforcement === 'auto' ||
      isReserved(claimed) ||
      (event.ignored?.includes(path) && !takesOver(claimed))
      ? null
      : notLocked(at);
  const { holder, holders, mode, since, expires_at, outlook, reservation } = claimed.blocked;
  const state = outlook === undefined ? {} : { holder_state: outlook.holder_state };
  return lockedByOtherToo(at, { holder, holders, mode, since, expires_at, ...state, ...reservation });
}
