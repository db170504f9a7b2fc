// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Machines that share an engine (decision 204). Each records signs of life on the engine's clock, and only the machine
 * itself checks its processes and its boot, so all machines reach the same result.
 */
import { machineKey } from './keys.ts';
import type { Json, Lsn } from './ledger.ts';
import type { Changes } from './states.ts';
import type { AgentState, Facts, Now } from './types.ts';

/** State of `machine:<id>`. */
export interface MachineState {
  /** The commit that began this life of the machine. After a lapse or a reboot, agents of the former life are dead. */
  readonly epoch: Lsn;
  /** On the engine's clock: how long the last sign of life is valid. */
  readonly until_mono_ms: number;
  /** The validity that the last sign of life was given. */
  readonly ttl_ms: number;
  /** The name of the engine's clock at that time. */
  readonly boot: string;
  readonly machine_boot: string;
  /** Ended boots, newest last: if one comes back, it belongs to another machine. Absent: none is known. */
  readonly before?: readonly string[];
}

export const asMachine = (state: Json | undefined): MachineState | undefined =>
  (state as MachineState | null | undefined) ?? undefined;

/** After the engine's clock was replaced, at least as much time has passed as the present clock shows. */
export const isBeating = ({ boot, until_mono_ms, ttl_ms }: MachineState, now: Now): boolean =>
  now.mono_ms < (boot === now.boot ? until_mono_ms : ttl_ms);

/** For an agent that has not left: its machine is up in the same life, and does not know the agent to be dead. */
export function isUpThere(
  states: Pick<Changes, 'get'>,
  { machine, proc }: AgentState,
  facts: Pick<Facts, 'now' | 'isDead' | 'machine'>,
): boolean {
  const there = asMachine(states.get(machineKey(machine?.id ?? '')));
  if (there === undefined || there.epoch !== machine?.epoch || !isBeating(there, facts.now)) return false;
  return !(machine.id === facts.machine && proc !== null && facts.isDead(proc));
}
