/** A command line that writes is checked as a Write is: real repositories, real commands. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, type Session, working, wrongs } from '../driver.ts';
import { preHere } from '../driver/in-process.ts';
import { begin, post, run, wrongsOf } from './shell.ts';

const FILES = {
  '.gitignore': 'build/\n*.log\n',
  'src/a.txt': 'one\n',
  'src/b.txt': 'one\n',
  'lib/c.txt': 'one\n',
  'build/out.txt': 'one\n',
};

/** Two agents in a repository with files that git tracks. */
function two(config?: object) {
  const { at, agent } = oneAgent({ files: FILES, ...(config ? { config } : {}) });
  at.git('add', '-A');
  const other = working(at);
  return { at, agent, other };
}

const holderOf = (at: Session['scratch'], file: string): unknown =>
  (at.guard('lock', 'status', file, '--json').json() as { results: { holder: unknown }[] }).results[0]
    ?.holder;

describe('a file that another one holds', () => {
  it.each([
    "sed -i 's/one/two/' src/a.txt",
    'echo two > src/a.txt',
    "cat > src/a.txt <<'EOF'\ntwo\nEOF",
    'cd src && echo two >> a.txt',
    'rm -f src/a.txt',
    'mv src/a.txt src/z.txt',
    'cp src/b.txt src/a.txt',
    'rm -rf src',
    'mv src elsewhere',
    'chmod -x src/a.txt',
    'for f in src/*.txt; do echo two > "$f"; done',
    "bash -c 'echo two > src/a.txt'",
  ])('%s', (command) => {
    const { agent, other } = two();
    other.lock('src/a.txt');
    const { pre } = begin(agent, command);
    expect(wrongs(pre)).toContain('LOCKED_BY_OTHER');
    const { details } = expectEnvelope(pre);
    expect(details).toMatchObject({ holder: other.name });
    expect(JSON.stringify(pre.denial).length).toBeLessThan(1_500);
  });

  it.each([
    'cat src/a.txt',
    'grep -n one src/a.txt > /dev/null 2>&1',
    'echo "sed -i s/one/two/ src/a.txt"',
    "cat > notes.md <<'EOF'\necho two > src/a.txt\nEOF",
    'cp src/a.txt lib/d.txt',
    "sed -i 's/one/two/' lib/c.txt",
    'rm -rf build',
    'npx prettier --check src',
    'npx prettier --write lib',
    'mkdir -p src/new',
  ])('is not in the way of: %s', (command) => {
    const { agent, other } = two();
    other.lock('src/a.txt');
    expect(wrongsOf(agent, command)).toEqual([]);
  });

  it('is in the way of a command of its holder’s subagent only while the holder writes', () => {
    const { at, agent } = two();
    agent.lock('src/a.txt');
    const child = agent.subagent('s1');
    child.fire('SubagentStart');
    expect(run(child, "sed -i 's/one/two/' src/a.txt").post?.exit).toBe(0);
    expect(at.read('src/a.txt')).toBe('two\n');
  });
});

describe('a file that git tracks and nobody holds', () => {
  it('is locked by the command until it ends, and is its agent’s write then', () => {
    const { at, agent, other } = two();
    const { pre, call } = begin(agent, 'echo two > src/a.txt');
    expect(pre.exit).toBe(0);
    expect(holderOf(at, 'src/a.txt')).toBe(agent.name);
    expect(wrongs(other.write('src/a.txt', 'x').pre)).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    at.put('src/a.txt', 'two\n');
    post(agent, call);
    expect(holderOf(at, 'src/a.txt')).toBeNull();
    expect(at.log('write').at(-1)).toMatchObject({ path: 'src/a.txt', agent: agent.name, author: 'parsed' });
  });

  it('counts as seen where the line says all of its content', () => {
    const { agent } = two();
    run(agent, "cat > src/a.txt <<'EOF'\nnew\ncontent\nEOF");
    agent.lock('src/a.txt');
    expect(wrongs(agent.edit('src/a.txt', 'new', 'old').pre)).toEqual([]);
  });

  it('is stale to whoever read it before', () => {
    const { agent, other } = two();
    other.read('src/a.txt');
    expect(wrongsOf(other, "sed -i 's/x/y/' src/a.txt")).toEqual([]);
    run(agent, 'echo two > src/a.txt');
    const { pre } = begin(other, "sed -i 's/two/three/' src/a.txt");
    expect(wrongs(pre)).toEqual(['STALE_FILE']);
    expect(expectEnvelope(pre).details).toMatchObject({ changed_by: agent.name });
  });

  it('must be locked in strict', () => {
    const { agent } = two({ preset: 'strict' });
    agent.read('src/a.txt');
    expect(wrongsOf(agent, "sed -i 's/one/two/' src/a.txt")).toEqual(['NOT_LOCKED']);
    agent.lock('src/a.txt');
    expect(wrongsOf(agent, "sed -i 's/one/two/' src/a.txt")).toEqual([]);
  });
});

describe('files that need no lock', () => {
  it('a new one, one that git ignores, one outside', () => {
    const { at, agent } = two({ preset: 'strict' });
    for (const line of ['echo x > src/new.txt', 'echo x > build/out.txt', `echo x > ${at.home}/notes.txt`])
      expect(wrongsOf(agent, line), line).toEqual([]);
  });

  it('Write and Edit on what git ignores need none either, and wait and are stale as ever', () => {
    const { agent, other } = two();
    expect(wrongs(agent.write('src/new.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
    agent.read('build/out.txt');
    expect(wrongs(agent.edit('build/out.txt', 'one', 'two').pre)).toEqual([]);
    expect(wrongs(agent.write('build/new.txt', 'x').pre)).toEqual([]);
    other.read('build/out.txt');
    fs.writeFileSync(agent.scratch.path('build/out.txt'), 'three\n');
    expect(wrongs(other.write('build/out.txt', 'y').pre)).toEqual(['STALE_FILE']);
    other.lock('build/out.txt');
    expect(wrongs(agent.write('build/out.txt', 'z').pre)).toContain('LOCKED_BY_OTHER');
  });

  it('what is tracked although a pattern covers it is not ignored', () => {
    const { at, agent } = two();
    at.put('kept.log', 'x\n');
    at.git('add', '-f', 'kept.log');
    expect(wrongs(agent.write('kept.log', 'y').pre)).toContain('NOT_LOCKED');
  });
});

describe('where a line writes that nobody can tell', () => {
  it('passes in standard', () => {
    const { agent } = two();
    expect(wrongsOf(agent, 'echo x > "$OUT"')).toEqual([]);
  });

  it('is denied in strict, with the part in question; a program is not', () => {
    const { agent } = two({ preset: 'strict' });
    const { pre } = begin(agent, 'echo x > "$SOMEWHERE_ELSE"');
    expect(wrongs(pre)).toEqual(['UNRESOLVED_TARGET']);
    expect(expectEnvelope(pre).details['part']).toContain('$SOMEWHERE_ELSE');
    const long = `echo x > src/a.txt; ${': words; '.repeat(9_000)}`;
    expect(wrongsOf(agent, long)).toEqual(['UNRESOLVED_TARGET']);
    for (const line of ['python3 scripts/x.py', './run.sh', 'npm test', 'echo "$HOME"'])
      expect(wrongsOf(agent, line), line).toEqual([]);
  });
});

describe('calls that run side by side, and ends that nobody tells', () => {
  it('another call of the same agent ends nothing of this one', () => {
    const { at, agent } = two();
    begin(agent, 'echo two > src/a.txt');
    wrongsOf(agent, 'ls');
    wrongsOf(agent, 'echo x > src/b.txt');
    expect(holderOf(at, 'src/a.txt')).toBe(agent.name);
  });

  it('the batch ends what a person said no to', () => {
    const { at, agent } = two();
    const { call } = begin(agent, 'echo two > src/a.txt');
    agent.batch(call);
    expect(holderOf(at, 'src/a.txt')).toBeNull();
    expect(at.log('write')).toEqual([]);
  });

  it('a failed command may have written', () => {
    const { at, agent } = two();
    const { call } = begin(agent, 'echo two > src/a.txt; false');
    at.put('src/a.txt', 'two\n');
    agent.failed(call, 'Exit code 1');
    expect(holderOf(at, 'src/a.txt')).toBeNull();
    expect(at.log('write')).toMatchObject([{ path: 'src/a.txt', agent: agent.name }]);
  });

  it('nothing stays locked when its agent dies in the middle', () => {
    const { at, agent, other } = two();
    begin(agent, 'echo two > src/a.txt');
    expect(wrongsOf(other, 'echo x > src/a.txt')).toEqual(['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT']);
    process.kill(agent.pid ?? 0, 'SIGKILL');
    const isOver = (): boolean => wrongsOf(other, 'echo x > src/a.txt').length === 0;
    return expect
      .poll(isOver, { timeout: 20_000 })
      .toBe(true)
      .then(() => {
        expect(holderOf(at, 'src/a.txt')).toBeNull();
      });
  });

  it('a background command keeps what it took until its task ends', () => {
    const { at, agent, other } = two();
    const { call } = begin(agent, 'sleep 1 && echo two > src/a.txt', { run_in_background: true });
    post(agent, call, { stdout: '', stderr: '', backgroundTaskId: 'b1' });
    agent.batch(call);
    expect(holderOf(at, 'src/a.txt')).toBe(agent.name);
    agent.stopped({ background_tasks: [{ id: 'b1', type: 'shell', status: 'running' }] });
    expect(wrongsOf(other, 'echo x > src/a.txt')).toContain('LOCKED_BY_OTHER');
    at.put('src/a.txt', 'two\n');
    agent.prompt('<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>');
    expect(holderOf(at, 'src/a.txt')).toBeNull();
    expect(at.log('write')).toMatchObject([{ path: 'src/a.txt', agent: agent.name }]);
  });

  it('a write of two repositories is begun in both or in none', () => {
    const { at, agent, other } = two();
    const there = two();
    there.other.lock('src/a.txt');
    const line = `echo x > src/b.txt; echo x > ${there.at.path('src/a.txt')}`;
    const wrong = preHere(agent, agent.call('Bash', { command: line }));
    if (wrong.exit === 0) return;
    expect(holderOf(at, 'src/b.txt')).toBeNull();
    expect(wrongsOf(other, 'echo y > src/b.txt')).toEqual([]);
  });
});

it('a command that only looks, and one that passes by a directory, put nothing on record', () => {
  const { at, agent } = two();
  run(agent, 'ls');
  const before = at.log().length;
  for (const line of ['cat src/a.txt | head -3', 'npm test', 'rm -rf build', 'git status'])
    expect(wrongsOf(agent, line)).toEqual([]);
  expect(at.log().length).toBe(before);
});

it('is explained rule by rule', () => {
  const { at, agent, other } = two();
  other.lock('src/a.txt');
  const event = agent.payload('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'echo two > src/a.txt' },
    tool_use_id: 't-explain',
  });
  at.put('event.json', JSON.stringify(event));
  const told = at.guardWith(agent.env, 'explain', at.path('event.json'), '--json');
  const { targets } = told.json() as {
    targets: { path: string; rules: { rule: string; error_type: unknown }[] }[];
  };
  expect(targets).toMatchObject([{ path: 'src/a.txt' }]);
  expect(targets[0]?.rules.find(({ rule }) => rule === 'lease')?.error_type).toBe('LOCKED_BY_OTHER');
});
