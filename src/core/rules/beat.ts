// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A machine's signs of life among others, and its end. It records what only it can know: which of its agents died. */
import { agentsOn, machineKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asMachine, type MachineState } from '../machines.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentState, Facts } from '../types.ts';
import { endLife } from './leaving.ts';
import { machineHere } from './presence.ts';
import type { Step } from './transaction.ts';

/** Due every third of a lease's ttl. */
export interface BeatEvent {
  readonly type: 'machine.beat';
}

/** `null` if the ledger belongs to this machine alone and needs no beats. */
export function beat(view: View, _event: BeatEvent, facts: Facts): Step<MachineState | null> {
  if (facts.machine_boot === undefined) return { records: [], result: null };
  const changes = changesOver(view);
  const here = machineHere(changes, facts, view.next, true);
  changes.record({ type: 'machine.beat', agent: 'guard', ts_ms: facts.now.wall_ms, machine: facts.machine });
  endAgents(changes, facts, ({ machine, proc }) =>
    machine?.epoch !== here.epoch ? 'machine' : proc !== null && facts.isDead(proc) ? 'gone' : null,
  );
  return { records: changes.records, result: here };
}

export interface MachineLeaveEvent {
  readonly type: 'machine.leave';
}

/** Everything that its agents hold ends. */
export function leaveMachine(view: View, _event: MachineLeaveEvent, facts: Facts): Step<null> {
  const changes = changesOver(view);
  const { machine, now } = facts;
  const key = machineKey(machine);
  const known = asMachine(changes.get(key));
  if (facts.machine_boot === undefined || known === undefined) return { records: [], result: null };
  endAgents(changes, facts, () => 'machine');
  changes.set(key, { ...known, until_mono_ms: now.mono_ms, ttl_ms: 0, boot: now.boot });
  changes.record({ type: 'machine.leave', agent: 'guard', ts_ms: now.wall_ms, machine });
  return { records: changes.records, result: null };
}

type Reason = 'machine' | 'gone';

/** @param reasonOf `null` for an agent that lives on */
function endAgents(changes: Changes, facts: Facts, reasonOf: (agent: AgentState) => Reason | null): void {
  const below = agentsOn(facts.machine);
  for (const [key] of changes.view.range(below)) {
    const agent = changes.agent(key.slice(below.length));
    const reason = agent?.machine?.id === facts.machine && agent.live ? reasonOf(agent) : null;
    if (agent !== undefined && reason !== null)
      endLife({ changes, agent, facts }, { reason, parent: agent.parent });
  }
}
