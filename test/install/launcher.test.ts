import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WRITER_NAMES } from '../../src/claude/tools.ts';
import { LAUNCHER, PROJECT_HOOK_COMMAND } from '../../src/install/command.ts';
import { INSTALL } from '../repo/scratch.ts';
import { fakeGuard, launcherPlace, project, SOURCE, WRITE } from './launcher-place.ts';
import { git, gitRepo, plainEnv, put, run } from './scratch.ts';

const { base, home, install, fire } = launcherPlace();
const main = project(gitRepo(join(base, 'main')));
const root = fakeGuard(join(base, 'the guard'));
install(join(main, '.git', 'guard'), root);

describe('the launcher finds the guard of this machine', () => {
  it('through install.json of the clone', () => {
    expect(fire(main, WRITE)).toEqual({
      code: 0,
      stdout: `hook of ${root} ${JSON.stringify(WRITE).length + 1}`,
      stderr: '',
    });
  });

  it('without CLAUDE_PROJECT_DIR, as other hosts run it', () => {
    expect(fire(main, WRITE, {}).stdout).toContain(`hook of ${root}`);
  });

  it('in a linked worktree, which shares it', () => {
    git(main, 'worktree', 'add', '-q', join(base, 'linked'));
    expect(fire(project(join(base, 'linked')), WRITE).stdout).toContain(`hook of ${root}`);
  });

  it('in a submodule with an installation of its own, and in one without, whose parent has one', () => {
    const part = gitRepo(join(base, 'part'));
    const outer = gitRepo(join(base, 'outer'));
    git(outer, 'submodule', 'add', '-q', part, 'sub');
    const sub = project(join(outer, 'sub'));
    install(join(outer, '.git', 'guard'), root);
    expect(fire(sub, WRITE).stdout).toContain(`hook of ${root}`);
    const own = fakeGuard(join(base, 'own guard'));
    install(join(outer, '.git', 'modules', 'sub', 'guard'), own);
    expect(fire(sub, WRITE).stdout).toContain(`hook of ${own}`);
  });

  it('in a directory without git', () => {
    const plain = project(join(base, 'plain'));
    install(join(plain, '.guard'), root);
    expect(fire(plain, WRITE).stdout).toContain(`hook of ${root}`);
  });

  it('through the pointer of a home of several versions, which an upgrade moves', () => {
    const dir = project(gitRepo(join(base, 'versions')));
    const programs = join(base, 'programs');
    const [one, two] = ['1.0.0', '2.0.0'].map((name) => fakeGuard(join(programs, 'versions', name)));
    install(join(dir, '.git', 'guard'), programs);
    put(join(programs, 'current.json'), JSON.stringify({ v: 1, dir: '1.0.0' }));
    expect(fire(dir, WRITE).stdout).toContain(`hook of ${one ?? ''}`);
    put(join(programs, 'current.json'), JSON.stringify({ v: 1, dir: '2.0.0' }));
    expect(fire(dir, WRITE).stdout).toContain(`hook of ${two ?? ''}`);
    put(join(programs, 'current.json'), JSON.stringify({ v: 1, dir: '../../elsewhere' }));
    expect(fire(dir, WRITE).code).toBe(2);
  });

  it('under any package name, for a name is no proof', () => {
    const dir = project(gitRepo(join(base, 'renamed')));
    const other = fakeGuard(join(base, 'renamed guard'), '@somebody/guard');
    install(join(dir, '.git', 'guard'), other);
    expect(fire(dir, WRITE).stdout).toContain(`hook of ${other}`);
  });

  it('but never in node_modules, where a stranger could be called guard', () => {
    const dir = project(gitRepo(join(base, 'modules')));
    fakeGuard(join(dir, 'node_modules', 'guard'));
    expect(fire(dir, WRITE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('not set up') as string,
    });
  });

  it('after an upgrade that took the program away for a moment', () => {
    const dir = project(gitRepo(join(base, 'upgraded')));
    const program = fakeGuard(join(base, 'upgraded guard'));
    install(join(dir, '.git', 'guard'), program);
    renameSync(program, `${program} aside`);
    const line = `sh -c 'sleep 0.15; mv "$1 aside" "$1"' sh "$0" & ${PROJECT_HOOK_COMMAND}`;
    const options = {
      cwd: dir,
      env: plainEnv(home, { CLAUDE_PROJECT_DIR: dir }),
      input: JSON.stringify(WRITE),
    };
    expect(run('/bin/sh', ['-c', line, program], options).stdout).toContain(`hook of ${program}`);
    rmSync(program, { recursive: true });
    expect(fire(dir, WRITE).code).toBe(2);
  });
});

describe('where guard is not installed on this machine', () => {
  const bare = project(gitRepo(join(base, 'bare')));

  it('a write passes with a notice for the user that says what to run', () => {
    const { code, stdout } = fire(bare, WRITE);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('guard init') as string });
  });

  it('the start of a session says so', () => {
    const { code, stdout } = fire(bare, { hook_event_name: 'SessionStart', source: 'startup' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('systemMessage')]);
  });

  it.each(['Stop', 'PostToolUse', 'UserPromptSubmit', 'SessionEnd'])('%s is silent', (hook_event_name) => {
    expect(fire(bare, { hook_event_name, tool_name: 'Write' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('a Bash command and unreadable input pass', () => {
    expect(fire(bare, { hook_event_name: 'PreToolUse', tool_name: 'Bash' })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(fire(bare, '{"hook_ev')).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('where guard is not installed, but guard.config.json requires it', () => {
  const strict = project(gitRepo(join(base, 'strict')));
  const config = join(strict, 'guard.config.json');
  writeFileSync(
    config,
    JSON.stringify({
      enforcement: 'required',
      mcp: { writers: [{ tool: 'mcp__fs__put' }, { tool: 'mcp__db__*' }] },
    }),
  );

  it.each([...WRITER_NAMES, 'mcp__fs__put', 'mcp__db__write'])(
    '%s is denied with the whole envelope',
    (tool_name) => {
      const { code, stdout, stderr } = fire(strict, { ...WRITE, tool_name });
      const { hookSpecificOutput } = JSON.parse(stdout) as {
        hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
      };
      expect([code, hookSpecificOutput.permissionDecision]).toEqual([2, 'deny']);
      expect(JSON.parse(hookSpecificOutput.permissionDecisionReason)).toMatchObject({
        error_type: 'GUARD_ERROR',
        details: { path: '/r/a.ts' },
      });
      expect(stderr.trim()).toBe(hookSpecificOutput.permissionDecisionReason);
    },
  );

  it.each(['Bash', 'Read', 'mcp__fs__get', 'mcp__other__put'])('%s passes', (tool_name) => {
    expect(fire(strict, { ...WRITE, tool_name })).toMatchObject({ code: 0, stdout: '' });
  });

  it('the end of a turn passes', () => {
    expect(fire(strict, { hook_event_name: 'Stop' })).toMatchObject({ code: 0, stdout: '' });
  });

  it.each(['', '{"hook_ev', '\u0000\u0001', '[1]x', 'null'])(
    'an event that cannot be read (%j) is a failure: the write entry makes a denial of it',
    (input) => {
      expect(fire(strict, input)).toMatchObject({ code: 1, stdout: '' });
    },
  );

  it.each([
    [{ preset: 'strict' }, 2],
    [{ preset: 'standard' }, 2],
    [{ preset: 'auto' }, 0],
    [{ preset: 'strict', enforcement: 'auto' }, 0],
    [{}, 0],
  ])('%j: exit code %d', (content, code) => {
    const dir = project(gitRepo(join(base, `preset ${JSON.stringify(content).replace(/\W/g, '')}`)));
    writeFileSync(join(dir, 'guard.config.json'), JSON.stringify(content));
    expect(fire(dir, WRITE).code).toBe(code);
  });

  it('a configuration that cannot be read counts as "required"', () => {
    const broken = project(gitRepo(join(base, 'broken')));
    writeFileSync(join(broken, 'guard.config.json'), '{ "enforcement": ');
    expect(fire(broken, WRITE).code).toBe(2);
  });
});

describe('a Node that is too old for guard', () => {
  const preload = put(
    join(base, 'old.cjs'),
    `Object.defineProperty(process, 'versions', { value: { node: '18.20.1' } });`,
  );

  it('gets as far as saying so, and denies where guard is set up', () => {
    const options = {
      cwd: main,
      env: plainEnv(home, { CLAUDE_PROJECT_DIR: main }),
      input: JSON.stringify(WRITE),
    };
    const ran = run(process.execPath, ['--require', preload, join(main, LAUNCHER)], options);
    expect(ran).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('guard needs Node 20.19') as string,
    });
  });
});

describe('the plugin form', () => {
  const plugin = join(base, 'plugin');
  put(join(plugin, '.claude-plugin', 'plugin.json'), JSON.stringify({ name: 'guard' }));
  cpSync(SOURCE, join(plugin, 'hooks', 'guard-hook.cjs'));
  const fireIn = (dir: string, input: unknown) =>
    run(process.execPath, [join(plugin, 'hooks', 'guard-hook.cjs')], {
      cwd: dir,
      env: plainEnv(home),
      input: JSON.stringify(input),
    });

  it('from a checkout that was not built says what to run', () => {
    const empty = gitRepo(join(base, 'unbuilt'));
    expect(fireIn(empty, WRITE)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`npm ci --prefix`) as string,
    });
  });

  it('not built, uses the guard that initialised the repository', () => {
    expect(fireIn(main, WRITE).stdout).toContain(`hook of ${root}`);
  });

  it('takes no code out of the project it runs in', () => {
    const dir = gitRepo(join(base, 'untrusted'));
    const program = fakeGuard(join(dir, 'node_modules', 'guard'));
    mkdirSync(join(dir, '.guard'), { mode: 0o700 });
    put(join(dir, '.guard', 'install.json'), JSON.stringify({ ...INSTALL, guard_root: program }));
    expect(fireIn(dir, WRITE)).toMatchObject({
      code: 2,
      stdout: expect.not.stringContaining('hook of') as string,
    });
  });

  it('built, runs its own', () => {
    fakeGuard(plugin);
    expect(fireIn(main, WRITE).stdout).toContain(`hook of ${plugin}`);
  });
});
