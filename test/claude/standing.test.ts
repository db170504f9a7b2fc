/** An unfinished rebase in one worktree, as shown by status and to an agent that moves its branch from another. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attempt } from '../../src/core/attempt.ts';
import { fieldsOf, scratch, Session, wrongs } from './driver.ts';

test('a branch that is being rebased in another worktree is not moved while an agent works there', () => {
  const at = scratch({ files: { 'a.txt': 'one\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  const tree = join(at.home, 'wt');
  at.git('worktree', 'add', '-q', '-b', 'topic', tree);
  writeFileSync(join(tree, 'a.txt'), 'two\n');
  at.git('-C', tree, 'commit', '-qam', 'two');
  writeFileSync(at.path('a.txt'), 'three\n');
  at.git('commit', '-qam', 'three');
  const onto = at.git('rev-parse', 'HEAD').trim();
  const status = () => at.guard('status', '--json').json() as { readonly standing: unknown };
  expect(status().standing).toEqual([]);
  attempt(() => at.git('-C', tree, 'rebase', onto), '');
  expect(status().standing).toEqual([{ checkout: 'wt', operation: 'rebase' }]);
  expect(at.guard('status').stdout).toContain('A rebase is half done in worktree wt');

  const [me, other] = [new Session(at), new Session(at, { cwd: tree, env: { CLAUDE_PROJECT_DIR: tree } })];
  me.start();
  me.prompt();
  const line = `git update-ref refs/heads/topic ${onto}`;
  const said = () => me.fire('PreToolUse', fieldsOf(me.call('Bash', { command: line })));
  other.start();
  other.prompt();
  const denied = said();
  expect(wrongs(denied)).toEqual(['WORK_OF_OTHERS']);
  expect(denied.stdout).toContain('A rebase of topic is in progress in');
  expect(denied.stdout).toContain('rebase');
  other.end();
  expect(wrongs(said())).toEqual([]);
});
