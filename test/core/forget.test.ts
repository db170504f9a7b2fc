import { describe, expect, it } from 'vitest';
import { isForgotten } from '../../src/core/forget.ts';
import type { Json } from '../../src/core/ledger.ts';
import type { Now } from '../../src/core/types.ts';

const DAY_MS = 24 * 3_600_000;
const now: Now = { mono_ms: 100 * DAY_MS, wall_ms: 1_000 * DAY_MS, boot: 'now' };
const then = { now, see: () => undefined };

interface Silent {
  readonly live: boolean;
  readonly boot: string;
  readonly mono_days: number;
  readonly wall_days: number;
}

const agent = ({ live, boot, mono_days, wall_days }: Silent): Json => ({
  id: 'claude-1',
  live,
  boot,
  active_mono_ms: now.mono_ms - mono_days * DAY_MS,
  active_wall_ms: now.wall_ms - wall_days * DAY_MS,
});

const left = { live: false, boot: 'now', mono_days: 31, wall_days: 31 };

describe('compaction forgets', () => {
  it.each([
    ['an agent that left a month ago', left],
    [
      'one that was alive a month ago, in another boot',
      { ...left, live: true, boot: 'before', mono_days: -5 },
    ],
  ])('%s', (_, silent) => expect(isForgotten('agent:claude-1', agent(silent), then)).toBe(true));

  it('who worked in a worktree a month ago', () => {
    const at = { ...now, wall_ms: now.wall_ms - 31 * DAY_MS, mono_ms: now.mono_ms - 31 * DAY_MS };
    expect(isForgotten('worktree:wt', { agents: ['claude-1'], at: { ...at } }, then)).toBe(true);
  });

  it('waits that ended then', () => {
    const edge = { since_wall_ms: now.wall_ms - 31 * DAY_MS, boot: 'before', until_mono_ms: now.mono_ms + 1 };
    expect(isForgotten('wait:claude-1', { edges: [edge] }, then)).toBe(true);
    expect(
      isForgotten('wait:claude-1', { edges: [edge, { ...edge, since_wall_ms: now.wall_ms }] }, then),
    ).toBe(false);
  });

  it('what an agent said of itself a month ago, by both clocks', () => {
    const profile = (days: number, boot = 'now', mono_days = days): Json => ({
      ...{ name: 'router', capabilities: [], status: '' },
      at: { wall_ms: now.wall_ms - days * DAY_MS, mono_ms: now.mono_ms - mono_days * DAY_MS, boot },
    });
    const told = [profile(31), profile(31, 'before', -5), profile(29), profile(31, 'now', 0)];
    expect(told.map((state) => isForgotten('profile:claude-1', state, then))).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });
});

describe('compaction carries', () => {
  it.each([
    ['an agent that left last week', { ...left, mono_days: 7, wall_days: 7 }],
    ['one that is idle for a month and has not left', { ...left, live: true }],
    [
      'one that left a minute ago, before the wall clock jumped a year',
      { ...left, mono_days: 0, wall_days: 365 },
    ],
    ['one that left in the future, by a wall clock that was set back', { ...left, wall_days: -3 }],
  ])('%s', (_, silent) => expect(isForgotten('agent:claude-1', agent(silent), then)).toBe(false));

  it.each([
    ['paths', 'path:a', { holds: [], queue: [], intent: null, last_write: null, touched: 1 }],
    ['verdicts without waits', 'wait:claude-1', { edges: [], verdicts: [] }],
    [
      'who works in a worktree since yesterday',
      'worktree:wt',
      { agents: ['claude-1'], at: { ...now, wall_ms: now.wall_ms - 86_400_000 } },
    ],
    ['what it does not know', 'other:x', { active_wall_ms: 0 }],
    [
      'an agent of which it does not know when it was active',
      'agent:claude-1',
      { live: false, boot: 'before' },
    ],
  ])('%s', (_, key, state) => expect(isForgotten(key, state, then)).toBe(false));
});
