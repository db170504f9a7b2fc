import { expect, test } from 'vitest';
import { resolveAlias } from '../../src/git/alias.ts';
import type { Git } from '../../src/git/ask.ts';
import { gitWords } from '../../src/git/words.ts';

const meant = (text: string): unknown => {
  const git = (() => text) as unknown as Git;
  const found = resolveAlias(gitWords(['save', '-q'], '/repo'), git);
  return found !== null && 'command' in found ? [found.command, ...found.args] : found;
};

test.each([
  ['stash push', ['stash', 'push', '-q']],
  ['!git stash push --include-untracked', ['stash', 'push', '--include-untracked', '-q']],
  ['!git add -A && git stash', { shell: 'git add -A && git stash' }],
  ['!git reset --hard $1', { shell: 'git reset --hard $1' }],
  ['!./save.sh', { shell: './save.sh' }],
])('an alias for %s', (text, expected) => {
  expect(meant(text)).toEqual(expected);
});
