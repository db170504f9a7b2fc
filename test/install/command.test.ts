import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  absoluteHookCommand,
  failClosed,
  isFailClosed,
  isGuardHookCommand,
  PLUGIN_HOOK_COMMAND,
  PROJECT_HOOK_COMMAND,
} from '../../src/install/command.ts';
import { plainEnv, run, scratchDir } from './scratch.ts';

const HOOK = 'process.stdout.write(process.argv[1]); process.exitCode = Number(process.env.CODE ?? 0)';

describe('the hook command line, run by sh as the client does', () => {
  const scratch = scratchDir();

  it.each([
    'plain',
    'with blank',
    `both ' and "`,
    '$HOME `id` $(id)',
    'back\\slash',
    'semi;colon & more',
    'ünï/çødé',
    '-dash',
  ])('reaches the file below a directory named %s', (name) => {
    const root = join(scratch, name);
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'dist', 'hook.cjs'), HOOK);
    const command = absoluteHookCommand(process.execPath, root);
    const ran = run('/bin/sh', ['-c', command], { cwd: scratch, env: plainEnv(scratch) });
    expect(ran).toEqual({ code: 0, stdout: join(root, 'dist', 'hook.cjs'), stderr: '' });
    expect(isGuardHookCommand(command)).toBe(true);
  });

  it('ends in exit code 2 whatever goes wrong, and in 0 when nothing does', () => {
    const root = join(scratch, 'codes');
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'dist', 'hook.cjs'), HOOK);
    const code = (command: string, CODE: string) =>
      run('/bin/sh', ['-c', failClosed(command)], { cwd: scratch, env: plainEnv(scratch, { CODE }) }).code;
    const command = absoluteHookCommand(process.execPath, root);
    expect(['0', '1', '2', '255'].map((exit) => code(command, exit))).toEqual([0, 2, 2, 2]);
    const without = run('/bin/sh', ['-c', failClosed(absoluteHookCommand('/no/such/node', root))], {
      cwd: scratch,
      env: { ...plainEnv(scratch), PATH: '/nonexistent' },
    });
    expect(without.code).toBe(2);
    expect(code(absoluteHookCommand(process.execPath, '/no/such/guard'), '0')).toBe(2);
    expect(code(`kill -9 $$; ${command}`, '0')).toBeNull();
    expect(code(`${command} & kill -9 $!; wait $!`, '0')).toBe(2);
  });

  it('goes on with the Node on PATH when the one that set guard up is gone', () => {
    const root = join(scratch, 'switched');
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'dist', 'hook.cjs'), HOOK);
    const command = absoluteHookCommand(join(scratch, 'versions/node/v22.1.0/bin/node'), root);
    const ran = run('/bin/sh', ['-c', failClosed(command)], { cwd: scratch, env: plainEnv(scratch) });
    expect(ran).toEqual({ code: 0, stdout: join(root, 'dist', 'hook.cjs'), stderr: '' });
  });
});

describe("guard's own command lines are recognised", () => {
  it.each([
    [PROJECT_HOOK_COMMAND, true],
    [PLUGIN_HOOK_COMMAND, true],
    ['node "${CLAUDE_PROJECT_DIR:-.}/.claude/guard-hook.cjs"', true],
    ['node "${CLAUDE_PLUGIN_ROOT}/hooks/guard-hook.cjs"', true],
    ['/usr/bin/node /opt/guard/dist/hook.cjs guard', true],
    ["'/opt/my node' '/opt/my guard/dist/hook.cjs' guard", true],
    ['node "C:\\guard\\dist\\hook.cjs" guard', true],
    ['node .claude/guard-hook.cjs', true],
    ['node /repo/.claude/guard-hook.cjs', true],
    ['node /opt/other/dist/hook.cjs', false],
    ['node ./dist/hook.cjs guardian', false],
    ['node .claude/hooks/guard-hook.cjs', false],
    ['node .claude/other-hook.cjs', false],
    ['node x.claude/guard-hook.cjs', false],
    ['node .claude/guard-hook.cjs.bak', false],
    ['node dist/hook.cjs.map guard', false],
    ['echo guard', false],
    ['', false],
  ])('%s: %s', (command, is) => {
    expect(isGuardHookCommand(command)).toBe(is);
    expect(isGuardHookCommand(failClosed(command))).toBe(is);
  });

  it('with the ending that denies', () => {
    expect(isFailClosed(failClosed('x'))).toBe(true);
    expect(isFailClosed('x ||exit 2 ')).toBe(true);
    expect(isFailClosed('x || exit 1')).toBe(false);
    expect(isFailClosed('x')).toBe(false);
  });
});

describe('the ending that denies', () => {
  const scratch = scratchDir();
  const SHELLS = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((shell) => existsSync(shell));
  const ended = (shell: string, command: string) =>
    run(shell, ['-c', failClosed(command)], { cwd: scratch, env: plainEnv(scratch) });

  it.each(SHELLS)(
    'in %s is never silent about a hook that did not run, and adds nothing to a denial',
    (shell) => {
      expect(ended(shell, 'true')).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(ended(shell, '(echo denied; echo why >&2; exit 2)')).toEqual({
        code: 2,
        stdout: 'denied\n',
        stderr: 'why\n',
      });
      for (const failing of ['(exit 1)', '/no/such/node x', '(kill -9 $BASHPID 2>/dev/null; exit 137)']) {
        const { code, stdout, stderr } = ended(shell, failing);
        expect([failing, code, stdout, stderr.split('\n').at(-2)]).toEqual([
          failing,
          2,
          '',
          'guard did not start: run guard doctor',
        ]);
      }
    },
  );

  it('in the silent form of before is known too, and is not what is written', () => {
    expect(isFailClosed(`${PROJECT_HOOK_COMMAND} || exit 2`)).toBe(true);
    expect(failClosed(PROJECT_HOOK_COMMAND)).not.toContain('|| exit 2');
    expect(isFailClosed(`${PROJECT_HOOK_COMMAND} || { rc=$?; exit 0; }`)).toBe(false);
  });
});
