/** Random histories of agents that lock, wait, write, give back, die; cheap enough for tens of thousands. */
import type { Who } from '../../../src/core/rules/agent.ts';
import { agent, file, H1, proc, seen, subagent, World } from '../world.ts';

/** Park and Miller's generator: the same seed, the same history. */
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
}

const PATHS = ['p', 'q', 'r', 's'];

export function castOf(seed: number): Cast {
  const random = randomOf(seed);
  const [a, b, c] = [1, 2, 3].map((n) => agent('abc'.charAt(n - 1), { proc: proc(n) }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('three agents');
  const world = new World();
  const agents = [a, b, c, subagent(a, 's1'), subagent(a, 's2'), subagent(b, 's3')];
  return { world, agents: agents.slice(0, 3 + random(4)), random };
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

/** Weighted by how often they are in the list. */
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

/** One more event of a history: somebody alive does something. */
export function act(cast: Cast): void {
  const { agents, random, world } = cast;
  const who = agents[random(agents.length)];
  const doing = ACTS[random(ACTS.length)];
  if (who === undefined || doing === undefined) throw new Error('nobody does nothing');
  if (who.proc === null || !world.dead.has(who.proc.pid)) doing(cast, who);
}
