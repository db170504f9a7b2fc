/** Leaving a conflict while another agent works: changes that are only on disk survive `merge --abort`, as in git. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { scratch, type Scratch, Session } from './driver.ts';

function conflict(): Scratch {
  const at = scratch({ files: { 'a.txt': '1\n', 'm.txt': '1\n' } });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  at.git('branch', '-M', 'main');
  at.git('checkout', '-qb', 'other');
  at.put('m.txt', 'other\n');
  at.git('commit', '-qam', '2');
  at.git('checkout', '-q', 'main');
  at.put('m.txt', 'main\n');
  at.git('commit', '-qam', '3');
  return at;
}

/** The agent that aborts, and the agent that works next to it. */
function atWork(at: Scratch): [Session, Session] {
  const [me, holder] = [new Session(at), new Session(at)];
  me.prompt();
  holder.prompt();
  return [me, holder];
}

function changeFile(holder: Session): void {
  holder.lock('a.txt');
  holder.read('a.txt');
  expect(holder.edit('a.txt', '1\n', 'theirs\n').post?.exit).toBe(0);
}

test.each([
  ['merge other', 'merge --abort'],
  ['cherry-pick other', 'cherry-pick --abort'],
])('after git %s, git %s passes, and the other agent’s work stays', (start, abort) => {
  const at = conflict();
  const [me, holder] = atWork(at);
  changeFile(holder);
  spawnSync('git', start.split(' '), { cwd: at.root, env: at.env });
  expect(at.git('status', '-s', 'm.txt')).toMatch(/^(?:UU|UD|DU|AA)/);
  expect(me.pre(me.call('Bash', { command: `git ${abort}` })).denial).toBeNull();
  at.git(...abort.split(' '));
  expect(at.read('a.txt')).toBe('theirs\n');
});

test('what the other agent has staged goes with it: refused', () => {
  const at = conflict();
  const [me, holder] = atWork(at);
  spawnSync('git', ['merge', 'other'], { cwd: at.root, env: at.env });
  changeFile(holder);
  at.git('add', 'a.txt');
  const { denial } = me.pre(me.call('Bash', { command: 'git merge --abort' }));
  expect(denial?.error_type).toBe('LOCKED_BY_OTHER');
});

/** Stopped while applying the other branch's commit as a mail, which does not apply here. */
function stoppedMail(): Scratch {
  const at = conflict();
  const mail = at.git('format-patch', '-1', '--stdout', 'other');
  at.put('.git/mail', mail);
  spawnSync('git', ['am', '-3', '.git/mail'], { cwd: at.root, env: at.env });
  expect(at.git('status', '-s', 'm.txt')).toMatch(/^UU/);
  return at;
}

test.each(['am --abort', 'am --skip'])('git %s passes, and what is changed on disk alone stays', (line) => {
  const at = stoppedMail();
  const [me, holder] = atWork(at);
  changeFile(holder);
  expect(me.pre(me.call('Bash', { command: `git ${line}` })).denial).toBeNull();
  at.git(...line.split(' '));
  expect(at.read('a.txt')).toBe('theirs\n');
});

test('git rebase --abort resets all of the checkout, so it is refused', () => {
  const at = conflict();
  const [me, holder] = atWork(at);
  spawnSync('git', ['rebase', 'other'], { cwd: at.root, env: at.env });
  changeFile(holder);
  const { denial } = me.pre(me.call('Bash', { command: 'git rebase --abort' }));
  expect(denial?.error_type).toBe('LOCKED_BY_OTHER');
  at.git('rebase', '--abort');
  expect(at.read('a.txt')).toBe('1\n');
});
