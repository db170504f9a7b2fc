import { describe, expect, it } from 'vitest';
import { boardViewOf } from '../../../src/cli/board/board.ts';
import { needRows } from '../../../src/cli/board/need-rows.ts';
import { attentionOf, type Attention } from '../../../src/cli/watch/attention.ts';
import type { Status } from '../../../src/operations/status.ts';
import { ago, BUSY, NOW_MS, QUIET, wait } from '../board/told.ts';

const NOTHING_SEEN: ReadonlySet<string> = new Set();
const looked = (told: Status, seen = NOTHING_SEEN): Attention =>
  attentionOf(needRows(boardViewOf(told, NOW_MS)), seen);
const kinds = ({ news }: Attention): readonly string[] => news.map(({ kind }) => kind);

describe('what calls a person', () => {
  it('is empty if nothing is wrong', () => {
    expect(looked(QUIET)).toEqual({ news: [], seen: new Set() });
  });

  it('comes most urgent first, in a line of its own and with all that is known', () => {
    const { news } = looked(BUSY);
    expect(news.map(({ kind }) => kind)).toEqual(['deadlock', 'wait', 'unguarded']);
    expect(news[0]?.text).toBe('deadlock  ann > bob > ann  bob was told to release docs/价格说明.md');
    expect(news[0]?.detail).toContain(
      'ann (claude-ann) waits for docs/价格说明.md, held by bob (claude-bob)',
    );
  });

  it('is said once, and again when it was gone in between', () => {
    const first = looked(BUSY);
    expect(kinds(looked(BUSY, first.seen))).toEqual([]);
    const solved: Status = { ...BUSY, cycles: [] };
    const second = looked(solved, first.seen);
    expect(kinds(second)).toEqual([]);
    expect(kinds(looked(BUSY, second.seen))).toEqual(['deadlock']);
  });

  it('is a wait that lasts, and no short one', () => {
    const waits = (seconds: number): Status => ({ ...QUIET, waits: [wait('bob', 'ann', 'a.ts', seconds)] });
    expect(kinds(looked(waits(29)))).toEqual([]);
    expect(kinds(looked(waits(31)))).toEqual(['wait']);
  });

  it('is an agent that is refused the same thing a third time', () => {
    const refused = (times: number): Status => ({
      ...QUIET,
      denials: Array.from({ length: times }, (_, nth) => ({
        ...{ at: ago(nth), lsn: 9 - nth, agent: 'claude-bob', tool: 'Edit', paths: ['a.ts'] },
        ...{ error_type: 'STALE_FILE', message: 'm' },
      })),
    });
    expect(kinds(looked(refused(2)))).toEqual([]);
    const third = looked(refused(3));
    expect(kinds(third)).toEqual(['denied']);
    expect(kinds(looked(refused(4), third.seen))).toEqual([]);
  });

  it('is each change to what keeps guard running, though others before it are no longer shown', () => {
    const noticed = (...files: string[]): Status => ({
      ...QUIET,
      noticed: files.map((file) => ({
        ...{ what: 'changed', file, event: '', detail: 'changed', agent: 'claude-bob' },
        at_wall_ms: NOW_MS - 1_000 - file.length,
      })) as unknown as Status['noticed'],
    });
    const { seen, news } = looked(noticed('/a', '/bb'));
    expect(news).toHaveLength(2);
    expect(kinds(looked(noticed('/bb'), seen))).toEqual([]);
  });
});
