/** What agents leave behind after their end: logs and worktrees, found and removed by a person or by guard itself. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepWithin, prunableWorktrees, prune } from '../../src/harness/prune.ts';
import { openHarness } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { committed } from './committed.ts';
import type { Harness } from './harness.ts';

const logDirs = (at: Harness): string[] =>
  readdirSync(at.at.path('.git/guard/agents'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('guard agent prune', () => {
  it('says what would go, and takes away logs and merged worktrees only when told to', () => {
    const at = committed();
    const left = at.draft(
      'dev',
      ['sh echo n > n && git add n && git commit -qm N', 'result x'],
      '--worktree',
    );
    const open = at.draft('dev', ['sh echo o > o', 'result x'], '--worktree');
    const [{ worktree }] = [at.await(left), at.await(open)];
    at.at.git('merge', '-q', worktree?.branch ?? '');
    // Pushed before its last commit: git compares a branch with what it follows.
    at.at.git('branch', 'pushed', 'HEAD~1');
    at.at.git('branch', '-q', '--set-upstream-to', 'pushed', worktree?.branch ?? '');
    const running = at.draft('dev', ['hang']);
    // It may still be looked at: it is younger than a week.
    expect(at.guard('agent', 'prune', '--json').json()).toMatchObject({ logs: [], worktrees: [] });
    const said = at.guard('agent', 'prune', '--older', '0s', '--json').json();
    expect(said).toMatchObject({ done: false, worktrees: [{ agentId: left }] });
    expect((said as { logs: { agentId: string }[] }).logs.map(({ agentId }) => agentId).sort()).toEqual(
      [left, open].sort(),
    );
    expect(logDirs(at)).toHaveLength(3);
    expect(existsSync(worktree?.dir ?? '')).toBe(true);
    expect(at.guard('agent', 'prune', '--older', '0s', '--apply').exit).toBe(0);
    expect(logDirs(at)).toEqual([running.slice('claude-'.length)]);
    expect(existsSync(worktree?.dir ?? '')).toBe(false);
    expect(at.at.git('branch', '--list', worktree?.branch ?? '')).toBe('');
    expect(at.await(left).worktree).toMatchObject({ kept: false, settled: { how: 'pruned' } });
    expect(at.await(open).worktree).toMatchObject({ kept: true, changed: ['o'] });
    expect(at.guard('agent', 'prune', '--older', '0s').stdout).toContain('Nothing to remove');
  });

  it('keeps a worktree in which someone worked while it waited for its turn to remove it', () => {
    const at = committed();
    const [edited, resumed, merged] = ['a', 'b', 'c'].map((file) => {
      const id = at.draft(
        'dev',
        [`sh echo n > ${file} && git add -A && git commit -qm N`, 'result x'],
        '--worktree',
      );
      return { id, worktree: at.await(id).worktree };
    });
    for (const one of [edited, resumed, merged]) at.at.git('merge', '-q', one?.worktree?.branch ?? '');
    const opened = openHarness(locateRepo(at.at.root), at.at.env);
    onTestFinished(() => opened.close());
    const who = { id: 'me', kind: 'person', parent: null, session: null, proc: null } as const;
    const space = { ...opened, who } as unknown as Parameters<typeof prune>[0];
    const limits = { before_wall_ms: Infinity };
    const worktrees = prunableWorktrees(space, limits);
    expect(worktrees).toHaveLength(3);
    const { dir = '' } = edited?.worktree ?? {};
    const duringTheWait = (): void => {
      writeFileSync(join(dir, 'draft.txt'), 'x');
      at.guard('agent', 'send', resumed?.id ?? '', 'hang');
    };
    let isFirst = true;
    const run: typeof space.run = (event) => {
      if (isFirst && (event as { type: string }).type === 'lock.acquire') {
        isFirst = false;
        duringTheWait();
      }
      return space.run(event);
    };
    prune({ ...space, run }, { logs: [], worktrees, bytes: 0 }, limits);
    expect(existsSync(join(dir, 'draft.txt'))).toBe(true);
    expect(existsSync(resumed?.worktree?.dir ?? '')).toBe(true);
    expect(existsSync(merged?.worktree?.dir ?? '')).toBe(false);
    expect(at.at.git('branch', '--list', 'guard/*', 'worktree-*').trim().split('\n')).toHaveLength(2);
  });

  it('keeps what is younger, and by size what is newest', () => {
    const at = committed();
    at.await(at.draft('dev', ['result x']));
    expect(at.guard('agent', 'prune', '--json').json()).toMatchObject({ logs: [], worktrees: [] });
    const newest = at.draft('dev', ['js said([{ type: "text", text: "x".repeat(1_100_000) }])', 'result x']);
    at.await(newest);
    const beyond = (mb: string): string[] => {
      const told = at.guard('agent', 'prune', '--max-mb', mb, '--json').json();
      return (told as { logs: { agentId: string }[] }).logs.map(({ agentId }) => agentId);
    };
    expect(beyond('2')).toEqual([]);
    expect(beyond('1')).toContain(newest);
  });

  it('is done by itself for logs of a month ago, at most once an hour, when an agent is drafted', () => {
    const at = committed();
    const old = at.draft('dev', ['sh echo n > n', 'result x'], '--worktree');
    const { worktree } = at.await(old);
    const opened = openHarness(locateRepo(at.at.root), at.at.env);
    const onDay = (day: number) => {
      const facts = () => {
        const now = opened.facts();
        return { ...now, now: { ...now.now, wall_ms: now.now.wall_ms + day * 86_400_000 } };
      };
      keepWithin({ ...opened, facts });
      return logDirs(at).length;
    };
    expect(onDay(29)).toBe(1);
    // Already checked recently.
    expect(onDay(29 + 1 / 48)).toBe(1);
    expect(onDay(31)).toBe(0);
    expect(existsSync(worktree?.dir ?? '')).toBe(true);
    expect(at.await(old).worktree).toMatchObject({ kept: true });
    // The log of an agent that the ledger has forgotten, and one of an agent that may be about to be drafted.
    const dirs = [1, 2].map((nth) =>
      join(at.at.state, 'agents', `00000000-0000-4000-8000-00000000000${nth}`),
    );
    for (const dir of dirs) mkdirSync(dir);
    const [forgotten = ''] = dirs;
    writeFileSync(join(forgotten, 'events.jsonl'), '{}');
    const long_ago_s = Date.now() / 1000 - 2 * 86_400;
    for (const path of [join(forgotten, 'events.jsonl'), forgotten]) utimesSync(path, long_ago_s, long_ago_s);
    const told = at.guard('agent', 'prune', '--older', '0s', '--max-mb', '0', '--json').json();
    expect(told).toMatchObject({ logs: [{ agentId: 'claude-00000000-0000-4000-8000-000000000001' }] });
    expect(onDay(27)).toBe(2);
    // Meanwhile a person removed the worktree without telling guard.
    at.at.git('worktree', 'remove', '--force', worktree?.dir ?? '');
    at.at.git('branch', '-q', '-D', worktree?.branch ?? '');
    expect(onDay(40)).toBe(0);
    expect(at.await(old).worktree).toMatchObject({ kept: false, settled: { how: 'gone' } });
    opened.close();
  });

  it('is for people', () => {
    const at = committed();
    expect(at.as('claude-me', 'agent', 'prune', '--apply').exit).toBe(64);
    expect(at.as('claude-me', 'agent', 'prune').exit).toBe(0);
  });
});
