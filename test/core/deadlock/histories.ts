/** Random histories of agents that lock, wait, write, release and die; cheap enough to run tens of thousands. */
import type { Who } from '../../../src/core/rules/who.ts';
import type { AgentState, OpenCall } from '../../../src/core/types.ts';
import { agent, file, H1, proc, seen, subagent, World } from '../world.ts';

/** Park and Miller's generator: the same seed gives the same history. */
export function randomOf(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export interface Cast {
  readonly world: World;
  readonly agents: readonly Who[];
  readonly random: (below: number) => number;
  /** Foreground calls that really wait for their subagent, which guard is not told. */
  readonly calls: Call[];
  /** Subagents whose start the client reported and that have not ended. */
  readonly begun: Set<string>;
}

/** An Agent tool call that has not ended. */
export interface Call {
  readonly id: string;
  readonly by: string;
  readonly child: string;
}

const PATHS = ['p', 'q', 'r', 's'];

export function castOf(seed: number): Cast {
  const random = randomOf(seed);
  const [a, b, c] = [1, 2, 3].map((n) => agent('abc'.charAt(n - 1), { proc: proc(n) }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three agents');
  const world = new World();
  const agents = [a, b, c, subagent(a, 's1'), subagent(a, 's2'), subagent(b, 's3')];
  return { world, agents: agents.slice(0, 3 + random(4)), random, calls: [], begun: new Set() };
}

type Act = (cast: Cast, who: Who) => void;

const some = ({ random }: Cast): string[] => PATHS.filter(() => random(3) === 0);
const one = ({ random }: Cast): string => PATHS[random(PATHS.length)] ?? 'p';

const acquire = (
  cast: Cast,
  who: Who,
  paths: readonly string[],
  wait_ms: number | null,
  all: boolean,
): void => {
  const { world, random } = cast;
  world.run({
    type: 'lock.acquire',
    who,
    paths,
    mode: random(3) === 0 ? 'shared' : 'exclusive',
    ttl_ms: null,
    all,
    wait_until_mono_ms: wait_ms === null ? null : world.mono_ms + wait_ms,
  });
};

const stateOf = ({ world }: Cast, id: string) => world.states.get(`agent:${id}`) as AgentState | undefined;

function openCalls(cast: Cast, by: string, change: (calls: readonly OpenCall[]) => OpenCall[]): void {
  const state = stateOf(cast, by);
  if (state === undefined) return;
  const calls = change(state.calls ?? []);
  cast.world.states.set(`agent:${by}`, { ...state, calls } as never);
}

/** Sends PostToolUse for calls whose subagents have ended. */
function endCalls(cast: Cast): void {
  const over = cast.calls.filter(({ child }) => stateOf(cast, child)?.live !== true);
  for (const call of over) {
    cast.calls.splice(cast.calls.indexOf(call), 1);
    openCalls(cast, call.by, (calls) => calls.filter(({ id }) => id !== call.id));
  }
}

/** The main agent, or a subagent of the same session, starts `who` unless it is already running. */
function spawn(cast: Cast, who: Who, is_background: boolean): void {
  const { world, agents, random, calls, begun } = cast;
  if (who.parent === null || stateOf(cast, who.id)?.live === true) return;
  endCalls(cast);
  const able = agents.filter(
    ({ id, parent }) =>
      (id === who.parent && stateOf(cast, id)?.live) || (parent === who.parent && begun.has(id)),
  );
  const by = able[random(able.length)];
  if (by === undefined) return;
  const id = `call${world.lsn}`;
  const call = { id, tool: 'Agent', since_mono_ms: world.mono_ms, until_mono_ms: null, is_background };
  openCalls(cast, by.id, (before) => [...before, call]);
  if (!is_background) calls.push({ id, by: by.id, child: who.id });
  world.run({ type: 'turn.start', who });
  begun.add(who.id);
  if (!is_background) return;
  world.run({ type: 'agent.detached', who: by, agent: who.id });
  openCalls(cast, by.id, (before) => before.filter((one) => one.id !== id));
}

/** Each act is as likely as the number of times it is listed. */
const ACTS: readonly Act[] = [
  ...Array.from({ length: 5 }, (): Act => (cast, who) => acquire(cast, who, [one(cast)], null, false)),
  ...Array.from({ length: 9 }, (): Act => (cast, who) => acquire(cast, who, [one(cast)], 20_000, false)),
  ...Array.from({ length: 3 }, (): Act => (cast, who) => acquire(cast, who, some(cast), 20_000, true)),
  (cast, who) => acquire(cast, who, some(cast), 20_000, false),
  (cast, who) => acquire(cast, who, some(cast), null, true),
  ...Array.from(
    { length: 3 },
    (): Act => (cast, who) => cast.world.run({ type: 'lock.release', who, paths: [one(cast)] }),
  ),
  (cast, who) => cast.world.run({ type: 'lock.release_all', who, held: [] }),
  (cast, who) => cast.world.run({ type: 'lock.unwait', who, paths: [one(cast)], cause: 'timeout' }),
  (cast, who) => cast.world.run({ type: 'lock.unwait', who, paths: [one(cast)], cause: 'cancelled' }),
  (cast, who) => cast.world.run({ type: 'turn.end', who, running: [] }),
  (cast, who) => {
    if (who.kind === 'subagent') cast.world.run({ type: 'agent.leave', who, reason: 'subagent_stop' });
  },
  ...Array.from({ length: 4 }, (): Act => (cast, who) => spawn(cast, who, cast.random(4) === 0)),
  (cast) => endCalls(cast),
  ...(['begin', 'begin', 'go_on', 'end'] as const).map((phase): Act => (cast, who) => {
    const other = cast.agents[cast.random(cast.agents.length)]?.id ?? who.id;
    if (other !== who.id && who.parent === null)
      cast.world.run({ type: 'agent.await', who, agent: other, phase, proc: null });
  }),
  (cast, who) => cast.world.begin(who, one(cast), `op${cast.random(1000)}`, file(H1), seen(H1)),
  (cast, who) => cast.world.run({ type: 'op.end', who, ops: null }),
  ({ world }) => world.pass(4_000),
  ({ world }) => world.pass(25_000),
  ({ world, random }) => {
    if (random(6) === 0) world.pass(200_000);
  },
  ({ world, random }) => {
    if (random(12) === 0) world.dead.add(1 + random(3));
  },
];

/** Adds one event to a history: an agent that is alive does something. */
export function act(cast: Cast): void {
  const { agents, random, world } = cast;
  const who = agents[random(agents.length)];
  const doing = ACTS[random(ACTS.length)];
  if (who === undefined || doing === undefined) throw new Error('nobody does nothing');
  if (who.proc === null || !world.dead.has(who.proc.pid)) doing(cast, who);
  for (const id of cast.begun) if (stateOf(cast, id)?.live !== true) cast.begun.delete(id);
}
