import { describe, expect, it } from 'vitest';
import { contentionOf, type Happened } from '../../src/history/contention.ts';
import { span } from './spans.ts';

const WINDOW = { from_ms: 0, to_ms: 100_000 };
const wait = (path: string, agent: string, from_ms: number, to_ms: number | null) =>
  span(path, agent, from_ms, { kind: 'wait', to_ms });
const write = (path: string, agent: string, ms: number) =>
  ({ path, agent, ms }) as Happened['writes'][number];
const denial = (paths: readonly string[], agent: string, ms: number) =>
  ({ paths, agent, ms }) as Happened['denials'][number];
const NOTHING: Happened = { spans: [], writes: [], denials: [] };

describe('contention by directory', () => {
  it('counts waits, denials, writes and agents of a directory, as far as they are in the window', () => {
    const spans = [
      span('src/a.ts', 'ann', 0),
      wait('src/a.ts', 'bob', 1_000, 4_000),
      wait('src/b.ts', 'cy', 99_000, null),
      wait('src/b.ts', 'late', 100_001, null),
    ];
    const writes = [write('src/a.ts', 'ann', 5), write('src/a.ts', 'ann', -1)];
    const denials = [denial(['src/a.ts', 'docs/x.md'], 'dee', 7)];
    expect(contentionOf({ spans, writes, denials }, WINDOW, 1)).toEqual([
      { directory: 'src', waits: 2, waited_ms: 4_000, denials: 1, writes: 1, agents: 4 },
      { directory: 'docs', waits: 0, waited_ms: 0, denials: 1, writes: 0, agents: 1 },
    ]);
  });

  it('has a denial weigh as much as ten seconds of waiting, and equals by name', () => {
    const order = (spans: Happened['spans'], denials: Happened['denials']) =>
      contentionOf({ ...NOTHING, spans, denials }, WINDOW, 1).map(({ directory }) => directory);
    expect(order([wait('b/x', 'ann', 0, 9_999)], [denial(['c/x'], 'ann', 1)])).toEqual(['c', 'b']);
    expect(order([wait('b/x', 'ann', 0, 10_001)], [denial(['c/x'], 'ann', 1)])).toEqual(['b', 'c']);
    expect(order([wait('b/x', 'ann', 0, 10_000)], [denial(['a/x'], 'ann', 1)])).toEqual(['a', 'b']);
  });

  it('tells as many levels apart as wanted, and a checkout is none of them', () => {
    const spans = ['top.ts', 'src/core/x/a.ts', '//wt/src/core/b.ts'].map((path) => span(path, 'ann', 1));
    const at = (depth: number) =>
      contentionOf({ ...NOTHING, spans }, WINDOW, depth)
        .map(({ directory }) => directory)
        .sort();
    expect(at(1)).toEqual(['', '//wt/src', 'src']);
    expect(at(2)).toEqual(['', '//wt/src/core', 'src/core']);
  });
});
