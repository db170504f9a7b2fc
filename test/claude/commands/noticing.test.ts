/** A change that bypassed guard is noticed at the next hook of an agent concerned, attributed and reported. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, type Scratch, type Session, working, wrongs } from '../driver.ts';
import { hidden, runIn, sh } from './really.ts';

const TEXT = 'one\ntwo\nthree\n';

/** a holds f.txt and has read it; b is another session. */
function pair(): { at: Scratch; a: Session; b: Session } {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': TEXT, 'g.txt': TEXT } });
  const b = working(at);
  a.read('f.txt');
  a.lock('f.txt');
  return { at, a, b };
}

describe('a command that changes what another agent holds', () => {
  it('is on record once, told to who ran it, and told to the holder at its next event', () => {
    const { at, a, b } = pair();
    const { post } = sh(b, hidden('echo bad > f.txt'));
    expect(post?.context).toContain(`changed ${at.path('f.txt')}, which ${a.name} holds`);
    expect(post?.context).toContain(`undo ${at.path('f.txt')}`);
    const told = a.read('g.txt');
    expect(told.context).toContain('is no longer as you left it');
    expect(told.context).toContain(b.name);
    expect(a.read('g.txt').context).toBe('');
    expect(a.prompt().context).toBe('');
    expect(at.log('drift')).toMatchObject([{ path: 'f.txt', author: 'suspected', agents: [b.name] }]);
  });

  it('names the offender in the denial of the next write', () => {
    const { a, b } = pair();
    sh(b, hidden('echo bad > f.txt'));
    const { denial } = a.write('f.txt', 'x').pre;
    expect(denial?.error_type).toBe('STALE_FILE');
    expect(denial?.details['changed_by']).toBe(`suspected: ${b.name}`);
  });

  it('is laid to both where two commands were open', () => {
    const { at, a, b } = pair();
    const c = working(at);
    const call = c.call('Bash', { command: 'make' });
    c.pre(call);
    sh(b, hidden('echo bad > f.txt'));
    c.post(call, { stdout: '' });
    expect(at.log('drift')).toMatchObject([{ author: 'ambiguous', agents: [b.name, c.name].sort() }]);
    expect(a.read('g.txt').context).toContain('by a command of one of these');
  });

  it('that failed is noticed as well', () => {
    const { at, a, b } = pair();
    const { post } = sh(b, hidden('rm f.txt; false') + '; false');
    expect(post?.context).toContain('removed');
    expect(at.log('drift')).toMatchObject([{ path: 'f.txt', to: null, author: 'suspected' }]);
    expect(a.read('g.txt').context).toContain('is gone');
  });

  it('and puts it back before anybody was told is no news', () => {
    const { at, a, b } = pair();
    sh(b, hidden('cp f.txt k; echo bad > f.txt'));
    sh(b, hidden('cat k > f.txt'));
    expect(at.log('drift')).toHaveLength(2);
    expect(a.read('g.txt').context).toBe('');
    expect(a.edit('f.txt', 'two', 'TWO').post?.exit).toBe(0);
  });
});

const RESTORED = "touch -r f.txt r; printf 'ONE\\ntwo\\nthree\\n' > n; cat n > f.txt; touch -r r f.txt";

describe('the kinds of change', () => {
  it.each([
    ['a rewrite of another size', 'echo x > f.txt'],
    ['the same size with the time of writing restored', RESTORED],
    [
      'a rename over it with its times restored',
      'cp -p f.txt n; tr o 0 < f.txt > n2; touch -r f.txt n2; mv n2 f.txt',
    ],
    ['a deletion', 'rm f.txt'],
    ['a write through another hard link', 'ln f.txt other; echo y > other'],
    [
      'a memory map',
      `python3 -c "import mmap;f=open('f.txt','r+b');m=mmap.mmap(f.fileno(),0);m[0]=65;m.flush()"`,
    ],
  ])('%s is noticed', (_, line) => {
    const { at, b } = pair();
    sh(b, hidden(line));
    expect(at.log('drift')).toMatchObject([{ path: 'f.txt', author: 'suspected', agents: [b.name] }]);
  });

  it.each([
    ['a write that puts back what was there', 'cp f.txt g; echo x > f.txt; cat g > f.txt'],
    ['a change of the mode', 'chmod +x f.txt'],
    ['a touch', 'touch f.txt'],
    ['a hard link', 'ln f.txt other'],
    ['a look', 'cat f.txt'],
  ])('%s is none', (_, line) => {
    const { at, a, b } = pair();
    expect(sh(b, hidden(line)).post?.context).toBe('');
    expect(at.log('drift')).toEqual([]);
    expect(a.read('g.txt').context).toBe('');
    expect(a.edit('f.txt', 'two', 'TWO').post?.exit).toBe(0);
  });
});

describe("an agent's own command", () => {
  it('that formats its files after each of twelve edits causes no STALE_FILE, and tells every change', () => {
    const { at, agent } = oneAgent({ files: { 'f.txt': 'a = 0\nb = 0\n' } });
    agent.read('f.txt');
    agent.lock('f.txt');
    for (let n = 1; n <= 12; n++) {
      const { pre, call } = agent.edit('f.txt', `a = ${n - 1}`, `a  =  ${n}`);
      expect(wrongs(pre)).toEqual([]);
      agent.batch(call);
      const ran = sh(agent, hidden("sed -i 's/  =  / = /' f.txt"));
      expect(ran.post?.context).toContain(`+a = ${n}`);
      agent.batch(ran.call);
    }
    expect(at.log('write.rejected')).toEqual([]);
    expect(at.read('f.txt')).toBe('a = 12\nb = 0\n');
  });

  it('that names its file is told as well: the write is on record with its end, and is no drift', () => {
    const { at, agent } = oneAgent({ files: { 'f.txt': TEXT } });
    agent.read('f.txt');
    agent.lock('f.txt');
    expect(sh(agent, 'sed -i s/two/TWO/ f.txt').post?.context).toContain('+TWO');
    expect(wrongs(agent.edit('f.txt', 'three', 'THREE').pre)).toEqual([]);
    expect(at.log('drift')).toEqual([]);
    expect(at.log('write')).toMatchObject([
      { path: 'f.txt', tool: 'Bash', author: 'parsed' },
      { tool: 'Edit' },
    ]);
  });

  it('that formats what it only read, and nobody holds, is told as well', () => {
    const { at, agent } = oneAgent({ files: { 'f.txt': TEXT }, init: ['--preset', 'auto'] });
    agent.read('f.txt');
    expect(sh(agent, hidden('sed -i s/two/TWO/ f.txt')).post?.context).toContain('+TWO');
    expect(wrongs(agent.edit('f.txt', 'three', 'THREE').pre)).toEqual([]);
    expect(at.read('f.txt')).toBe('one\nTWO\nTHREE\n');
  });

  it('that changes too much to be told leaves the file stale', () => {
    const { agent } = oneAgent({ files: { 'f.txt': TEXT } });
    agent.read('f.txt');
    agent.lock('f.txt');
    const { post } = sh(agent, hidden('seq 5000 > f.txt'));
    expect(post?.context).toContain('by too much to show here');
    expect(wrongs(agent.edit('f.txt', '4999', 'x').pre)).toEqual(['STALE_FILE']);
  });

  it('that ran while another one did is not taken as seen', () => {
    const { at, agent } = oneAgent({ files: { 'f.txt': TEXT } });
    const other = working(at);
    agent.read('f.txt');
    agent.lock('f.txt');
    other.pre(other.call('Bash', { command: 'make' }));
    sh(agent, hidden('sed -i s/two/TWO/ f.txt'));
    expect(wrongs(agent.edit('f.txt', 'three', 'x').pre)).toEqual(['STALE_FILE']);
  });
});

describe('a change outside of every command', () => {
  it.each([
    ['a prompt', (a: Session) => a.prompt()],
    ['a batch', (a: Session) => a.batch(a.call('Grep', { pattern: 'x' }))],
    ['the end of a command of its own', (a: Session) => sh(a, 'true').post],
  ])("is told to the holder at %s, and is nobody's", (_, event) => {
    const { at, a } = pair();
    sh(a, 'true');
    at.put('f.txt', 'a person was here\n');
    expect(event(a)?.context).toContain("outside any agent's commands");
    expect(at.log('drift')).toMatchObject([{ path: 'f.txt', author: 'outside', agents: [] }]);
    expect(a.prompt().context).toBe('');
  });

  it('at the end of a turn is told with the next prompt', () => {
    const { at, a } = pair();
    at.put('f.txt', 'a person was here\n');
    expect(a.stop().stdout).toBe('');
    expect(at.log('drift')).toHaveLength(1);
    expect(a.prompt().context).toContain('is no longer as you left it');
  });

  it('of what the agent wrote and gave back (a rewind) is told to it', () => {
    const { at, agent } = oneAgent({ files: { 'f.txt': TEXT } });
    agent.read('f.txt');
    agent.lock('f.txt');
    agent.edit('f.txt', 'two', 'TWO');
    agent.stopped();
    at.put('f.txt', TEXT);
    expect(agent.prompt().context).toContain('is no longer as you left it');
  });
});

describe('a command in the background', () => {
  it('that writes late, after other events, is suspected while it runs', () => {
    const { at, a, b } = pair();
    const call = b.call('Bash', { command: 'sleep 9; echo', run_in_background: true });
    b.pre(call);
    b.post(call, { stdout: '', backgroundTaskId: 'bg1' });
    b.batch(call);
    b.stop({ background_tasks: [{ id: 'bg1', type: 'shell', status: 'running' }] });
    runIn(b, 'echo late > f.txt');
    a.prompt();
    expect(at.log('drift')).toMatchObject([{ author: 'suspected', agents: [b.name] }]);
  });

  it('that is over is not', () => {
    const { at, a, b } = pair();
    const call = b.call('Bash', { command: 'sleep 9', run_in_background: true });
    b.pre(call);
    b.post(call, { stdout: '', backgroundTaskId: 'bg1' });
    b.prompt('<task-notification>\n<task-id>bg1</task-id>\n<status>completed</status>');
    fs.utimesSync(at.path('g.txt'), new Date(), new Date());
    runIn(b, 'sleep 0.1; echo late > f.txt');
    a.prompt();
    expect(at.log('drift')).toMatchObject([{ author: 'outside' }]);
  });
});

describe('a commit', () => {
  it('by the holder of what was changed meanwhile waits until it was told, once', () => {
    const { at, a, b } = pair();
    sh(b, hidden('echo bad > f.txt'));
    const { pre } = sh(a, 'git add f.txt && git commit -m x');
    expect(pre.denial?.error_type).toBe('STALE_FILE');
    expect(pre.denial?.details['changed_by']).toContain(b.name);
    expect(sh(a, 'git add f.txt && git -c user.name=a -c user.email=a@e commit -m x').pre.exit).toBe(0);
    expect(at.log('drift')).toHaveLength(1);
  });
});

describe('what was refused and then written another way', () => {
  it('is a bypass: on record, in the status, and told to whoever sent the subagent', () => {
    const { at, a } = pair();
    const parent = working(at);
    const child = parent.subagent('s1');
    child.fire('SubagentStart');
    expect(child.write('f.txt', 'x').pre.exit).toBe(2);
    sh(child, hidden('echo x > f.txt'));
    expect(at.log('bypass')).toMatchObject([
      { agent: child.name, path: 'f.txt', what: 'shell', author: 'suspected' },
    ]);
    expect(at.guard('status').stdout).toContain('after guard refused it');
    child.fire('SubagentStop', { background_tasks: [] });
    const done = parent.post(parent.call('Agent', {}), { status: 'completed', agentId: 's1' });
    expect(done.context).toContain('changed that anyway');
    expect(a.read('g.txt').context).toContain(child.name);
  });
});

describe('what is in the state directory', () => {
  it('may be damaged by anybody: nobody is stopped, and nothing is lost but the attribution', () => {
    const { at, a, b } = pair();
    sh(b, 'true');
    for (const dir of ['windows', 'watch'])
      for (const name of fs.readdirSync(`${at.state}/${dir}`))
        fs.writeFileSync(`${at.state}/${dir}/${name}`, '{"v":1,"files":[[1]],"targets":7}');
    fs.writeFileSync(`${at.state}/windows/x.json`, 'null');
    fs.writeFileSync(`${at.state}/holds.json`, '{"v":3,"lsn":1,"is_cut":false,"agents":[],"holds":[3]}');
    expect(sh(b, hidden('echo bad > f.txt')).post?.exit).toBe(0);
    expect(at.log('drift')).toMatchObject([{ path: 'f.txt', agents: [b.name] }]);
    expect(wrongs(a.write('f.txt', 'x').pre)).toEqual(['STALE_FILE']);
    expect(at.guard('verify').exit).toBe(0);
  });
});
