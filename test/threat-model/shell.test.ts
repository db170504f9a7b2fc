/** Bash: guard checks what a line says; what a line hides shows in the files and in guard's state. */
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type Scratch, type Session, working, wrongs } from '../claude/driver.ts';
import { installed } from './installed.ts';

/** A command that cannot be read before it runs. */
const hidden = (command: string): string =>
  `echo ${Buffer.from(command).toString('base64')} | base64 -d | sh`;

/** A Bash call, run as the client runs it if no hook objects. */
function bash(agent: Session, command: string): void {
  const call = agent.call('Bash', { command });
  expect(agent.pre(call)).toMatchObject({ exit: 0, denial: null });
  execFileSync('/bin/sh', ['-c', command], { cwd: agent.cwd, env: { ...agent.scratch.env, ...agent.env } });
  expect(agent.post(call, { stdout: '', stderr: '', interrupted: false }).exit).toBe(0);
}

describe('it writes through Bash', () => {
  it('denied where the line tells which files: another one holds them, or it has not seen what is there', () => {
    const at = installed({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n' } });
    at.git('add', '-A');
    const [holder, other] = [working(at), working(at)];
    other.read('b.txt');
    holder.lock('a.txt');
    at.put('b.txt', 'two\n');
    const types = (command: string) => wrongs(other.pre(other.call('Bash', { command })));
    expect(types("sed -i 's/one/two/' a.txt")).toEqual(['LOCKED_BY_OTHER']);
    expect(types('rm -f a.txt')).toEqual(['LOCKED_BY_OTHER']);
    expect(types('echo x > b.txt')).toEqual(['STALE_FILE']);
  });

  it('what a line hides is not denied, and who read the files before is denied as stale', () => {
    const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' };
    const at = installed({ files });
    at.git('add', '-A');
    at.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'Start');
    at.put('b.txt', 'two\n');
    const [reader, other] = [working(at), working(at)];
    reader.lock(...Object.keys(files));
    for (const file of Object.keys(files)) reader.read(file);
    bash(
      other,
      hidden("sed -i.old 's/one/two/' a.txt; git checkout -q b.txt; printf 'echo x > c.txt' > s; sh s"),
    );
    expect(Object.keys(files).map((file) => at.read(file))).toEqual(['two\n', 'one\n', 'x\n']);
    for (const file of Object.keys(files))
      expect(wrongs(reader.write(file, 'mine').pre), file).toEqual(['STALE_FILE']);
  });
});

/** Hidden from every parser. */
const SCRIPT = "printf 'ZWNobyB4ID4gYS50eHQ=' | base64 -d | sh";

describe('its command changes what another agent holds', () => {
  it('is on record once with its author; both are told', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const [holder, other] = [working(at), working(at)];
    holder.read('a.txt');
    holder.lock('a.txt');
    const call = other.call('Bash', { command: SCRIPT });
    other.pre(call);
    execFileSync('/bin/sh', ['-c', SCRIPT], { cwd: at.root });
    expect(other.post(call, { stdout: '' }).context).toContain(holder.name);
    expect(holder.prompt().context).toContain(other.name);
    expect(at.log('drift')).toMatchObject([{ path: 'a.txt', author: 'suspected', agents: [other.name] }]);
  });
});

describe('its command does what was refused', () => {
  it('is a bypass on record, in the status, and told to the parent of a subagent', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const [holder, parent] = [working(at), working(at)];
    holder.lock('a.txt');
    const child = parent.subagent('s1');
    child.fire('SubagentStart');
    expect(child.write('a.txt', 'x').pre.exit).toBe(2);
    bash(child, SCRIPT);
    expect(at.log('bypass')).toMatchObject([{ agent: child.name, path: 'a.txt', what: 'shell' }]);
    expect(at.guard('status').stdout).toContain(child.name);
    child.fire('SubagentStop', { background_tasks: [] });
    const done = parent.post(parent.call('Agent', {}), { status: 'completed', agentId: 's1' });
    expect(done.context).toContain('guard refused subagent');
  });
});

const ledgerOf = (at: Scratch): string =>
  `${at.state}/${fs.readdirSync(at.state).find((name) => name.startsWith('ledger-')) ?? 'none'}`;

describe('it damages or deletes the state directory through Bash', () => {
  it('a damaged ledger refuses writes; without the directory writes are denied until a person runs guard init', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    const spoil = `printf '#' | dd of=${ledgerOf(at)} bs=1 seek=40 conv=notrunc 2>/dev/null; rm -rf ${at.state}/index*`;
    expect(wrongs(agent.pre(agent.call('Bash', { command: spoil })))).toEqual(['PROTECTED_PATH']);
    bash(agent, hidden(spoil));
    expect(agent.write('a.txt', 'x').pre.denial).toMatchObject({
      error_type: 'GUARD_ERROR',
      details: { code: 'GUARD_ERR_CORRUPT' },
    });
    bash(agent, hidden(`rm -rf ${at.state}`));
    const lost = { exit: 2, denial: { details: { code: 'GUARD_ERR_NOT_INITIALISED' } } };
    expect(agent.write('a.txt', 'x').pre).toMatchObject(lost);
    expect(at.guard('lock', 'try', 'a.txt', '--agent', 'somebody').exit).not.toBe(0);
    expect(agent.guard('init').exit).toBe(64);
    expect(agent.write('a.txt', 'x').pre).toMatchObject(lost);
    expect(at.guard('init').exit).toBe(0);
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });

  it("with the mark in the user's own directory gone as well, nothing is guarded", () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    bash(agent, hidden(`rm -rf ${at.state} ${at.home}/.local/state/guard/known`));
    expect(agent.write('a.txt', 'x').pre).toMatchObject({ exit: 0, denial: null });
  });
});
