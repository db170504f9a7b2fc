import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { absoluteHookCommand, failClosed } from '../../../src/install/command.ts';
import { readPointer, versionOf } from '../../../src/install/program/pointer.ts';
import { advanceProgram, settleProgram } from '../../../src/install/program/settle.ts';
import { bundleProgram } from '../../store/bundle.ts';
import { DAY_MS, emptyHome, NOW_MS, program } from './scratch.ts';

const current = (home: string): string | null => {
  const pointer = readPointer(home);
  return pointer === null ? null : versionOf(pointer);
};
const versions = (home: string): string[] =>
  readdirSync(join(home, 'versions'))
    .map((name) => name.replace(/-[0-9a-f]{12}$/, ''))
    .sort();
const node = (...args: readonly string[]) => spawnSync(process.execPath, args, { encoding: 'utf8' });

describe('a guard that is kept in the home', () => {
  it('runs from there when the place it was started from is gone', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    expect(settleProgram(root, home, NOW_MS)).toEqual({ home, version: '0.1.0', moved: true });
    rmSync(root, { recursive: true });
    const place = join(home, 'versions', readPointer(home)?.dir ?? '', 'dist');
    expect(node(join(home, 'dist/hook.cjs'))).toMatchObject({ status: 0, stdout: `0.1.0 ${place}\n` });
    expect(node(join(home, 'bin/guard.cjs'), 'a', 'b')).toMatchObject({ status: 0, stdout: '0.1.0 a,b\n' });
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it('calls itself guard and has a built hook, which is what launchers of 0.1 look for', () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    expect(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))).toMatchObject({ name: 'guard' });
    expect(existsSync(join(home, 'dist/hook.cjs'))).toBe(true);
  });

  it('is there once, however often it is asked for', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    settleProgram(root, home, NOW_MS);
    expect(settleProgram(root, home, NOW_MS)).toMatchObject({ moved: false });
    expect(versions(home)).toEqual(['0.1.0']);
  });

  it('is copied without the compiled forms that lie beside it', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    writeFileSync(join(root, 'dist/hook-main.cjs.0-v22-x64.compiled'), '');
    settleProgram(root, home, NOW_MS);
    expect(readdirSync(join(home, 'versions', readPointer(home)?.dir ?? '', 'dist')).sort()).toEqual([
      'cli',
      'hook.cjs',
    ]);
  });

  it('is put right where the copy was damaged, and refused where the original is not whole', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    settleProgram(root, home, NOW_MS);
    const hook = join(home, 'versions', readPointer(home)?.dir ?? '', 'dist/hook.cjs');
    writeFileSync(hook, 'cut o');
    settleProgram(root, home, NOW_MS);
    expect(readFileSync(hook, 'utf8')).toBe(readFileSync(join(root, 'dist/hook.cjs'), 'utf8'));
    rmSync(join(root, 'dist/cli/cli.mjs'));
    expect(() => settleProgram(root, home, NOW_MS)).toThrow(/incomplete/);
    expect(current(home)).toBe('0.1.0');
  });
});

describe('the pointer', () => {
  it('is moved by a newer guard, and by an older one never', () => {
    const home = emptyHome();
    settleProgram(program('0.2.0'), home, NOW_MS);
    expect(settleProgram(program('0.1.9'), home, NOW_MS)).toEqual({ home, version: '0.2.0', moved: false });
    expect(settleProgram(program('0.10.0'), home, NOW_MS)).toMatchObject({ version: '0.10.0', moved: true });
    expect(versions(home)).toEqual(['0.10.0', '0.2.0']);
  });

  it('of one version with other content is moved when a person asks, and by no other command', () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    const other = program('0.1.0', 'rebuilt');
    const env = { XDG_DATA_HOME: join(home, '..') };
    expect(advanceProgram(other, env, NOW_MS)).toBeNull();
    expect(settleProgram(other, home, NOW_MS)).toMatchObject({ moved: true });
  });

  it('is moved by the first command of a newer guard, where there is a home', () => {
    const home = emptyHome();
    const env = { XDG_DATA_HOME: join(home, '..') };
    expect(advanceProgram(program('0.3.0'), env, NOW_MS)).toBeNull();
    expect(existsSync(home)).toBe(false);
    settleProgram(program('0.2.0'), home, NOW_MS);
    expect(advanceProgram(program('0.1.0'), env, NOW_MS)).toBeNull();
    expect(advanceProgram(program('0.3.0'), env, NOW_MS)).toMatchObject({ version: '0.3.0', moved: true });
  });

  it('that names nothing, or leads out of the home, counts as none', () => {
    const [root, home] = [program('0.1.0'), emptyHome()];
    settleProgram(root, home, NOW_MS);
    for (const text of [
      '',
      '{',
      '{"v":1}',
      '{"v":1,"dir":"../../x"}',
      '{"v":1,"dir":"0.9.0-000000000000"}',
      '[]',
      'null',
    ]) {
      writeFileSync(join(home, 'current.json'), text);
      expect(readPointer(home)).toBeNull();
      expect(node(join(home, 'dist/hook.cjs')).status).toBe(1);
    }
    expect(settleProgram(root, home, NOW_MS)).toMatchObject({ moved: true });
    expect(node(join(home, 'dist/hook.cjs')).status).toBe(0);
  });
});

describe('a version that is out of use', () => {
  it('stays for the processes that may still run it, and then goes', () => {
    const home = emptyHome();
    const settle = (version: string, days: number) =>
      settleProgram(program(version), home, NOW_MS + days * DAY_MS);
    settle('0.1.0', 0);
    settle('0.2.0', 1);
    settle('0.3.0', 2);
    settle('0.4.0', 30);
    expect(versions(home)).toEqual(['0.1.0', '0.2.0', '0.3.0', '0.4.0']);
    settle('0.5.0', 33);
    // The previous version stays at any age, because a session may still be using it.
    settle('0.6.0', 400);
    expect(versions(home)).toEqual(['0.5.0', '0.6.0']);
  });

  it('and a copy that was never finished goes a day later', () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    const left = join(home, 'versions/.0.2.0-000000000000.1.1');
    mkdirSync(left);
    settleProgram(program('0.2.0'), home, Date.now());
    expect(existsSync(left)).toBe(true);
    settleProgram(program('0.3.0'), home, Date.now() + 2 * DAY_MS);
    expect(existsSync(left)).toBe(false);
  });
});

describe('a home that others may write to', () => {
  const code = (home: string): unknown => {
    try {
      return settleProgram(program('0.1.0'), home, NOW_MS);
    } catch (error) {
      return isGuardError(error) ? error.code : error;
    }
  };

  it.each(['.', 'bin', 'dist', 'versions'])('is refused for its %s, and nothing is put there', (part) => {
    const home = emptyHome();
    mkdirSync(join(home, part), { recursive: true });
    chmodSync(join(home, part), 0o777);
    expect(code(home)).toBe('GUARD_ERR_PATH');
    expect(current(home)).toBeNull();
  });

  it.runIf(process.getuid?.() === 0)('is refused where it belongs to somebody else', () => {
    const home = emptyHome();
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, 4321, 4321);
    expect(code(home)).toBe('GUARD_ERR_PATH');
  });

  it('is none under any umask', () => {
    const home = emptyHome();
    const before = process.umask(0);
    try {
      settleProgram(program('0.1.0'), home, NOW_MS);
    } finally {
      process.umask(before);
    }
    const all = ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })];
    expect(all.filter((name) => (statSync(join(home, name)).mode & 0o022) !== 0)).toEqual([]);
  });

  it('and one that is a file says so by a code', () => {
    const home = emptyHome();
    writeFileSync(home, '');
    expect(code(home)).toBe('GUARD_ERR_IO');
  });
});

describe('a home whose version is gone', () => {
  const answers = (event: object): readonly (number | null)[] => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    rmSync(join(home, 'versions'), { recursive: true });
    const line = absoluteHookCommand(process.execPath, home);
    const options = { input: JSON.stringify(event) };
    return [line, failClosed(line)].map((each) => spawnSync('/bin/sh', ['-c', each], options).status);
  };

  it.each(['PreToolUse', 'UserPromptSubmit', 'Stop', 'SessionStart'])(
    'decides nothing about %s, and the entry for writes makes a denial of that',
    (hook_event_name) => {
      expect(answers({ hook_event_name, tool_name: 'Bash' })).toEqual([1, 2]);
    },
  );
});

describe('several guards at once', () => {
  it('leave one whole program in use: the newest', async () => {
    const home = emptyHome();
    const worker = bundleProgram('test/install/program/settle.worker.ts');
    const roots = ['0.2.0', '0.9.0', '0.3.0', '0.9.0', '0.1.0', '0.8.0'].map((version) => program(version));
    const codes = await Promise.all(
      roots.map(
        (root) =>
          new Promise((resolve) => {
            spawn(process.execPath, [worker, root, home, String(NOW_MS)], { stdio: 'ignore' }).on(
              'close',
              resolve,
            );
          }),
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
    expect(current(home)).toBe('0.9.0');
    expect(node(join(home, 'dist/hook.cjs')).stdout).toMatch(/^0\.9\.0 /);
    expect(readdirSync(join(home, 'versions')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('that is killed while it copies leaves the one in use as it was', async () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    const big = program('0.2.0');
    for (let n = 0; n < 200; n++) writeFileSync(join(big, 'dist', `chunk-${n}.mjs`), 'x'.repeat(20_000));
    const worker = bundleProgram('test/install/program/settle.worker.ts');
    const child = spawn(process.execPath, [worker, big, home, String(NOW_MS)], { stdio: 'ignore' });
    const versionsDir = join(home, 'versions');
    while (!readdirSync(versionsDir).some((name) => name.startsWith('.')) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    expect(node(join(home, 'dist/hook.cjs')).status).toBe(0);
    expect(settleProgram(big, home, NOW_MS)).toMatchObject({ version: '0.2.0' });
    expect(node(join(home, 'dist/hook.cjs')).stdout).toMatch(/^0\.2\.0 /);
  });
});

describe.runIf(process.getuid?.() !== 0)('a home that cannot be written', () => {
  it('fails guard init, and no other command', () => {
    const home = emptyHome();
    settleProgram(program('0.1.0'), home, NOW_MS);
    chmodSync(join(home, 'versions'), 0o500);
    const newer = program('0.2.0');
    expect(advanceProgram(newer, { XDG_DATA_HOME: join(home, '..') }, NOW_MS)).toBeNull();
    expect(() => settleProgram(newer, home, NOW_MS)).toThrow();
    chmodSync(join(home, 'versions'), 0o700);
  });
});
