/** Machines that share one engine: its clock, and each machine's own clock, boot and processes. */
import type { EventOf, EventType, Rules } from '../../src/core/decide.ts';
import { viewOf } from '../../src/core/fold.ts';
import { agentKey, machineKey, pathKey } from '../../src/core/keys.ts';
import type { Json, Key, LedgerRecord } from '../../src/core/ledger.ts';
import type { MachineState } from '../../src/core/machines.ts';
import type { AcquireResult } from '../../src/core/rules/acquire.ts';
import type { Who } from '../../src/core/rules/agent.ts';
import { factsAmong } from '../../src/core/rules/among-machines.ts';
import { liveHolds, liveTickets } from '../../src/core/rules/lease.ts';
import { asPathState, changesOver } from '../../src/core/states.ts';
import type { AgentState, Facts, Now, PathState, ProcessMark } from '../../src/core/types.ts';
import { operate } from '../../src/store/operate.ts';
import { openMemory } from '../store/memory.ts';
import { agent, POLICY } from './world.ts';

export const TTL_MS = POLICY.ttl_ms;
export const WALL_MS = Date.UTC(2026, 0, 1);

interface MachineOptions {
  /** Its id, where it has none of its own. */
  readonly id?: string;
  readonly boot?: string;
  /** How long it has been up when the engine's clock begins. */
  readonly up_ms?: number;
  /** How far its wall clock is ahead. */
  readonly ahead_ms?: number;
}

export class Fleet {
  now: Now = { mono_ms: 1_000, boot: 'engine-1', wall_ms: WALL_MS };
  policy = POLICY;
  readonly store = openMemory({ now: () => this.now, shared: true });

  /** Time passes everywhere. */
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

  snapshot(): ReadonlyMap<Key, Json> {
    const states = new Map<Key, Json>();
    for (const { s } of this.records())
      for (const [key, state] of Object.entries(s)) {
        if (state === null) states.delete(key);
        else states.set(key, state);
      }
    return states;
  }
}

export class Machine {
  boot: string;
  /** Those of its processes that are gone. */
  readonly dead = new Set<number>();
  private readonly fleet: Fleet;
  private readonly up_ms: number;
  private readonly ahead_ms: number;
  private asleep_ms = 0;
  readonly id: string;

  constructor(fleet: Fleet, id: string, { boot, up_ms = 5_000_000, ahead_ms = 0 }: MachineOptions) {
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

  /** Its monotonic clock stands still meanwhile. */
  sleep(duration_ms: number): this {
    this.asleep_ms += duration_ms;
    this.fleet.pass(duration_ms);
    return this;
  }

  get mono_ms(): number {
    return this.up_ms + this.fleet.passed_ms - this.asleep_ms;
  }

  /** What the machine knows by itself. */
  get facts(): Facts {
    return {
      now: { mono_ms: this.mono_ms, boot: this.boot, wall_ms: this.fleet.now.wall_ms + this.ahead_ms },
      policy: this.fleet.policy,
      machine: this.id,
      // As a process table would have it: every other mark means nothing here, and may name a process that is gone.
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
  /** One look of a wait that lasts for so long, by the clock of this machine. */
  wait = (who: Who, path: string, for_ms = 300_000): AcquireResult | undefined =>
    this.try(who, [path], this.mono_ms + for_ms)[0];
  release = (who: Who, ...paths: readonly string[]) => this.run({ type: 'lock.release', who, paths });
  present = (who: Who): AgentState => this.run({ type: 'agent.present', who });

  begin(who: Who, path: string, op = 'op') {
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
      ...{ type: 'lock.acquire', who, paths, mode: 'exclusive', ttl_ms: null, all: false },
      wait_until_mono_ms,
    });
  }

  /** Who holds a path, as this machine judges. */
  holders(path: string): string[] {
    const { changes, facts } = this.judging();
    return liveHolds(changes, path, facts).map((hold) => hold.agent);
  }

  queue(path: string): string[] {
    const { changes, facts } = this.judging();
    return liveTickets(changes, path, facts).map((ticket) => ticket.agent);
  }

  private judging() {
    const view = viewOf(new Map(this.fleet.snapshot()));
    return { changes: changesOver(view), facts: factsAmong(this.fleet.now, this.facts) };
  }
}

const got = ({ acquired }: AcquireResult): boolean => acquired;
