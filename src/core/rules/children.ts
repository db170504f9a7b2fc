/**
 * Which agent waits for the end of which. A call of the Agent tool in the foreground ends when its subagent ends, and
 * nothing reports which call started which subagent. A wait becomes certain by counting: among the calls that may have
 * started it, at least as many are open as there are live subagents that they may have started.
 */
import { isAlive, isTurnGone } from '../alive.ts';
import type { Changes } from '../states.ts';
import type { AgentId, AgentState, Await, Started, Facts, GraphEdge, OpenCall } from '../types.ts';

/** The tool's name up to client 2.1.50, and now. */
const SPAWNERS: readonly string[] = ['Task', 'Agent'];

/** A call that left the choice to the client is known to run in the background only if it ends immediately. */
const SURE_MS = 2_000;

/** Only this many are tracked; no agent manages more. */
const CHILDREN_MAX = 100;

const isBackground = ({ calls }: Started): boolean => calls.length === 0;

/** Open calls of this agent that start subagents. If a person is asked about one, its end is recorded. */
export function spawns(state: AgentState | undefined, { now }: Facts): OpenCall[] {
  if (state === undefined || state.boot !== now.boot) return [];
  return (state.calls ?? []).filter(
    ({ tool, until_mono_ms }) => SPAWNERS.includes(tool) && until_mono_ms === null,
  );
}

/** When a call that left the choice to the client becomes a certain wait. No record says so, so waiters check then. */
export const sureAt = (state: AgentState | undefined, facts: Facts): number[] =>
  spawns(state, facts)
    .filter(({ is_background }) => is_background === undefined)
    .map(({ since_mono_ms }) => since_mono_ms + SURE_MS);

/** The main agent of its session. */
function mainOf(changes: Changes, agent: AgentId): AgentState | undefined {
  const state = changes.agent(agent);
  return state === undefined || state.parent === null ? state : changes.agent(state.parent);
}

/** All subagents of this agent's session. */
export const family = (changes: Changes, agent: AgentId): readonly Started[] =>
  mainOf(changes, agent)?.started ?? [];

/** The agents whose states are needed to know for which end this one waits, besides its own state and its parent's. */
export function awaitedBy(changes: Changes, agent: AgentId, facts: Facts): AgentId[] {
  const awaited = (changes.wait(agent).awaits ?? []).map(({ agent: id }) => id);
  if (spawns(changes.agent(agent), facts).length === 0) return awaited;
  return [...awaited, ...family(changes, agent).map(({ id }) => id)];
}

/** The agents whose end it waits for: `wait` if that is certain, `wanted` if it is possible. */
export function edgesToAgents(changes: Changes, agent: AgentId, facts: Facts): GraphEdge[] {
  const awaited = (changes.wait(agent).awaits ?? [])
    .filter((one) => isAwaiting(one, facts) && isThere(changes, one.agent, facts))
    .map(({ agent: to }) => edgeTo(agent, to, true));
  const open = spawns(changes.agent(agent), facts);
  if (open.every(({ is_background }) => is_background === true)) return awaited;
  const alive = family(changes, agent).filter(
    (child) => child.id !== agent && !isBackground(child) && isThere(changes, child.id, facts),
  );
  const own = alive.filter(({ by, calls }) => by === agent && calls.some((id) => mayAwait(open, id)));
  const unknown = alive.filter(({ by }) => by === null);
  return [
    ...awaited,
    ...own.map((child) => edgeTo(agent, child.id, isCertain(child, own, open, facts))),
    ...unknown.map(({ id }) => edgeTo(agent, id, false)),
  ];
}

const mayAwait = (open: readonly OpenCall[], call: string): boolean =>
  open.some(({ id, is_background }) => id === call && is_background !== true);

const edgeTo = (from: AgentId, to: AgentId, is_certain: boolean): GraphEdge => ({
  from,
  to,
  path: '',
  kind: is_certain ? 'wait' : 'wanted',
  because: 'agent',
});

/** An agent that stopped and was not sent back to work in time has ended, even though no event reports that it left. */
function isThere(changes: Changes, id: AgentId, facts: Facts): boolean {
  const agent = changes.agent(id);
  return agent !== undefined && isAlive(changes, id, facts) && !isTurnGone(agent, facts);
}

const isAwaiting = ({ boot, until_mono_ms, proc }: Await, { now, isDead }: Facts): boolean =>
  boot === now.boot && now.mono_ms < until_mono_ms && !(proc !== null && isDead(proc));

function isCertain(
  child: Started,
  siblings: readonly Started[],
  open: readonly OpenCall[],
  { now }: Facts,
): boolean {
  const mine = open.filter(({ id }) => child.calls.includes(id));
  const rivals = siblings.filter(({ calls }) => mine.some(({ id }) => calls.includes(id)));
  return (
    mine.length >= rivals.length &&
    mine.every(
      ({ is_background, since_mono_ms }) =>
        is_background === false || (is_background === undefined && now.mono_ms - since_mono_ms >= SURE_MS),
    )
  );
}

/** The agents whose states are needed when a subagent of `parent` begins or ends. */
export const familyOf = (changes: Changes, parent: AgentId): AgentId[] =>
  (changes.agent(parent)?.started ?? []).map(({ id }) => id);

/** A subagent begins. Every agent with an open call that has started no subagent yet may have started it. */
export function addChild(changes: Changes, parent: AgentId, child: AgentId, facts: Facts): void {
  const agent = changes.agent(parent);
  if (agent === undefined) return;
  const known = (agent.started ?? []).filter(({ id }) => id !== child);
  const others = known.filter(({ id }) => changes.agent(id) === undefined || isAlive(changes, id, facts));
  const is_known = agent.started?.find((one) => one.id === child && isBackground(one));
  const askers = [parent, ...others.map(({ id }) => id)]
    .map((by) => ({ by, calls: unclaimed(changes, by, others, facts) }))
    .filter(({ calls }) => calls.length > 0);
  const [asker] = askers;
  // No caller is known: it works next to the others, as one that was woken up does.
  const begun = askers.length > 1 ? { by: null, calls: ['?'] } : (asker ?? { by: parent, calls: [] });
  keep(changes, agent, [...others, is_known ?? { id: child, ...begun }]);
}

/** Those of the open calls of `by` that may not have started a subagent yet. */
function unclaimed(changes: Changes, by: AgentId, others: readonly Started[], facts: Facts): string[] {
  const open = spawns(changes.agent(by), facts).map(({ id }) => id);
  const begun = others.filter((child) => child.by === by && child.calls.some((id) => open.includes(id)));
  const settled = begun.flatMap(({ calls }) => (calls.length === 1 ? calls : []));
  const free = open.filter((id) => !settled.includes(id));
  return open.length > begun.length ? free : [];
}

/** The client reported that a subagent runs in the background, before or after it began. */
export function detachChild(changes: Changes, parent: AgentId, by: AgentId, child: AgentId): void {
  const agent = changes.agent(parent);
  if (agent === undefined) return;
  const others = (agent.started ?? []).filter(({ id }) => id !== child);
  keep(changes, agent, [...others, { id: child, by, calls: [] }]);
}

/** It has ended. */
export function dropChild(changes: Changes, parent: AgentId, child: AgentId): void {
  const agent = changes.agent(parent);
  if (agent?.started?.some(({ id }) => id === child) !== true) return;
  keep(
    changes,
    agent,
    agent.started.filter(({ id }) => id !== child),
  );
}

function keep(changes: Changes, agent: AgentState, children: readonly Started[]): void {
  const { started: before, ...rest } = agent;
  if (children.length === 0 && before === undefined) return;
  changes.setAgent(children.length === 0 ? rest : { ...rest, started: children.slice(-CHILDREN_MAX) });
}
