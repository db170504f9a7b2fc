/** Locks in two worktrees of one repository, through hooks and commands as real processes. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, fieldsOf, GUARD, runLater, scratch, type Scratch, Session, wrongs } from './driver.ts';

interface Two {
  readonly at: Scratch;
  readonly wa: string;
  readonly wb: string;
}

function twoWorktrees(lease_scope: string): Two {
  const at = scratch({
    files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'guard.config.json': JSON.stringify({ lease_scope }) },
  });
  at.git('add', '.');
  at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
  const [wa, wb] = ['wa', 'wb'].map((name) => join(at.home, name)) as [string, string];
  for (const dir of [wa, wb]) at.git('worktree', 'add', '-q', dir);
  return { at, wa, wb };
}

function sessionIn(at: Scratch, dir: string): Session {
  const agent = new Session(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
  agent.start();
  agent.prompt();
  return agent;
}

const shell = (agent: Session, command: string): Answer =>
  agent.fire('PreToolUse', fieldsOf(agent.call('Bash', { command })));

const lock = (at: Scratch, agent: Session, file: string) =>
  at.guard('lock', 'try', file, '--agent', agent.name, '--json').json() as {
    readonly results: readonly Record<string, unknown>[];
    readonly notes?: readonly string[];
  };

describe('two agents in two worktrees', () => {
  it('that are told: both have the lock, and the second one learns of the first, once', () => {
    const { at, wa, wb } = twoWorktrees('told');
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    expect(lock(at, one, `${wa}/a.txt`).results).toMatchObject([{ acquired: true }]);
    const got = lock(at, two, `${wb}/a.txt`);
    expect(got.results).toMatchObject([
      { acquired: true, elsewhere: [{ checkout: 'wa', agent: one.name, does: 'holds' }] },
    ]);
    expect(got.notes?.join()).toContain('worktree wa');
    expect(lock(at, two, `${wb}/a.txt`).notes).toBeUndefined();
    one.read(`${wa}/a.txt`);
    one.edit(`${wa}/a.txt`, 'one', 'two');
    two.read(`${wb}/a.txt`);
    const { pre, post } = two.edit(`${wb}/a.txt`, 'one', 'three');
    expect(pre.exit).toBe(0);
    expect(pre.context).toContain(`${one.name} changed "a.txt" in worktree wa`);
    expect(post?.context).not.toContain('changed "a.txt"');
    expect(two.edit(`${wb}/a.txt`, 'three', 'four').post?.context).not.toContain('worktree');
  });

  it('the hook says after a write who changed the same path elsewhere', () => {
    const { at, wa, wb } = twoWorktrees('told');
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    lock(at, one, `${wa}/a.txt`);
    one.read(`${wa}/a.txt`);
    one.edit(`${wa}/a.txt`, 'one', 'two');
    one.stopped();
    lock(at, two, `${wb}/b.txt`);
    lock(at, two, `${wb}/a.txt`);
    expect(at.guard('verify').exit).toBe(0);
    two.read(`${wb}/b.txt`);
    expect(two.edit(`${wb}/b.txt`, 'one', 'three').post?.context ?? '').not.toContain('worktree');
  });

  it('that are told: a session learns at its start who works in other worktrees, and conflicts name them', () => {
    const { at, wa, wb } = twoWorktrees('told');
    const one = sessionIn(at, wa);
    lock(at, one, `${wa}/a.txt`);
    const main = new Session(at, {});
    expect(main.start().context).toContain(`At work in other worktrees: ${one.name} in wa (branch wa)`);
    const two = new Session(at, { cwd: wb, env: { CLAUDE_PROJECT_DIR: wb } });
    const [, told = ''] = /At work in other worktrees: (.*)/.exec(two.start().context) ?? [];
    expect(told.split(', ')).toEqual([
      `${one.name} in wa (branch wa)`,
      expect.stringMatching(new RegExp(`^${main.name} in the main checkout \\(branch \\w+\\)$`)),
    ]);
    main.end();
    two.prompt();
    const asked = at.guard('conflicts', '*.txt', '--agent', two.name, '--json');
    expect(asked.exit).toBe(0);
    expect(asked.json()).toMatchObject({
      clear: ['*.txt'],
      elsewhere: [
        { held_by: one.name, checkout: 'wa', branch: 'wa', requested: '*.txt', pattern: '//wa/a.txt' },
      ],
    });
    one.stopped();
    expect(at.guard('conflicts', '*.txt', '--agent', two.name, '--json').json()).not.toHaveProperty(
      'elsewhere',
    );
  });

  it('together: one has it, the other is denied in its own worktree, and told where the first works', () => {
    const { at, wa, wb } = twoWorktrees('together');
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    expect(lock(at, one, `${wa}/a.txt`).results).toMatchObject([{ acquired: true }]);
    expect(lock(at, two, `${wb}/a.txt`).results).toMatchObject([
      { acquired: false, holder: one.name, checkout: 'wa', filepath: `${wb}/a.txt` },
    ]);
    two.read(`${wb}/a.txt`);
    const denied = two.edit(`${wb}/a.txt`, 'one', 'two').pre;
    expect(wrongs(denied)).toEqual(['LOCKED_BY_OTHER']);
    expect(denied.stdout).toContain('in worktree wa');
    one.read(`${wa}/a.txt`);
    expect(one.edit(`${wa}/a.txt`, 'one', 'two').post?.exit).toBe(0);
    expect(at.guard('status', '--json').json()).toMatchObject({
      leases: [{ path: 'a.txt', holder: one.name, checkout: 'wa' }],
    });
    one.stopped();
    expect(lock(at, two, `${wb}/a.txt`).results).toMatchObject([{ acquired: true }]);
    expect(two.edit(`${wb}/a.txt`, 'one', 'two').post?.exit).toBe(0);
    expect(at.guard('verify').exit).toBe(0);
  });

  it('together: a command line in one does not write what is locked in the other', () => {
    const { at, wa, wb } = twoWorktrees('together');
    const [one, two] = [sessionIn(at, wa), sessionIn(at, wb)];
    lock(at, one, `${wa}/a.txt`);
    expect(wrongs(shell(two, `echo x > ${wb}/a.txt`))).toContain('LOCKED_BY_OTHER');
    expect(wrongs(shell(two, `rm -r ${wb}`))).toContain('LOCKED_BY_OTHER');
    expect(shell(two, `echo x > ${wb}/c.txt`).exit).toBe(0);
  });

  it('together: of many that ask at once from two worktrees one has it', async () => {
    const { at, wa, wb } = twoWorktrees('together');
    const tries = await Promise.all(
      Array.from({ length: 8 }, async (_, nth) => {
        const dir = nth % 2 === 0 ? wa : wb;
        const args = [GUARD, 'lock', 'try', 'a.txt', '--agent', `p${nth}`, '--json'];
        const run = await runLater({ args, cwd: dir, env: at.env }).done;
        return (JSON.parse(run.stdout) as { results: { acquired: boolean }[] }).results[0]?.acquired;
      }),
    );
    expect(tries.filter(Boolean)).toHaveLength(1);
  });
});
