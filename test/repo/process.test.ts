import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProcessMark } from '../../src/core/types.ts';
import { isCertainlyAlive, isDead, machineId, markProcess, parseProcStat } from '../../src/repo/process.ts';
import { parsePs } from '../../src/repo/ps.ts';
import { scratchDir } from './scratch.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(command: string, args: string[]): ChildProcess & { pid: number } {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  if (child.pid === undefined) throw new Error(`${command} did not start`);
  return Object.assign(child, { pid: child.pid });
}

function marked(pid: number): ProcessMark {
  const mark = markProcess(pid);
  if (mark === null) throw new Error(`no mark of ${pid}`);
  return mark;
}

async function until(test: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !test(); i++) await new Promise((tick) => setTimeout(tick, 10));
  expect(test()).toBe(true);
}

const linux = process.platform === 'linux';

describe.runIf(linux || process.platform === 'darwin')('a process', () => {
  it('that runs is alive, and the mark does not change', () => {
    const mark = marked(process.pid);
    expect(mark).toMatchObject({ pid: process.pid, machine: machineId() });
    expect(markProcess(process.pid)).toEqual(mark);
    expect(isDead(mark)).toBe(false);
  });

  it('that was killed and collected is dead', async () => {
    const child = start('sleep', ['100']);
    const mark = marked(child.pid);
    expect(isDead(mark)).toBe(false);
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
    expect(isDead(mark)).toBe(true);
    expect(markProcess(child.pid)).toBeNull();
  });

  it('that ended and was not collected yet (a zombie) is dead', async () => {
    // The shell becomes a sleep that never reaps its child.
    const parent = start('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 100']);
    const pid = await new Promise<number>((done) =>
      parent.stdout?.once('data', (text: Buffer) => done(Number(text.toString()))),
    );
    const mark = marked(pid);
    await until(() => isDead(mark));
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(markProcess(pid)).toBeNull();
  });

  it('that is stopped is alive', async () => {
    const child = start('sleep', ['100']);
    const mark = marked(child.pid);
    child.kill('SIGSTOP');
    await new Promise((tick) => setTimeout(tick, 50));
    expect(isDead(mark)).toBe(false);
  });

  it('whose pid now belongs to another process is dead', () => {
    expect(isDead({ ...marked(process.pid), start: 'another time' })).toBe(true);
  });

  it('of another machine, boot or pid namespace is never called dead', () => {
    const gone: ProcessMark = { ...marked(process.pid), pid: 2 ** 22 + 1 };
    expect(isDead(gone)).toBe(true);
    expect(isDead({ ...gone, machine: 'another' })).toBe(false);
    expect(isDead({ ...gone, boot: 'another' })).toBe(false);
    expect(isDead({ ...gone, pid_ns: 'another' })).toBe(false);
  });

  it('is called alive for certain only where everything of its mark is here', async () => {
    const child = start('sleep', ['600']);
    const mark = marked(child.pid);
    expect(isCertainlyAlive(mark)).toBe(true);
    for (const other of [{ machine: 'x' }, { boot: 'x' }, { pid_ns: 'x' }, { start: '1' }])
      expect(isCertainlyAlive({ ...mark, ...other })).toBe(false);
    child.kill('SIGKILL');
    await until(() => !isCertainlyAlive(mark));
  });

  it('is not found by what is no pid', () => {
    for (const pid of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
      expect(markProcess(pid)).toBeNull();
    expect(isDead({ ...marked(process.pid), pid: -1 })).toBe(false);
  });
});

describe.runIf(linux)('Linux', () => {
  it('a name with brackets and blanks does not shift the fields', () => {
    const line = (name: string, state = 'S', threads = 1): string =>
      `7 (${name}) ${state} 1 7 7 0 -1 4194304 1 0 0 0 1 2 0 0 20 0 ${threads} 0 98765 1000 10 18446744073709551615`;
    for (const name of ['node', 'a) Z 1 (b', ') (', '']) {
      expect(parseProcStat(line(name))).toEqual({ state: 'alive', start: '98765' });
    }
    expect(parseProcStat(line('node', 'Z'))).toEqual({ state: 'gone' });
    expect(parseProcStat(line('main thread ended, others run', 'Z', 3))).toEqual({
      state: 'alive',
      start: '98765',
    });
    for (const text of ['', '7 (node) S', 'garbage'])
      expect(parseProcStat(text)).toEqual({ state: 'unsure' });
  });

  it('its start time is the one of /proc', () => {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    expect(marked(process.pid).start).toBe(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  });

  it('inside another pid namespace nothing outside is called dead, nor marked by a wrong /proc', (context) => {
    const script = join(scratchDir(), 'dead.cjs');
    buildSync({
      stdin: {
        contents: `import { isDead, markProcess } from './src/repo/process.ts';
          const mark = JSON.parse(process.argv[2]);
          console.log(JSON.stringify({ dead: isDead(mark), mark: markProcess(process.ppid), own: markProcess(process.pid) }));`,
        resolveDir: join(import.meta.dirname, '../..'),
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      outfile: script,
    });
    const mark = JSON.stringify({ ...marked(process.pid), pid: 2 ** 22 + 1 });
    for (const [flags, marks] of [
      [['--mount-proc'], true],
      [[], false],
    ] as const) {
      const run = spawnSync(
        'unshare',
        ['--pid', '--fork', ...flags, 'sh', '-c', '"$@"; true', 'sh', process.execPath, script, mark],
        { encoding: 'utf8' },
      );
      if (run.status !== 0) context.skip('pid namespaces need root');
      const inside = JSON.parse(run.stdout) as { dead: boolean; own: ProcessMark | null };
      expect(inside.dead).toBe(false);
      // With the parent namespace's /proc, our pid names some other process: no mark rather than a wrong one.
      expect(inside.own !== null).toBe(marks);
    }
  });
});

describe('ps, where there is no /proc', () => {
  it('its lines are understood', () => {
    expect(parsePs('Fri Nov 21 22:59:01 2025     Ss\n')).toEqual({
      state: 'alive',
      start: 'Fri Nov 21 22:59:01 2025',
    });
    expect(parsePs('Fri Nov  1 02:59:01 2025 Z+')).toEqual({ state: 'gone' });
    expect(parsePs('Fri Nov  1 02:59:01 2025 S+')).toEqual({
      state: 'alive',
      start: 'Fri Nov 1 02:59:01 2025',
    });
    for (const text of ['', 'S', 'nonsense here']) expect(parsePs(text)).toEqual({ state: 'unsure' });
  });

  it.runIf(existsSync('/bin/ps'))('and are what the real program prints', () => {
    const args = ['-o', 'lstart=', '-o', 'state=', '-p', String(process.pid)];
    const run = spawnSync('/bin/ps', args, { encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } });
    expect(parsePs(run.stdout)).toMatchObject({ state: 'alive' });
  });
});
