/** DEADLOCK in hooks, and the text of a denial when the lock tools are registered. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, type Scratch, type Session, working, wrongs } from './driver.ts';

const FILES = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' };

async function until(check: () => boolean): Promise<void> {
  for (let n = 0; n < 200 && !check(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(check()).toBe(true);
}

const startWaiting = (agent: Session, file: string) =>
  agent.scratch.startGuard(agent.env, 'lock', 'wait', agent.scratch.path(file), '--timeout', '30s', '--json');

/** The older holds a, the younger b and c; the younger waits for a, the older for b: the younger must release b. */
async function closed(): Promise<{
  at: Scratch;
  old: Session;
  young: Session;
  oldWaits: ReturnType<typeof startWaiting>;
}> {
  const at = scratch({ files: FILES });
  const [old, young] = [working(at), working(at)];
  old.lock('a.txt');
  young.lock('b.txt', 'c.txt');
  const told = startWaiting(young, 'a.txt');
  await until(() => at.log('wait').length > 0);
  const oldWaits = startWaiting(old, 'b.txt');
  expect(JSON.parse((await told.done).stdout)).toMatchObject({ results: [{ error: 'DEADLOCK' }] });
  return { at, old, young, oldWaits };
}

describe('the agent that was chosen to let go', () => {
  it('may not write the files of the circle, and reads the circle and the exact command', async () => {
    const { at, old, young, oldWaits } = await closed();
    young.read('b.txt');
    const denial = expectEnvelope(young.edit('b.txt', 'one', 'two').pre);
    expect(denial.error_type).toBe('DEADLOCK');
    expect(denial.details).toMatchObject({
      victim: young.name,
      cycle: [
        { from: old.name, to: young.name, path: 'b.txt' },
        { from: young.name, to: old.name, path: 'a.txt' },
      ],
    });
    expect(denial.details.next[0]).toBe(denial.details['release']);
    expect(wrongs(young.write('a.txt', 'x').pre)).toEqual(['DEADLOCK', 'LOCKED_BY_OTHER']);
    expect(young.write('c.txt', 'x').pre.exit).toBe(0);
    expect(young.guard('lock', 'release', at.path('b.txt')).exit).toBe(0);
    expect((await oldWaits.done).exit).toBe(0);
    expect(wrongs(young.write('b.txt', 'x').pre)).not.toContain('DEADLOCK');
  });

  it('may write again once the others gave up', async () => {
    const { young, oldWaits } = await closed();
    oldWaits.signal('SIGINT');
    expect((await oldWaits.done).exit).toBe(1);
    young.read('b.txt');
    expect(young.edit('b.txt', 'one', 'two').pre.exit).toBe(0);
  });
});

describe('a circle over files of two checkouts', () => {
  it.each(['tree/b.txt', 'c.txt'])(
    'ends with the command that its victim in a linked worktree is told (%s)',
    async (kept) => {
      const at = scratch({ files: FILES });
      at.git('add', '.');
      at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
      const tree = join(at.root, '..', 'tree');
      at.git('worktree', 'add', '-q', tree);
      const [old, young] = [working(at), working(at, { cwd: tree })];
      const file = kept === 'c.txt' ? at.path(kept) : join(tree, 'b.txt');
      old.lock('a.txt');
      expect(young.guard('lock', 'try', file).exit).toBe(0);
      const told = startWaiting(young, 'a.txt');
      await until(() => at.log('wait').length > 0);
      const oldWaits = at.startGuard(old.env, 'lock', 'wait', file, '--timeout', '30s');
      expect(JSON.parse((await told.done).stdout)).toMatchObject({ results: [{ error: 'DEADLOCK' }] });
      young.read(file);
      const { details } = expectEnvelope(young.edit(file, 'one', 'two').pre);
      expect(details.next[0]).toBe(details['release']);
      expect(details['release']).toContain(file);
      expect(young.bash(details.next[0] ?? '').exit).toBe(0);
      expect((await oldWaits.done).exit).toBe(0);
    },
  );
});

describe('lock enforcement where the lock tools are registered', () => {
  it('the lock enforcement hook blocks writes on unlocked files with the tool to call', () => {
    const { at, agent } = oneAgent({ files: FILES, init: ['--mcp'] });
    const denial = expectEnvelope(agent.write('a.txt', 'x').pre);
    const file = at.path('a.txt');
    expect(denial).toMatchObject({
      error_type: 'NOT_LOCKED',
      message: `File ${file} is not locked. Use lock_try tool with filepaths: ["${file}"]`,
    });
    expect(denial.details.next[0]).toBe(`mcp__guard__lock_try {"filepaths":["${file}"]}`);
  });

  it('a session begins with the workflow in terms of the tools', () => {
    const { agent } = oneAgent({ init: ['--mcp'] });
    const { context } = agent.start();
    expect(context).toContain('1. Call mcp__guard__lock_try with ALL files you plan to change.');
    expect(context).toContain('call mcp__guard__lock_wait');
    expect(context).not.toContain('guard lock try');
  });

  it('and with the command where they are not', () => {
    const { agent } = oneAgent({ files: FILES });
    expect(expectEnvelope(agent.write('a.txt', 'x').pre).details.next[0]).toMatch(
      /guard.* lock try .*a\.txt$/,
    );
  });
});
