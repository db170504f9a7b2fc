/** By what it is judged whether somebody holds something. */
import type { Facts, ProcessMark } from '../core/types.ts';
import { isDead, machineId } from '../repo/process.ts';
import type { FenceOn } from './site.ts';

/** The clock that counts; and who is dead by whose word, where that is not this machine's. */
export type Judge = Pick<Facts, 'now'> & Partial<Pick<Facts, 'isDead' | 'machine'>>;

export function factsOf({ policy }: FenceOn, { now, isDead: isGone = isDead, machine }: Judge): Facts {
  // Ten thousand leases belong to a few processes.
  const known = new Map<ProcessMark, boolean>();
  return {
    now,
    policy,
    isDead(mark) {
      const answer = known.get(mark) ?? isGone(mark);
      known.set(mark, answer);
      return answer;
    },
    get machine() {
      return machine ?? machineId();
    },
    guard_command: '',
  };
}
