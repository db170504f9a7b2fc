/** A worktree that an agent made for itself: no other agent is in it, so its writes take locks automatically. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch, Session, type Setup, working, wrongs } from './driver.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'one\n' };

function committed(setup: Setup = {}): Scratch {
  const at = scratch({ files, ...setup });
  at.git('add', '.');
  at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
  return at;
}

/** Creates a worktree where the client would. */
function worktree(at: Scratch, name: string): string {
  const dir = join(at.root, '.claude', 'worktrees', name);
  at.git('worktree', 'add', '-q', dir);
  return dir;
}

/** `claude --worktree`: the project directory is the worktree. */
function sessionIn(at: Scratch, dir: string): Session {
  const agent = new Session(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
  agent.start();
  agent.prompt();
  return agent;
}

const holderOf = (at: Scratch, file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('a session in a worktree that it made for itself', () => {
  it('writes without asking for locks, and each write takes its own, which others run into', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    agent.read(`${dir}/a.txt`);
    expect(agent.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
    expect(holderOf(at, `${dir}/a.txt`)).toBe(agent.name);
    expect(at.log('hold')).toMatchObject([{ agent: agent.name, paths: ['//wtx/a.txt'], auto: true }]);
    const other = working(at);
    expect(wrongs(other.write(`${dir}/a.txt`, 'x').pre)).toContain('LOCKED_BY_OTHER');
    agent.stopped();
    expect(holderOf(at, `${dir}/a.txt`)).toBeNull();
  });

  it('is told so at its start', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = new Session(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
    expect(agent.start().context).toContain('locks it for you');
  });

  it('still writes over nothing that it has not seen, and locks what is in the main checkout', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    agent.read(`${dir}/a.txt`);
    at.put(`${dir}/a.txt`, 'theirs\n');
    expect(wrongs(agent.write(`${dir}/a.txt`, 'x').pre)).toEqual(['STALE_FILE']);
    expect(wrongs(agent.edit('b.txt', 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
  });

  it('needs locks as everywhere from the moment that a second session begins there, until that one ends', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    const second = sessionIn(at, dir);
    for (const one of [agent, second])
      expect(wrongs(one.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
    second.end();
    expect(agent.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
  });

  it('needs them while a subagent works there too', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    const child = new Session(at, { id: agent.id, pid: agent.pid, agent: 's1', cwd: dir, env: agent.env });
    expect(child.fire('SubagentStart').context).toContain('Lock ALL files');
    for (const one of [agent, child])
      expect(wrongs(one.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
    child.fire('SubagentStop', { background_tasks: [] });
    expect(agent.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
  });

  it('needs them from the moment that an agent of another checkout locks a file there', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    const visitor = working(at);
    visitor.lock(`${dir}/b.txt`);
    expect(wrongs(agent.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
  });

  it('needs them where nobody saw it begin, and in a worktree that a person made elsewhere', () => {
    const at = committed();
    const dir = worktree(at, 'wtx');
    const unseen = working(at, { cwd: dir, env: { CLAUDE_PROJECT_DIR: dir } });
    expect(wrongs(unseen.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
    const elsewhere = join(at.home, 'feature');
    at.git('worktree', 'add', '-q', elsewhere);
    const guest = sessionIn(at, elsewhere);
    expect(wrongs(guest.edit(`${elsewhere}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
  });

  it('writes alike under preset strict, where what it never read stays unread', () => {
    const at = committed({ init: ['--preset', 'strict'] });
    const dir = worktree(at, 'wtx');
    const agent = sessionIn(at, dir);
    expect(wrongs(agent.write(`${dir}/a.txt`, 'x').pre)).toEqual(['UNREAD_FILE']);
    agent.read(`${dir}/a.txt`);
    expect(agent.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
  });
});

describe('a subagent with isolation "worktree"', () => {
  const isolated = (at: Scratch, agent: Session, id: string): { child: Session; dir: string } => {
    const dir = worktree(at, `agent-${id}`);
    return {
      child: new Session(at, { id: agent.id, pid: agent.pid, agent: id, cwd: dir, env: agent.env }),
      dir,
    };
  };

  it('writes in the worktree that bears its name without asking for locks', () => {
    const at = committed();
    const agent = working(at);
    const { child, dir } = isolated(at, agent, 'a14b194a658e6b619');
    expect(child.fire('SubagentStart').context).toContain('locks it for you');
    child.read(`${dir}/a.txt`);
    expect(child.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
    expect(holderOf(at, `${dir}/a.txt`)).toBe(child.name);
  });

  it('does so where its start was not told, as on clients before 2.1.200', () => {
    const at = committed();
    const { child, dir } = isolated(at, working(at), 'a14b194a658e6b619');
    expect(child.edit(`${dir}/a.txt`, 'one', 'two').post?.exit).toBe(0);
  });

  it('needs locks in the worktree of its sibling', () => {
    const at = committed();
    const agent = working(at);
    const { dir } = isolated(at, agent, 'a1');
    const { child } = isolated(at, agent, 'a2');
    expect(wrongs(child.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
  });

  it('needs them in its own once its parent locked a file there', () => {
    const at = committed();
    const agent = working(at);
    const { child, dir } = isolated(at, agent, 'a1');
    agent.lock(`${dir}/b.txt`);
    expect(wrongs(child.edit(`${dir}/a.txt`, 'one', 'two').pre)).toEqual(['NOT_LOCKED']);
  });
});
