/** A night of agents on one screen, as a person sees it in the morning. */
import { describe, expect, it } from 'vitest';
import { showTree } from '../../../src/cli/agent/list.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { sumsOf, type TreeRow } from '../../../src/harness/list.ts';

const NOW = '2026-11-26T07:00:00.000Z';
const ASKS = { questions: ['Which licence?'], denials: [{ tool: 'Bash', rule: 'Bash(npm ci)', count: 3 }] };

function row(name: string, more: Partial<TreeRow> = {}): TreeRow {
  return {
    ...{ id: `claude-${name}`, role: 'dev', status: 'completed', drafted_by: 'me', depth: 1, reason: 'done' },
    ...{ needs: null, api_error: null, doing: null, share_usd: null, turns: 40, cost_usd: 1.25 },
    ...{ cost_is_estimate: false, heard: null, taskSlug: `task-of-${name}`, queue: null, name, short: name },
    ...{ startedAt: '2026-11-26T01:00:00.000Z', endedAt: NOW, lastEventAt: NOW, worktree: null },
    ...{ leases: [], waiting_for: [], can_be_resumed: false },
    ...more,
  };
}

const many = (count: number, name: string, more: Partial<TreeRow> = {}): TreeRow[] =>
  Array.from({ length: count }, (_, nth) => row(`${name}-${nth + 1}`, more));
const FILES = { branch: 'guard/dev-1', files: 3, commits: 1 };

/** Eighteen agents, ten of which need a person, ended badly, or are at work. */
const NIGHT: readonly TreeRow[] = [
  ...many(2, 'asks', { needs: ASKS }),
  ...many(2, 'failed', { status: 'failed', reason: 'API error 529 (overloaded)' }),
  ...many(1, 'late', { status: 'timeout', reason: 'silent for 600 s' }),
  ...many(1, 'spent', { status: 'budget', reason: 'its 5 USD are used up' }),
  ...many(4, 'works', { status: 'running', doing: 'Bash npm test', leases: ['src/a.ts'] }),
  ...many(3, 'wrote', { worktree: FILES }),
  ...many(5, 'done'),
];

/** On a screen of 24 lines, unless `env` says otherwise. */
function shown(agents: readonly TreeRow[], env: object = { LINES: '24' }, is_whole = false): string[] {
  let text = '';
  const color = { bold: String, dim: String };
  const shell = { env, color, out: (more: string) => (text += more) } as unknown as Shell;
  showTree({ agents, sums: sumsOf(agents), now: NOW, is_whole }, shell);
  return text.trimEnd().split('\n');
}

const namesIn = (lines: readonly string[]): string[] =>
  NIGHT.map(({ name }) => name ?? '').filter((name) =>
    lines.some((line) => / {2}/.test(line) && line.includes(` ${name} `)),
  );

describe('guard agent list', () => {
  it('fits a night of eighteen agents on one screen, the ones that need a person first', () => {
    const lines = shown(NIGHT);
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(80);
    expect(lines.slice(1, 3).join()).toMatch(/^! completed.*asks-1.*asks: Which licence\?/);
    for (const name of ['asks-2', 'failed-1', 'failed-2', 'late-1', 'spent-1', 'works-1', 'works-4'])
      expect(namesIn(lines)).toContain(name);
    expect(lines.join('\n')).toContain('API error 529 (overloaded)');
    // No agent is left out: those without a line are counted, and named while there is room.
    const folded = 18 - namesIn(lines).length;
    expect(lines.at(-2)).toContain(`and ${folded} completed that need nothing from you (--all): `);
    expect(lines.at(-1)).toContain(
      '10 completed, 2 failed, 1 timeout, 1 budget, 4 running; 2 need you; 22.50 USD',
    );
  });

  it('marks a sum of costs as estimated while one of them is', () => {
    expect(shown([row('a'), row('b')]).at(-1)).toContain(' 2.50 USD');
    expect(shown([row('a'), row('b', { cost_is_estimate: true })]).at(-1)).toContain(' ~2.50 USD');
  });

  it('marks an agent that starts only if a person resumes another, and says how', () => {
    const words = 'queued, 1st of 1: waits until guard agent send resumes lost';
    const queue = { place: 1, of: 1, priority: 0, why: 'after' as const, after: ['claude-lost'], words };
    const stuck = row('next', { status: 'queued', queue: { ...queue, is_stuck: true } });
    const lost = row('lost', { status: 'failed', reason: 'its supervisor died', can_be_resumed: true });
    const lines = shown([stuck, lost, ...many(30, 'done')]);
    expect(lines[1]).toMatch(/^! queued +next/);
    expect(lines[2]).toContain(words);
    expect(lines[4]).toContain('its supervisor died; guard agent send resumes it');
    expect(lines.at(-1)).toContain('1 needs you');
  });

  it('folds as few as necessary, and none if there is room or --all is given', () => {
    const whole = shown(NIGHT, { LINES: '60' });
    expect(whole.join('\n')).not.toContain('need nothing from you');
    expect(namesIn(whole)).toHaveLength(18);
    expect(namesIn(shown(NIGHT, { LINES: '24' }, true))).toHaveLength(18);
    // A completed agent that needs nothing takes one line; the list uses the whole screen before it folds any.
    expect(shown(many(40, 'done'))).toHaveLength(23);
    expect(shown(many(21, 'done'))).toHaveLength(23);
    expect(shown(many(21, 'done')).join('\n')).not.toContain('need nothing from you');
  });

  it('hides no agent that needs a person or ended badly, whatever the screen', () => {
    const lines = shown([
      ...many(12, 'asks', { needs: ASKS }),
      ...many(12, 'failed', { status: 'failed' }),
      ...many(9, 'done'),
    ]);
    expect(lines.filter((line) => line.startsWith('! '))).toHaveLength(12);
    expect(lines.filter((line) => line.includes('failed-'))).toHaveLength(12);
    expect(lines.at(-2)).toMatch(/and 9 completed that need nothing from you/);
  });

  it('has one whole line for each agent in a pipe, with everything there is to say about it', () => {
    const lines = shown(NIGHT, {});
    expect(lines).toHaveLength(NIGHT.length + 2);
    expect(namesIn(lines)).toHaveLength(NIGHT.length);
    const asks = lines.find((line) => line.includes(' asks-1 '));
    expect(asks).toMatch(/^!? ?completed .*asks: Which licence\?; was refused Bash 3 times/);
    expect(lines.find((line) => line.includes(' works-1 '))).toContain('Bash npm test; holds src/a.ts');
    expect(shown(many(60, 'done'), {})).toHaveLength(62);
  });
});
