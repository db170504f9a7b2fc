/** Which agent a change is attributed to, by its time and by the commands that ran then. */
import { describe, expect, it } from 'vitest';
import { authorName, authorOf, COARSE_MS, lastKnown, momentOf } from '../../src/core/drift.ts';
import type { Span } from '../../src/core/drift.ts';
import type { Author } from '../../src/core/drifted.ts';
import { EMPTY_PATH } from '../../src/core/states.ts';
import { H1, H2 } from './world.ts';

const span = (
  agent: string,
  since_ms: number,
  until_ms: number | null,
  targets: string[] | null = null,
): Span => ({
  agent,
  op: `${agent}${since_ms}`,
  since_ms,
  until_ms,
  targets,
});
const at = (ms: number) => ({ from_ms: ms, to_ms: ms });

describe('the author of a change', () => {
  it.each<[string, Span[], Author]>([
    ['no command', [], { author: 'outside', agents: [] }],
    ['one that was over before', [span('a', 0, 900)], { author: 'outside', agents: [] }],
    ['one that began after', [span('a', 1_100, null)], { author: 'outside', agents: [] }],
    ['one', [span('a', 500, 1_500)], { author: 'suspected', agents: ['a'] }],
    ['one that runs on', [span('a', 500, null)], { author: 'suspected', agents: ['a'] }],
    [
      'one that began a tick after, by a coarse clock',
      [span('a', 1_010, null)],
      { author: 'suspected', agents: ['a'] },
    ],
    [
      'two of one agent',
      [span('a', 500, 1_500), span('a', 600, null)],
      { author: 'suspected', agents: ['a'] },
    ],
    [
      'two agents',
      [span('b', 500, 1_500), span('a', 600, null)],
      { author: 'ambiguous', agents: ['a', 'b'] },
    ],
    ['one that names it', [span('a', 500, 1_500, ['f'])], { author: 'parsed', agents: ['a'] }],
    [
      'one that names its directory',
      [span('a', 500, 1_500, ['/', 'd/'])],
      { author: 'suspected', agents: ['a'] },
    ],
    [
      'one of two that names it',
      [span('a', 500, null), span('b', 500, null, ['f'])],
      { author: 'parsed', agents: ['b'] },
    ],
    [
      'two that name it',
      [span('a', 500, null, ['f']), span('b', 500, null, ['f']), span('c', 500, null)],
      { author: 'ambiguous', agents: ['a', 'b'] },
    ],
    [
      'one that names it and was over',
      [span('a', 0, 900, ['f']), span('b', 500, null)],
      { author: 'suspected', agents: ['b'] },
    ],
  ])('%s', (_, spans, author) => {
    expect(authorOf('f', at(1_000), spans)).toEqual(author);
  });

  it('is who names a directory with all that is in it', () => {
    const spans = [span('a', 500, null, ['src/']), span('b', 500, null)];
    expect(authorOf('src/x/f', at(1_000), spans)).toEqual({ author: 'parsed', agents: ['a'] });
    expect(authorOf('srcs/f', at(1_000), spans)).toMatchObject({ author: 'ambiguous' });
  });

  it('says as a name no more than is certain', () => {
    expect(authorName({ author: 'parsed', agents: ['a'] })).toBe('a');
    expect(authorName({ author: 'suspected', agents: ['a'] })).toBe('suspected: a');
    expect(authorName({ author: 'ambiguous', agents: ['a', 'b'] })).toBe('ambiguous: a, b');
    expect(authorName({ author: 'outside', agents: [] })).toBe('outside');
  });
});

describe('the moment of a change', () => {
  const look = { looked_ms: 1_000, now_ms: 2_000 };
  const times = { ctime_ms: null, mtime_ms: null, dir_mtime_ms: null };
  it.each([
    ['its ctime', { ...times, ctime_ms: 1_500, mtime_ms: 1_500 }, 1_500, 1_500],
    [
      'its ctime where the time of writing was restored',
      { ...times, ctime_ms: 1_500, mtime_ms: 10 },
      1_500,
      1_500,
    ],
    ['between writing and a later chmod', { ...times, ctime_ms: 1_800, mtime_ms: 1_200 }, 1_200, 1_800],
    [
      'its ctime where the time of writing lies ahead',
      { ...times, ctime_ms: 1_500, mtime_ms: 1_900 },
      1_500,
      1_500,
    ],
    [
      'any time where its ctime is that of another clock',
      { ...times, ctime_ms: 9_999, mtime_ms: 9_999 },
      1_000,
      2_000,
    ],
    [
      'before its directory changed last, of a file that is gone',
      { ...times, dir_mtime_ms: 1_300 },
      1_000,
      1_300,
    ],
    ['any time, where the directory is gone too', times, 1_000, 2_000],
  ])('is %s', (_, given, from_ms, to_ms) => {
    expect(momentOf(given, look)).toEqual({ from_ms, to_ms });
  });
});

/** Small and fast; the same seed gives the same sequence (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

describe('in random histories', () => {
  const AGENTS = ['a', 'b', 'c', 'd'];
  const histories = Array.from({ length: 3_000 }, (_, seed) => {
    const pick = random(seed);
    const spans = Array.from({ length: pick(7) }, () => {
      const since = pick(10_000);
      const targets = [null, [], ['f'], ['g']][pick(4)] ?? null;
      return span(AGENTS[pick(4)] ?? 'a', since, pick(4) === 0 ? null : since + pick(3_000), targets);
    });
    const culprit = spans[pick(spans.length || 1)];
    const within =
      culprit === undefined
        ? pick(10_000)
        : culprit.since_ms + pick((culprit.until_ms ?? 10_000) - culprit.since_ms + 1 || 1);
    // A coarse clock lags behind, and a chmod may come later.
    const ctime_ms = within - pick(10) + (pick(3) === 0 ? pick(500) : 0);
    return { spans, culprit, within, ctime_ms, mtime_ms: within - pick(10) };
  });

  it('whoever did it is among those it is laid to, unless another command names the file', () => {
    for (const { spans, culprit, within, ctime_ms, mtime_ms } of histories) {
      if (culprit === undefined || within < culprit.since_ms) continue;
      const moment = momentOf(
        { ctime_ms: Math.max(ctime_ms, mtime_ms), mtime_ms, dir_mtime_ms: null },
        { looked_ms: 0, now_ms: 20_000 },
      );
      const { author, agents } = authorOf('f', moment, spans);
      const naming = spans.filter(({ targets }) => targets?.includes('f')).map(({ agent }) => agent);
      expect(author).not.toBe('outside');
      if (!agents.includes(culprit.agent)) expect(naming).toEqual(expect.arrayContaining([...agents]));
    }
  });

  it('nobody is named who had no command open, and outside means that nobody had one', () => {
    for (const { spans, ctime_ms } of histories) {
      const { author, agents } = authorOf('f', at(ctime_ms), spans);
      const open = spans.filter(
        ({ since_ms, until_ms }) => since_ms - COARSE_MS <= ctime_ms && (until_ms ?? Infinity) >= ctime_ms,
      );
      for (const agent of agents) expect(open.map((one) => one.agent)).toContain(agent);
      expect(author === 'outside').toBe(open.length === 0);
      expect(agents.length > 1).toBe(author === 'ambiguous');
    }
  });
});

describe('what the ledger last knew of a file', () => {
  const last_write = { agent: 'a', digest: H1, lsn: 10, op: null };
  it.each([
    ['nothing', {}, null],
    ['a write', { last_write }, { digest: H1, lsn: 10, by: { author: 'parsed', agents: ['a'] } }],
    [
      'a drift after it',
      { last_write, drift: { author: 'outside' as const, agents: [], digest: H2, lsn: 20 } },
      { digest: H2, lsn: 20 },
    ],
    [
      'a write after a drift',
      { last_write, drift: { author: 'outside' as const, agents: [], digest: H2, lsn: 5 } },
      { digest: H1, lsn: 10 },
    ],
  ])('is %s', (_, given, known) => {
    const told = lastKnown({ ...EMPTY_PATH, ...given });
    if (known === null) expect(told).toBeNull();
    else expect(told).toMatchObject(known);
  });
});
