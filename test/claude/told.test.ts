/** The text that agents get before their first write, and for a write without a lock. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, type Scratch, Session, working } from './driver.ts';

const files = { 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'src/c.txt': 'one\n' };
const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`src/${name}.txt`, 'one\n']));

/** The command that locks these files, as a denial prints it after guard's name. */
const lockAll = (at: Scratch, ...names: readonly string[]): string =>
  `lock try ${names.map((name) => at.path(name)).join(' ')}`;
const nextOf = (agent: Session, file: string): readonly string[] =>
  expectEnvelope(agent.edit(file, 'one', 'two').pre).details.next;
/** Scratch repositories call `guard` by a path, which does not count towards the length limit. */
const withShortName = (text: string): string => text.replaceAll(/(?:node )?\S*guard\.[cm]js'?/g, 'guard');

describe('a session', () => {
  it('is told at its start to lock first, then read, in 800 characters with what others hold', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    other.lock('src/a.txt', 'src/b.txt', 'src/c.txt');
    const context = withShortName(agent.start().context);
    expect(context).toContain('Lock first, then read.');
    expect(context).toContain(`Locked now: "src/a.txt" by ${other.name}`);
    expect(context.length).toBeLessThanOrEqual(800);
  });

  it('hears of more locks than fit by their number', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    other.guard('lock', 'try', ...Array.from({ length: 30 }, (_, nth) => `src/new-${nth}.txt`));
    const context = withShortName(agent.start().context);
    expect(context).toMatch(/, \d\d more \(guard lock status\)$/);
    expect(context.length).toBeLessThanOrEqual(800);
  });
});

describe('a subagent', () => {
  it('is told in two lines: all files in one call, then read, then edit, and where a denial says what to do', () => {
    const { agent } = oneAgent({ files });
    const lines = withShortName(agent.subagent('s1').fire('SubagentStart').context).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /Lock ALL files .* in one Bash call, before you read them: guard lock try FILE\.\.\./,
    );
    expect(lines[0]).toMatch(/Then read them, then edit\.$/);
    expect(lines[1]).toContain('details.next');
  });

  it('is told of the tools where they are registered', () => {
    const { agent } = oneAgent({ files, init: ['--mcp'] });
    const { context } = agent.subagent('s1').fire('SubagentStart');
    expect(context).toContain('mcp__guard__lock_try once with ALL files');
    expect(context).not.toContain('lock try');
  });

  it('is told that its writes lock by themselves under preset auto, and nothing where nobody set guard up', () => {
    const { agent } = oneAgent({ files, init: ['--preset', 'auto'] });
    expect(agent.subagent('s1').fire('SubagentStart').context).toContain('locks it for you');
    const { agent: elsewhere } = oneAgent({ files, init: null });
    expect(elsewhere.subagent('s1').fire('SubagentStart').context).toBe('');
  });
});

describe('a write without a lock', () => {
  it('is told to lock, in one call, everything that its agent read in this turn', () => {
    const { at, agent } = oneAgent({ files });
    for (const file of ['src/c.txt', 'src/b.txt', 'src/a.txt']) agent.read(file);
    const [command = '', ...more] = nextOf(agent, 'src/b.txt');
    expect(more).toEqual([]);
    expect(command).toContain(lockAll(at, 'src/a.txt', 'src/b.txt', 'src/c.txt'));
    expect(agent.bash(command).exit).toBe(0);
    for (const file of Object.keys(files)) expect(agent.edit(file, 'one', 'two').post?.exit).toBe(0);
  });

  it('names them in the call of the tool where that is registered', () => {
    const { at, agent } = oneAgent({ files, init: ['--mcp'] });
    agent.read('src/a.txt');
    expect(nextOf(agent, 'src/b.txt')).toEqual([
      `mcp__guard__lock_try ${JSON.stringify({ filepaths: [at.path('src/a.txt'), at.path('src/b.txt')] })}`,
    ]);
  });

  it('leaves out what was read in an earlier turn, by another agent, and what is not there', () => {
    const { at, agent } = oneAgent({ files });
    agent.read('src/a.txt');
    agent.stopped();
    agent.prompt('and now something else');
    agent.read('src/missing.txt');
    agent.subagent('s1').read('src/c.txt');
    expect(nextOf(agent, 'src/b.txt')[0]).toMatch(new RegExp(`lock try ${at.path('src/b.txt')}$`));
  });

  it('leaves out what another agent holds: that command would fail', () => {
    const { at, agent } = oneAgent({ files });
    working(at).lock('src/a.txt');
    agent.read('src/a.txt');
    agent.read('src/c.txt');
    expect(nextOf(agent, 'src/b.txt')[0]).toContain(lockAll(at, 'src/b.txt', 'src/c.txt'));
  });

  it('leaves out what no agent may write', () => {
    const { at, agent } = oneAgent({ files: files });
    const [first = '', second = ''] = Object.keys(files);
    for (const file of ['.claude/settings.json', first, second]) agent.read(file);
    const denial = expectEnvelope(agent.edit(first, 'one', 'two').pre);
    expect(denial.details.next[0]).toContain(at.path(second));
    expect(denial.details.next[0]).not.toContain('settings.json');
  });

  it('leaves out what the agent wrote and gave back', () => {
    const { at, agent } = oneAgent({ files });
    agent.lock('src/a.txt');
    agent.read('src/a.txt');
    agent.edit('src/a.txt', 'one', 'two');
    agent.guard('lock', 'release', 'src/a.txt');
    agent.read('src/c.txt');
    expect(nextOf(agent, 'src/b.txt')[0]).toContain(lockAll(at, 'src/b.txt', 'src/c.txt'));
  });

  it('names only itself to an agent that read many files: it looked around', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, nth) => [`src/f${nth}.txt`, 'one\n']));
    const { at, agent } = oneAgent({ files: many });
    for (const file of Object.keys(many)) agent.read(file);
    expect(nextOf(agent, 'src/f4.txt')[0]).toMatch(new RegExp(`lock try ${at.path('src/f4.txt')}$`));
  });

  it('names files of its own checkout only', () => {
    const { at, agent } = oneAgent({ files });
    at.git('add', '.');
    at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
    at.git('worktree', 'add', '-q', `${at.home}/wt`);
    const other = new Session(at, { id: agent.id, pid: agent.pid, agent: 's1' });
    for (const one of [agent, other])
      for (const file of ['src/a.txt', `${at.home}/wt/src/c.txt`]) one.read(file);
    expect(nextOf(agent, `${at.home}/wt/src/b.txt`)[0]).toMatch(
      new RegExp(`lock try ${at.home}/wt/src/b.txt ${at.home}/wt/src/c.txt$`),
    );
    expect(nextOf(other, 'src/b.txt')[0]).toContain(lockAll(at, 'src/a.txt', 'src/b.txt'));
  });
});

describe('five edits and a write in one message, with no lock', () => {
  it('cost at most 3,000 characters with the start of the session, and one command locks all that was read', () => {
    const { at, agent } = oneAgent({ files: six });
    const texts = [agent.start().context];
    for (const file of Object.keys(six)) agent.read(file);
    const denied = Object.keys(six).map((file) => expectEnvelope(agent.edit(file, 'one', 'two').pre));
    denied.push(expectEnvelope(agent.write('src/new.txt', 'x\n').pre));
    texts.push(...denied.map((denial) => JSON.stringify(denial)));
    expect(withShortName(texts.join('')).length).toBeLessThanOrEqual(3_000);
    const [first] = denied;
    expect(first?.details.next[0]).toContain(lockAll(at, ...Object.keys(six)));
    // Every refusal has a step that works on its own.
    const single = denied
      .slice(1)
      .map(({ details }) => details.next[0]?.endsWith(`lock try ${details.path}`));
    expect(single).toEqual([true, true, true, true, true]);
    for (const { next } of [first?.details, denied.at(-1)?.details].flatMap((it) => it ?? []))
      expect(agent.bash(next[0] ?? '').exit).toBe(0);
    for (const file of Object.keys(six)) expect(agent.edit(file, 'one', 'two').post?.exit).toBe(0);
    expect(agent.write('src/new.txt', 'x\n').post?.exit).toBe(0);
  });

  it('are named again to an agent that locked some of it since', () => {
    const { at, agent } = oneAgent({ files });
    for (const file of Object.keys(files)) agent.read(file);
    nextOf(agent, 'src/a.txt');
    agent.lock('src/a.txt');
    expect(nextOf(agent, 'src/b.txt')[0]).toContain(lockAll(at, 'src/b.txt', 'src/c.txt'));
  });
});
