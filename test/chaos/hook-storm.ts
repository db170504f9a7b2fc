/**
 * Hooks of agents on two machines, one of which has its server, during faults of their engine, and what has to be true
 * of their answers.
 */
import { expect } from 'vitest';
import { type Scratch, type Session, working } from '../claude/driver.ts';
import { ownCluster, two } from '../cli/two-machines.ts';
import { type Cluster, haltCluster, PASSWORD, startAgain } from '../store/postgres/cluster.ts';
import { ROLE } from '../store/postgres/shared.ts';
import { type FaultWire, openFaultWire } from './fault-wire.ts';
import { WIRE_FAULTS } from './fault-wire-thread.ts';
import { type Random, seeded } from './random.ts';
import { served } from './served.ts';
import { forgetAll, rewriteCache, sleepThrough } from './slept-cache.ts';

interface StormPlan {
  readonly faults: number;
  readonly slow_ms: number;
  /** On the monotonic clock: no fault begins after that. */
  readonly until_ms: number;
}

interface Actor {
  readonly at: Scratch;
  readonly agent: Session;
  edits: number;
  /** What the hook after its last write of each file said. */
  readonly said: Map<string, string>;
}

interface Storm {
  readonly cluster: Cluster;
  readonly wire: FaultWire;
  readonly machines: readonly Scratch[];
  readonly actors: readonly Actor[];
  readonly random: Random;
  /** Who was granted each file last, as far as an agent was told. */
  readonly granted: Map<string, Session>;
  /** Who asked for it since, without an answer. */
  readonly unanswered: Map<string, Set<Session>>;
  readonly doubled: string[];
  /** Denials for a change of the agent's own, though nothing had told it to read. */
  readonly stale: string[];
  readonly counts: { granted: number; passed: number; denied: number; reread: number };
  /** Called after a tool wrote, before the hook after it. */
  after: () => void;
}

const FILES = ['a.txt', 'b.txt'];
/** Some leases end during a long storm, none between two acts of an agent. */
const TTL = '60s';
const FAULTS: readonly string[] = [
  'killed',
  'suspended',
  ...WIRE_FAULTS.filter((name) => name !== 'none'),
  // The engine is killed, and each machine's cache is lost between a hook before a write and the one after it.
  'forgotten',
];

const one = <T>(all: readonly T[], random: Random): T => all[random(all.length)] as T;

export async function stormOfHooks({ faults: count, slow_ms, until_ms }: StormPlan) {
  const cluster = await ownCluster();
  const wire = await openFaultWire(cluster.port, slow_ms);
  const engine = `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${wire.port}/postgres?sslmode=disable`;
  const config = { engine, ttl: TTL, idle: TTL };
  const [plain, second] = two(cluster, config);
  const machines = [plain, served(second, config)];
  const actors = machines.map((at) => ({ at, agent: working(at), edits: 0, said: new Map() }));
  // Each is alone in its checkout, so once is enough.
  for (const { agent } of actors) FILES.forEach((file) => agent.read(file));
  const storm: Storm = {
    ...{ cluster, wire, machines, actors, random: seeded(count), doubled: [], stale: [] },
    ...{ granted: new Map(), unanswered: new Map(), counts: { granted: 0, passed: 0, denied: 0, reread: 0 } },
    after: () => undefined,
  };
  const faults: Record<string, number> = {};
  for (let nth = 0; nth < count && performance.now() < until_ms; nth++) {
    const fault = FAULTS[nth % FAULTS.length] ?? '';
    const file = one(FILES, storm.random);
    const [own, other] = storm.random(2) === 0 ? actors : actors.toReversed();
    if (own === undefined || other === undefined) throw new Error('nobody');
    handOver(storm, own, file);
    await during(storm, fault, () => {
      if (edit(storm, own, file)) storm.counts.passed++;
      else storm.counts.denied++;
      // It may hold the other file, whose lease may be cached or at its end.
      edit(storm, other, one(FILES, storm.random));
    });
    if (storm.random(3) === 0) lock(storm, other, file);
    faults[fault] = 1 + (faults[fault] ?? 0);
  }
  const unrecorded = actors.flatMap((actor) => missing(actor));
  await wire.close();
  const edits = actors.reduce((sum, actor) => sum + actor.edits, 0);
  return {
    doubled: storm.doubled,
    stale: storm.stale,
    unrecorded,
    figures: { faults, edits, ...storm.counts },
  };
}

async function during(storm: Storm, fault: string, acts: () => void) {
  const { cluster, wire, machines, random } = storm;
  if (fault === 'suspended') {
    sleepThrough(one(machines, random), 60_000);
    acts();
  } else if (fault === 'killed' || fault === 'forgotten') {
    await haltCluster(cluster);
    const { after } = storm;
    if (fault === 'forgotten') storm.after = () => machines.forEach((at) => rewriteCache(at, forgetAll));
    acts();
    storm.after = after;
    await startAgain(cluster);
  } else {
    wire.befall(fault as (typeof WIRE_FAULTS)[number]);
    acts();
    wire.befall('none');
  }
}

/** An agent gets the file, edits it, and so fills its machine's cache; whoever had it may not answer. */
function handOver(storm: Storm, to: Actor, file: string): void {
  const from = storm.granted.get(file);
  if (from !== undefined && from !== to.agent) from.guard('lock', 'release', file);
  lock(storm, to, file);
  edit(storm, to, file);
}

function lock({ granted, unanswered, counts }: Storm, { agent }: Actor, file: string): void {
  const { exit } = agent.guard('lock', 'try', file);
  if (exit === 0) {
    granted.set(file, agent);
    unanswered.delete(file);
    counts.granted++;
  } else if (exit !== 1) unanswered.set(file, (unanswered.get(file) ?? new Set()).add(agent));
}

/** True if the hook before it let it pass. */
function edit(storm: Storm, actor: Actor, file: string): boolean {
  const { granted, unanswered, doubled } = storm;
  const { agent, at, said } = actor;
  const text = at.read(file);
  const { pre, post } = agent.edit(file, text, text === '1\n' ? '2\n' : '1\n', { after: storm.after });
  if (pre.denial?.error_type === 'STALE_FILE') readAgain(storm, actor, file);
  if (pre.exit !== 0) return false;
  actor.edits++;
  said.set(file, `${post?.context} ${post?.stderr}`);
  const isOwn = granted.get(file) === agent;
  if (!isOwn && unanswered.get(file)?.has(agent) !== true)
    doubled.push(`${file}: ${agent.name} wrote, and ${granted.get(file)?.name ?? 'nobody'} has the lock`);
  granted.set(file, agent);
  return true;
}

/** Each is alone in its checkout, so only a lease that was lost in the middle of a write is a reason, which its end says. */
function readAgain({ stale, counts }: Storm, { agent, said }: Actor, file: string): void {
  const told = said.get(file) ?? 'nothing';
  counts.reread++;
  if (!told.includes('Read')) stale.push(`${agent.name} was to read ${file}, and had been told: ${told}`);
  agent.read(file);
}

/** Writes that are not on record, or more than once. */
function missing({ agent, edits }: Actor): readonly string[] {
  // The first to ask says what was left.
  agent.read('a.txt');
  expect(agent.guard('status').exit).toBe(0);
  const found = agent
    .guard('log', '--json', '--agent', agent.name)
    .lines()
    .filter(({ type }) => ['write', 'bypass', 'write.raced'].includes(String(type)));
  return found.length === edits ? [] : [`${agent.name}: ${found.length} on record of ${edits}`];
}
