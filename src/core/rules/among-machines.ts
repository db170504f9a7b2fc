// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * How an event is decided if machines share the engine: on the engine's clock, and only from what the machine it
 * happened on can know, so every machine would reach the same result.
 */
import { asObject, type JsonObject } from '../json-object.ts';
import { agentKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asAgentState } from '../states.ts';
import type { Facts, Now } from '../types.ts';
import { identify } from './identity.ts';
import type { Who } from './who.ts';
import type { Step } from './transaction.ts';

interface AnyEvent {
  readonly type: string;
  readonly who?: Who;
}

/** @param facts the machine's own, with its own clock, on which the event's times are given */
export function judgeAmong<E extends AnyEvent, T>(
  view: View & { readonly now: Now },
  event: E,
  facts: Facts,
  judge: (view: View, event: E, facts: Facts) => Step<T>,
): Step<T> {
  const shared = factsAmong(view.now, facts);
  const later_ms = view.now.mono_ms - facts.now.mono_ms;
  const told = named(
    view,
    mapped(event, (one) => marked(onClock(one, later_ms), facts)),
    shared,
  );
  const step = judge(view, told, shared);
  if (isOver(view, told, shared)) return { ...step, records: [] };
  if (step.records.length > 0 || !isReliedOn(told, step.result)) return step;
  const sign = { type: 'renew', agent: told.who?.id ?? '', ts_ms: shared.now.wall_ms, s: {} };
  return { ...step, records: [sign] };
}

/**
 * An agent may already have a lease from a commit whose answer it never received, and then learns of it from a look
 * alone. If the primary dies then, its standby may lack that commit. An extra commit waits until the standby has
 * everything before it.
 */
const isReliedOn = ({ type }: AnyEvent, result: unknown): boolean =>
  (type === 'lock.acquire' &&
    Array.isArray(result) &&
    result.some((one) => asObject(one)['acquired'] === true)) ||
  (type === 'write.begin' && asObject(result)['verdict'] === 'approved');

/** Only this machine's processes can be checked, and only by guard's own id: several machines may share a host name. */
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

/** Applies `as` to every plain object in it, innermost first. */
function mapped<T>(value: T, as: (one: JsonObject) => JsonObject): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapped(item, as)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [name, mapped(field, as)]);
  return as(Object.fromEntries(fields) as JsonObject) as T;
}

/** Converts its times (`…_mono_ms`) to the engine's clock. */
const onClock = (one: JsonObject, later_ms: number): JsonObject =>
  Object.fromEntries(
    Object.entries(one).map(([name, field]) => [
      name,
      typeof field === 'number' && name.endsWith('_mono_ms') ? field + later_ms : field,
    ]),
  );

/** Gives a process mark of this machine's present boot the name that the machine has among the others. */
const marked = (one: JsonObject, { machine, machine_boot }: Facts): JsonObject =>
  machine_boot !== undefined && one['pid'] !== undefined && one['boot'] === machine_boot
    ? { ...one, machine }
    : one;

/** An agent that could not be identified when the event happened (claude/known-anyway.ts) is identified by its process now. */
function named<E extends AnyEvent>(view: View, event: E, facts: Facts): E {
  const { who } = event;
  if (who?.one_of === undefined) return event;
  const { one_of, ...guessed } = who;
  const { id, inherited } = identify(view, one_of, who.proc, facts);
  const below = who.parent === null ? '' : who.id.slice(who.parent.length);
  const parent = who.parent === null ? null : id;
  return {
    ...event,
    who: { ...guessed, id: `${id}${below}`, parent, inherited: inherited && parent === null },
  };
}

/** Events that only end something. */
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

/** An end reported on a machine where the agent no longer lives does not concern anything in its present life. */
function isOver(view: View, { type, who }: AnyEvent, { machine }: Facts): boolean {
  const agent = who && ENDS.includes(type) ? asAgentState(view.get(agentKey(who.id))) : undefined;
  return agent?.machine !== undefined && agent.machine.id !== machine;
}
