/** A program started by the helper process ends like one started directly. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sweep } from './sweep.ts';

const SMALL = join(import.meta.dirname, 'small-spawns.mjs');
const SHOWN = `
  const shown = ({ status, signal, stdout, stderr, error }) => ({ status, signal, stdout: String(stdout), stderr: String(stderr),
    error: error && { code: error.code, errno: error.errno, message: error.message, path: error.path, args: error.spawnargs } });
  const run = (...all) => shown(spawnSync(...all));
  const thrown = (act) => { try { return act() } catch (error) { return { message: error.message, ...shown(error) } } };
`;

/** The value of `expression`, evaluated in a separate process. */
function valueOf(expression: string, isSmall: boolean): unknown {
  const dir = mkdtempSync(join(tmpdir(), 'guard-small-'));
  onTestFinished(() => sweep(dir));
  const text = `
    import { execFileSync, spawnSync } from 'node:child_process';
    import fs from 'node:fs';
    import { spawnSmall } from ${JSON.stringify(SMALL)};
    ${isSmall ? 'spawnSmall();' : ''}
    ${SHOWN}
    process.stdout.write(JSON.stringify(${expression}));`;
  const args = ['--input-type=module', '-e', text];
  const env = { PATH: process.env['PATH'] ?? '', A: 'of the process' };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: dir, env, encoding: 'utf8' }));
}

const onLinux = describe.runIf(process.platform === 'linux');

onLinux('what is started at the side ends as what is started here', () => {
  it.each([
    ['both streams and the code', "run('sh', ['-c', 'cat; echo e >&2; exit 3'], { input: 'in' })"],
    ['more than a pipe holds', "run('cat', [], { input: 'x'.repeat(300_000) }).stdout.length"],
    ['bytes', "[...spawnSync('printf', ['a\\\\377b']).stdout]"],
    ['no such program', "run('no-such-program', ['a'])"],
    ['no such directory', "run('pwd', [], { cwd: '/no/such' })"],
    ['too long', "run('sleep', ['9'], { timeout: 50, killSignal: 'SIGKILL' })"],
    ['too much', "run('sh', ['-c', 'yes | head -c 100000'], { maxBuffer: 10 }).error"],
    ['killed', "run('sh', ['-c', 'kill -TERM $$'])"],
    ['the environment of the process', "run('sh', ['-c', 'echo $A $B'])"],
    ['an environment of its own', "run('sh', ['-c', 'echo $A $B'], { env: { B: 'own' } })"],
    ['where the process is', "(process.chdir('/usr'), run('pwd'))"],
    ['the mask of the process', "(process.umask(0o27), run('sh', ['-c', 'umask']))"],
    ['nothing to read or write', "run('sh', ['-c', 'cat; echo x'], { stdio: 'ignore' })"],
    [
      'what is asked to throw',
      "thrown(() => execFileSync('sh', ['-c', 'echo o; echo e >&2; exit 4'], { stdio: 'pipe' }))",
    ],
  ])('%s', (_, expression) => {
    expect(valueOf(expression, true)).toEqual(valueOf(expression, false));
  });

  it('by one process that is not the own, and gone with it', () => {
    const [parents, own] = valueOf(
      "[[1, 2].map(() => Number(run('sh', ['-c', 'echo $PPID']).stdout)), process.pid]",
      true,
    ) as [number[], number];
    expect(new Set(parents).size).toBe(1);
    expect(parents).not.toContain(own);
    for (let left = 200; left > 0 && existsSync(`/proc/${String(parents[0])}`); left -= 1)
      execFileSync('sleep', ['0.05']);
    expect(existsSync(`/proc/${String(parents[0])}`)).toBe(false);
  });

  it('what it would inherit is started by the process itself', () => {
    const expression = `((fd) => [run('sh', ['-c', 'echo $PPID'], { stdio: ['ignore', fd, 'ignore'] }).status,
      Number(fs.readFileSync('parent', 'utf8')) === process.pid])(fs.openSync('parent', 'w'))`;
    expect(valueOf(expression, true)).toEqual([0, true]);
  });
});
