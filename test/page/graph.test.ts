import { expect, it } from 'vitest';
import { graphOf } from '../../src/page/graph.ts';
import type { ShownScene } from '../../src/page/wire.ts';

it('the wait-for graph knows since when each agent waits, and draws no age on a lock', () => {
  const since = '2026-03-02T09:00:00.000Z';
  const scene = {
    waits: [{ from: 'bob', to: 'ann', path: 'a.ts', kind: 'wait', because: 'hold', since }],
    leases: [{ path: 'a.ts', holder: 'ann' }],
    cycles: [],
  } as unknown as ShownScene;
  const { dots, lines } = graphOf(scene);
  expect(dots.map(({ id }) => id)).toEqual(['agent bob', 'agent ann', 'file a.ts']);
  expect(lines.map(({ from, to, since_ms }) => [from, to, since_ms])).toEqual([
    ['agent bob', 'file a.ts', Date.parse(since)],
    ['file a.ts', 'agent ann', null],
  ]);
});
