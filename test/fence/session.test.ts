/** When a session gets a fence, when it doesn't, and how `held` follows the ledger. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseHeld } from '../../src/fence/held.ts';
import { expectEnvelope, scratch, type Scratch, Session, working } from '../claude/driver.ts';
import { Fenced } from './client.ts';
import { describeFenced } from './machine.ts';

const heldIn = (at: Scratch) =>
  (parseHeld(fs.readFileSync(`${at.state}/fence/held`, 'utf8'))?.entries ?? [])
    .map(({ owner, path }) => `${owner} ${path.slice(at.root.length + 1)}`)
    .sort();

describe('the start of a session', () => {
  it('without an environment file writes nothing, and the next grant pays nothing', () => {
    const at = scratch({ files: { 'a.txt': '' } });
    const agent = working(at);
    expect(agent.start().exit).toBe(0);
    agent.lock('a.txt');
    expect(fs.existsSync(`${at.state}/fence/held`)).toBe(false);
  });

  it('with "fence": "off" in the user configuration writes nothing; a repository cannot say so', () => {
    const at = scratch({ config: { fence: 'off' } });
    fs.mkdirSync(`${at.home}/.config/guard`, { recursive: true });
    fs.writeFileSync(`${at.home}/.config/guard/config.json`, '{"fence":"off"}');
    expect(new Fenced(at).preamble).toBe('');
    fs.rmSync(`${at.home}/.config/guard/config.json`);
    expect(at.guard('doctor', '--json').stdout).toContain('"wanted":"off"');
  });
});

describeFenced('the environment file', () => {
  it('leaves one line in the file, whatever started the session, and nothing of its earlier content', () => {
    const at = scratch({ config: { fence: 'off' } });
    const agent = new Fenced(at);
    const [first] = [agent.preamble];
    expect(first).toContain(`GUARD_FENCE_OF='${agent.session.name}'`);
    for (const source of ['resume', 'clear', 'compact']) {
      fs.appendFileSync(agent.env_file, 'echo left from before\n');
      agent.start(source);
      expect(agent.preamble).toBe(first);
    }
  });
});

describeFenced('the list of held files', () => {
  it('follows grants, releases, reservations, the end of turns and of sessions', () => {
    const at = scratch({ files: { 'a.txt': '', 'b.txt': '', 'src/x.gen.ts': '', 'src/y.ts': '' } });
    const [one, two] = [new Fenced(at), new Fenced(at)];
    const [name, other] = [one.session.name, two.session.name];
    one.session.lock('a.txt', 'b.txt');
    two.session.guard('reserve', 'src/*.gen.ts', '--reason', 'x');
    expect(heldIn(at)).toEqual([`${name} a.txt`, `${name} b.txt`, `${other} src/x.gen.ts`].sort());
    one.session.guard('lock', 'release', at.path('a.txt'));
    two.session.guard('unreserve', '--all');
    two.session.guard('reserve', 'src/**', '--reason', 'x');
    expect(heldIn(at)).toEqual([`${name} b.txt`, `${other} src`].sort());
    one.session.stopped();
    two.bash('true');
    expect(heldIn(at)).toEqual([`${other} src`]);
    two.session.end();
    expect(heldIn(at)).toEqual([]);
  });

  it('names files of linked worktrees by their location, and is shared by all of them', () => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    at.git('add', 'a.txt');
    at.git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '-qm', 'i');
    const tree = `${at.home}/tree`;
    at.git('worktree', 'add', '-q', tree);
    const agent = new Fenced(at);
    const elsewhere = new Session(at, { cwd: tree });
    elsewhere.prompt();
    elsewhere.lock(`${tree}/a.txt`);
    expect(agent.bash(`echo x > ${tree}/a.txt`).exit).not.toBe(0);
    expect(agent.bash('echo x > a.txt').exit).toBe(0);
  });

  it('drops the files of a dead holder at the first command after ten seconds', () => {
    const at = scratch({ files: { 'a.txt': '' } });
    const agent = new Fenced(at);
    const crashed = at.sleeper();
    const holder = new Session(at, { pid: crashed.pid });
    holder.prompt();
    holder.lock('a.txt');
    expect(heldIn(at)).toEqual([`${holder.name} a.txt`]);
    crashed.kill('SIGKILL');
    const file = `${at.state}/fence/held`;
    // As if those ten seconds had passed.
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/# due \d+/, '# due 1'));
    while (fs.existsSync(`/proc/${crashed.pid}`) && !isZombie(crashed.pid)) continue;
    agent.bash('true');
    expect(heldIn(at)).toEqual([]);
  });

  it.each(['a release', 'a grant'])('is rebuilt after a process died during %s', (what) => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    const [holder, other] = [new Fenced(at), new Fenced(at)];
    const file = `${at.state}/fence/held`;
    if (what === 'a release') holder.session.lock('a.txt');
    const before = fs.readFileSync(file, 'utf8');
    if (what === 'a release') holder.session.guard('lock', 'release', at.path('a.txt'));
    else holder.session.lock('a.txt');
    expect(fs.existsSync(`${at.state}/fence/late`)).toBe(false);
    // The state after the ledger was written and before anything else.
    fs.writeFileSync(file, before);
    fs.writeFileSync(`${at.state}/fence/late`, '');
    expect(other.bash('echo x > a.txt').exit === 0).toBe(what === 'a release');
    expect(fs.existsSync(`${at.state}/fence/late`)).toBe(false);
  });

  it('is rebuilt by the next session if it was lost, and commands run meanwhile', () => {
    const at = scratch({ files: { 'a.txt': '', 'b.txt': '' } });
    const [holder, other] = [new Fenced(at), new Fenced(at)];
    holder.session.lock('a.txt');
    fs.rmSync(`${at.state}/fence/held`);
    expect(other.bash('echo x > a.txt').exit).toBe(0);
    holder.session.lock('b.txt');
    new Fenced(at);
    expect(heldIn(at)).toEqual([`${holder.session.name} a.txt`, `${holder.session.name} b.txt`]);
  });
});

const isZombie = (pid: number): boolean => / Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));

describe('"fence": "required" without a fence', () => {
  const CONFIG = { config: { fence: 'required' }, files: { 'a.txt': 'one\n' } };

  it.each([
    'cat a.txt | head -3',
    'git status && git diff',
    'ls -la 2>/dev/null; pwd',
    'grep -rn x . 2>&1 | sort -u || true',
    'guard lock try a.txt',
  ])('lets pass what certainly writes nothing: %s', (command) => {
    const agent = working(scratch(CONFIG));
    const passes = !command.includes('sort');
    expect(agent.pre(agent.call('Bash', { command })).exit).toBe(passes ? 0 : 2);
  });

  it.each([
    'npm test',
    'echo x > a.txt',
    'git -c core.pager=x log',
    'python3 x.py',
    'cat $(touch b)',
    'if (',
  ])('denies what may write: %s', (command) => {
    const agent = working(scratch(CONFIG));
    const denial = expectEnvelope(agent.pre(agent.call('Bash', { command })));
    expect([denial.error_type, denial.details['why']]).toEqual([
      'FENCE_MISSING',
      'this session started without guard',
    ]);
  });
});

describeFenced('"fence": "required" with a fence', () => {
  it('denies nothing, and keeps root from taking it off', () => {
    const at = scratch({ config: { fence: 'required' }, files: { 'a.txt': 'one\n' } });
    const [holder, other] = [new Fenced(at), new Fenced(at)];
    holder.session.lock('a.txt');
    other.bash('umount a.txt; echo x > a.txt; touch new');
    expect([at.read('a.txt'), fs.existsSync(at.path('new'))]).toEqual(['one\n', true]);
  });
});
