/** Machines that share one engine: the engine's clock, and each machine's own clock, boot and processes. */
import type { EventOf, EventType, Rules } from '../../src/core/decide.ts';
import { applyRecord, type Snapshot, viewOf } from '../../src/core/fold.ts';
import { agentKey, machineKey, pathKey } from '../../src/core/keys.ts';
import type { Json, Key, LedgerRecord } from '../../src/core/ledger.ts';
import type { MachineState } from '../../src/core/machines.ts';
import type { AcquireResult } from '../../src/core/rules/acquire.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { liveHolds, liveTickets } from '../../src/core/rules/lease.ts';
import { asPathState, changesOver } from '../../src/core/states.ts';
import type { AgentState, Facts, Now, PathState, Policy, ProcessMark } from '../../src/core/types.ts';
import { operate } from '../../src/store/operate.ts';
import { openMemory } from '../store/memory.ts';
import { agent, POLICY } from './world.ts';

export const TTL_MS = POLICY.ttl_ms;
export const WALL_MS = Date.UTC(2026, 0, 1);

interface MachineOptions {
  /** The machine's id, if it differs from its name. */
  readonly id?: string;
  readonly boot?: string;
  /** How long the machine has been up when the engine's clock starts. */
  readonly up_ms?: number;
  /** How far the machine's wall clock is ahead. */
  readonly ahead_ms?: number;
  /** The machine's name for its clone. Absent if it has none, as with older versions of guard. */
  readonly clone?: string;
  /** What is configured differently on this machine. */
  readonly policy?: Partial<Policy>;
}

export class Fleet {
  /** Far ahead of every machine's clock, so that a machine's time is never mistaken for the engine's. */
  now: Now = { mono_ms: 1e12, boot: 'engine-1', wall_ms: WALL_MS };
  policy = POLICY;
  readonly store = openMemory({ now: () => this.now, shared: true });

  /** Advances the clocks of the engine and all machines. */
  pass(duration_ms: number): this {
    const { mono_ms, wall_ms, boot } = this.now;
    this.now = { mono_ms: mono_ms + duration_ms, wall_ms: wall_ms + duration_ms, boot };
    this.passed_ms += duration_ms;
    return this;
  }

  passed_ms = 0;

  machine(name: string, options: MachineOptions = {}): Machine {
    return new Machine(this, options.id ?? name, options);
  }

  get = (key: Key): Json | undefined => this.store.look([key]).get(key);
  agent = (who: Who): AgentState | undefined => this.get(agentKey(who.id)) as AgentState | undefined;
  path = (path: string): PathState => asPathState(this.get(pathKey(path)));
  beats = (machine: Machine): MachineState | undefined =>
    this.get(machineKey(machine.id)) as unknown as MachineState | undefined;
  records = (): readonly LedgerRecord[] => [...this.store.scan()];
  types = (): string[] => this.records().map(({ type }) => type);

  /** The states at the end of the ledger. */
  snapshot(): Snapshot {
    for (const record of this.store.scan(this.seen)) applyRecord(this.states, record);
    this.seen = this.store.tip();
    return this.states;
  }

  private readonly states: Snapshot = new Map();
  private seen = 0;
}

export class Machine {
  boot: string;
  /** Pids of processes of this machine that have ended. */
  readonly dead = new Set<number>();
  private readonly fleet: Fleet;
  private readonly up_ms: number;
  private readonly ahead_ms: number;
  private asleep_ms = 0;
  readonly id: string;
  private readonly scope: string;
  private readonly own: Partial<Policy>;

  constructor(fleet: Fleet, id: string, options: MachineOptions) {
    const { boot, up_ms = 5_000_000, ahead_ms = 0, clone, policy = {} } = options;
    this.scope = clone === undefined ? '' : `//${clone}/`;
    this.own = policy;
    this.fleet = fleet;
    this.id = id;
    this.boot = boot ?? `boot-${id}`;
    this.up_ms = up_ms;
    this.ahead_ms = ahead_ms;
  }

  reboot(boot: string): this {
    this.boot = boot;
    return this;
  }

  /** Advances all clocks except this machine's monotonic one. */
  sleep(duration_ms: number): this {
    this.asleep_ms += duration_ms;
    this.fleet.pass(duration_ms);
    return this;
  }

  /** The ledger's name for a file of the machine's main checkout. */
  file = (path: string): string => this.scope + path;

  get policy(): Policy {
    return { ...this.fleet.policy, ...this.own };
  }

  get mono_ms(): number {
    return this.up_ms + this.fleet.passed_ms - this.asleep_ms;
  }

  /** The facts that the machine can establish without the engine. */
  get facts(): Facts {
    return {
      now: { mono_ms: this.mono_ms, boot: this.boot, wall_ms: this.fleet.now.wall_ms + this.ahead_ms },
      policy: this.policy,
      machine: this.id,
      // Like a process table: a mark from another machine means nothing here and counts as dead.
      isDead: ({ machine, pid }) => machine !== this.id || this.dead.has(pid),
      guard_command: 'guard',
    };
  }

  proc = (pid: number): ProcessMark => ({ pid, start: '7', boot: this.boot, pid_ns: 'n', machine: this.id });
  session = (name: string, pid: number | null = null): Who =>
    agent(name, { proc: pid === null ? null : this.proc(pid) });

  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'] {
    return operate(this.fleet.store, event, this.facts);
  }

  beat = (): MachineState | null => this.run({ type: 'machine.beat' });
  lock = (who: Who, ...paths: readonly string[]): boolean[] => this.try(who, paths, null).map(got);
  /** One look of a wait that ends after `for_ms` on this machine's clock. */
  wait = (who: Who, path: string, for_ms = 300_000): AcquireResult | undefined =>
    this.try(who, [path], this.mono_ms + for_ms)[0];
  release = (who: Who, ...paths: readonly string[]) =>
    this.run({ type: 'lock.release', who, paths: paths.map(this.file) });
  reserve = (who: Who, pattern: string, ttl_ms: number) =>
    this.run({
      ...{ type: 'reserve', who, scope: this.scope, patterns: [pattern], mode: 'exclusive', reason: 'work' },
      ...{ ttl_ms, all: false, dry: false },
    });
  present = (who: Who): AgentState => this.run({ type: 'agent.present', who });

  begin(who: Who, given: string, op = 'op') {
    const path = this.file(given);
    const disk = { state: 'missing', digest: null, ctime_ms: 0 } as const;
    const seen_touched = this.fleet.path(path).touched;
    const target = {
      path,
      abs: `/repo/${path}`,
      disk,
      form: null,
      baseline: null,
      seen_touched,
      objections: [],
    };
    return this.run({ type: 'write.begin', who, op, tool: 'Write', home: null, targets: [target] });
  }

  private try(
    who: Who,
    paths: readonly string[],
    wait_until_mono_ms: number | null,
  ): readonly AcquireResult[] {
    return this.run({
      ...{
        type: 'lock.acquire',
        who,
        paths: paths.map(this.file),
        mode: 'exclusive',
        ttl_ms: null,
        all: false,
      },
      wait_until_mono_ms,
    });
  }

  /** The holders of a path as this machine sees them. */
  holders(path: string, states = this.fleet.snapshot()): string[] {
    const { changes, facts } = this.judging(states);
    return liveHolds(changes, this.file(path), facts).map((hold) => hold.agent);
  }

  queue(path: string): string[] {
    const { changes, facts } = this.judging(this.fleet.snapshot());
    return liveTickets(changes, this.file(path), facts).map((ticket) => ticket.agent);
  }

  private judging(states: Snapshot) {
    const view = viewOf(states);
    return { changes: changesOver(view), facts: factsAmong(this.fleet.now, this.facts) };
  }
}

const got = ({ acquired }: AcquireResult): boolean => acquired;

/** Two machines, each with an agent of the same pid. The idle time is too long to end a lease. */
export function pair() {
  const fleet = new Fleet();
  fleet.policy = { ...fleet.policy, idle_ms: 100 * TTL_MS };
  const [A, B] = [fleet.machine('m-a'), fleet.machine('m-b', { up_ms: 9_000 })];
  return { fleet, A, B, a: A.session('a', 42), b: B.session('b', 42) };
}

/** Advances the time while these machines send their beats on schedule. */
export function pass(fleet: Fleet, duration_ms: number, ...beating: readonly Machine[]): void {
  for (let left_ms = duration_ms; left_ms > 0; left_ms -= TTL_MS / 3) {
    fleet.pass(Math.min(left_ms, TTL_MS / 3));
    for (const machine of beating) machine.beat();
  }
}
