/**
 * A second opinion on deadlock, by brute force and deliberately without any code of the product: it reads who waits
 * for whom from the raw states, and finds the agents that can reach themselves by transitive closure.
 */

interface Hold {
  readonly agent: string;
  readonly mode: string;
  readonly epoch: number;
  readonly since_mono_ms: number;
  readonly ttl_ms: number;
}
interface Ticket {
  readonly agent: string;
  readonly mode: string;
  readonly epoch: number;
  readonly ticket: number;
  readonly until_mono_ms: number;
}
interface PathState {
  readonly holds: readonly Hold[];
  readonly queue: readonly Ticket[];
  readonly intent: { readonly agent: string; readonly op: string } | null;
}
interface AgentState {
  readonly epoch: number;
  readonly live: boolean;
  readonly parent: string | null;
  readonly active_mono_ms: number;
  readonly proc: { readonly pid: number } | null;
  readonly op: { readonly id: string } | null;
}
interface WaitState {
  readonly awaits?: readonly { readonly agent: string; readonly until_mono_ms: number }[];
  readonly edges: readonly {
    readonly path: string;
    readonly kind: string;
    readonly mode: string;
    readonly until_mono_ms: number;
  }[];
}

export interface Moment {
  readonly states: ReadonlyMap<string, unknown>;
  readonly mono_ms: number;
  readonly dead: ReadonlySet<number>;
  readonly idle_ms: number;
  /** Calls that really wait for their subagent. */
  readonly calls: readonly { readonly by: string; readonly child: string }[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly by: 'hold' | 'ticket' | 'agent';
}

/** The edges of agents that are waiting now; agents that only asked for a file are left out. */
export function arrows(moment: Moment): Arrow[] {
  const { states, mono_ms } = moment;
  const waiting = [...states.keys()].filter((key) => key.startsWith('wait:'));
  const toChildren = moment.calls
    .filter(({ by, child }) => alive(moment, by) && alive(moment, child))
    .map(({ by, child }) => ({ from: by, to: child, path: '', by: 'agent' as const }));
  const toPaths = waiting.flatMap((key) => {
    const from = key.slice('wait:'.length);
    if (!alive(moment, from)) return [];
    const { edges, awaits = [] } = states.get(key) as WaitState;
    const awaited = awaits
      .filter(({ agent, until_mono_ms }) => mono_ms < until_mono_ms && agentOf(moment, agent) !== undefined)
      .filter(({ agent }) => alive(moment, agent))
      .map(({ agent }) => ({ from, to: agent, path: '', by: 'agent' as const }));
    const waits = edges
      .filter(({ kind, until_mono_ms }) => kind === 'wait' && mono_ms < until_mono_ms)
      .flatMap(({ path, mode }) => arrowsTo(moment, from, path, mode));
    return [...waits, ...awaited];
  });
  return [...toPaths, ...toChildren];
}

function arrowsTo(moment: Moment, from: string, path: string, mode: string): Arrow[] {
  const at = moment.states.get(`path:${path}`) as PathState | undefined;
  if (at === undefined) return [];
  const held = at.holds.filter((hold) => holds(moment, at, hold));
  const mine = held.some(({ agent }) => agent === from);
  const parent = agentOf(moment, from)?.parent;
  const holders = held
    .filter((hold) => hold.agent !== from && hold.agent !== parent && against(hold.mode, mode))
    .filter((hold) => !idle(moment, at, hold))
    .map((hold) => ({ from, to: hold.agent, path, by: 'hold' as const }));
  const tickets = at.queue.filter((ticket) => queued(moment, ticket));
  const own = tickets.find(({ agent }) => agent === from);
  if (mine || own === undefined) return holders;
  const before = tickets
    .filter((other) => other.agent !== from && other.ticket < own.ticket && against(other.mode, mode))
    .map(({ agent }) => ({ from, to: agent, path, by: 'ticket' as const }));
  return [...holders, ...before];
}

const against = (a: string, b: string): boolean => !(a === 'shared' && b === 'shared');

const agentOf = ({ states }: Moment, id: string): AgentState | undefined =>
  states.get(`agent:${id}`) as AgentState | undefined;

function alive(moment: Moment, id: string): boolean {
  const state = agentOf(moment, id);
  if (state === undefined) return true;
  const up = ({ live, proc }: AgentState): boolean => live && !(proc !== null && moment.dead.has(proc.pid));
  const parent = state.parent === null ? undefined : agentOf(moment, state.parent);
  return up(state) && (parent === undefined || up(parent));
}

function writes(moment: Moment, at: PathState, agent: string): boolean {
  return at.intent?.agent === agent && agentOf(moment, agent)?.op?.id === at.intent.op;
}

function holds(moment: Moment, at: PathState, hold: Hold): boolean {
  const agent = agentOf(moment, hold.agent);
  if (!alive(moment, hold.agent) || (agent !== undefined && agent.epoch !== hold.epoch)) return false;
  return writes(moment, at, hold.agent) || moment.mono_ms < lastSign(moment, hold) + hold.ttl_ms;
}

const lastSign = (moment: Moment, hold: Hold): number =>
  Math.max(hold.since_mono_ms, agentOf(moment, hold.agent)?.active_mono_ms ?? 0);

const idle = (moment: Moment, at: PathState, hold: Hold): boolean =>
  !writes(moment, at, hold.agent) && moment.mono_ms - lastSign(moment, hold) >= moment.idle_ms;

function queued(moment: Moment, ticket: Ticket): boolean {
  const epoch = agentOf(moment, ticket.agent)?.epoch ?? ticket.epoch;
  return moment.mono_ms < ticket.until_mono_ms && alive(moment, ticket.agent) && epoch === ticket.epoch;
}

/** All agents that can reach themselves, by Warshall's transitive closure. */
export function deadlocked(edges: readonly Arrow[]): Set<string> {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const reach = new Map(names.map((name) => [name, new Set<string>()]));
  for (const { from, to } of edges) reach.get(from)?.add(to);
  for (const middle of names) {
    for (const from of names) {
      if (reach.get(from)?.has(middle) !== true) continue;
      for (const to of reach.get(middle) ?? []) reach.get(from)?.add(to);
    }
  }
  return new Set(names.filter((name) => reach.get(name)?.has(name)));
}
