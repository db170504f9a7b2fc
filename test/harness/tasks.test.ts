/** Tasks, plans and worktrees of drafted agents, and the paths that a configuration may lead to. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { harness } from './harness.ts';

const BLOCK = 'Done.\\n```json\\n{"summary":"did it","changes":["a"],"issues":[],"questions":["why?"]}\\n```';

describe('tasks', () => {
  it('a draft without one makes one, and the next agent on it is told what came before', () => {
    const at = harness();
    const id = at.draft('dev', [`result ${BLOCK}`]);
    const { taskSlug } = at.await(id);
    const again = at.draft('dev', ['result Went on.'], '--task', taskSlug);
    at.await(again);
    expect(at.started(again).prompt).toContain('Summary: did it');
    expect(at.guard('task', 'list', '--json').json()).toMatchObject({
      tasks: [{ slug: taskSlug, dispatchCount: 2 }],
    });
    const { context } = at.guard('task', 'context', taskSlug, '--json').json() as { context: string };
    expect(context).toContain(id);
    expect(context).toContain('> Went on.');
    expect(readFileSync(at.at.path(`.agents/tasks/${taskSlug}/context.md`), 'utf8')).toBe(context);
  });

  it.each(['../out', 'a/b', '.', '', 'A B', '-x', 'con', '/etc'])('the slug %j is refused', (slug) => {
    const at = harness();
    const told = at.guard('agent', 'draft', '--role', 'dev', `--task=${slug}`, '--json', 'x');
    expect(told.exit).toBe(64);
    expect(at.guard('task', 'show', '--json', '--', slug).exit).toBe(64);
  });

  it('can be made before anybody works on one, under a name or by what is to be done', () => {
    const at = harness();
    const made = at.guard('task', 'create', '--description', 'Fix the \u001b[31mrouter', '--json').json();
    expect(made).toMatchObject({ slug: 'fix-the-31mrouter', description: 'Fix the \u001b[31mrouter' });
    expect(at.guard('task', 'create', 'docs').stdout).toBe('docs\n');
    expect(at.guard('task', 'create', '--description', 'Fix the \u001b[31mrouter').stdout).toBe(
      'fix-the-31mrouter-2\n',
    );
    expect(at.guard('task', 'context', 'fix-the-31mrouter').stdout).toContain('Fix the \\x1b[31mrouter');
    expect(at.guard('task', 'show', 'docs').exit).toBe(0);
    at.await(at.draft('dev', ['result Done.'], '--task', 'docs'));
    expect(at.guard('task', 'list', '--json').json()).toMatchObject({
      tasks: [{ slug: 'docs', dispatchCount: 1 }, { dispatchCount: 0 }, { dispatchCount: 0 }],
    });
  });

  it('is not made over another one, nor without a name, nor elsewhere', async () => {
    const at = harness();
    const racing = Array.from({ length: 6 }, () => at.at.startGuard(at.env, 'task', 'create', 'one').done);
    const exits = (await Promise.all(racing)).map(({ exit }) => exit);
    expect(exits.sort()).toEqual([0, 64, 64, 64, 64, 64]);
    for (const wrong of [[], ['--description', ' '], ['../out'], ['con']])
      expect(at.guard('task', 'create', ...wrong).exit).toBe(64);
    expect(readdirSync(at.at.path('.agents/tasks')).sort()).toEqual(['.gitignore', 'one']);
    expect(readdirSync(at.at.path('.agents/tasks/one')).sort()).toEqual(['dispatches', 'task.json']);
  });

  it('a plan is carried through to its end by one command', () => {
    const at = harness();
    const plan = at.at.put('plan.md', `say First.\nresult ${BLOCK}\n`);
    const told = at.guard('agent', 'draft', '--role', 'lead', '--plan', plan, '--json');
    // It asks a question.
    expect(told.exit).toBe(3);
    expect(told.json()).toMatchObject({ status: 'completed', result: { summary: 'did it' } });
  });

  it('a role that is not there is refused', () => {
    const told = harness().guard('agent', 'draft', '--role', 'nobody', '--json', 'x');
    expect(told.exit).toBe(64);
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_USAGE' } });
  });
});

describe('a worktree of its own', () => {
  it('keeps what the agent changed, and says what that is', () => {
    const at = harness();
    at.at.git('add', '-A');
    at.at.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'Start');
    const told = at.await(at.draft('dev', ['sh echo new > made.txt', 'result Done.'], '--worktree'));
    expect(told.worktree).toMatchObject({ changed: ['made.txt'], commits: 0, kept: true });
    const clean = at.await(at.draft('dev', ['result Done.'], '--worktree'));
    expect(clean.worktree).toMatchObject({ changed: [], kept: false });
    expect(at.at.git('worktree', 'list')).not.toContain(clean.worktree?.dir);
  });
});

describe('the directories of tasks and roles', () => {
  it.each(['../tasks', '/tmp/tasks', 'a/../../b', '.git/tasks', ''])('may not be %j', (tasksDir) => {
    const told = harness({ tasksDir }).guard('task', 'list', '--json');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_CONFIG' } });
  });

  it('may not be a link that leads out', () => {
    const at = harness({ tasksDir: 'tasks' });
    mkdirSync(`${at.at.home}/elsewhere`);
    symlinkSync(`${at.at.home}/elsewhere`, at.at.path('tasks'));
    const told = at.guard('agent', 'draft', '--role', 'dev', '--json', 'x');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_PATH' } });
  });

  it('may be others inside the repository', () => {
    const at = harness({ tasksDir: 'work/tasks', rolesDir: 'work/roles' });
    at.at.put('work/roles/own.json', JSON.stringify({ name: 'own', category: 'worker', prompt: 'x' }));
    const told = at.await(at.draft('own', ['result Done.']));
    expect(at.at.read(`work/tasks/${told.taskSlug}/task.json`)).toContain(told.taskSlug);
  });

  it('may not be reached through a link: an agent could write where it leads', () => {
    const at = harness({ rolesDir: 'roles' });
    at.at.put('src/own.json', JSON.stringify({ name: 'own', category: 'worker', prompt: 'x' }));
    symlinkSync('src', at.at.path('roles'));
    const told = at.guard('agent', 'draft', '--role', 'own', '--json', 'x');
    expect(told.json()).toMatchObject({ error: { code: 'GUARD_ERR_PATH' } });
  });

  it.each([
    ['{', 'JSON'],
    ['{"name":"bad","category":"c"}', '"prompt"'],
    ['{"name":"other","category":"c","prompt":"x"}', 'named'],
    ['{"name":"bad","category":"c","prompt":"x","limits":{"turns":-1}}', '"turns"'],
    ['{"name":"bad","category":"c","prompt":"x","color":"red"}', '"color"'],
  ])('a role file with %s is an error that says why', (text, why) => {
    const at = harness();
    at.at.put('.agents/roles/bad.json', text);
    const told = at.guard('agent', 'draft', '--role', 'bad', '--json', 'x').json() as {
      error: { code: string; message: string };
    };
    expect(told.error.code).toBe('GUARD_ERR_INPUT');
    expect(told.error.message).toContain(why);
  });
});
