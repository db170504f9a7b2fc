// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * How an event is judged where machines share the engine: on its clock, and by what the machine on which it happened may
 * know. Every machine would judge it alike.
 */
import { agentKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asAgentState } from '../states.ts';
import type { Facts, Now, ProcessMark } from '../types.ts';
import type { Who } from './agent.ts';
import type { Step } from './transaction.ts';

interface AnyEvent {
  readonly type: string;
  readonly who?: Who;
}

/** @param facts as of the machine: its own clock, on which the event tells its times */
export function judgeAmong<E extends AnyEvent, T>(
  view: View & { readonly now: Now },
  event: E,
  facts: Facts,
  judge: (view: View, event: E, facts: Facts) => Step<T>,
): Step<T> {
  const shared = factsAmong(view.now, facts);
  const told = marked(onClock(event, view.now.mono_ms - facts.now.mono_ms), facts);
  const step = judge(view, told, shared);
  return isOver(view, event, shared) ? { ...step, records: [] } : step;
}

/** Of no process but those of a machine whose id is guard's own anything is known. A host's name alone is no id: several may have it. */
export function factsAmong(now: Now, facts: Facts): Facts {
  const { machine, isDead, now: own, machine_boot = own.boot } = facts;
  const isNamed = machine.startsWith('host:');
  return {
    ...facts,
    now,
    machine: isNamed ? `${machine} ${machine_boot}` : machine,
    machine_boot,
    isDead: (mark) => !isNamed && mark.machine === machine && isDead(mark),
  };
}

/** What it says of times (`…_mono_ms`) by the engine's clock. */
function onClock<T>(value: T, later_ms: number): T {
  if (Array.isArray(value)) return value.map((item: unknown) => onClock(item, later_ms)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    typeof field === 'number' && name.endsWith('_mono_ms') ? field + later_ms : onClock(field, later_ms),
  ]);
  return Object.fromEntries(fields) as T;
}

/** Marks of processes of this boot of this machine, by the name that the machine has among the others. */
function marked<T>(value: T, facts: Facts): T {
  const { machine, machine_boot } = facts;
  if (machine_boot === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => marked(item, facts)) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
    name,
    marked(field, facts),
  ]);
  const copy = Object.fromEntries(fields) as T & Partial<ProcessMark>;
  return copy.pid !== undefined && copy.boot === machine_boot ? { ...copy, machine } : copy;
}

/** What only ends something, and begins nothing. */
const ENDS: readonly string[] = [
  'agent.depart',
  'agent.detached',
  'agent.leave',
  'command.end',
  'lock.release',
  'lock.release_all',
  'lock.unwait',
  'op.end',
  'release.over',
  'turn.end',
  'unreserve',
  'write.end',
];

/** An end told on a machine where the agent does not live any more is of nothing that it has in its present life. */
function isOver(view: View, { type, who }: AnyEvent, { machine }: Facts): boolean {
  const agent = who && ENDS.includes(type) ? asAgentState(view.get(agentKey(who.id))) : undefined;
  return agent?.machine !== undefined && agent.machine.id !== machine;
}
