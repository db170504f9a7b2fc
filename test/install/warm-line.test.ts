import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  absoluteHookCommand,
  failClosed,
  isGuardHookCommand,
  PROJECT_HOOK_COMMAND,
} from '../../src/install/command.ts';
import { settleProgram } from '../../src/install/program/settle.ts';
import {
  absoluteLine,
  coldLine,
  isWarmLine,
  launcherName,
  projectLine,
} from '../../src/install/warm-line.ts';
import { placeScript } from '../../src/install/warm-script.ts';
import { runsGuard } from '../../src/settings/runs-guard.ts';
import { emptyHome, NOW_MS, program } from './program/scratch.ts';
import { git, gitRepo, plainEnv, put, run, scratchDir } from './scratch.ts';
import { PACKAGE } from '../claude/driver.ts';

const PERL = '/usr/bin/perl';
const SCRIPT = 'warm';
const HOOK =
  'console.log("hook", process.argv.slice(2).join()); process.exitCode = Number(process.env.CODE ?? 0)';
/** Stands in for the launcher: prints that it was asked, and for which command. */
const ASKED = 'print "asked $ARGV[-1]\\n"; exit($ENV{CODE} || 0);';

describe('the line of a warm hook', () => {
  const roots = ['/opt/guard', "/opt/o'my guard; x/", '/opt/ünï $HOME `id`'].map((root) =>
    root.replace(/\/$/, ''),
  );
  const warm = [
    projectLine({ is_warm: true }),
    ...['linux', 'darwin'].flatMap((system) =>
      roots.map((guard_root) =>
        absoluteLine({ is_warm: true, node: '/usr/bin/node', guard_root }, launcherName(system, 'x64')),
      ),
    ),
  ];

  it.each(warm)('is the cold line with something in front, and guards as that: %s', (line) => {
    const cold = [PROJECT_HOOK_COMMAND, ...roots.map((root) => absoluteHookCommand('/usr/bin/node', root))];
    expect(isWarmLine(line)).toBe(true);
    expect(cold).toContain(coldLine(line));
    expect(coldLine(failClosed(line))).toBe(failClosed(coldLine(line)));
    expect([isGuardHookCommand(line), runsGuard(line), runsGuard(failClosed(line))]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each(warm)('is none where another script is asked, or the hook is not what runs else: %s', (line) => {
    const other = line.replace(/W=.*?; /, 'W=/tmp/evil; ');
    const no_hook = line.replace('"$@" ', '"$@" true ');
    const another = line.replace('/usr/bin/perl', '/tmp/perl');
    expect([other, no_hook, another].map(runsGuard)).toEqual([false, false, false]);
    expect(runsGuard(line.replace(/W=(.*?); /, 'W=/tmp/evil/dist/warm; '))).toBe(false);
  });

  it.each(warm)('is none with its launcher at any other place than before the program: %s', (line) => {
    const words = line.replace('"$@" ', '').split(' ');
    const begin = line.slice(0, line.indexOf('set -- ')).split(' ').length;
    const moved = words.map((_, at) => [...words.slice(0, at), '"$@"', ...words.slice(at)].join(' '));
    const guarding = moved.slice(begin).filter(runsGuard);
    expect(guarding.filter((one) => one !== line)).toEqual([]);
  });

  it('is recognised as earlier versions wrote it', () => {
    const old = warm.map((line) => line.replace('export PERL_BADLANG="${PERL_BADLANG-}"; ', ''));
    expect(old.filter((line) => warm.includes(line))).toEqual([]);
    expect(old.map(coldLine)).toEqual(warm.map(coldLine));
    expect(old.every(isWarmLine)).toBe(true);
  });

  it('is the cold one for everybody who does not want it', () => {
    expect(projectLine({ is_warm: false })).toBe(PROJECT_HOOK_COMMAND);
    expect(coldLine('echo guard')).toBe('echo guard');
    expect(isWarmLine(PROJECT_HOOK_COMMAND)).toBe(false);
  });
});

describe.skipIf(!existsSync(PERL))('a warm hook, run by sh as the client does', () => {
  const scratch = scratchDir();
  const sh = (line: string, env: Record<string, string> = {}) =>
    run('/bin/sh', ['-c', line], { cwd: scratch, env: plainEnv(scratch, env) });

  it('asks where the launcher is, and runs the hook where it is not', () => {
    const guard_root = join(scratch, "it's a; root");
    put(join(guard_root, 'dist/hook.cjs'), HOOK);
    const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root }, SCRIPT);
    expect(sh(line)).toEqual({ code: 0, stdout: 'hook guard\n', stderr: '' });
    put(join(guard_root, 'dist/warm.pl'), ASKED);
    expect(sh(line)).toEqual({ code: 0, stdout: 'asked guard\n', stderr: '' });
    expect([0, 2].map((code) => sh(failClosed(line), { CODE: String(code) }).code)).toEqual([0, 2]);
    expect(sh(failClosed(line), { CODE: '9' })).toMatchObject({
      code: 2,
      stderr: 'guard did not start: run guard doctor\n',
    });
  });

  it('of a project finds it from the main checkout and from a linked worktree', () => {
    const root = gitRepo(join(scratch, 'repo'));
    put(join(root, 'a.txt'), 'x');
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'x');
    const tree = join(scratch, 'linked tree');
    git(root, 'worktree', 'add', '-q', '-b', 'other', tree);
    for (const dir of [root, tree]) put(join(dir, '.claude/guard-hook.cjs'), HOOK);
    const line = projectLine({ is_warm: true });
    const both = () => [root, tree].map((dir) => sh(line, { CLAUDE_PROJECT_DIR: dir }).stdout);
    expect(both()).toEqual(['hook \n', 'hook \n']);
    const guard_root = join(scratch, "a \\ 'root'");
    mkdirSync(join(root, '.git/guard'), { recursive: true });
    placeScript(join(root, '.git/guard'), guard_root, true, SCRIPT);
    // The launcher is gone, so the command itself runs.
    expect(both()).toEqual(['hook \n', 'hook \n']);
    put(join(guard_root, 'dist/warm.pl'), ASKED);
    expect(both()).toEqual([root, tree].map((dir) => `asked ${dir}/.claude/guard-hook.cjs\n`));
    placeScript(join(root, '.git/guard'), guard_root, false, SCRIPT);
    expect(both()).toEqual(['hook \n', 'hook \n']);
  });

  it.each([
    ['relative to the checkout, not to where the hook runs', '../main/.git/worktrees/tree', true],
    ['of a repository with its git directory elsewhere', '', false],
  ])('of a project asks no script of the working tree: a git directory %s', (_, gitdir, asks) => {
    const base = join(scratch, `gitdir ${asks}`);
    const [tree, elsewhere] = [join(base, 'tree'), join(base, 'gits/a.git')];
    put(join(tree, '.claude/guard-hook.cjs'), HOOK);
    put(join(tree, '.git'), `gitdir: ${gitdir || elsewhere}\n`);
    put(join(base, 'main/.git/worktrees/tree/commondir'), '../..\n');
    put(join(base, 'main/.git/guard/warm-hook.pl'), ASKED);
    mkdirSync(elsewhere, { recursive: true });
    // What an agent could put there.
    put(join(tree, 'main/.git/worktrees/tree/HEAD'), '');
    for (const dir of [join(tree, 'main/.git'), base])
      put(join(dir, 'guard/warm-hook.pl'), 'print "evil\\n"; exit 0;');
    mkdirSync(join(tree, 'sub'));
    const line = projectLine({ is_warm: true });
    const told = run('/bin/sh', ['-c', line], {
      cwd: join(tree, 'sub'),
      env: plainEnv(scratch, { CLAUDE_PROJECT_DIR: tree }),
    });
    expect(told.stdout).toBe(asks ? `asked ${tree}/.claude/guard-hook.cjs\n` : 'hook \n');
  });

  it.each(['PERL5OPT=-T', 'PERL_UNICODE=', 'PERL_UNICODE=SDA', 'PERLIO=:utf8'])(
    'does not ask where perl is told to be another: %s',
    (told) => {
      const guard_root = join(scratch, 'perl told');
      put(join(guard_root, 'dist/hook.cjs'), HOOK);
      put(join(guard_root, 'dist/warm.pl'), ASKED);
      const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root }, SCRIPT);
      const [name = '', value = ''] = told.split('=');
      expect(sh(line, { [name]: value })).toEqual({ code: 0, stdout: 'hook guard\n', stderr: '' });
    },
  );

  it('is silent about a locale that is not installed, and the hook does not see how', () => {
    const guard_root = join(scratch, 'no locale');
    put(join(guard_root, 'dist/hook.cjs'), 'console.log(process.env.PERL_BADLANG)');
    put(join(guard_root, 'dist/warm.pl'), readFileSync(join(PACKAGE, 'hooks/warm.pl'), 'utf8'));
    const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root }, SCRIPT);
    const locale = { LC_ALL: 'xx_XX.UTF-8' };
    expect(sh(line, locale)).toEqual({ code: 0, stdout: 'undefined\n', stderr: '' });
    expect(sh(line, { ...locale, PERL_BADLANG: '0' })).toEqual({ code: 0, stdout: '0\n', stderr: '' });
  });

  it('of a home asks for the version in use, and runs the hook where that has no launcher', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    settleProgram(root, home, NOW_MS);
    const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root: home }, SCRIPT);
    expect(sh(line)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0\.1\.0 /) as string });
    const newer = program('0.2.0');
    writeFileSync(join(newer, 'dist/warm.pl'), ASKED.replace('asked', 'asked by $0'));
    chmodSync(join(newer, 'dist/warm.pl'), 0o644);
    settleProgram(newer, home, NOW_MS);
    expect(sh(line)).toEqual({ code: 0, stdout: `asked by ${home}/dist/warm.pl guard\n`, stderr: '' });
    expect(readFileSync(join(home, 'dist/warm.pl'), 'utf8')).toContain('current.json');
  });
});

/** Stands in for the program that asks. */
const PROGRAM = '#!/bin/sh\nfor last; do :; done; echo "asked by $0 for $last"\n';

describe.skipIf(launcherName() === 'warm')('a warm hook that has a program to ask', () => {
  const scratch = scratchDir();
  const sh = (line: string, env: Record<string, string> = {}) =>
    run('/bin/sh', ['-c', line], { cwd: scratch, env: plainEnv(scratch, { PERL5OPT: '-T', ...env }) }).stdout;
  const place = (file: string) => {
    put(file, PROGRAM);
    chmodSync(file, 0o755);
  };

  it('asks where it may be run, whatever perl is told, and runs the hook where it is not there', () => {
    const guard_root = join(scratch, "it's a; root");
    put(join(guard_root, 'dist/hook.cjs'), HOOK);
    const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root });
    const file = join(guard_root, 'dist', launcherName());
    expect(sh(line)).toBe('hook guard\n');
    place(file);
    expect(sh(line)).toBe(`asked by ${file} for guard\n`);
    chmodSync(file, 0o644);
    expect(sh(line)).toBe('hook guard\n');
  });

  it('of a project finds it in the state directory, and leaves none of the two behind', () => {
    const root = gitRepo(join(scratch, 'repo'));
    const [state, guard_root] = [join(root, '.git/guard'), join(scratch, "a 'root'")];
    mkdirSync(state);
    put(join(root, '.claude/guard-hook.cjs'), HOOK);
    const told = () => sh(projectLine({ is_warm: true }), { CLAUDE_PROJECT_DIR: root });
    placeScript(state, guard_root, true, SCRIPT);
    placeScript(state, guard_root, true);
    expect([readdirSync(state), told()]).toEqual([['warm-hook'], 'hook \n']);
    place(join(guard_root, 'dist', launcherName()));
    expect(told()).toBe(`asked by ${state}/warm-hook for ${root}/.claude/guard-hook.cjs\n`);
    placeScript(state, guard_root, false);
    expect([readdirSync(state), told()]).toEqual([[], 'hook \n']);
  });

  it('of a home asks that of the version in use', () => {
    const home = emptyHome();
    for (const version of ['0.1.0', '0.2.0']) {
      const root = program(version);
      place(join(root, 'dist', launcherName()));
      settleProgram(root, home, NOW_MS);
      const { dir } = JSON.parse(readFileSync(join(home, 'current.json'), 'utf8')) as { dir: string };
      expect(realpathSync(join(home, 'dist', launcherName()))).toBe(
        realpathSync(join(home, 'versions', dir, 'dist', launcherName())),
      );
      const line = absoluteLine({ is_warm: true, node: process.execPath, guard_root: home });
      expect(sh(line)).toBe(`asked by ${home}/dist/${launcherName()} for guard\n`);
    }
  });
});
