/** Queries to git in hostile repositories and in very large ones. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { git, GIT_ENV, put, scratchDir } from '../repo/scratch.ts';
import { ask, freshTree, onDisk, run, sweeping } from './trees.ts';

const base = scratchDir();

/** Every program that a git configuration can name leaves a trace if it runs. */
function hostile(): { root: string; isHit: () => boolean } {
  const root = freshTree(base, 'staged');
  const hit = join(root, '..', 'hit');
  const program = put(join(root, '..', 'evil.sh'), `#!/bin/sh\ntouch ${hit}\ncat\n`);
  chmodSync(program, 0o755);
  put(join(root, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n');
  const config = join(root, '.git/config');
  appendFileSync(config, CONFIG.replaceAll('PROGRAM', program));
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction'])
    chmodSync(put(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${hit}\n`), 0o755);
  return { root, isHit: () => existsSync(hit) };
}

const CONFIG = `
[core]
  fsmonitor = PROGRAM
  pager = PROGRAM
  editor = PROGRAM
  sshCommand = PROGRAM
[diff]
  external = PROGRAM
[diff "evil"]
  command = PROGRAM
  textconv = PROGRAM
[filter "evil"]
  clean = PROGRAM
  smudge = PROGRAM
  process = PROGRAM
  required = true
[merge "evil"]
  driver = PROGRAM
[gpg]
  program = PROGRAM
[alias]
  evil = !PROGRAM
[log]
  showSignature = true
`;

test.each([
  'git stash',
  'git stash pop',
  'git checkout other',
  'git checkout other -- .',
  'git restore .',
  'git reset --hard other',
  'git clean -fdx',
  'git merge other',
  'git rebase other',
  'git cherry-pick other',
  'git add -A',
  'git commit -qam x',
  'git rm -rf src',
  'git evil',
])('a program that the configuration names is not started: %s', (line) => {
  const { root, isHit } = hostile();
  ask(root, line);
  expect(isHit()).toBe(false);
});

test('the trap of these tests works', () => {
  const { root, isHit } = hostile();
  run(root, 'git status');
  expect(isHit()).toBe(true);
});

/** One commit of these files, each with its name as content, and an index of it: a stream costs a tenth of `git add`. */
function commitAs(root: string, names: readonly string[]): void {
  const files = names.map((name) => `M 100644 inline ${name}\ndata ${String(name.length + 1)}\n${name}\n\n`);
  const commit = `commit refs/heads/main\ncommitter a <a@example.com> 1700000000 +0000\ndata 1\n1\n`;
  execFileSync('git', ['fast-import', '--quiet'], {
    cwd: root,
    env: GIT_ENV,
    input: commit + files.join(''),
  });
  git(root, 'read-tree', 'HEAD');
}

test('a repository of 10,000 changed files is answered for', { timeout: 120_000 }, () => {
  const root = scratchDir();
  git(root, 'init', '-q', '--template=', '.');
  const names = Array.from({ length: 10_000 }, (_, nth) => `d${String(nth % 100)}/f${String(nth)}.txt`);
  commitAs(root, names);
  for (const dir of new Set(names.map(dirname))) mkdirSync(join(root, dir));
  for (const name of names) writeFileSync(join(root, name), 'changed\n');
  const started = performance.now();
  expect(onDisk(root, ask(root, 'git stash'))).toHaveLength(10_000);
  if (process.env['GIT_TIMES'] !== undefined)
    console.log('stash, 10,000 dirty:', performance.now() - started);
  const again = performance.now();
  expect(sweeping(ask(root, 'git add -A'))).toHaveLength(10_000);
  if (process.env['GIT_TIMES'] !== undefined) console.log('add -A, 10,000 dirty:', performance.now() - again);
});

test('git that does not answer in time is ended, and that is said', () => {
  const root = freshTree(base, 'dirty');
  const [one] = ask(root, 'git stash', { limit_ms: 0 });
  expect(one).toMatchObject({ is_late: true, touch: {} });
});

test('what only reads costs no process', () => {
  const root = freshTree(base, 'dirty');
  for (const line of [
    'git status',
    'git log',
    'git diff',
    'git push origin main',
    'git fetch',
    'git branch -a',
    'git stash list',
  ])
    expect(
      ask(root, line, { limit_ms: 0 }).filter(({ is_late }) => is_late),
      line,
    ).toEqual([]);
});

test('one act is asked about in a few milliseconds', () => {
  const root = freshTree(base, 'dirty');
  const times = [
    'git stash',
    'git checkout other',
    'git restore .',
    'git reset --hard',
    'git add -A',
    'git commit -am x',
  ].map((line) => {
    const runs = Array.from({ length: 5 }, () => {
      const started = performance.now();
      ask(root, line);
      return performance.now() - started;
    });
    return { line, median: runs.sort((a, b) => a - b)[2] ?? 0 };
  });
  if (process.env['GIT_TIMES'] !== undefined) console.log(times);
  for (const { median } of times) expect(median).toBeLessThan(300);
});
