/** A ledger's history for people. Takes its records once, in order; answers for any moment and any window of time. */
import { AGENTS, agentOfKey } from '../core/keys.ts';
import type { DenialNow } from '../core/needs/need.ts';
import { asProfile, PROFILES } from '../core/profiles.ts';
import type { LedgerRecord, Lsn } from '../core/ledger.ts';
import { sceneIn, type SceneSeen } from '../core/scene.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { changeOf, type SeenChange } from './changes.ts';
import { openChapters } from './chapters.ts';
import type { Happened } from './contention.ts';
import { recentAt, trackDenials } from './denials.ts';
import { openSpans } from './spans.ts';
import { viewByClass } from './view-by-class.ts';
import { trackWrites } from './writes.ts';

export interface SceneThen {
  readonly nth: number;
  readonly lsn: Lsn;
  readonly at_ms: number;
  readonly scene: SceneSeen;
  readonly before: readonly Omit<SeenChange, 's'>[];
  /** In the minutes before, newest first. */
  readonly denials: readonly DenialNow[];
}

export interface LedgerHistory extends Happened {
  readonly count: number;
  readonly bytes: number;
  /** Lsn and time of the first and the last record; `null` if there were none. */
  readonly first: { readonly lsn: Lsn; readonly ms: number } | null;
  readonly last: { readonly lsn: Lsn; readonly ms: number } | null;
  /** In order of appearance. */
  readonly agents: readonly AgentId[];
  /** The last name that each agent chose, also of those that are no longer kept; not those that chose none. */
  readonly chosen: ReadonlyMap<AgentId, string>;
  take(record: LedgerRecord): void;
  /** The last record at or before that lsn or time; -1 if there is none. */
  nthOf(at: { readonly lsn: Lsn } | { readonly ms: number }): number;
  sceneAt(nth: number, policy: Facts['policy']): SceneThen;
}

export function openHistory(): LedgerHistory {
  const [chapters, spans, writes, denials] = [openChapters(), openSpans(), trackWrites(), trackDenials()];
  const lsns: Lsn[] = [];
  const times: number[] = [];
  const agents = new Set<AgentId>();
  const chosen = new Map<AgentId, string>();
  const pointAt = (nth: number) => {
    const [lsn, ms] = [lsns.at(nth), times.at(nth)];
    return lsn === undefined || ms === undefined ? null : { lsn, ms };
  };
  return {
    spans: spans.spans,
    writes: writes.writes,
    denials: denials.denials,
    chosen,
    get count() {
      return chapters.count;
    },
    get bytes() {
      return chapters.bytes;
    },
    get first() {
      return pointAt(0);
    },
    get last() {
      return pointAt(-1);
    },
    get agents() {
      return [...agents];
    },
    take(record) {
      const { lsn, type } = record;
      // The ledger's times never go back, except in records written before this was guaranteed.
      const ms = Math.max(times.at(-1) ?? 0, Date.parse(record.ts));
      lsns.push(lsn);
      times.push(ms);
      for (const [key, state] of Object.entries(record.s))
        if (key.startsWith(AGENTS)) agents.add(agentOfKey(key));
        else if (key.startsWith(PROFILES) && state !== null) {
          const [id, { name }] = [agentOfKey(key), asProfile(state)];
          if (name === null) chosen.delete(id);
          else chosen.set(id, name);
        }
      chapters.take(changeOf(record));
      for (const log of [spans, writes, denials]) log.take(record, { lsn, ms, type });
    },
    nthOf: (at) => ('lsn' in at ? lastAtOrBefore(lsns, at.lsn) : lastAtOrBefore(times, at.ms)),
    sceneAt(nth, policy) {
      const { states, now, before } = chapters.momentAt(nth);
      const facts: Facts = { now, policy, machine: '', isDead: () => false, guard_command: 'guard' };
      const point = pointAt(nth) ?? { lsn: 0, ms: 0 };
      return {
        ...{ nth, lsn: point.lsn, at_ms: point.ms },
        scene: sceneIn(viewByClass(states), facts),
        before: before.map(({ lsn, ts, type, agent, paths }) => ({ lsn, ts, type, agent, paths })),
        denials: recentAt(denials.denials, { lsn: point.lsn, at_ms: point.ms }),
      };
    },
  };
}

function lastAtOrBefore(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
