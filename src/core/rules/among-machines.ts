// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * How an event is judged where machines share the engine: on its clock, and by what the machine on which it happened may
 * know. Every machine would judge it alike.
 */
import { asObject, type JsonObject } from '../json-object.ts';
import { agentKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asAgentState } from '../states.ts';
import type { Facts, Now } from '../types.ts';
import type { Who } from './who.ts';
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
  const later_ms = view.now.mono_ms - facts.now.mono_ms;
  const told = mapped(event, (one) => marked(onClock(one, later_ms), facts));
  const step = judge(view, told, shared);
  if (isOver(view, event, shared)) return { ...step, records: [] };
  if (step.records.length > 0 || !isReliedOn(told, step.result)) return step;
  const sign = { type: 'renew', agent: told.who?.id ?? '', ts_ms: shared.now.wall_ms, s: {} };
  return { ...step, records: [sign] };
}

/**
 * What an agent has already, by a commit whose answer it may never have got, is told from a look alone; a primary that dies then may
 * have it, and its standby not. A commit of its own waits until the standby has all that was before it.
 */
const isReliedOn = ({ type }: AnyEvent, result: unknown): boolean =>
  (type === 'lock.acquire' &&
    Array.isArray(result) &&
    result.some((one) => asObject(one)['acquired'] === true)) ||
  (type === 'write.begin' && asObject(result)['verdict'] === 'approved');

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

/** With every plain object in it, innermost first, as `as` makes it. */
function mapped<T>(value: T, as: (one: JsonObject) => JsonObject): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, as)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [name, mapped(field, as)]);
  return as(Object.fromEntries(fields) as JsonObject) as T;
}

/** What it says of times (`…_mono_ms`) by the engine's clock. */
const onClock = (one: JsonObject, later_ms: number): JsonObject =>
  Object.fromEntries(
    Object.entries(one).map(([name, field]) => [
      name,
      typeof field === 'number' && name.endsWith('_mono_ms') ? field + later_ms : field,
    ]),
  );

/** A mark of a process of this boot of this machine, by the name that the machine has among the others. */
const marked = (one: JsonObject, { machine, machine_boot }: Facts): JsonObject =>
  machine_boot !== undefined && one['pid'] !== undefined && one['boot'] === machine_boot
    ? { ...one, machine }
    : one;

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
