import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edge, findCycles } from '../../src/core/cycles.ts';

const edges = (...pairs: readonly string[]): Edge[] =>
  pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }));
const names = (cycles: readonly (readonly Edge[])[]): string[] =>
  cycles.map((cycle) => cycle.map(({ from }) => from).join(''));

describe('cycles of a graph', () => {
  it.each<[string, string[], string[]]>([
    ['none', ['ab', 'bc', 'ac'], []],
    ['two', ['ab', 'ba'], ['ab']],
    ['a node that waits for itself', ['aa'], ['a']],
    ['the shortest one of a component', ['ab', 'bc', 'cd', 'da', 'ba'], ['ab']],
    ['one per component, by name', ['cd', 'dc', 'ab', 'ba', 'bc'], ['ab', 'cd']],
    ['twice the same edge', ['ab', 'ab', 'ba'], ['ab']],
  ])('%s', (_, pairs, expected) => {
    expect(names(findCycles(edges(...pairs)))).toEqual(expected);
  });

  it('keeps what an edge carries', () => {
    const found = findCycles([
      { from: 'a', to: 'b', path: 'x' },
      { from: 'b', to: 'a', path: 'y' },
    ]);
    expect(found[0]?.map(({ path }) => path)).toEqual(['x', 'y']);
  });

  it('of a chain of 20,000 waits does not run out of stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` }));
    expect(findCycles(chain)).toEqual([]);
    expect(findCycles([...chain, { from: 'n20000', to: 'n0' }])[0]).toHaveLength(20_001);
  });

  const NODES = ['a', 'b', 'c', 'd', 'e', 'f'];
  const graph = fc.array(fc.record({ from: fc.constantFrom(...NODES), to: fc.constantFrom(...NODES) }), {
    maxLength: 14,
  });

  it('are closed walks along the given edges, and there is one exactly when some node can reach itself', () => {
    fc.assert(
      fc.property(graph, (given) => {
        const cycles = findCycles(given);
        for (const cycle of cycles) {
          expect(cycle.every((edge) => given.includes(edge))).toBe(true);
          cycle.forEach((edge, n) => expect(edge.to).toBe(cycle[(n + 1) % cycle.length]?.from));
          expect(new Set(cycle.map(({ from }) => from)).size).toBe(cycle.length);
        }
        expect(cycles.length > 0).toBe(NODES.some((node) => reaches(given, node)));
      }),
    );
  });
});

function reaches(given: readonly Edge[], start: string): boolean {
  const seen = new Set<string>();
  const queue = given.filter(({ from }) => from === start).map(({ to }) => to);
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node === start) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    queue.push(...given.filter(({ from }) => from === node).map(({ to }) => to));
  }
  return false;
}
