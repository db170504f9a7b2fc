/** Worktrees that guard makes for sessions and subagents after `guard init --worktrees`. */
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markProcess } from '../../src/repo/process.ts';
import { HOOK, type Scratch, scratch, working } from './driver.ts';
import { hookLater } from './driver/process.ts';
import { copyTree } from './driver/scratch.ts';
import { scratchDir } from '../install/scratch.ts';

const LOCKED = (kind: string, name: string) =>
  `claude ${kind} ${name} (pid ${process.pid} start ${markProcess(process.pid)?.start ?? ''})\n`;

const FILES = {
  'a.txt': 'a\n',
  'sub/b.txt': 'b\n',
  '.gitignore': '.env\nnode_modules/\n',
  '.worktreeinclude': '.env\n',
};

/** git's own files of a repository as it was prepared, and of its origin. */
const made = scratchDir('guard-made-');

/** A repository one commit ahead of its origin's main, on another branch, with a relative hooks path. */
function repository(): Scratch {
  const at = scratch({ files: FILES });
  const origin = join(at.root, '../origin.git');
  if (!existsSync(join(made, 'origin'))) {
    prepare(at, origin);
    copyTree(origin, join(made, 'origin'));
    copyTree(join(at.root, '.git'), join(made, 'git'));
    // Each repository has guard's own of its own.
    rmSync(join(made, 'git/guard'), { recursive: true });
  } else {
    copyTree(join(made, 'origin'), origin);
    copyTree(join(made, 'git'), join(at.root, '.git'));
    at.git('remote', 'set-url', 'origin', origin);
  }
  at.put('.env', 'SECRET=1\n');
  at.put('node_modules/x.js', '1\n');
  mkdirSync(join(at.home, '.claude'), { recursive: true });
  writeFileSync(
    join(at.home, '.claude/settings.json'),
    JSON.stringify({ worktree: { symlinkDirectories: ['node_modules'] } }),
  );
  return at;
}

function prepare(at: Scratch, origin: string): void {
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', 'Start');
  at.git('branch', '-M', 'main');
  at.git('init', '-q', '--bare', origin);
  at.git('remote', 'add', 'origin', origin);
  at.git('push', '-q', 'origin', 'main');
  at.git('remote', 'set-head', 'origin', 'main');
  at.git('switch', '-qc', 'work');
  at.git('commit', '-q', '--allow-empty', '-m', 'Ahead');
  at.git('config', 'core.hooksPath', '.husky');
}

const gitDir = (at: Scratch, name: string) => join(at.root, '.git/worktrees', name);
const dirOf = (at: Scratch, name: string) => join(at.root, '.claude/worktrees', name);

function hook(at: Scratch, event: object, session = 's') {
  const whole = { session_id: session, transcript_path: '/t', cwd: at.root, ...event };
  const env = { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, CLAUDE_PID: String(process.pid) };
  return hookLater({ args: [HOOK], cwd: at.root, env, stdin: JSON.stringify(whole) });
}

const create = (at: Scratch, name: string, session?: string) =>
  hook(at, { hook_event_name: 'WorktreeCreate', name }, session);

/** A subagent starts and ends in the worktree named after it. */
async function subagent(at: Scratch, id: string, work: (dir: string) => void) {
  const dir = dirOf(at, `agent-${id}`);
  const who = { agent_id: id, agent_type: 'general-purpose' };
  expect(await create(at, `agent-${id}`)).toMatchObject({ exit: 0, stdout: `${dir}\n` });
  await hook(at, { hook_event_name: 'SubagentStart', ...who, cwd: dir });
  work(dir);
  await hook(at, { hook_event_name: 'SubagentStop', ...who, cwd: dir, stop_hook_active: false });
  return dir;
}

const inTree = (at: Scratch, dir: string, ...args: readonly string[]) => at.git('-C', dir, ...args).trim();
const branches = (at: Scratch) => at.git('branch', '--format=%(refname:short)').trim().split('\n');

describe('a worktree that guard makes', () => {
  test('has what the client would give it', async () => {
    const at = repository();
    const dir = dirOf(at, 'own');
    expect(await create(at, 'own')).toMatchObject({ exit: 0, stdout: `${dir}\n`, stderr: '' });
    expect(inTree(at, dir, 'rev-parse', 'HEAD')).toBe(at.git('rev-parse', 'origin/main').trim());
    expect(inTree(at, dir, 'symbolic-ref', 'HEAD')).toBe('refs/heads/worktree-own');
    expect(readFileSync(join(dir, '.env'), 'utf8')).toBe('SECRET=1\n');
    expect(readlinkSync(join(dir, 'node_modules'))).toBe(at.path('node_modules'));
    expect(readFileSync(join(gitDir(at, 'own'), 'locked'), 'utf8')).toBe(LOCKED('session', 'own'));
    expect(readFileSync(join(gitDir(at, 'own'), 'CLAUDE_BASE'), 'utf8')).toBe(
      inTree(at, dir, 'rev-parse', 'HEAD'),
    );
    expect(at.git('config', '--local', 'core.hooksPath').trim()).toBe(at.path('.husky'));
    expect(at.git('config', '--local', '--list')).not.toContain('branch.worktree-own');
    expect(at.guard('lock', 'status', '@git/worktrees', '--json').stdout).toContain('"holder":null');
  });

  test('is the same for the same name, and locked for whoever asks now', async () => {
    const at = repository();
    await create(at, 'a/b');
    const dir = dirOf(at, 'a+b');
    writeFileSync(join(dir, 'new.txt'), 'x\n');
    at.git('worktree', 'unlock', dir);
    expect(await create(at, 'a/b', 'other')).toMatchObject({ exit: 0, stdout: `${dir}\n` });
    expect(readFileSync(join(dir, 'new.txt'), 'utf8')).toBe('x\n');
    expect(readFileSync(join(gitDir(at, 'a+b'), 'locked'), 'utf8')).toBe(LOCKED('session', 'a/b'));
    rmSync(dir, { recursive: true });
    expect(await create(at, 'a/b')).toMatchObject({ exit: 0 });
    expect(existsSync(join(dir, 'a.txt'))).toBe(true);
  });

  test('begins with what is checked out, has a part of the tree, as settings say', async () => {
    const at = repository();
    at.put(
      '.claude/settings.local.json',
      JSON.stringify({ worktree: { baseRef: 'head', sparsePaths: ['sub'] } }),
    );
    const dir = dirOf(at, 'own');
    at.put('other/c.txt', 'c\n');
    at.git('add', 'other');
    at.git('commit', '-qm', 'More');
    expect(await create(at, 'own')).toMatchObject({ exit: 0 });
    expect(inTree(at, dir, 'rev-parse', 'HEAD')).toBe(at.git('rev-parse', 'work').trim());
    expect(existsSync(join(dir, 'sub/b.txt'))).toBe(true);
    expect(existsSync(join(dir, 'other'))).toBe(false);
    expect(inTree(at, dir, 'status', '--porcelain')).toBe('?? node_modules');
  });

  test.each(['../x', '.', 'a b', '', '-x', 'a..b', 'a.lock'])('cannot be called %j', async (name) => {
    const at = repository();
    const said = await create(at, name);
    expect(said).toMatchObject({ exit: 2, stdout: '' });
    expect(said.stderr).toContain('GUARD_ERR_WORKTREE');
    expect(existsSync(at.path('.claude/worktrees'))).toBe(false);
  });

  test('leaves neither directory nor branch where it could not be made, and says what to do', async () => {
    const at = repository();
    at.put('.claude/worktrees/own/mine.txt', 'x\n');
    const said = await create(at, 'own');
    expect(said).toMatchObject({ exit: 2, stdout: '' });
    expect(said.stderr).toMatch(/GUARD_ERR_WORKTREE: .*not a worktree\. Move it away/);
    expect(at.read('.claude/worktrees/own/mine.txt')).toBe('x\n');
    // Fails half way: the required smudge filter of a.txt fails, so git cannot write the file.
    at.put('.worktreeinclude', 'kept.bin\n');
    at.put('.gitignore', 'kept.bin\n');
    at.put('kept.bin', 'x');
    at.git('config', 'filter.x.smudge', 'false');
    at.git('config', 'filter.x.required', 'true');
    at.put('.git/info/attributes', 'a.txt filter=x\n');
    const failed = await create(at, 'half');
    expect(failed).toMatchObject({ exit: 2, stdout: '' });
    expect(existsSync(dirOf(at, 'half'))).toBe(false);
    expect(branches(at)).toEqual(['main', 'work']);
    expect(at.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('is not made over a branch with commits that are nowhere else', async () => {
    const at = repository();
    at.git('branch', 'worktree-own', 'work');
    expect(await create(at, 'own')).toMatchObject({ exit: 0 });
    at.git('worktree', 'unlock', dirOf(at, 'own'));
    inTree(at, dirOf(at, 'own'), 'commit', '-q', '--allow-empty', '-m', 'Theirs');
    at.git('worktree', 'remove', '--force', dirOf(at, 'own'));
    const said = await create(at, 'own');
    expect(said).toMatchObject({ exit: 2, stdout: '' });
    expect(said.stderr).toContain('git branch -m worktree-own');
  });
});

describe('sixteen at once', () => {
  test('are all made, in a repository whose configuration has to be written', async () => {
    const at = repository();
    working(at);
    const ids = Array.from({ length: 16 }, (_, nth) => `agent-a${nth}`);
    const said = await Promise.all(ids.map((name, nth) => create(at, name, `s${nth % 3}`)));
    expect(said.filter(({ exit }) => exit !== 0)).toEqual([]);
    expect(said.map(({ stdout }) => stdout)).toEqual(ids.map((name) => `${dirOf(at, name)}\n`));
    expect(branches(at).filter((name) => name.startsWith('worktree-'))).toHaveLength(16);
    for (const name of ids) expect(readFileSync(join(dirOf(at, name), '.env'), 'utf8')).toBe('SECRET=1\n');
    expect(at.guard('lock', 'status', '@git/worktrees', '--json').stdout).toContain('"holder":null');
    const turns = at.log('hold').filter(({ paths }) => JSON.stringify(paths) === '["@git//worktrees"]');
    expect(new Set(turns.map(({ agent }) => agent)).size).toBe(16);
  });

  test('wait for a git that has the configuration', async () => {
    const at = repository();
    at.put('.git/config.lock', '');
    const made = create(at, 'own');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    rmSync(at.path('.git/config.lock'));
    expect(await made).toMatchObject({ exit: 0, stdout: `${dirOf(at, 'own')}\n` });
    expect(at.git('config', '--local', 'core.hooksPath').trim()).toBe(at.path('.husky'));
  });

  test('wait for whoever has locked the list of worktrees', async () => {
    const at = repository();
    const other = working(at);
    expect(other.guard('lock', 'try', '@git/worktrees').exit).toBe(0);
    const made = create(at, 'own');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(existsSync(dirOf(at, 'own'))).toBe(false);
    expect(other.guard('lock', 'release', '@git/worktrees').exit).toBe(0);
    expect(await made).toMatchObject({ exit: 0, stdout: `${dirOf(at, 'own')}\n` });
  });
});

describe('the worktree of a subagent that has ended', () => {
  test('is gone with its branch where nothing was done in it', async () => {
    const at = repository();
    const dir = await subagent(at, 'a1', () => undefined);
    expect(existsSync(dir)).toBe(false);
    expect(existsSync(at.path('node_modules/x.js'))).toBe(true);
    expect(branches(at)).toEqual(['main', 'work']);
    expect(existsSync(gitDir(at, 'agent-a1'))).toBe(false);
  });

  test.each<[string, (at: Scratch, dir: string) => void]>([
    ['a new file', (_, dir) => writeFileSync(join(dir, 'new.txt'), 'x')],
    ['a changed file', (_, dir) => writeFileSync(join(dir, 'a.txt'), 'x')],
    ['a commit', (at, dir) => void inTree(at, dir, 'commit', '-q', '--allow-empty', '-m', 'x')],
    ['something staged', (at, dir) => void inTree(at, dir, 'rm', '-q', '--cached', 'a.txt')],
    ['another branch', (at, dir) => void inTree(at, dir, 'switch', '-qc', 'mine')],
  ])('stays with %s', async (_, work) => {
    const at = repository();
    const dir = await subagent(at, 'a1', (made) => work(at, made));
    expect(existsSync(join(dir, 'sub/b.txt'))).toBe(true);
    expect(branches(at)).toContain('worktree-agent-a1');
  });

  test('stays where guard did not make it', async () => {
    const at = repository();
    at.git('worktree', 'add', '-q', '.claude/worktrees/agent-a1');
    await hook(at, { hook_event_name: 'SubagentStart', agent_id: 'a1', cwd: dirOf(at, 'agent-a1') });
    await hook(at, { hook_event_name: 'SubagentStop', agent_id: 'a1', cwd: dirOf(at, 'agent-a1') });
    expect(existsSync(dirOf(at, 'agent-a1'))).toBe(true);
  });

  test('is removed by WorktreeRemove as well, and never with work in it', async () => {
    const at = repository();
    const removed = { hook_event_name: 'WorktreeRemove', worktree_path: dirOf(at, 'own') };
    await create(at, 'own');
    writeFileSync(join(dirOf(at, 'own'), 'new.txt'), 'x');
    expect((await hook(at, removed)).stderr).toContain('stays');
    expect(existsSync(dirOf(at, 'own'))).toBe(true);
    rmSync(join(dirOf(at, 'own'), 'new.txt'));
    expect(await hook(at, removed)).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    expect(existsSync(dirOf(at, 'own'))).toBe(false);
  });

  test('leaves nothing to one that is made by its name later: no lock, no last write, nobody who was in it', async () => {
    const at = repository();
    await create(at, 'own');
    const file = join(dirOf(at, 'own'), 'a.txt');
    const before = working(at);
    before.lock(file);
    before.read(file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, `${text}more`);
    writeFileSync(file, text);
    // The agent is alive and in another checkout by now; the hook runs on its behalf.
    const told = await before.fireLater('WorktreeRemove', { worktree_path: dirOf(at, 'own') });
    expect(told).toMatchObject({ exit: 0, stderr: '' });
    expect(existsSync(dirOf(at, 'own'))).toBe(false);
    expect(at.guard('status', '--json').json()).toMatchObject({ leases: [] });
    expect(at.log('worktree.removed')).toMatchObject([{ worktree: 'own' }]);
    await create(at, 'own');
    const next = working(at);
    expect(next.guard('lock', 'try', file).exit).toBe(0);
  });
});
