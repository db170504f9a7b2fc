/** `r` asks for exactly what a second press takes, and the second press counts only once its note could be read. */
import { describe, expect, it } from 'vitest';
import { afterDeed, type LockDeed, noteShown, READ_MS } from '../../../src/cli/board/asking.ts';
import { boardOf } from '../../../src/cli/board/board.ts';
import { type Deed, pressed } from '../../../src/cli/board/keys.ts';
import type { Board } from '../../../src/cli/board/rows.ts';
import { AT_FIRST, type ScreenState } from '../../../src/cli/board/screen-state.ts';
import { BUSY, lease, NOW_MS, QUIET, agent } from './told.ts';

const BOARD = boardOf(BUSY, NOW_MS, true);
const rowOf = (board: Board, part: string) => {
  const found = board.sections.flatMap(({ rows }) => rows).find(({ id }) => id.includes(part));
  if (found === undefined) throw new Error(`no row ${part}`);
  return found;
};
const on = (part: string): ScreenState => ({ ...AT_FIRST, selected: rowOf(BOARD, part).id });
const press = (state: ScreenState, now_ms: number, name = 'r', board = BOARD) =>
  pressed(board, state, { name, sequence: name }, { now_ms, rows: 40 });
const asLock = (deed: Deed | undefined): LockDeed => {
  if (deed === undefined || !('held' in deed)) throw new Error('neither asks nor takes');
  return deed;
};
const ASKED = { is_done: true, note: 'Asked. Press r again' };

/** Asked at 0, with the note on the screen at `shown_ms`. */
function asked(shown_ms: number, part = '["long"'): { state: ScreenState; deed: LockDeed } {
  const first = press(on(part), 0);
  const deed = asLock(first.deed);
  expect(deed.does).toBe('ask');
  return { state: noteShown(afterDeed(first.state, deed, ASKED), deed.held, shown_ms), deed };
}

describe('the second press', () => {
  it('takes nothing while the request is being sent, or before its note was painted', () => {
    const first = press(on('["long"'), 0);
    const second = press(first.state, 60_000);
    expect(second.deed).toBeUndefined();
    const sent = afterDeed(second.state, asLock(first.deed), ASKED);
    expect(press(sent, 120_000).deed).toBeUndefined();
  });

  it('takes nothing until the note was shown for a second, however long the key is held down', () => {
    let { state } = asked(10);
    for (let now_ms = 10; now_ms < 5_000; now_ms += 30) {
      const again = press(state, now_ms);
      expect(again.deed).toBeUndefined();
      state = again.state;
    }
    expect(press(state, 4_990 + READ_MS).deed).toMatchObject({ does: 'take' });
  });

  it('asks again if the request failed', () => {
    const first = press(on('["long"'), 0);
    const failed = afterDeed(first.state, asLock(first.deed), { is_done: false, note: 'No.' });
    expect(failed.note).toBe('No.');
    expect(press(noteShown(failed, asLock(first.deed).held, 0), 60_000).deed).toMatchObject({ does: 'ask' });
  });

  it('asks again after any other key, and after the terminal was left', () => {
    const { state } = asked(0);
    for (const name of ['j', 'k', 'return', 'tab', '/'])
      expect(press(press(state, READ_MS, name).state, 2 * READ_MS).deed?.does).not.toBe('take');
    const left = pressed(BOARD, state, { name: 'z', ctrl: true }, { now_ms: 0, rows: 40 });
    expect(press(left.state, 2 * READ_MS).deed).toMatchObject({ does: 'ask' });
  });

  it('of another row is not allowed by an answer that comes late', () => {
    const first = press(on('["long"'), 0);
    const moved = press({ ...first.state, selected: rowOf(BOARD, 'cycle').id, asked: null }, 10);
    const late = noteShown(afterDeed(moved.state, asLock(first.deed), ASKED), asLock(first.deed).held, 20);
    expect(press(late, 60_000).deed).toBeUndefined();
  });

  it('takes what was asked for, though the row has more by then', () => {
    const { state, deed } = asked(0, '["agent","claude-ann"]');
    const more = { ...BUSY, leases: [...BUSY.leases, lease('packages/cart/src/new.ts', 'ann')] };
    const later = boardOf(more, NOW_MS, true);
    expect(rowOf(later, '["agent","claude-ann"]').held?.paths).toContain('packages/cart/src/new.ts');
    expect(asLock(press(state, READ_MS, 'r', later).deed)).toEqual({ does: 'take', held: deed.held });
    expect(deed.held.paths).not.toContain('packages/cart/src/new.ts');
  });
});

describe('what is asked for', () => {
  /** A pattern `dir/*`, or a path. */
  const covers = (area: string, path: string): boolean =>
    area.endsWith('/*') ? path.slice(0, path.lastIndexOf('/')) === area.slice(0, -2) : area === path;

  it('is exactly what is taken, in each row that offers it', () => {
    const told = {
      ...QUIET,
      agents: [agent('ann'), agent('bob')],
      leases: [
        ...[0, 1, 2, 3, 4].map((nth) => lease(`src/${nth}.ts`, 'ann')),
        ...[5, 6, 7, 8].map((nth) => ({ ...lease(`src/${nth}.ts`, 'ann'), mode: 'shared' as const })),
        ...[0, 1, 2, 3].map((nth) => lease(`docs/${nth}.md`, 'ann')),
        lease('README.md', 'ann'),
        lease('src/of-bob.ts', 'bob'),
      ],
    };
    const rows = boardOf(told, NOW_MS, true).sections.flatMap((section) => section.rows);
    const offers = rows.flatMap(({ held }) => held ?? []);
    expect(offers.map(({ paths }) => paths.length).sort()).toEqual([1, 1, 1, 14, 4, 4, 5]);
    for (const { by, paths, areas } of offers) {
      const all = told.leases.filter(({ holder }) => holder === by).map(({ path }) => path);
      expect(all.filter((path) => areas.some((area) => covers(area, path))).sort()).toEqual(
        [...paths].sort(),
      );
    }
  });

  it('on a deadlock is what its verdict proposes', () => {
    expect(rowOf(BOARD, 'cycle').held).toEqual({
      ...{ by: 'claude-bob', name: 'bob' },
      ...{ paths: ['docs/价格说明.md'], areas: ['docs/价格说明.md'] },
    });
    const [cycle] = BUSY.cycles;
    const board = (more: object) =>
      boardOf({ ...BUSY, cycles: [{ ...cycle, ...more } as (typeof BUSY.cycles)[number]] }, NOW_MS, true);
    const parents = board({ held_by: 'claude-ann', release: ['packages/cart/src/part-3.ts'] });
    expect(rowOf(parents, 'cycle').held).toMatchObject({
      by: 'claude-ann',
      paths: ['packages/cart/src/part-3.ts'],
    });
    // Nothing that it has locked: it can only stop waiting, or has a reservation.
    expect(rowOf(board({ release: [] }), 'cycle').held).toBeUndefined();
    expect(rowOf(board({ release: ['api/x.ts'] }), 'cycle').held).toBeUndefined();
  });
});
