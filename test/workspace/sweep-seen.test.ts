import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isSweepDue, noteSweep } from '../../src/repo/sweep-due.ts';
import { fileName } from '../../src/workspace/baseline-file.ts';
import { oneAgent, type Scratch, type Session } from '../claude/driver.ts';

const HOUR_MS = 3_600_000;

const logOf = (at: Scratch, agent: Session): string => `${at.state}/seen/${fileName(agent.name)}.log`;

function aged(file: string, age_ms: number): void {
  const then = new Date(Date.now() - age_ms);
  fs.utimesSync(file, then, then);
}

const files = { 'a.txt': 'a\n' };

describe('what agents have seen that will not come back', () => {
  it('goes with a subagent an hour after its end, and with everybody after a month of silence', () => {
    const { at, agent } = oneAgent({ files });
    const ended = agent.subagent('one');
    const working = agent.subagent('two');
    for (const one of [ended, working]) one.fire('SubagentStart');
    for (const one of [agent, ended, working]) one.read('a.txt');
    ended.fire('SubagentStop');
    const done = agent.call('Task', { prompt: 'x' });
    agent.post(done, { status: 'completed', agentId: 'one' });
    const silent = `${at.state}/seen/claude-gone.log`;
    fs.writeFileSync(silent, '');
    const old = `${at.state}/baselines/claude-gone`;
    fs.mkdirSync(old, { recursive: true });
    const half = `${logOf(at, working)}~`;
    fs.writeFileSync(half, '');
    expect(at.guard('compact', '--if-due').exit).toBe(0);
    expect([ended, working].map((one) => fs.existsSync(logOf(at, one)))).toEqual([true, true]);

    ended.silent(2 * HOUR_MS);
    for (const one of [agent, ended, working]) aged(logOf(at, one), 2 * HOUR_MS);
    for (const file of [silent, old]) aged(file, 31 * 24 * HOUR_MS);
    aged(half, 2 * HOUR_MS);
    at.guard('compact', '--if-due');
    expect(fs.existsSync(logOf(at, ended)), 'it was swept a moment ago').toBe(true);
    aged(`${at.state}/seen/.swept`, 2 * HOUR_MS);
    at.guard('compact', '--if-due');
    expect([agent, ended, working].map((one) => fs.existsSync(logOf(at, one)))).toEqual([true, false, true]);
    expect([silent, old, half].map((file) => fs.existsSync(file))).toEqual([false, false, false]);
  });

  it('is swept by a session that starts', async () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    const gone = `${at.state}/seen/claude-gone.log`;
    fs.writeFileSync(gone, '');
    aged(gone, 31 * 24 * HOUR_MS);
    agent.start();
    await expect.poll(() => fs.existsSync(gone), { timeout: 20_000 }).toBe(false);
  });

  it('is noted neither through a link nor into a pipe', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('a.txt');
    const dir = `${at.state}/seen`;
    const target = at.put('target', 'mine');
    aged(target, 5 * HOUR_MS);
    fs.rmSync(`${dir}/.swept`, { force: true });
    fs.symlinkSync(target, `${dir}/.swept`);
    noteSweep(dir, Date.now());
    expect(Date.now() - fs.statSync(target).mtimeMs).toBeGreaterThan(4 * HOUR_MS);
    fs.rmSync(`${dir}/.swept`);
    execFileSync('mkfifo', [`${dir}/.swept`]);
    aged(`${dir}/.swept`, 5 * HOUR_MS);
    noteSweep(dir, Date.now());
    expect(isSweepDue(dir, Date.now())).toBe(true);
  });
});
