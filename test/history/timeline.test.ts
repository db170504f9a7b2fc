import { describe, expect, it } from 'vitest';
import type { Happened } from '../../src/history/contention.ts';
import { timelineOf } from '../../src/history/timeline.ts';
import { span } from './spans.ts';

const WISH = { from_ms: 0, to_ms: 150_000, rows: 10, matching: '' };
/** Two marks closer than this are one on the widest screen. */
const STEP_MS = 100;
const NOTHING: Happened = { spans: [], writes: [], denials: [] };
const writes = (path: string, ...times: readonly number[]) =>
  times.map((ms) => ({ path, agent: 'ann', ms }) as Happened['writes'][number]);

describe('the timeline', () => {
  it('has the files with the most to look at, by name, and says how many it leaves out', () => {
    const spans = [
      span('quiet.ts', 'ann', 1),
      span('b-waited.ts', 'ann', 1, { kind: 'wait' }),
      span('a-held-now.ts', 'ann', 1, { to_ms: null, ended_by: null }),
    ];
    const { rows, more } = timelineOf({ ...NOTHING, spans }, { ...WISH, rows: 2 });
    expect([rows.map(({ path }) => path), more]).toEqual([['a-held-now.ts', 'b-waited.ts'], 1]);
    const named = timelineOf({ ...NOTHING, spans }, { ...WISH, matching: 'quiet' });
    expect([named.rows.map(({ path }) => path), named.more]).toEqual([['quiet.ts'], 0]);
  });

  it('joins bars of one agent that no screen could tell apart, and no others', () => {
    const spans = [
      span('a', 'ann', 0),
      span('a', 'ann', 10 + STEP_MS - 1, { ended_by: 'turn.end' }),
      span('a', 'bob', 120),
      span('a', 'ann', 10 + 3 * STEP_MS),
    ];
    const [row] = timelineOf({ ...NOTHING, spans }, WISH).rows;
    expect(
      row?.bars.map(({ agent, from_ms, ended_by, spans: count }) => [agent, from_ms, ended_by, count]),
    ).toEqual([
      ['ann', 0, 'turn.end', 2],
      ['bob', 120, 'release', 1],
      ['ann', 310, 'release', 1],
    ]);
  });

  it('never joins what is held now to what follows', () => {
    const spans = [span('a', 'ann', 0, { to_ms: null, ended_by: null }), span('a', 'ann', 1)];
    expect(timelineOf({ ...NOTHING, spans }, WISH).rows[0]?.bars).toHaveLength(2);
  });

  it('thins marks to one for each step, in the order of time, and keeps the newest', () => {
    const times = [500, 0, 50, 100, 99, 200];
    const [row] = timelineOf({ ...NOTHING, writes: writes('a', ...times, -1, 150_001) }, WISH).rows;
    expect(row?.marks.map(({ ms }) => ms)).toEqual([0, 100, 200, 500]);
    const many = Array.from({ length: 1_000 }, (_, nth) => nth * STEP_MS);
    const marks = timelineOf({ ...NOTHING, writes: writes('a', ...many) }, WISH).rows[0]?.marks ?? [];
    expect([marks.length, marks.at(-1)?.ms]).toEqual([300, 99_900]);
  });
});
