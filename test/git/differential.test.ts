/** Compares the forecast with the content git really changes: it never misses a file and rarely names too many. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scratchDir } from '../repo/scratch.ts';
import { ask, difference, freshTree, onDisk, run, snapshot } from './trees.ts';
import type { Options, Tree } from './trees.ts';

interface Play extends Options {
  readonly line: string;
  /** Runs first, before the forecast. */
  readonly before?: string;
}

const PATCH = `--- a/m.txt\n+++ b/m.txt\n@@ -1,3 +1,3 @@\n 1 m.txt\n-2\n+2 patched\n 3\n`;

const PLAYS: readonly Play[] = [
  ...[
    'git stash',
    'git stash push -q -- a.txt',
    'git stash push -u',
    'git stash -a',
    'git stash push -k',
    'git stash push --staged',
    'git stash save words of mine',
    'git stash push -u -- fresh',
    'git stash && git stash pop',
    'git stash pop',
    'git stash apply stash@{0}',
    'git stash drop',
    'git stash clear',
    'git stash list',
    'git checkout other',
    'git checkout -f other',
    'git checkout -q -',
    'git checkout -b fresh-branch',
    'git checkout -B topic',
    'git checkout -b from-other other',
    'git checkout --detach',
    'git checkout .',
    'git checkout -- src',
    'git checkout HEAD -- .',
    'git checkout other -- m.txt',
    'git checkout other src/h.txt',
    'git checkout a.txt m.txt',
    'git switch other',
    'git switch -c s2',
    'git switch -C topic other',
    'git switch --discard-changes other',
    'git switch --orphan empty',
    'git restore .',
    'git restore --staged .',
    'git restore --staged --worktree .',
    'git restore --source=other -- .',
    'git restore -s other -SW src',
    'git reset',
    'git reset --hard',
    'git reset --har other',
    'git reset --merge',
    'git reset --keep other',
    'git reset --soft other',
    'git reset -- a.txt',
    'git clean -f',
    'git clean -fd',
    'git clean -fdx',
    'git clean -fX',
    'git clean -n',
    'git clean -f -e untracked.txt',
    'git merge other',
    'git merge --no-ff -m x other',
    'git merge topic',
    'git merge -s ours other',
    'git rebase other',
    'git rebase --autostash other',
    'git cherry-pick other',
    'git cherry-pick -n other',
    'git revert --no-edit HEAD',
    'git rm -q m.txt',
    'git rm -rqf src',
    'git rm -q --cached m.txt',
    'git mv m.txt q.txt',
    'git mv src lib',
    'git mv m.txt src',
    'git add -A',
    'git add .',
    'git commit -qam x',
    'git commit -qm x a.txt',
    'git pull -q . other',
    'git read-tree -u -m other',
    'git read-tree -u --reset other',
    'git checkout-index -f -a',
    'git update-ref refs/heads/topic other',
    'git branch -D topic',
    'git tag x',
    'git gc -q',
    'git status',
    'git diff --stat',
    'git diff --output=diff.out',
    'git sparse-checkout set src',
    'git bisect start other main',
    'git bisect start other main && git bisect reset',
  ].map((line) => ({ line })),
  { line: 'git checkout .', cwd: 'src' },
  { line: 'git restore -- h.txt', cwd: 'src' },
  { line: 'git stash push -- .', cwd: 'src' },
  { line: 'git clean -fd', cwd: 'src' },
  { line: 'git mv deep ../deeper', cwd: 'src' },
  { line: 'git -C src checkout .' },
  { line: 'git checkout -- :/', cwd: 'src' },
  { line: 'git checkout -- *.txt :!a.txt' },
  { line: 'git --git-dir=.git --work-tree=. checkout .' },
  { line: 'git reset --hard', env: { GIT_DIR: '.git', GIT_WORK_TREE: '.' } },
  { line: 'git restore --pathspec-from-file=-', stdin: 'a.txt\nm.txt\n' },
  { line: 'git apply', stdin: PATCH },
  { line: 'git apply --index -', stdin: PATCH },
  {
    line: 'git apply -R',
    stdin: PATCH.replaceAll('2 patched', '2 x').replace('-2\n', '-2 y\n').replace('+2 x', '+2'),
  },
  { line: 'git apply --cached', stdin: PATCH },
  { line: 'git apply --check', stdin: PATCH },
  { line: 'git merge --abort', before: 'git merge topic other' },
  { line: 'git cherry-pick --abort', before: 'git switch -q topic; git cherry-pick other' },
  { line: 'git cherry-pick --skip', before: 'git switch -q topic; git cherry-pick other' },
  {
    line: 'git rebase --abort',
    before: 'sed -i "s/^2/2 mine/" m.txt; git commit -qam mine; git rebase other',
  },
  {
    line: 'git rebase --skip',
    before: 'sed -i "s/^2/2 mine/" m.txt; git commit -qam mine; git rebase other',
  },
  { line: 'git merge other', before: 'git switch -q topic' },
  { line: 'git cherry-pick other', before: 'git switch -q topic' },
  { line: 'git rebase other', before: 'git switch -q topic' },
  {
    line: 'git rebase other',
    before: 'git switch -q other; git reset -q --hard HEAD~1; git switch -q topic',
  },
  { line: 'git st', before: 'git config alias.st "stash push"' },
  { line: 'git undo', before: `git config alias.undo "checkout -- 'a.txt'"` },
];

const TREES: readonly Tree[] = ['clean', 'dirty', 'staged'];
const base = scratchDir();
let pairs = 0;
let carried = 0;
const wider: string[] = [];

describe.each(TREES)('in a %s tree', (tree) => {
  test.each(
    PLAYS.filter((_, nth) => tree !== 'clean' || nth % 3 === 0).map((play) => ({
      ...play,
      label: `${play.before === undefined ? '' : `${play.before}; `}${play.line}`,
    })),
  )('$label ($cwd)', { timeout: 60_000 }, ({ line, before, ...options }) => {
    const root = freshTree(base, tree);
    if (before !== undefined) run(root, before);
    const was = snapshot(root);
    const found = ask(root, line, options);
    expect(found.filter(({ is_late }) => is_late)).toEqual([]);
    const foreseen = onDisk(root, found);
    expect(difference(was, snapshot(root)), 'asking changes nothing').toEqual([]);
    const done = run(root, line, options);
    const changed = difference(was, snapshot(root));
    pairs += 1;
    const isForeseen = (path: string) => foreseen.some((one) => path === one || path.startsWith(`${one}/`));
    expect(changed.filter((path) => !isForeseen(path))).toEqual([]);
    // Only acts that git carries out count; a refused command changes nothing.
    if (done === 0) carried += 1;
    const more = foreseen.filter(
      (one) => !changed.some((path) => path === one || path.startsWith(`${one}/`)),
    );
    if (done === 0 && more.length > 0) wider.push(`${tree}: ${line}: ${more.join(' ')}`);
    rmSync(root, { recursive: true });
  });
});

test('foreseen is just what happens in most of them', () => {
  expect(pairs).toBeGreaterThanOrEqual(80);
  expect(carried).toBeGreaterThan(150);
  expect(wider.length, wider.join('\n')).toBeLessThan(0.08 * carried);
});
