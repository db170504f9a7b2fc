/** Two clones of one origin that share a ledger, seen by the hooks of real sessions. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, fieldsOf, GUARD, runNow, scratch, type Scratch, Session, wrongs } from './driver.ts';

interface Two {
  readonly at: Scratch;
  readonly clone: string;
  readonly guardIn: (cwd: string, ...args: readonly string[]) => ReturnType<typeof runNow>;
}

function twoClones(config: object = {}): Two {
  const at = scratch({
    files: { 'a.txt': 'one\ntwo\nthree\n', 'guard.config.json': JSON.stringify(config) },
  });
  at.git('add', '.');
  at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
  const clone = join(at.home, 'clone');
  at.git('clone', '-q', '.', clone);
  const guardIn: Two['guardIn'] = (cwd, ...args) => runNow({ args: [GUARD, ...args], cwd, env: at.env });
  const joined = guardIn(clone, 'init', '--join', at.root);
  expect(joined.stderr).toContain('shares the ledger');
  return { at, clone, guardIn };
}

function sessionIn(at: Scratch, dir: string): Session {
  const agent = new Session(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
  agent.start();
  agent.prompt();
  return agent;
}

const lockIn = ({ guardIn }: Two, agent: Session, file: string) =>
  JSON.parse(guardIn(agent.cwd, 'lock', 'try', file, '--agent', agent.name, '--json').stdout) as object;

const shell = (agent: Session, command: string): Answer =>
  agent.fire('PreToolUse', fieldsOf(agent.call('Bash', { command })));

describe('two agents in two clones that share a ledger', () => {
  it('are told of each other at the start and at the edit, with the lines', () => {
    const two = twoClones();
    const one = sessionIn(two.at, two.clone);
    lockIn(two, one, 'a.txt');
    const other = new Session(two.at, {});
    expect(other.start().context).toMatch(
      new RegExp(`At work in other worktrees: ${one.name} in ~clone-\\w+`),
    );
    other.prompt();
    one.read(join(two.clone, 'a.txt'));
    expect(one.edit(join(two.clone, 'a.txt'), 'two', 'TWO').post?.exit).toBe(0);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', two.clone, '-c', 'user.email=a@b', '-c', 'user.name=x', ...args]);
    git('commit', '-qam', 'two');
    lockIn(two, other, 'a.txt');
    other.read('a.txt');
    const { pre } = other.edit('a.txt', 'two', 'deux');
    expect(pre.exit).toBe(0);
    expect(pre.context).toContain(`${one.name} changed "a.txt" in worktree ~clone-`);
    expect(pre.context).toContain('committed');
    expect(pre.context).toContain('line 2 there');
    // And the reverse: in the clone, about the checkout that has the ledger.
    one.read(join(two.clone, 'a.txt'));
    const back = one.edit(join(two.clone, 'a.txt'), 'three', 'THREE').pre;
    expect(back.context).toContain(`${other.name} changed "a.txt" in the main checkout`);
  });

  it('together: one has the lease, and the other is denied in its own clone', () => {
    const two = twoClones({ lease_scope: 'together' });
    const [one, other] = [sessionIn(two.at, two.clone), sessionIn(two.at, two.at.root)];
    lockIn(two, one, 'a.txt');
    other.read('a.txt');
    const denied = other.edit('a.txt', 'two', 'deux').pre;
    expect(wrongs(denied)).toEqual(['LOCKED_BY_OTHER']);
    expect(denied.stdout).toContain('worktree ~clone-');
    one.read(join(two.clone, 'a.txt'));
    expect(one.edit(join(two.clone, 'a.txt'), 'two', 'TWO').post?.exit).toBe(0);
    one.stopped();
    lockIn(two, other, 'a.txt');
    expect(other.edit('a.txt', 'two', 'deux').post?.exit).toBe(0);
  });

  it("names of git are each clone's own: a lock of its stash says nothing of the other stash", () => {
    const two = twoClones();
    const [one, other] = [sessionIn(two.at, two.clone), sessionIn(two.at, two.at.root)];
    expect(lockIn(two, one, '@git/stash')).toMatchObject({ all_acquired: true });
    expect(lockIn(two, other, '@git/stash')).toMatchObject({ all_acquired: true });
    expect(lockIn(two, one, '@git/refs/heads/main')).toMatchObject({ all_acquired: true });
    expect(shell(other, 'git stash').exit).toBe(0);
    const third = sessionIn(two.at, two.clone);
    expect(wrongs(shell(third, 'git stash'))).toEqual(['LOCKED_BY_OTHER']);
  });

  it('an agent of one clone writes in the other by its name there, and is judged by the one ledger', () => {
    const two = twoClones();
    const [one, other] = [sessionIn(two.at, two.clone), sessionIn(two.at, two.at.root)];
    lockIn(two, one, 'a.txt');
    other.read(join(two.clone, 'a.txt'));
    expect(wrongs(other.edit(join(two.clone, 'a.txt'), 'two', 'deux').pre)).toContain('LOCKED_BY_OTHER');
    const own = join(two.clone, '.git/guard/ledger');
    expect(wrongs(other.write(own, '{}').pre)).toEqual(['PROTECTED_PATH']);
  });

  it('a copy of the clone, and a clone without its ledger, are denied', () => {
    const two = twoClones();
    const copy = join(two.at.home, 'copy');
    cpSync(two.clone, copy, { recursive: true });
    const agent = new Session(two.at, { cwd: copy, env: { CLAUDE_PROJECT_DIR: copy } });
    agent.prompt();
    expect(agent.edit(join(copy, 'a.txt'), 'two', 'deux').post).toBeNull();
    rmSync(join(two.at.root, '.git'), { recursive: true });
    const lost = new Session(two.at, { cwd: two.clone, env: { CLAUDE_PROJECT_DIR: two.clone } });
    lost.prompt();
    const { pre, post } = lost.edit(join(two.clone, 'a.txt'), 'two', 'deux');
    expect(post).toBeNull();
    expect(pre.stdout + pre.stderr).toContain('guard init --join');
  });
});
