/** Files, directories, events and processes in unusual states. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, scratch, type Scratch, working, wrongs } from '../claude/driver.ts';
import { bundleProgram } from '../store/bundle.ts';
import { run } from '../store/scratch.ts';
import { installed } from './installed.ts';

const isRoot = process.getuid?.() === 0;
const STRANGER = 12_345;

/** A copy of the home outside the test's directories: guard does not trust a home inside a checkout. */
function homeElsewhere(at: Scratch): string {
  const home = fs.mkdtempSync(`${fs.realpathSync(tmpdir())}/guard-home-`);
  onTestFinished(() => fs.rmSync(home, { recursive: true }));
  fs.cpSync(at.home, home, { recursive: true });
  return home;
}

describe('another user prepares a state directory', () => {
  const errorOf = (at: Scratch, ...args: readonly string[]): unknown =>
    (at.guard(...args, '--json').json() as { error?: { code: string } }).error?.code;

  it('as a link to one that would do: refused, and nothing is put into it', () => {
    const [at, other] = [scratch({ init: null }), scratch()];
    fs.symlinkSync(other.state, at.state);
    const before = fs.readdirSync(other.state);
    const inode = fs.statSync(`${other.state}/install.json`).ino;
    const { denial } = working(at).write('a.txt', 'x').pre;
    expect(denial?.details['code']).toBe('GUARD_ERR_STATE_DIR');
    expect(at.guard('init').exit).toBe(0);
    expect(fs.lstatSync(at.state).isDirectory()).toBe(true);
    expect(fs.readdirSync(other.state)).toEqual(before);
    expect(fs.statSync(`${other.state}/install.json`).ino).toBe(inode);
  });

  it.runIf(isRoot)('as one of their own: guard init refuses', () => {
    const at = scratch({ init: null });
    fs.mkdirSync(at.state, { mode: 0o700 });
    fs.chownSync(at.state, STRANGER, STRANGER);
    expect(errorOf(at, 'init')).toBe('GUARD_ERR_STATE_DIR');
    expect(fs.readdirSync(at.state)).toEqual([]);
  });

  it('in a directory above: a repository of ours keeps its own', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const above = `${at.root}/../.guard`;
    fs.cpSync(at.state, above, { recursive: true });
    fs.chmodSync(above, 0o755);
    if (isRoot) fs.chownSync(above, STRANGER, STRANGER);
    const home = homeElsewhere(at);
    const agent = working(at, { env: { HOME: home } });
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
    fs.rmSync(above, { recursive: true });
    expect(at.log('write.rejected')).toHaveLength(1);
  });

  it.runIf(isRoot)('in a directory where everybody may make one: as if it were not there', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const env = { HOME: homeElsewhere(at) };
    const shared = `${at.root}/..`;
    fs.chmodSync(shared, 0o1777);
    fs.cpSync(at.state, `${shared}/.guard`, { recursive: true });
    fs.chownSync(`${shared}/.guard`, STRANGER, STRANGER);
    fs.mkdirSync(`${shared}/other`);
    const outside = working(at, { env, cwd: `${shared}/other` });
    expect(wrongs(outside.write(`${shared}/other/a.txt`, 'x').pre)).toEqual([]);
    expect(wrongs(working(at, { env }).write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });

  it.runIf(isRoot)('there, with our home below as well: the same', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    fs.chmodSync(`${at.root}/..`, 0o1777);
    fs.mkdirSync(`${at.root}/../.guard`, { mode: 0o700 });
    fs.chownSync(`${at.root}/../.guard`, STRANGER, STRANGER);
    expect(wrongs(working(at).write('a.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
  });

  it('in place of ours, or for others to change ours: writes are denied', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    fs.chmodSync(at.state, 0o770);
    expect(agent.write('a.txt', 'x').pre.exit).toBe(2);
    fs.chmodSync(at.state, 0o700);
    fs.renameSync(at.state, `${at.state}-real`);
    fs.symlinkSync('guard-real', at.state);
    expect(agent.write('a.txt', 'x').pre.exit).toBe(2);
  });
});

describe('a file name is hostile', () => {
  it('is one record in the ledger, and no line or escape of its own where people read', () => {
    const name = 'a\n{"type":"hold"}\u001b[2J.txt';
    const at = installed({ files: { [name]: 'one\n' } });
    const agent = working(at);
    agent.lock(name);
    expect(agent.edit(name, 'one', 'two').post?.exit).toBe(0);
    expect(wrongs(working(at).write(name, 'x').pre)[0]).toBe('LOCKED_BY_OTHER');
    expect(at.log('hold')).toMatchObject([{ paths: [name] }]);
    expect(at.guard('verify').exit).toBe(0);
    for (const args of [['log'], ['status'], ['lock', 'status', at.path(name)]]) {
      const { stdout } = at.guard(...args);
      expect(stdout, args[0]).toContain('\\x1b[2J.txt');
      expect(stdout, args[0]).not.toContain('\u001b');
      expect(
        stdout.split('\n').filter((line) => line.startsWith('{"type"')),
        args[0],
      ).toEqual([]);
    }
  });
});

describe('the target is no regular file', () => {
  it('a FIFO and what never ends are not opened; the write is denied at once', () => {
    const at = installed();
    execFileSync('mkfifo', [at.path('pipe')]);
    fs.symlinkSync('/dev/zero', at.path('endless'));
    const agent = working(at);
    for (const file of ['pipe', 'endless', '/dev/zero']) {
      const call = agent.call('Write', { file_path: at.path(file), content: 'x' });
      const answer = agent.pre(call);
      expect(answer.denial, file).toMatchObject({ details: { code: 'GUARD_ERR_UNREADABLE' } });
    }
  });
});

describe('an event is malformed', () => {
  const nested = (text: string): string => text.replace('"x"', '['.repeat(100_000) + ']'.repeat(100_000));
  const refused = ({ exit, denial }: Answer): boolean => exit === 2 && denial !== null;

  it('a write that is cut off, huge or deeply nested is denied, and so is what is no event', () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    const fields = {
      tool_name: 'Write',
      tool_input: { file_path: at.path('a.txt'), content: 'x' },
      tool_use_id: 't',
    };
    const text = JSON.stringify(agent.payload('PreToolUse', fields));
    const huge = JSON.stringify({
      ...agent.payload('PreToolUse', fields),
      more: 'x'.repeat(17 * 1024 * 1024),
    });
    const odd = ['', 'null', text.slice(0, -1), text.slice(0, 200), '['.repeat(100_000), huge, nested(text)];
    expect(odd.map((stdin) => refused(at.hook(stdin, agent.env)))).toEqual(odd.map(() => true));
    expect(at.read('a.txt')).toBe('one\n');
  });

  it('anything else passes, with a line on standard error', () => {
    const at = installed();
    const agent = working(at);
    const bash = agent.payload('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
    for (const event of [agent.payload('Stop'), agent.payload('UserPromptSubmit'), bash]) {
      const { exit, stdout, stderr } = at.hook(JSON.stringify(event).slice(0, -1), agent.env);
      expect([exit, stdout]).toEqual([0, '']);
      expect(stderr).toMatch(/^guard: [^\n]+\n$/);
    }
  });
});

describe('a process stops while it holds the lock of the ledger', () => {
  it('others give up after 4 s, deny the write, and go on when it is gone', async () => {
    const at = installed({ files: { 'a.txt': 'one\n' } });
    const agent = working(at);
    agent.lock('a.txt');
    const holder = run(bundleProgram('test/store/flock/counter.ts'), ['hold', at.state]);
    await holder.lines(1);
    holder.child.kill('SIGSTOP');
    const answer = agent.write('a.txt', 'x').pre;
    expect(answer.denial).toMatchObject({ error_type: 'GUARD_ERROR', details: { code: 'GUARD_ERR_BUSY' } });
    expect(answer.took_ms).toBeGreaterThan(3_900);
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(agent.write('a.txt', 'x').post?.exit).toBe(0);
  });
});
