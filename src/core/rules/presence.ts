// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Signs of life if machines share the engine: a machine's own, and those of agents on it. */
import { GuardError } from '../error.ts';
import { agentsOn, machineKey, reservedKey } from '../keys.ts';
import type { Lsn } from '../ledger.ts';
import { asMachine, isBeating, type MachineState } from '../machines.ts';
import type { Changes } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './who.ts';
import { dropReserved } from './reserved-index.ts';

/** What is left of a sign of life when any event on the machine renews it: for two thirds of it no beat came. */
const LEFT = 1 / 3;

/**
 * This machine, up. After it counted as gone, or booted again, it begins another life: what was found dead stays dead.
 * @param is_beat it gives a sign of life now, however recent the previous one
 * @throws GuardError GUARD_ERR_MACHINE if two machines have one id
 */
export function machineHere(changes: Changes, facts: Facts, next: Lsn, is_beat = false): MachineState {
  const { now, machine, machine_boot = '', policy } = facts;
  const known = asMachine(changes.get(machineKey(machine)));
  if (known?.before?.includes(machine_boot)) throw twice(machine, machine_boot);
  const goesOn = known?.machine_boot === machine_boot && isBeating(known, now);
  const until = goesOn && known.boot === now.boot ? known.until_mono_ms : -Infinity;
  if (goesOn && !is_beat && until - now.mono_ms > known.ttl_ms * LEFT) return known;
  const until_mono_ms = Math.max(until, now.mono_ms + policy.ttl_ms);
  const before = formerBoots(known, machine_boot);
  const state: MachineState = {
    epoch: goesOn ? known.epoch : next,
    until_mono_ms,
    ttl_ms: until_mono_ms - now.mono_ms,
    boot: now.boot,
    machine_boot,
    ...(before.length === 0 ? {} : { before }),
  };
  changes.set(machineKey(machine), state);
  return state;
}

const BOOTS_MAX = 8;

function formerBoots(known: MachineState | undefined, machine_boot: string): readonly string[] {
  const { before = [], machine_boot: last = machine_boot } = known ?? {};
  return last === machine_boot ? before : [...before, last].slice(-BOOTS_MAX);
}

const twice = (machine: string, machine_boot: string): GuardError =>
  new GuardError(
    'GUARD_ERR_MACHINE',
    `Two machines have the id ${machine}: a boot that had ended has come back.`,
    'One of them is a copy: give it its own id.',
    { machine, machine_boot },
  );

/** The agent's state on this machine. One from elsewhere, or from a former life of this machine, begins again. */
export function presentAmong(changes: Changes, given: Who, facts: Facts, next: Lsn): AgentState {
  const here = machineHere(changes, facts, next);
  const who = { ...given, parent: parentHere(changes, given, facts, here) };
  const old = changes.agent(who.id);
  if (old !== undefined && old.machine?.epoch !== here.epoch) endFormer(changes, old, who);
  const agent = present(changes, who, facts, next);
  if (agent.parent === null || who.parent !== null) return agent;
  const alone = { ...agent, parent: null };
  changes.setAgent(alone);
  return alone;
}

/** Subagents run in their session's process. If the session continues elsewhere, the subagent here has no parent. */
function parentHere(changes: Changes, who: Who, facts: Facts, { epoch }: MachineState): string | null {
  const parent = who.parent === null ? undefined : changes.agent(who.parent);
  if (parent === undefined) return who.parent;
  if (parent.machine?.id !== facts.machine) return null;
  const { id, kind, session } = parent;
  if (parent.machine.epoch !== epoch)
    presentAmong(changes, { id, kind, parent: null, session, proc: who.proc }, facts, epoch);
  return id;
}

/** Nothing of the former life may carry over: leases and tickets end with the epoch, the rest here. */
function endFormer(changes: Changes, old: AgentState, { parent }: Who): void {
  const { children = [], started = [], machine, ...rest } = old;
  for (const id of [...children, ...started.map((one) => one.id)]) {
    const child = changes.agent(id);
    if (child?.parent === old.id) changes.setAgent({ ...child, parent: null });
  }
  changes.setAgent({ ...rest, parent, proc: null, live: false });
  if (changes.wait(old.id).edges.length > 0) changes.setWait(old.id, { edges: [] });
  if (changes.get(reservedKey(old.id))) dropReserved(changes, old.id);
  if (machine !== undefined) changes.set(agentsOn(machine.id) + old.id, null);
}
