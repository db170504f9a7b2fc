/** Deadlock detection compared with an independent oracle, over random histories. */
import { describe, expect, it } from 'vitest';
import type { RecordBody } from '../../../src/core/ledger.ts';
import { statusOf } from '../../../src/core/report.ts';
import { viewOf } from '../../../src/core/fold.ts';
import type { GraphEdge, DeadlockVerdict } from '../../../src/core/types.ts';
import { act, type Cast, castOf } from './histories.ts';
import { type Arrow, arrows, deadlocked, type Moment } from './oracle.ts';
import { expectSame } from '../same.ts';
import type { World } from '../world.ts';

/** 7 ms of one core each; 10,000 for a long run. */
const HISTORIES = Number(process.env['GUARD_DEADLOCK_HISTORIES'] ?? 750);
const EVENTS = 22;
/** The machine may be busy. */
const TIME_MS = Math.max(120_000, 24 * HISTORIES);
const SHOW_EVERY = 6;

const momentOf = ({ world: { states, mono_ms, dead, policy }, calls }: Cast): Moment => ({
  calls,
  states,
  mono_ms,
  dead,
  idle_ms: policy.idle_ms,
});

const isIn = (edge: GraphEdge, all: readonly Arrow[]): boolean =>
  all.some(({ from, to, path }) => from === edge.from && to === edge.to && path === edge.path);

/** The same agent still waits for the same other agent, possibly for another file. */
const isStep = (edge: GraphEdge, all: readonly Arrow[]): boolean =>
  all.some(({ from, to }) => from === edge.from && to === edge.to);

const cycleOf = (record: RecordBody): readonly GraphEdge[] =>
  record['cycle'] as unknown as readonly GraphEdge[];

/** The edges, without those of victims that have not looked yet. */
function open(all: readonly Arrow[], world: World): Arrow[] {
  return all.filter(({ from, to, path, by }) => {
    const state = world.states.get(`wait:${from}`) as { verdicts?: DeadlockVerdict[] } | undefined;
    const verdicts = state?.verdicts ?? [];
    return !verdicts.some(
      ({ cycle, told }) =>
        cycle.some(
          (edge) => edge.from === from && edge.path === path && (by !== 'agent' || edge.to === to),
        ) &&
        (!told || cycle.every((edge) => edge.from === from || isStep(edge, all))),
    );
  });
}

describe('random histories', () => {
  it(
    'every deadlock is found in the transaction that closes it, and nothing else is called one',
    () => {
      const seen = { deadlocks: 0, through_agents: 0, passes: 0, victims_told: 0, insisted: 0 };
      for (let seed = 0; seed < HISTORIES; seed++) {
        const cast = castOf(seed);
        const { world } = cast;
        for (let n = 0; n < EVENTS; n++) {
          const before = world.records.length;
          act(cast);
          const news = world.records.slice(before);
          const all = arrows(momentOf(cast));
          // Completeness: an agent that can still reach itself would wait forever unnoticed.
          if (deadlocked(open(all, world)).size > 0) expect.fail(`unnoticed: seed ${seed}, event ${n}`);
          for (const record of news.filter(({ type }) => type === 'deadlock')) {
            seen.deadlocks++;
            if (cycleOf(record).some(({ because }) => because === 'agent')) seen.through_agents++;
            checkSound(record, all, news, `seed ${seed}, event ${n}`);
            checkAble(record, cast, `seed ${seed}, event ${n}`);
          }
          seen.passes += news.filter((record) => record['passes'] !== undefined).length;
          seen.victims_told += news.filter(isTold).length;
          seen.insisted += news.filter(
            (record) => record.type === 'revoke' && record['cause'] === 'deadlock',
          ).length;
          if (n % SHOW_EVERY === 0)
            expectSame(verdictOf(world), [...deadlocked(all)].sort(), () => `seed ${seed}, event ${n}`);
        }
      }
      // The histories must contain enough of what they test.
      expect(seen.deadlocks).toBeGreaterThan(HISTORIES / 10);
      expect(seen.passes).toBeGreaterThan(HISTORIES / 200);
      expect(seen.victims_told).toBeGreaterThan(HISTORIES / 20);
      expect(seen.through_agents).toBeGreaterThan(HISTORIES / 100);
      expect(seen.insisted).toBeGreaterThan(HISTORIES / 200);
    },
    TIME_MS,
  );
});

const isTold = ({ type, ...record }: RecordBody): boolean =>
  type === 'unwait' && record['cause'] === 'deadlock';

/** An agent whose Agent tool call is waiting is a victim only if no other agent in the cycle could be one. */
function checkAble(record: RecordBody, { calls, world }: Cast, at: string): void {
  const isBlocked = (id: string): boolean =>
    calls.some(
      ({ by, child }) => by === id && (world.states.get(`agent:${child}`) as { live: boolean }).live,
    );
  const blocked = cycleOf(record).map(({ from }) => isBlocked(from));
  expect(!isBlocked(record['victim'] as string) || blocked.every(Boolean), at).toBe(true);
}

/** A recorded cycle is a closed walk of leases whose edges still exist, except those of a victim just notified. */
function checkSound(
  record: RecordBody,
  all: readonly Arrow[],
  news: readonly RecordBody[],
  at: string,
): void {
  const cycle = cycleOf(record);
  cycle.forEach((edge, n) => expect(edge.to, at).toBe(cycle[(n + 1) % cycle.length]?.from));
  expect(
    cycle.every(({ kind, because }) => kind === 'wait' && because !== 'ticket'),
    at,
  ).toBe(true);
  const told = news.filter(isTold).map(({ agent }) => agent);
  for (const edge of cycle) {
    if (told.includes(edge.from)) expect(edge.from, at).toBe(record['victim']);
    else expect(isIn(edge, all), `${at}: ${JSON.stringify(edge)}`).toBe(true);
  }
  expect(
    cycle.map(({ from }) => from),
    at,
  ).toContain(record['victim']);
}

/** What `guard deadlock` would show: agents in cycles of waits. It shows one per component, so all agents count. */
function verdictOf(world: World): string[] {
  const { waits, cycles } = statusOf(viewOf(new Map(world.states)), world.facts);
  const hard = waits.filter(({ kind }) => kind === 'wait');
  const shown = cycles.filter(({ state }) => state === 'open').flatMap(({ edges }) => edges);
  const members = deadlocked(hard.map(({ from, to, path }) => ({ from, to, path, by: 'hold' })));
  if (!shown.every(({ from }) => members.has(from))) expect.fail('shows more than there is');
  expectSame(shown.length > 0, members.size > 0, () => 'shows nothing, or something where nothing is');
  return [...members].sort();
}
