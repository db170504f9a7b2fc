/** A lock's answer lists the files that changed since the caller read them: one round of reads instead of one refusal per file. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GUARD, oneAgent, runLater, type Session, working } from '../claude/driver.ts';
import { serve } from '../mcp/client.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' };

interface Row {
  readonly filepath: string;
  readonly acquired: boolean;
  readonly changed?: object;
}
const rowsOf = (told: { json(): unknown }): readonly Row[] => (told.json() as { results: Row[] }).results;
const lockTry = (agent: Session, ...given: readonly string[]): readonly Row[] =>
  rowsOf(agent.guard('lock', 'try', '--json', ...given));
const changedIn = (rows: readonly Row[]) =>
  Object.fromEntries(rows.map(({ filepath, changed }) => [filepath, changed]));

/** A guarded edit by another agent, which then releases its lock. */
function editBy(other: Session, file: string): void {
  other.lock(file);
  other.read(file);
  other.edit(file, 'one', 'two');
  other.guard('lock', 'release', file);
}

describe('lock try', () => {
  it('says what changed since the caller read it and by whom, and nothing of what did not or was never read', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    for (const file of ['a.txt', 'b.txt']) agent.read(file);
    for (const file of ['a.txt', 'c.txt']) editBy(other, file);
    const rows = lockTry(agent, 'a.txt', 'b.txt', 'c.txt');
    expect(changedIn(rows)).toEqual({ 'a.txt': { since_read: true, by: other.name } });
    expect(rows.every(({ acquired }) => acquired)).toBe(true);
  });

  it('says so in text that leads to the read, after which the edit succeeds and nothing more is said', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.read('a.txt');
    editBy(other, 'a.txt');
    expect(agent.guard('lock', 'try', 'a.txt', 'b.txt').stdout).toBe(
      `locked    a.txt (changed since you read it, by ${other.name}: read it again before you edit it)\nlocked    b.txt\n`,
    );
    agent.read('a.txt');
    expect(lockTry(agent, 'a.txt')[0]?.changed).toBeUndefined();
    expect(agent.edit('a.txt', 'two', 'three').post?.exit).toBe(0);
  });

  it('names "outside" if no guarded write produced the content, and says if the file is gone', () => {
    const { at, agent } = oneAgent({ files });
    for (const file of ['a.txt', 'b.txt']) agent.read(file);
    at.put('a.txt', 'by hand\n');
    rmSync(at.path('b.txt'));
    expect(changedIn(lockTry(agent, 'a.txt', 'b.txt'))).toEqual({
      'a.txt': { since_read: true, by: 'outside' },
      'b.txt': { since_read: true, by: 'outside', gone: true },
    });
    expect(agent.guard('lock', 'try', 'b.txt').stdout).toContain('gone since you read it');
  });

  it('knows what was read in an earlier turn', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    at.put('a.txt', 'by hand\n');
    agent.prompt('go on');
    expect(lockTry(agent, 'a.txt')[0]?.changed).toEqual({ since_read: true, by: 'outside' });
  });

  it('says nothing of a file that the caller does not get', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    at.put('a.txt', 'by hand\n');
    working(at).lock('a.txt');
    expect(lockTry(agent, 'a.txt')).toMatchObject([{ acquired: false }]);
    expect(lockTry(agent, 'a.txt')[0]).not.toHaveProperty('changed');
  });

  it('compares with what the subagent read for a subagent, and with what the parent read for its parent', () => {
    const { at, agent } = oneAgent({ files });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    agent.read('a.txt');
    child.read('b.txt');
    for (const file of ['a.txt', 'b.txt']) at.put(file, 'by hand\n');
    expect(lockTry(child, 'a.txt', 'b.txt').map(({ changed }) => changed !== undefined)).toEqual([
      false,
      true,
    ]);
    child.guard('lock', 'release', 'a.txt', 'b.txt');
    expect(lockTry(agent, 'a.txt', 'b.txt').map(({ changed }) => changed !== undefined)).toEqual([
      true,
      false,
    ]);
  });

  it('opens no pipe that took the place of a file, and leaves large files to the write', () => {
    const { at, agent } = oneAgent({ files });
    for (const file of ['a.txt', 'b.txt', 'c.txt']) agent.read(file);
    rmSync(at.path('a.txt'));
    execFileSync('mkfifo', [at.path('a.txt')]);
    at.put('b.txt', Buffer.alloc((16 << 20) + 1));
    at.put('c.txt', 'by hand\n');
    const rows = lockTry(agent, 'c.txt', 'b.txt', 'a.txt');
    expect(rows).toHaveLength(3);
    expect(rows.map(({ acquired }) => acquired)).toEqual([true, true, true]);
    expect(changedIn(rows)).toEqual({ 'c.txt': { since_read: true, by: 'outside' } });
  });
});

describe('lock wait', () => {
  it('says what the holder changed meanwhile, so that the read comes before the next edit', async () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.read('a.txt');
    other.lock('a.txt');
    const waiting = runLater({
      args: [GUARD, 'lock', 'wait', 'a.txt', '--json', '--timeout', '30s'],
      cwd: at.root,
      env: { ...at.env, CLAUDECODE: '1', ...agent.env },
    });
    await expect.poll(() => at.log('wait').length, { timeout: 20_000 }).toBe(1);
    other.read('a.txt');
    other.edit('a.txt', 'one', 'two');
    other.stop();
    const { stdout } = await waiting.done;
    const rows = (JSON.parse(stdout) as { results: Row[] }).results;
    expect(rows).toMatchObject([{ acquired: true, changed: { since_read: true, by: other.name } }]);
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'two', 'three').post?.exit).toBe(0);
  });
});

describe('the tools', () => {
  it('say it in the same field, to the agent that the hook names', async () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.read('a.txt');
    editBy(other, 'a.txt');
    const server = await serve(at, agent.env);
    const told = await server.as(agent.name).lockTry('a.txt', 'b.txt');
    expect(told.results).toMatchObject([
      { acquired: true, changed: { since_read: true, by: other.name } },
      { acquired: true },
    ]);
    expect(told.results[1]).not.toHaveProperty('changed');
    await server.as(agent.name).release('a.txt');
    const waited = await server.as(agent.name).lockWait(1, 'a.txt');
    expect(waited.results[0]?.changed).toEqual({ since_read: true, by: other.name });
  });
});
