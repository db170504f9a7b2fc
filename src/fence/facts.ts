/** The facts that decide whether a lease is still held. */
import type { Facts, ProcessMark } from '../core/types.ts';
import { isDead, machineId } from '../repo/process.ts';
import type { FenceOn } from './site.ts';

/** The clock to use and, if they are not this machine's, the check for dead processes and the machine's name. */
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
