/** Worktrees made by guard equal those the client makes itself; unchanged ones of subagents are removed as well. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { failedHooks, userSettings } from './client/guarded.ts';
import { obedient } from './client/obedient.ts';
import { bash, delegate } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situationWith, type Stage } from './client/stage.ts';

const FILES = {
  'a.txt': 'one\n',
  'sub/b.txt': 'b\n',
  '.gitignore': '.env\n*.secret\nnode_modules\n.claude/\n',
  '.worktreeinclude': '*.secret\n.env\n!sub/y.secret\n',
  '.husky/pre-commit': '#!/bin/sh\n',
};

/** With an origin, another branch checked out, a change, and hooks with a relative path. */
function repository(stage: Stage, hooked: boolean, worktree: object): Scratch {
  const scratch = stage.scratch(FILES);
  const origin = join(scratch.root, 'origin.git');
  scratch.git('init', '-q', '--bare', origin);
  scratch.git('remote', 'add', 'origin', origin);
  scratch.git('push', '-q', 'origin', 'main');
  scratch.git('remote', 'set-head', 'origin', 'main');
  scratch.git('switch', '-q', '-c', 'work');
  scratch.git('commit', '-q', '--allow-empty', '-m', 'on work');
  scratch.git('config', 'core.hooksPath', '.husky');
  for (const name of ['.env', 'sub/x.secret', 'sub/y.secret', 'node_modules/x/i.js'])
    scratch.write(name, name);
  scratch.write('a.txt', 'dirty\n');
  userSettings(scratch, { permissions: { allow: ['Bash'] }, worktree });
  const told = scratch.guard('init', '--scope', 'user', ...(hooked ? ['--worktrees'] : []));
  expect(told.code, told.stderr).toBe(0);
  const settings = readFileSync(join(scratch.home, '.claude/settings.json'), 'utf8');
  expect(settings.includes('WorktreeCreate')).toBe(hooked);
  return scratch;
}

/** What exists while its agent works, without what differs from run to run. */
function seen(scratch: Scratch, name: string): Readonly<Record<string, unknown>> {
  const dir = scratch.path(join('.claude/worktrees', name));
  const git = (...args: readonly string[]) => scratch.git('-C', dir, ...args).trim();
  const text = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const own = git('rev-parse', '--absolute-git-dir');
  const plain = (said: string | null) =>
    (said ?? '')
      .replaceAll(scratch.root, 'ROOT')
      .replaceAll(name, 'NAME')
      .replace(/pid \d+ start \d+/, 'PROCESS');
  return {
    files: plain(git('ls-files', '--stage')),
    status: plain(git('status', '--short', '--ignored', '--untracked-files=all')),
    link: plain(existsSync(join(dir, 'node_modules')) ? git('rev-parse', '--show-toplevel') : null),
    disk: [
      'a.txt',
      'sub/b.txt',
      '.env',
      'sub/x.secret',
      'sub/y.secret',
      'node_modules/x/i.js',
      '.husky/pre-commit',
    ].map((path) => text(join(dir, path))),
    head: plain(git('symbolic-ref', 'HEAD')),
    is_origins: git('rev-parse', 'HEAD') === scratch.git('rev-parse', 'origin/main').trim(),
    is_base: text(join(own, 'CLAUDE_BASE')) === git('rev-parse', 'HEAD'),
    lock: plain(text(join(own, 'locked'))),
    config: plain(scratch.git('config', '--local', '--list'))
      .split('\n')
      .sort(),
    others: plain(scratch.git('status', '--short')),
  };
}

const SETTINGS: Readonly<Record<string, object>> = {
  'as they are': { symlinkDirectories: ['node_modules', 'missing'] },
  'with a part of the tree, from what is checked out': { sparsePaths: ['sub'], baseRef: 'head' },
};

for (const [named, worktree] of Object.entries(SETTINGS))
  situationWith('subagent_start')(`a session's own worktree is the same, ${named}`, async ({ stage }) => {
    const shots: unknown[] = [];
    for (const hooked of [false, true]) {
      const scratch = repository(stage, hooked, worktree);
      const agent = obedient(async function* (hands) {
        shots.push(seen(scratch, 'own'));
        yield* hands.call(bash('true'));
      });
      const play = { prompt: '[[main]] Work.', args: ['--worktree', 'own'] };
      const { run } = await stage.play(scratch, { main: agent.turn }, play);
      expect(run.code, run.stderr).toBe(0);
      expect(failedHooks(run)).toEqual([]);
    }
    expect(shots).toHaveLength(2);
    expect(shots[1]).toEqual(shots[0]);
    expect(shots[0]).toMatchObject({ lock: 'claude session NAME (PROCESS)\n' });
  });

situationWith('subagent_start')('a subagent has the same, and leaves none unchanged', async ({ stage }) => {
  const shots: unknown[] = [];
  for (const hooked of [false, true]) {
    const scratch = repository(stage, hooked, { symlinkDirectories: ['node_modules'] });
    const trees = () => scratch.git('worktree', 'list', '--porcelain').match(/agent-\w+$/gm) ?? [];
    const child = obedient(async function* (hands) {
      shots.push(seen(scratch, trees()[0] ?? ''));
      yield* hands.call(bash('true'));
    });
    const main = obedient(async function* (hands) {
      yield* hands.call(delegate('child', { isolation: 'worktree' }));
    });
    const scenario = { main: main.turn, child: child.turn };
    const { run } = await stage.play(scratch, scenario, { prompt: '[[main]] Delegate.', mode: 'default' });
    expect(run.code, run.stderr).toBe(0);
    expect(failedHooks(run)).toEqual([]);
    expect(trees()).toEqual([]);
    expect(scratch.git('branch', '--list', 'worktree-*')).toBe('');
  }
  expect(shots).toHaveLength(2);
  expect(shots[1]).toEqual(shots[0]);
});
