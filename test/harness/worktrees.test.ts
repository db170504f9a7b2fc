/** What happens to an agent's checkout if the agent leaves it in an unexpected state. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { committed } from './committed.ts';
import { harness, type Harness } from './harness.ts';

const done = (at: Harness, ...steps: readonly string[]) =>
  at.await(at.draft('dev', [...steps, 'result Done.'], '--worktree')).worktree;

describe('a worktree is kept', () => {
  it('where the agent left its branch, with a commit on it', () => {
    const at = committed();
    const left = done(at, 'sh git commit -q --allow-empty -m Work && git checkout -q --detach HEAD~1');
    expect(left).toMatchObject({ commits: 1, kept: true });
    expect(at.at.git('log', '-1', '--format=%s', left?.branch ?? '').trim()).toBe('Work');
  });

  it('as a branch, where the agent removed the directory', () => {
    const at = committed();
    const left = done(at, 'sh echo b > b && git add b && git commit -qm Work; rm -rf "$PWD"');
    expect(left).toMatchObject({ changed: ['b'], commits: 1, kept: true });
    expect(at.at.git('worktree', 'list', '--porcelain')).not.toContain(left?.dir);
    expect(done(at, 'sh rm -rf "$PWD"')).toMatchObject({ changed: [], kept: false });
  });

  it('with so many new files that no list of them is short', () => {
    const at = committed();
    const name = 'a-file-with-a-name-that-is-rather-long-for-a-file';
    const many = `sh mkdir new && cd new && seq -f "${name}-%06g" 25000 | xargs touch`;
    const left = done(at, many);
    expect(left).toMatchObject({ kept: true, commits: 0 });
    expect(left?.changed).toHaveLength(1_001);
    expect(left?.changed?.at(-1)).toBe('… and 24000 more');
  });
});

describe('a worktree', () => {
  it('is removed where the agent changed nothing but removed its branch', () => {
    const at = committed();
    const left = done(at, 'sh b=$(git branch --show-current); git checkout -q --detach; git branch -qD $b');
    expect(left).toMatchObject({ changed: [], kept: false });
    expect(existsSync(left?.dir ?? '')).toBe(false);
  });

  it('is nothing that git add takes for a part of the main checkout', () => {
    const at = committed();
    const left = done(at, 'sh echo b > b');
    expect(existsSync(left?.dir ?? '')).toBe(true);
    at.at.git('add', '-A');
    expect(at.at.git('ls-files')).not.toContain('worktrees');
  });

  it('is where its agent works, though its drafter was told by its environment to work elsewhere', () => {
    const at = committed();
    const outer = { ...at.env, GIT_DIR: at.at.path('.git'), GIT_INDEX_FILE: at.at.path('.git/index') };
    const steps = 'sh echo n > n && git add n && git commit -qm Work\nresult Done.';
    const draft = ['agent', 'draft', '--role', 'dev', '--worktree', '--json', steps];
    const { agentId } = at.at.guardWith(outer, ...draft).json() as { agentId: string };
    expect(at.await(agentId).worktree).toMatchObject({ changed: ['n'], commits: 1 });
    expect(at.at.git('log', '--format=%s').trim()).toBe('Start');
  });

  it('cannot be made where nothing was ever committed, and the agent’s end says so', () => {
    const at = harness();
    const told = at.await(at.draft('dev', ['result Done.'], '--worktree'));
    expect(told).toMatchObject({ status: 'failed' });
    expect(told.reason).toContain('HEAD');
    expect(at.await(at.draft('dev', ['result Done.']))).toMatchObject({ status: 'completed' });
    expect(existsSync(join(at.at.root, '.claude/worktrees'))).toBe(false);
  });

  it('begins with what is committed, and leaves what is not alone', () => {
    const at = committed();
    at.at.put('a.txt', 'open');
    expect(done(at, 'sh test ! -e a.txt && echo clean > seen')).toMatchObject({ changed: ['seen'] });
    expect(at.at.read('a.txt')).toBe('open');
  });
});
