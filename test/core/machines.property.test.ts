/**
 * Random histories on three machines: no machine is ever wrong about what it holds, and all agree. In a third of the
 * histories no clone has a name, in a third all do, in a third an older guard left one unnamed. Each machine has its own
 * ttl and idle time.
 * GUARD_FLEET_HISTORIES sets their number.
 */
import { expect, it } from 'vitest';
import type { Who } from '../../src/core/rules/who.ts';
import type { AgentState } from '../../src/core/types.ts';
import { randomOf } from './deadlock/histories.ts';
import { Fleet, type Machine, TTL_MS } from './fleet.ts';

const HISTORIES = Number(process.env['GUARD_FLEET_HISTORIES'] ?? 20);
const STEPS = 200;
const PATHS = ['p', 'q', 'd/x', 'd/y'];
const MINUTE_MS = 60_000;

/** An agent's process, and until when it may rely on each grant without asking again. */
interface Actor {
  readonly name: string;
  who: Who;
  at: Machine;
  /** Its previous process, if the session continued on another machine. */
  former?: { readonly who: Who; readonly at: Machine };
  readonly told: Map<string, number>;
}

interface Play {
  readonly fleet: Fleet;
  readonly machines: readonly Machine[];
  readonly actors: readonly Actor[];
  readonly random: (below: number) => number;
  /** For each machine, the epoch and the time until which it knows that it counts as up. */
  readonly up: Map<Machine, { readonly epoch: number; readonly until_ms: number }>;
  pids: number;
}

function playOf(seed: number): Play {
  const random = randomOf(seed);
  const fleet = new Fleet();
  const policyOf = () => ({
    ttl_ms: TTL_MS * (random(3) === 0 ? 0.25 : 1 + random(2)),
    idle_ms: [100 * TTL_MS, 0.2 * TTL_MS, 20_000][random(3)] ?? 0,
  });
  const machines = [1, 2, 3].map((n) =>
    fleet.machine(`m-${n}`, {
      up_ms: random(2) === 0 ? random(10_000) : 9e9,
      policy: policyOf(),
      ahead_ms: (random(5) - 2) * 11 * MINUTE_MS,
      ...(seed % 3 > (n === 1 ? 1 : 0) && { clone: `~@m.${n}` }),
    }),
  );
  const actors = machines.flatMap((at, n) =>
    [1, 2].map((k) => {
      const name = `a${n}${k}`;
      // The same pids on all machines; the processes of some agents are unknown.
      return {
        name,
        at,
        who: at.session(name, k === 2 && n > 0 ? null : 40 + k),
        told: new Map<string, number>(),
      };
    }),
  );
  return { fleet, machines, actors, random, up: new Map(), pids: 100 };
}

const pick = <T>({ random }: Play, all: readonly T[]): T => all[random(all.length)] as T;
const isDead = ({ who, at }: Pick<Actor, 'who' | 'at'>): boolean =>
  who.proc !== null && (at.dead.has(who.proc.pid) || who.proc.boot !== at.boot);

/** What any answer shows: until when the machine counts as up, or that it counted as gone and its grants are void. */
function heard({ fleet, up, actors }: Play, { at, name }: Actor): void {
  const known = fleet.beats(at);
  if (known === undefined || known.boot !== fleet.now.boot) return;
  const others = actors.filter((one) => one.at === at && one.name !== name);
  if (up.get(at)?.epoch !== known.epoch) for (const { told } of others) told.clear();
  up.set(at, { epoch: known.epoch, until_ms: fleet.passed_ms + known.until_mono_ms - fleet.now.mono_ms });
}

/** A sign of life is recorded only every tenth of that time, so an answer may be relied on for that much less. */
const SURE = 0.9;
const sureOf = ({ at: { policy } }: Actor): number => SURE * Math.min(policy.ttl_ms, policy.idle_ms);

/** No other agent may still believe that it holds this path. */
function grant(play: Play, actor: Actor, path: string, sure_ms = sureOf(actor)): void {
  const { fleet, actors, up } = play;
  for (const other of actors.filter((one) => one !== actor && !isDead(one))) {
    const until = Math.min(other.told.get(path) ?? -1, up.get(other.at)?.until_ms ?? -1);
    if (fleet.passed_ms < until) throw new Error(`${path} granted to ${actor.name} and ${other.name}`);
  }
  const kept = actor.told.get(path) ?? 0;
  actor.told.set(path, Math.max(kept, fleet.passed_ms + sure_ms));
}

/** If a new life begins, the grants of the previous one no longer hold. */
function begins<T>({ fleet }: Play, actor: Actor, act: () => T): T {
  const before = fleet.agent(actor.who)?.epoch;
  const answer = act();
  if (fleet.agent(actor.who)?.epoch !== before) actor.told.clear();
  return answer;
}

type Act = (play: Play, actor: Actor) => void;

const tries: Act = (play, actor) => {
  const path = pick(play, PATHS);
  const [isGot] = begins(play, actor, () => actor.at.lock(actor.who, path));
  if (isGot) grant(play, actor, path);
};
const waits: Act = (play, actor) => {
  const path = pick(play, PATHS);
  const answer = begins(play, actor, () => actor.at.wait(actor.who, path));
  if (answer?.acquired) grant(play, actor, path);
};
const reserves: Act = (play, actor) => {
  const [answer] = begins(play, actor, () => actor.at.reserve(actor.who, 'd/**', TTL_MS));
  if (answer?.reservation) for (const path of PATHS.slice(2)) grant(play, actor, path, SURE * TTL_MS);
};
const ends =
  (act: (actor: Pick<Actor, 'who' | 'at'>) => void): Act =>
  (_play, actor) => {
    actor.told.clear();
    act(actor);
  };

/** Acts of an actor that is alive, each as likely as the number of times it is listed. */
const ACTS: readonly Act[] = [
  ...Array.from({ length: 6 }, () => tries),
  ...Array.from({ length: 4 }, () => waits),
  reserves,
  (play, actor) => begins(play, actor, () => actor.at.present(actor.who)),
  (play, actor) =>
    begins(play, actor, () => actor.at.begin(actor.who, pick(play, PATHS), `op${play.random(9)}`)),
  (play, actor) => begins(play, actor, () => actor.at.run({ type: 'op.end', who: actor.who, ops: null })),
  (play, actor) => {
    const path = pick(play, PATHS);
    actor.told.delete(path);
    begins(play, actor, () => actor.at.release(actor.who, path));
  },
  ends(({ at, who }) => at.run({ type: 'lock.release_all', who, held: [] })),
  ends(({ at, who }) => at.run({ type: 'turn.end', who, running: [] })),
  ends(({ at, who }) => at.run({ type: 'agent.leave', who, reason: 'end' })),
  // The session continues on another machine.
  (play, actor) => {
    const { who, at } = actor;
    actor.former = { who, at };
    actor.told.clear();
    actor.at = pick(play, play.machines);
    actor.who = actor.at.session(actor.name, play.random(3) === 0 ? null : ++play.pids);
    actor.at.present(actor.who);
  },
];

/** What can happen to machines, and what an agent hears nothing of. */
const HAPPENINGS: readonly ((play: Play, machine: Machine) => void)[] = [
  ...Array.from({ length: 6 }, () => (_play: Play, machine: Machine) => void machine.beat()),
  ...Array.from(
    { length: 3 },
    () =>
      ({ fleet, random }: Play) =>
        void fleet.pass(1 + random(20_000)),
  ),
  ({ fleet, random }) => void fleet.pass(random(TTL_MS)),
  (play) => {
    const { former, at } = pick(play, play.actors);
    if (former === undefined || isDead(former) || former.at === at) return;
    former.at.release(former.who, ...PATHS);
  },
  ({ random }, machine) => void machine.sleep(random(2 * TTL_MS)),
  (play, machine) => {
    const mine = play.actors.filter(({ at }) => at === machine);
    if (mine.length === 0) return;
    const { who } = pick(play, mine);
    if (who.proc !== null) machine.dead.add(who.proc.pid);
  },
  (play, machine) => {
    if (play.random(3) > 0) return;
    machine.reboot(`boot-${++play.pids}`);
    for (const actor of play.actors.filter(({ at }) => at === machine)) {
      actor.told.clear();
      actor.who = machine.session(actor.name, actor.who.proc && ++play.pids);
    }
  },
  ({ fleet, random }) => {
    if (random(4) > 0) return;
    const wall_ms = fleet.now.wall_ms + (random(3) - 1) * 11 * MINUTE_MS;
    fleet.now = { mono_ms: 0, boot: `${fleet.now.boot}+`, wall_ms };
  },
];

function step(play: Play): void {
  const { random, machines, actors } = play;
  if (random(3) === 0) {
    const machine = pick(play, machines);
    pick(play, HAPPENINGS)(play, machine);
    return;
  }
  const actor = pick(play, actors);
  // Sometimes another process replaces the one that ended.
  if (isDead(actor)) {
    if (random(3) > 0) return;
    actor.told.clear();
    actor.who = actor.at.session(actor.name, ++play.pids);
  }
  pick(play, ACTS)(play, actor);
  heard(play, actor);
}

/** At most one holder per path; agents alive to one machine are alive to all but their own, which saw them die. */
function judge({ fleet, machines }: Play): void {
  const states = fleet.snapshot();
  for (const path of PATHS) {
    const seen = machines.map((machine) => machine.holders(path, states));
    const all = [...new Set(seen.flat())];
    if (all.length > 1) throw new Error(`${path}: ${JSON.stringify(seen)}`);
    machines.forEach((machine, n) => {
      for (const id of all.filter((one) => !seen[n]?.includes(one))) {
        const { machine: home, proc } = states.get(`agent:${id}`) as unknown as AgentState;
        expect({ at: home?.id, isGone: proc !== null && machine.dead.has(proc.pid) }).toEqual({
          at: machine.id,
          isGone: true,
        });
      }
    });
  }
}

it(
  `in ${HISTORIES} random histories of three machines no file is granted twice, and all judge alike`,
  () => {
    const counts = { granted: 0, lapsed: 0, gone: 0, moved: 0 };
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const play = playOf(seed);
      for (let n = 0; n < STEPS; n++) {
        try {
          step(play);
          judge(play);
        } catch (error) {
          throw new Error(`seed ${seed}, step ${n}: ${String(error)}`, { cause: error });
        }
      }
      for (const { type, reason, how } of play.fleet.records() as readonly { [name: string]: unknown }[]) {
        if (type === 'hold') counts.granted++;
        if (reason === 'machine') counts.lapsed++;
        if (reason === 'gone') counts.gone++;
        if (how === 'returned') counts.moved++;
      }
    }
    // Each of these must occur.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(HISTORIES / 10);
  },
  60_000 + HISTORIES * 500,
);
