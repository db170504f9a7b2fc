/** Which rows there are, and in which order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boardOf } from '../../../src/cli/board/board.ts';
import { nameFor } from '../../../src/core/names.ts';
import type { BoardRow } from '../../../src/cli/board/rows.ts';
import type { Status } from '../../../src/operations/status.ts';
import { ago, agent, BUSY, crowd, lease, NOW_MS, QUIET, wait } from './told.ts';

const rowsOf = (told: Status, is_folded = true): readonly BoardRow[] =>
  boardOf(told, NOW_MS, is_folded).sections.flatMap(({ rows }) => rows);

const names = fc.constantFrom('a', 'b', 'a b', '');
const files = fc.constantFrom('x', 'd/1', 'd/2', 'd/3', 'd/4', 'd/*', 'd', 'b x');

describe('a row', () => {
  it('has an id of its own, whatever is held, waited for and refused', () => {
    const leases = fc.uniqueArray(
      fc.record({
        path: files,
        holder: names,
        mode: fc.constantFrom('exclusive' as const, 'shared' as const),
        command: fc.option(names, { nil: undefined }),
        checkout: fc.option(names, { nil: undefined }),
      }),
      { selector: (one) => JSON.stringify(one), maxLength: 24 },
    );
    const waits = fc.array(
      fc.record({
        from: names,
        to: names,
        path: files,
        kind: fc.constantFrom('wait' as const, 'wanted' as const),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(leases, waits, fc.boolean(), (held, edges, is_folded) => {
        const told = {
          ...QUIET,
          leases: held.map((one, nth) => ({ ...lease(one.path, ''), ...one, token: nth })),
          waits: edges.map((one) => ({ ...wait('', '', one.path, 60), ...one })),
          commands: edges.map(({ from, to }) => ({
            ...{ agent: from, op: to, paths: ['x'], since: ago(9), in_background: false },
          })),
          denials: edges.map(({ from, path }) => ({
            ...{ at: ago(9), lsn: 9, agent: from, tool: 'Edit', paths: path.split(' ') },
            ...{ error_type: 'LOCKED_BY_OTHER', message: '' },
          })),
        } as Status;
        const rows = rowsOf(told, is_folded);
        expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
        const details = rows.flatMap(({ detail }) => detail).join('\n');
        const missing = told.leases.filter(({ token }) => !`${details}\n`.includes(`token ${token}\n`));
        expect(missing).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is the same from one look to the next', () => {
    const ids = (now_ms: number): string[] =>
      boardOf(BUSY, now_ms, true).sections.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(ids(NOW_MS + 5_000)).toEqual(ids(NOW_MS));
  });
});

describe('the order', () => {
  const told = { ...QUIET, agents: [10, 2, 1, 11].map((nth) => agent(`agent-${nth}`)) };
  const agentsOf = (status: Status): readonly string[] =>
    (boardOf(status, NOW_MS, true).sections.find(({ title }) => title === 'Agents')?.rows ?? []).map(
      ({ cells: [name] }) => name?.text ?? '',
    );

  it('of agents is that of their numbers, where none needs a person', () => {
    expect(agentsOf(told)).toEqual(['agent-1', 'agent-2', 'agent-10', 'agent-11']);
  });

  it('of agents begins with those in a deadlock, then those that wait, were refused, write, and work', () => {
    const cycle = {
      kind: 'deadlock',
      edges: [wait('agent-9', 'agent-8', 'x', 40), wait('agent-8', 'agent-9', 'y', 40)],
    } as Status['cycles'][number];
    const all = {
      ...QUIET,
      agents: [
        ...[1, 2, 7, 8, 9].map((nth) => agent(`agent-${nth}`)),
        agent('agent-3', { at_work: [{ tool: 'Bash', since: ago(9) }] }),
        agent('agent-4', { writing: ['x'] }),
        agent('agent-5', { denials: 2 }),
      ],
      waits: [wait('agent-7', 'agent-1', 'z', 9)],
      cycles: [cycle],
    };
    expect(agentsOf(all)).toEqual([8, 9, 7, 5, 4, 3, 1, 2].map((nth) => `agent-${nth}`));
  });

  it('of sections has who waits before who is here', () => {
    const titles = boardOf(BUSY, NOW_MS, true).sections.map(({ title }) => title);
    expect(titles.slice(0, 3)).toEqual(['Needs attention', 'Waiting', 'Agents']);
  });

  it('of waits begins with the longest, and that of locks is natural', () => {
    const { sections } = boardOf(crowd(100, 1_000), NOW_MS, true);
    const first = (title: string): readonly BoardRow[] =>
      sections.find((section) => section.title === title)?.rows ?? [];
    expect(first('Waiting')[0]?.cells[0]?.text).toBe('agent-9');
    expect(
      first('Locks')
        .slice(0, 3)
        .map(({ cells: [words] }) => words?.text),
    ).toEqual([0, 1, 2].map((nth) => `10 files in packages/service-${nth}/src`));
  });
});

describe('a person who only pressed a key on the screen', () => {
  const id = 'zoe@desk:pts-1';
  const person = (name: string): Status['agents'][number] => agent(name, { agent: id, kind: 'person' });
  const sums = (told: Status): string => boardOf(told, NOW_MS, true).sums;

  it('is not an agent on it', () => {
    const told = { ...QUIET, agents: [agent('ann'), person(nameFor(id))] };
    expect(sums(told)).toMatch(/^1 agent /);
    expect(rowsOf(told).map(({ id: row }) => row)).toEqual(['["agent","claude-ann"]']);
    expect(sums({ ...QUIET, agents: [person(`${nameFor(id)}-2`)] })).toMatch(/^No active agents/);
  });

  it('is one as soon as that person has a name, holds something or waits', () => {
    expect(sums({ ...QUIET, agents: [person('zoe')] })).toMatch(/^1 agent /);
    const unnamed = { ...QUIET, agents: [person(nameFor(id))] };
    expect(sums({ ...unnamed, leases: [{ ...lease('x', ''), holder: id }] })).toMatch(/^1 agent /);
    expect(sums({ ...unnamed, waits: [{ ...wait('', 'ann', 'x', 9), from: id }] })).toMatch(/^1 agent /);
  });
});
