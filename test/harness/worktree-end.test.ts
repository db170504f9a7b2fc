/** Agents' worktrees at their end: what was changed, merged, discarded. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { WorktreeChanges } from '../../src/operations/worktree-changes.ts';
import { Session } from '../claude/driver.ts';
import { committed, LINES } from './committed.ts';
import type { Harness } from './harness.ts';

const inWorktree = (at: Harness, steps: readonly string[], ...more: readonly string[]): string => {
  const id = at.draft('dev', [...steps, 'result Done.'], '--worktree', ...more);
  at.await(id);
  return id;
};

const changes = (at: Harness, ...id: readonly string[]): WorktreeChanges =>
  at.guard('agent', 'changes', ...id, '--json').json() as WorktreeChanges;

const replaced = (from: string, to: string): string => `sh sed -i s/${from}/${to}/ a.txt`;

describe('guard agent changes', () => {
  it('has files, lines, commits and what is not committed, and which worktrees meet', () => {
    const at = committed({ files: LINES });
    const one = inWorktree(
      at,
      [replaced('two', 'TWO'), 'sh git commit -qam Two', 'sh echo new > new.txt'],
      '--name',
      'one',
    );
    const two = inWorktree(at, [replaced('two', 'II')]);
    const three = inWorktree(at, [replaced('seven', 'VII')]);
    const { worktrees, pairs } = changes(at);
    expect(worktrees).toMatchObject([
      {
        ...{ agentId: one, name: 'one', commits: 1 },
        files: [
          { path: 'a.txt', added: 1, removed: 1, is_open: false },
          { path: 'new.txt', added: 1, removed: 0, is_open: true },
        ],
      },
      { agentId: two, commits: 0, files: [{ path: 'a.txt', is_open: true }] },
      { agentId: three },
    ]);
    const met = pairs.map(({ a, b, overlaps, conflicts }) => [
      a,
      b,
      overlaps,
      conflicts.map(({ path }) => path),
    ]);
    expect(met).toEqual([
      [one, two, ['a.txt'], ['a.txt']],
      [one, three, ['a.txt'], []],
      [two, three, ['a.txt'], []],
    ]);
    expect(changes(at, 'one').worktrees).toHaveLength(1);
    expect(changes(at, 'one').pairs).toHaveLength(2);
    expect(at.guard('agent', 'changes').stdout).toContain('conflict in a.txt');
  });

  it('is empty where nobody left anything', () => {
    const at = committed({ files: LINES });
    inWorktree(at, []);
    expect(changes(at)).toMatchObject({ worktrees: [], pairs: [] });
  });
});

describe('guard agent merge', () => {
  it('brings what was committed and what was not, and takes the worktree away', () => {
    const at = committed({ files: LINES });
    const id = inWorktree(at, [replaced('two', 'TWO'), 'sh git commit -qam Two', 'sh echo new > new.txt']);
    const told = at.guard('agent', 'merge', id.slice('claude-'.length, 15), '--json').json();
    expect(told).toMatchObject({ agentId: id, files: ['a.txt', 'new.txt'], committed: 1 });
    expect(at.at.read('a.txt')).toContain('TWO');
    expect(at.at.read('new.txt')).toBe('new\n');
    expect(at.at.git('status', '--porcelain', '-uno')).toBe('');
    expect(at.at.git('log', '--format=%s', '--first-parent').split('\n')).toHaveLength(3);
    expect(at.at.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(at.at.git('branch', '--list', 'guard/*')).toBe('');
    expect(at.await(id).worktree).toMatchObject({ kept: false, settled: { how: 'merged' } });
    expect(at.guard('lock', 'status', '--json').stdout).not.toContain('new.txt');
    expect(at.guard('agent', 'merge', id).exit).toBe(1);
  });

  it('is a write of whoever merges: the ledger knows by whom, and who had read the file has to read it again', () => {
    const at = committed({ files: { ...LINES, 'gone.txt': 'x\n' } });
    const id = inWorktree(at, [replaced('two', 'TWO'), 'sh rm gone.txt', 'sh echo new > new.txt']);
    const reader = new Session(at.at);
    reader.prompt();
    const file = at.at.path('a.txt');
    reader.read(file);
    expect(at.guard('agent', 'merge', id, '--agent', 'me').exit).toBe(0);
    const writes = at.at.log('write').filter(({ tool }) => tool === 'merge');
    expect(writes.map(({ agent, path, digest }) => [agent, path, digest === null])).toEqual([
      ['me', 'a.txt', false],
      ['me', 'gone.txt', true],
      ['me', 'new.txt', false],
    ]);
    // Held while they were written, and no longer.
    const held = (type: string) => at.at.log(type).filter(({ agent }) => agent === 'me');
    expect(held('hold').flatMap(({ paths, path }) => paths ?? path)).toEqual(
      expect.arrayContaining(['a.txt', 'gone.txt', 'new.txt']),
    );
    expect(Number(held('release').at(-1)?.lsn)).toBeGreaterThan(Number(writes.at(-1)?.lsn));
    reader.lock(file);
    const { pre } = reader.edit(file, 'one', 'ONE');
    expect(pre.denial).toMatchObject({ error_type: 'STALE_FILE', details: { changed_by: 'me' } });
    const blame = at.guard('blame', 'a.txt').stdout;
    expect(blame).toContain('me');
  });

  it('leaves what is staged as removed removed', () => {
    const at = committed({ files: { ...LINES, 'gone.txt': 'x\n', 'kept.txt': 'y\n' } });
    const id = inWorktree(at, [
      'sh git rm -q gone.txt && git rm -q --cached kept.txt && echo z > "a b*.txt"',
    ]);
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({
      files: ['a b*.txt', 'gone.txt'],
    });
    expect(at.at.read('kept.txt')).toBe('y\n');
    expect(existsSync(at.at.path('gone.txt'))).toBe(false);
  });

  it('as one commit', () => {
    const at = committed({ files: LINES });
    const id = inWorktree(at, [
      'sh echo 1 > n && git add n && git commit -qm One',
      'sh echo 2 > n && git commit -qam Two',
    ]);
    expect(at.guard('agent', 'merge', id, '--squash').exit).toBe(0);
    expect(at.at.git('log', '--format=%s').trim().split('\n')).toEqual([
      expect.stringMatching(/^Merge dev/),
      'Start',
    ]);
  });

  it('refuses what conflicts, naming it, and changes nothing here', () => {
    const at = committed({ files: LINES });
    const [one, two] = [inWorktree(at, [replaced('two', 'TWO')]), inWorktree(at, [replaced('two', 'II')])];
    expect(at.guard('agent', 'merge', one).exit).toBe(0);
    const before = at.at.git('rev-parse', 'HEAD');
    const told = at.guard('agent', 'merge', two, '--json');
    expect(told.exit).toBe(1);
    expect(told.json()).toMatchObject({
      error: { code: 'GUARD_ERR_AGENT', facts: { why: 'conflicts', files: 'a.txt' } },
    });
    expect(at.at.git('rev-parse', 'HEAD')).toBe(before);
    expect(at.at.git('status', '--porcelain', '-uno')).toBe('');
    expect(changes(at).worktrees).toMatchObject([{ agentId: two, conflicts: [{ path: 'a.txt' }] }]);
  });

  it('refuses a file that somebody holds, and one with changes of its own here', () => {
    const at = committed({ files: LINES });
    const id = inWorktree(at, [replaced('two', 'TWO')]);
    expect(at.guard('lock', 'try', 'a.txt', '--agent', 'other').exit).toBe(0);
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'held' } },
    });
    at.guard('lock', 'release', 'a.txt', '--agent', 'other');
    at.at.put('a.txt', 'mine\n');
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'git' } },
    });
    expect(at.at.read('a.txt')).toBe('mine\n');
    at.at.git('checkout', 'a.txt');
    expect(at.guard('agent', 'merge', id).exit).toBe(0);
  });

  it('keeps a lock that its caller had', () => {
    const at = committed({ files: LINES });
    const id = inWorktree(at, [replaced('two', 'TWO')]);
    const me = at.as('claude-me', 'lock', 'try', 'a.txt');
    expect(me.exit).toBe(0);
    expect(at.as('claude-me', 'agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'access' } },
    });
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'held' } },
    });
  });

  it('is for its drafter and what drafted that, and for no other agent', () => {
    const at = committed({ files: LINES });
    const lead = at.draft('lead', ['hang']);
    const draft = (who: string): string => {
      const told = at.as(
        who,
        'agent',
        'draft',
        '--role',
        'dev',
        '--worktree',
        '--json',
        'sh echo n > n\nresult Done.',
      );
      return (told.json() as { agentId: string }).agentId;
    };
    const id = draft(lead);
    at.await(id);
    const other = at.draft('lead', ['hang']);
    expect(at.as(other, 'agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'access' } },
    });
    expect(at.as(other, 'agent', 'discard', id).exit).toBe(1);
    expect(at.as(lead, 'agent', 'merge', id).exit).toBe(0);
    expect(at.at.read('n')).toBe('n\n');
  });

  it('brings what guards the repository only for a person', () => {
    const at = committed({ files: LINES });
    const lead = at.draft('lead', ['hang']);
    const step = 'sh mkdir -p .agents/roles && echo {} > .agents/roles/more.json';
    const told = at.as(
      lead,
      'agent',
      'draft',
      '--role',
      'dev',
      '--worktree',
      '--json',
      `${step}\nresult Done.`,
    );
    const { agentId: id } = told.json() as { agentId: string };
    at.await(id);
    expect(at.as(lead, 'agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'protected' } },
    });
    expect(at.guard('agent', 'merge', id).exit).toBe(0);
  });

  it('waits for no agent that is at work', () => {
    const at = committed({ files: LINES });
    const id = at.draft('dev', ['hang'], '--worktree');
    expect(at.guard('agent', 'merge', id, '--json').json()).toMatchObject({
      error: { facts: { why: 'at_work' } },
    });
  });
});

describe('guard agent discard', () => {
  it('takes worktree and branch away, and names the commit that has what was in it', () => {
    const at = committed({ files: LINES });
    const id = inWorktree(at, ['sh echo lost > n']);
    const dir = at.await(id).worktree?.dir ?? '';
    const { commit, branch } = at.guard('agent', 'discard', id, '--json').json() as {
      commit: string;
      branch: string;
    };
    expect(existsSync(dir)).toBe(false);
    expect(at.at.git('branch', '--list', branch)).toBe('');
    expect(at.at.git('show', `${commit}:n`)).toBe('lost\n');
    expect(at.await(id).worktree).toMatchObject({ kept: false, settled: { how: 'discarded', commit } });
    expect(changes(at).worktrees).toEqual([]);
  });
});
