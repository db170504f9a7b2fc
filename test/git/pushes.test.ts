/** Command lines that send commits to another repository, and others that only mention it. */
import { beforeAll, expect, test } from 'vitest';
import { lookAtDisk } from '../../src/claude/commands/look.ts';
import { pushes } from '../../src/git/pushes.ts';
import { monotonic } from '../../src/repo/clock.ts';
import { readLine } from '../../src/shell/read-line.ts';
import { git, GIT_ENV, scratchDir } from '../repo/scratch.ts';

let root = '';
beforeAll(() => {
  root = scratchDir();
  git(root, 'init', '-q', '--template=', '.');
  git(root, 'config', 'alias.up', 'push origin HEAD');
  git(root, 'config', 'alias.ship', '!git fetch && git push');
  git(root, 'config', 'alias.save', 'stash push');
});

const isPush = (line: string): boolean => {
  const { git: calls } = readLine(line, { cwd: root, home: '/', env: {}, look: lookAtDisk() });
  return calls.some((call) => pushes(call, { env: GIT_ENV, until_ms: monotonic() + 5_000 }));
};

test.each([
  'git push',
  'git -C x push',
  'git --no-pager push',
  'git -c push.default=current push origin HEAD',
  'cd "$SOMEWHERE" && git push',
  'git commit -m x && git push',
  'bash -c "git push"',
  'sudo git push',
  'git $VERB origin push',
  'git up',
  'git ship',
  'git subtree push --prefix=x origin main',
  'git lfs push origin main',
  'git submodule foreach git push',
])('%s is a push', (line) => {
  expect(isPush(line)).toBe(true);
});

test.each([
  'git stash push',
  'git save',
  'git commit -m "push"',
  'git log --grep push',
  'git push --dry-run',
  'git push -n',
  'git branch push',
  'git remote get-url --push origin',
  'git config push.default current',
  'echo git push',
  'git subtree pull --prefix=x origin main',
  'git no-such-command',
])('%s is none', (line) => {
  expect(isPush(line)).toBe(false);
});
