/** Noticing beyond two sessions in one checkout: releases, other shells, worktrees, subagents, dead sessions. */
import { once } from 'node:events';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, type Session, working } from '../driver.ts';
import { hidden, runIn, sh } from './really.ts';

const FILES = { 'f.txt': 'one\ntwo\n', 'g.txt': 'one\n' };

function holder() {
  const { at, agent } = oneAgent({ files: FILES });
  agent.read('f.txt');
  agent.lock('f.txt');
  return { at, agent };
}

describe('giving a lock back', () => {
  const changed = () => {
    const made = holder();
    runIn(made.agent, 'echo x > f.txt');
    // The hook that runs before the command.
    made.agent.pre(made.agent.call('Bash', { command: 'guard lock release f.txt' }));
    return made;
  };

  it('says in words and in data that the file is not as its holder left it, and no hook says it again', () => {
    const { agent } = changed();
    const told = agent.guard('lock', 'release', 'f.txt', '--json').json();
    expect(told).toMatchObject({
      results: [{ filepath: 'f.txt', released: true, drifted: { by: 'outside' } }],
      all_released: true,
    });
    expect(agent.prompt().context).not.toContain('f.txt');
  });

  it('says it of all that is given back', () => {
    const { agent } = changed();
    expect(agent.guard('lock', 'release', '--all-held').stdout).toMatch(
      /released 1 lock\n.*no longer as you left it: changed by outside/,
    );
  });

  it('says nothing where nothing happened', () => {
    const { agent } = holder();
    expect(agent.guard('lock', 'release', 'f.txt').stdout).toBe('released  f.txt\n');
  });
});

describe('PowerShell', () => {
  it('is watched: what its call changes is laid to its agent, and its line is not rewritten', () => {
    const { at, agent } = holder();
    const other = working(at);
    const call = other.call('PowerShell', { command: 'Set-Content f.txt x' });
    expect(other.pre(call)).toMatchObject({ exit: 0, stdout: '' });
    runIn(other, 'echo x > f.txt');
    expect(other.post(call, { stdout: '' }).context).toContain(agent.name);
    expect(at.log('drift')).toMatchObject([{ author: 'suspected', agents: [other.name] }]);
  });
});

describe('a subagent', () => {
  it('that changes what its parent holds is another agent', () => {
    const { at, agent } = holder();
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    sh(child, hidden('echo x > f.txt'));
    expect(at.log('drift')).toMatchObject([{ agents: [child.name] }]);
    expect(agent.read('g.txt').context).toContain(child.name);
  });

  it('that changed its own files at its end is not asked, and its parent is not told', () => {
    const { at, agent } = oneAgent({ files: FILES });
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    child.read('g.txt');
    sh(child, 'echo y > g.txt');
    child.fire('SubagentStop', { background_tasks: [] });
    const done = agent.post(agent.call('Agent', {}), { status: 'completed', agentId: 's1' });
    expect(done.context).toBe('');
    expect(at.log('bypass')).toEqual([]);
  });
});

describe('a linked worktree', () => {
  it('has the same ledger: a command in the main checkout that changes a file held there is noticed', () => {
    // One process per hook: events within one tick of the file clock (4 ms) are attributed to no session.
    const { at, agent: main } = oneAgent({ files: FILES, apart: true });
    at.git('add', '-A');
    at.git('-c', 'user.name=x', '-c', 'user.email=x@e', 'commit', '-qm', 'Start');
    const dir = at.path('../linked');
    at.git('worktree', 'add', '-q', dir);
    const there = working(at, { cwd: dir });
    there.read(`${dir}/f.txt`);
    there.lock(`${dir}/f.txt`);
    sh(main, hidden(`echo x > ${dir}/f.txt`));
    expect(at.log('drift')).toMatchObject([{ path: '//linked/f.txt', agents: [main.name] }]);
    expect(there.read(`${dir}/g.txt`).context).toContain('which you hold');
  });
});

describe('a session that died in its command', () => {
  const dying = async (): Promise<{ at: ReturnType<typeof holder>['at']; agent: Session; dead: Session }> => {
    const { at, agent } = holder();
    const process = at.sleeper();
    const dead = working(at, { pid: process.pid });
    dead.pre(dead.call('Bash', { command: 'make' }));
    process.kill('SIGKILL');
    await once(process, 'exit');
    return { at, agent, dead };
  };

  it('counts once more, and then no longer', async () => {
    const { at, agent, dead } = await dying();
    runIn(agent, 'echo x > f.txt');
    agent.prompt();
    await new Promise((done) => setTimeout(done, 100));
    runIn(agent, 'sleep 0.1; echo y > f.txt');
    agent.prompt();
    expect(at.log('drift')).toMatchObject([
      { author: 'suspected', agents: [dead.name] },
      { author: 'outside', agents: [] },
    ]);
  });
});

describe('without anything to notice', () => {
  it('no record is written, and nothing is said', () => {
    const { at, agent } = holder();
    sh(agent, 'true');
    const before = at.log().length;
    expect(sh(agent, 'cat f.txt').post?.stdout).toBe('');
    expect(at.log()).toHaveLength(before);
  });

  it('windows do not pile up', () => {
    const { at, agent } = oneAgent({ files: FILES });
    sh(agent, 'true');
    const [name = ''] = fs.readdirSync(`${at.state}/windows`);
    const window = JSON.parse(fs.readFileSync(`${at.state}/windows/${name}`, 'utf8')) as object;
    for (let n = 0; n < 127; n++)
      fs.writeFileSync(
        `${at.state}/windows/old${n}.json`,
        JSON.stringify({ ...window, since_ms: 1, until_ms: 2 }),
      );
    sh(agent, 'true');
    const left = fs.readdirSync(`${at.state}/windows`).filter((one) => one.endsWith('.json'));
    expect(left).toHaveLength(2);
  });
});
