// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Machines that share an engine (decision 204). Each gives signs of life on the engine's clock, and only the machine itself
 * looks at its processes and its boot: so all of them judge alike.
 */
import { machineKey } from './keys.ts';
import type { Json, Lsn } from './ledger.ts';
import type { Changes } from './states.ts';
import type { AgentState, Facts, Now } from './types.ts';

/** State of `machine:<id>`. */
export interface MachineState {
  /** The commit in which this life of the machine began. After a lapse or a reboot it has another: who lived in the former one is dead. */
  readonly epoch: Lsn;
  /** On the engine's clock: how long the last sign of life is good for. */
  readonly until_mono_ms: number;
  /** Of that, at the last sign of life. */
  readonly ttl_ms: number;
  /** The engine's clock, by the name that it had then. */
  readonly boot: string;
  readonly machine_boot: string;
  /** Boots that are over, the newest last: one that comes back is another machine's. Absent: none is known. */
  readonly before?: readonly string[];
}

export const asMachine = (state: Json | undefined): MachineState | undefined =>
  (state as MachineState | null | undefined) ?? undefined;

/** Of another clock of the engine only this is certain: since the present one began to count, as much has passed as it shows. */
export const isBeating = ({ boot, until_mono_ms, ttl_ms }: MachineState, now: Now): boolean =>
  now.mono_ms < (boot === now.boot ? until_mono_ms : ttl_ms);

/** Of an agent that has not left: its machine is up, in the life that the agent began in, and does not know it to be dead. */
export function isUpThere(
  states: Pick<Changes, 'get'>,
  { machine, proc }: AgentState,
  facts: Pick<Facts, 'now' | 'isDead' | 'machine'>,
): boolean {
  const there = asMachine(states.get(machineKey(machine?.id ?? '')));
  if (there === undefined || there.epoch !== machine?.epoch || !isBeating(there, facts.now)) return false;
  return !(machine.id === facts.machine && proc !== null && facts.isDead(proc));
}
