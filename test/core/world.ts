/** An in-memory ledger with a clock that tests set: the pure rules, without an engine. */
import { decide, type EventOf, type EventType, type Rules } from '../../src/core/decide.ts';
import { agentKey, pathKey, waitKey } from '../../src/core/keys.ts';
import type { Json, Key, RecordBody, View } from '../../src/core/ledger.ts';
import type { Baseline, Disk } from '../../src/core/rules/baseline.ts';
import type { Who } from '../../src/core/rules/who.ts';
import { heldKeys } from '../../src/core/rules/holds.ts';
import { isPlaceKey } from '../../src/core/rules/places.ts';
import type { WriteTarget, WriteVerdict } from '../../src/core/rules/write-event.ts';
import { judgePlaces, learnPlace, type PlaceFindings } from '../../src/store/embedded/verify-places.ts';
import { asAgentState, asPathState, asWaitState } from '../../src/core/states.ts';
import type { AgentState, Facts, PathState, Policy, ProcessMark, WaitState } from '../../src/core/types.ts';

export const POLICY: Policy = {
  enforcement: 'required',
  unread: 'changed',
  ttl_ms: 900_000,
  idle_ms: 180_000,
  release_on: 'stop',
  wanted_ms: 120_000,
  victim: 'youngest',
  resolve: 'notify',
};

export const agent = (name: string, extra: Partial<Who> = {}): Who => ({
  id: `claude-${name}`,
  kind: 'session',
  parent: null,
  session: name,
  proc: null,
  ...extra,
});

export const subagent = (parent: Who, name: string): Who => ({
  ...parent,
  id: `${parent.id}/${name}`,
  kind: 'subagent',
  parent: parent.id,
});

export const proc = (pid: number, start = '1'): ProcessMark => ({
  pid,
  start,
  boot: 'boot-1',
  pid_ns: 'ns',
  machine: 'm',
});

export const H1 = '1'.repeat(64);
export const H2 = '2'.repeat(64);
export const H3 = '3'.repeat(64);

export const file = (digest: string, ctime_ms = 0): Disk => ({ state: 'file', digest, ctime_ms });
export const missing: Disk = { state: 'missing', digest: null, ctime_ms: 0 };
export const seen = (digest: string, turn = 1): Baseline => ({ turn, knows: 'content', digest });

/** A state as the ledger returns it: a copy with JSON's values only. A round trip through JSON was a tenth of the cost of random histories. */
export function asJson(state: Json): Json {
  if (typeof state !== 'object' || state === null)
    return typeof state === 'number' && !Number.isFinite(state) ? null : state;
  if (Array.isArray(state)) return state.map((one: Json | undefined) => asJson(one ?? null));
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(state as Record<string, Json | undefined>))
    if (value !== undefined) copy[key] = asJson(value);
  return copy;
}

export class World {
  readonly states = new Map<Key, Json>();
  readonly records: RecordBody[] = [];
  readonly dead = new Set<number>();
  policy: Policy = POLICY;
  lsn = 100;
  wall_ms = Date.UTC(2026, 0, 1);
  mono_ms = 1_000_000;
  boot = 'boot-1';
  machine = 'm';
  /** True if every guard that wrote to this ledger wrote index keys; false if an older guard wrote to it. */
  indexed: boolean | undefined = true;
  /** While true, records are written by a guard that does not know index keys. */
  isOlder = false;
  /** Whether the engine keeps path keys in order. */
  ordersPaths = true;
  /** Compares the places of all reservations after each event. With thousands of them this outlasts the event. */
  checksPlaces = true;

  get facts(): Facts {
    const { wall_ms, mono_ms, boot } = this;
    return {
      now: { wall_ms, mono_ms, boot },
      policy: this.policy,
      machine: this.machine,
      isDead: (mark) => this.dead.has(mark.pid),
      guard_command: 'guard',
    };
  }

  /** Advances both clocks. */
  pass(duration_ms: number): this {
    this.wall_ms += duration_ms;
    this.mono_ms += duration_ms;
    return this;
  }

  run<T extends EventType>(event: EventOf<T>): Rules[T]['result'] {
    const { records, result } = decide<T>(this.view(), event, this.facts);
    for (const record of records) this.append(record);
    this.checkPlaces(records);
    this.pass(1);
    return result;
  }

  /** Runs a report over the states of this moment. */
  look<T>(report: (view: View, facts: Facts) => T): T {
    return report(this.view(), this.facts);
  }

  private append(record: RecordBody): void {
    if (record.id !== undefined && this.records.some((other) => other.id === record.id)) return;
    this.records.push(record);
    this.lsn += 10;
    const before = Object.keys(record.s).map((key) => [key, this.states.get(key)] as const);
    for (const [key, state] of Object.entries(record.s)) {
      if (this.isOlder && (key.startsWith('held/') || isPlaceKey(key))) continue;
      if (state === null) this.states.delete(key);
      else this.states.set(key, asJson(state));
    }
    if (this.isOlder) this.indexed = false;
    else if (record.type === 'ledger.index') this.indexed = true;
    else this.checkIndex(before);
  }

  /** The tree of places leads to every reservation, and to nothing else. */
  private checkPlaces(records: readonly RecordBody[]): void {
    const isTouched = records.some(({ s }) => Object.keys(s).some((key) => key.startsWith('globs:')));
    if (!isTouched || this.indexed !== true || !this.checksPlaces) return;
    const found: PlaceFindings = new Map();
    for (const [key, state] of this.states) learnPlace(found, key, state);
    const wrong = judgePlaces(found);
    if (wrong.missing + wrong.over > 0) throw new Error(`places: ${JSON.stringify(wrong)}`);
  }

  /** For every path in a record, the index lists its live holds and none of those that ended with the record. */
  private checkIndex(before: readonly (readonly [Key, Json | undefined])[]): void {
    for (const [key, old] of before.filter(([one]) => one.startsWith('path:'))) {
      const path = key.slice('path:'.length);
      const { holds } = this.path(path);
      const counting = holds.filter(({ agent: id, epoch }) => {
        const state = asAgentState(this.states.get(agentKey(id)));
        return state?.live === true && state.epoch === epoch;
      });
      const now = heldKeys(path, holds);
      const missing = heldKeys(path, counting).filter((one) => this.indexed && !this.states.has(one));
      const ended = heldKeys(path, asPathState(old).holds).filter((one) => !now.includes(one));
      const wrong = [...missing, ...ended.filter((one) => this.states.has(one))];
      if (wrong.length > 0) throw new Error(`not as the state of ${path}: ${wrong.join()}`);
    }
  }

  private readonly get = (key: Key): Json | undefined => this.states.get(key);

  private readonly keys = (prefix: string, after: Key, most: number): readonly Key[] => {
    const found = [...this.states.keys()].filter((key) => key.startsWith(prefix) && key > after);
    return found.sort().slice(0, most);
  };

  private readonly range = (prefix: string): [Key, Json][] => {
    const found: [Key, Json][] = [];
    for (const entry of this.states) if (entry[0].startsWith(prefix)) found.push(entry);
    return found.length < 2 ? found : found.sort(([a], [b]) => (a < b ? -1 : 1));
  };

  /** Written out, because spreading cost a seventh of the time of the random histories. */
  private view(): View {
    const { lsn: next, indexed, get, range, keys } = this;
    return this.ordersPaths ? { keys, next, indexed, get, range } : { next, indexed, get, range };
  }

  path = (path: string): PathState => asPathState(this.states.get(pathKey(path)));
  agent = (who: Who): AgentState | undefined => asAgentState(this.states.get(agentKey(who.id)));
  wait = (who: Who): WaitState => asWaitState(this.states.get(waitKey(who.id)));
  types = (): string[] => this.records.map((record) => record.type);

  lock(who: Who, ...paths: string[]) {
    return this.run({
      type: 'lock.acquire',
      who,
      paths,
      mode: 'exclusive',
      ttl_ms: null,
      all: false,
      wait_until_mono_ms: null,
    });
  }

  /** A write of a file that the agent knows as `baseline` and that is now `disk`. */
  begin(who: Who, path: string, op: string, disk: Disk, baseline: Baseline | null = null): WriteVerdict {
    return this.run({
      type: 'write.begin',
      who,
      op,
      tool: 'Edit',
      home: null,
      targets: [this.target(path, disk, baseline)],
    });
  }

  target(path: string, disk: Disk, baseline: Baseline | null): WriteTarget {
    const seen_touched = this.path(path).touched;
    return { path, abs: `/repo/${path}`, disk, form: null, baseline, seen_touched, objections: [] };
  }

  end(who: Who, path: string, op: string, digest: string) {
    return this.run({
      type: 'write.end',
      who,
      op,
      tool: 'Edit',
      written: [{ path, digest, content: 'as_expected', original: () => 'same' }],
    });
  }
}

export function denialTypes(verdict: WriteVerdict): string[] {
  if (verdict.verdict !== 'denied') return [];
  const also = verdict.denial.details['also'];
  return [verdict.denial.error_type, ...(Array.isArray(also) ? (also as string[]) : [])];
}
