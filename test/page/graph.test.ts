import { expect, it } from 'vitest';
import { graphOf } from '../../src/page/graph.ts';
import type { ShownScene } from '../../src/page/wire.ts';

it('the wait-for graph knows since when each agent waits and with which record that began, and draws no age on a lock', () => {
  const since = '2026-03-02T09:00:00.000Z';
  const scene = {
    waits: [
      { from: 'bob', to: 'ann', path: 'a.ts', kind: 'wait', because: 'hold', since, lsn: 700 },
      { from: 'cy', to: 'ann', path: 'a.ts', kind: 'wanted', because: 'hold', since, lsn: null },
    ],
    leases: [{ path: 'a.ts', holder: 'ann' }],
    cycles: [],
  } as unknown as ShownScene;
  const denied = { at: since, tool: 'Edit', error_type: 'LOCKED', message: 'm' };
  const denials = [
    { ...denied, lsn: 900, agent: 'cy', paths: ['b.ts'] },
    { ...denied, lsn: 800, agent: 'cy', paths: ['a.ts'] },
    { ...denied, lsn: 600, agent: 'cy', paths: ['a.ts'] },
  ];
  const { dots, lines } = graphOf(scene, denials);
  expect(dots.map(({ id }) => id)).toEqual(['agent bob', 'agent ann', 'file a.ts', 'agent cy']);
  expect(lines.map(({ from, to, since_ms, lsn }) => [from, to, since_ms, lsn])).toEqual([
    ['agent bob', 'file a.ts', Date.parse(since), 700],
    ['file a.ts', 'agent ann', null, null],
    ['agent cy', 'file a.ts', Date.parse(since), 800],
  ]);
});
