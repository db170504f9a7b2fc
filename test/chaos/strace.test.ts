/**
 * The same walk with the kernel: strace kills the process, or fails a system call, at every call that touches the
 * store. Slower than the shim of faults.test.ts but more realistic: it includes flock(2) and the copying of
 * checkpoints.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { bundleProgram } from '../store/bundle.ts';
import { BOOT, makeDir, removeDir } from '../store/scratch.ts';
import { checkStore } from './check.ts';
import { loadEngine } from './engine.ts';
import { openStore, type Scenario, SCENARIOS } from './scenarios.ts';

/** "all": every call of every scenario, killed and failed (some 2,000 points, 10 minutes). */
const ALL = process.env['GUARD_CHAOS_STRACE'] === 'all';
/** Between two changes a process may die at one call or at another: one in this many is killed there. */
const STRIDE = ALL ? 1 : 3;
/** The calls that change a store, or take and free its lock. */
const CHANGES = [
  ...['flock', 'write', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'rename', 'unlink'],
  ...['copy_file_range', 'sendfile', 'ioctl', 'mkdir'],
];
const USUAL = ['a plain commit', 'a commit that begins a segment', 'a commit behind a torn tail'];
const KILL = 'signal=KILL';
const INJECTIONS = ALL
  ? [KILL, 'error=EIO', 'error=ENOSPC', 'error=EINTR', 'error=ENOLCK', 'error=EACCES']
  : [KILL];
const CALLS = [
  'openat',
  'flock',
  'pread64',
  'write',
  'pwrite64',
  'close',
  'fstat',
  'newfstatat',
  'statx',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'unlink',
  'getdents64',
  'copy_file_range',
  'sendfile',
  'ioctl',
  'mkdir',
];
const AT_ONCE = 3;

const works = spawnSync('strace', ['-qq', '-o', '/dev/null', '-e', 'trace=openat', 'true']).status === 0;
if (!works)
  console.warn('SKIPPED: strace cannot be used here, so no system call of the store was killed or failed.');

const engine = loadEngine();
const program = works ? bundleProgram('test/chaos/one.ts') : '';

interface Run {
  readonly output: string;
  readonly traced: string;
}

/** `injection`: the fault to inject, or `null` for none. */
function underStrace(dir: string, scenario: Scenario, injection: string | null): Promise<Run> {
  const trace = `${dir}.trace`;
  // Includes files that do not exist yet.
  const names = new Set([
    ...readdirSync(dir),
    'lock',
    'index',
    'index.tmp',
    'checkpoint.tmp',
    'ledger-000000000001.jsonl',
  ]);
  const paths = [dir, ...[...names].map((name) => `${dir}/${name}`)].flatMap((path) => ['-P', path]);
  const args = [
    '-qq',
    '-o',
    trace,
    '-e',
    `trace=${CALLS.join(',')}`,
    ...(injection === null ? [] : ['-e', injection]),
    ...paths,
    process.execPath,
    program,
    dir,
    scenario.name,
  ];
  return new Promise((resolve) => {
    const child = spawn('strace', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('close', () => {
      const traced = readFileSync(trace, 'utf8');
      removeDir(trace);
      resolve({ output, traced });
    });
  });
}

interface Point {
  readonly hit: boolean;
  readonly wrong: readonly string[];
}

async function tryPoint(scenario: Scenario, injection: string): Promise<Point> {
  const dir = makeDir();
  const boot = scenario.boot ?? BOOT;
  try {
    scenario.prepare(engine, dir);
    const before: LedgerRecord[] = [...openStore(engine, dir).scanSync()];
    const { output, traced } = await underStrace(dir, scenario, injection);
    const hit = /INJECTED|killed by SIGKILL/.test(traced);
    const acknowledged = output.includes('acknowledged') && scenario.commits > 0;
    const victims = scenario.name.includes('three') ? 3 : scenario.commits;
    const unknown = /"failed":"(?!GUARD_ERR)/.test(output) ? [`failed as ${output}`] : [];
    const rewrites = scenario.rewrites === true;
    return {
      hit,
      wrong: [
        ...unknown,
        ...checkStore({ engine, judge: engine }, dir, { boot, before, acknowledged, victims, rewrites }),
      ],
    };
  } catch (error) {
    return {
      hit: true,
      wrong: [`the next process failed: ${error instanceof Error ? error.message : 'unknown'}`],
    };
  } finally {
    removeDir(dir);
  }
}

/** Which calls of each kind the act makes without an injection, from 1: no other call can be hit. */
async function callsOf(scenario: Scenario): Promise<readonly Calls[]> {
  const dir = makeDir();
  try {
    scenario.prepare(engine, dir);
    const { traced } = await underStrace(dir, scenario, null);
    const lines = traced.split('\n');
    return CALLS.map((call) => {
      const made = lines.filter((line) => line.startsWith(`${call}(`));
      const changes = (line: string): boolean => CHANGES.includes(call) || line.includes('O_CREAT');
      const tried = made.flatMap((line, at) => (changes(line) || at % STRIDE === 0 ? [at + 1] : []));
      return { call, tried };
    });
  } finally {
    removeDir(dir);
  }
}

interface Calls {
  readonly call: string;
  readonly tried: Iterable<number>;
}

interface Walk extends Calls {
  readonly injection: string;
}

/** Calls of one kind, until the act completes without a hit. */
async function walk(
  scenario: Scenario,
  { call, injection, tried }: Walk,
  report: { points: number; wrong: string[] },
): Promise<void> {
  for (const at of tried) {
    const { hit, wrong } = await tryPoint(scenario, `inject=${call}:${injection}:when=${at}`);
    report.wrong.push(...wrong.map((one) => `${call} ${at} ${injection}: ${one}`));
    if (!hit) return;
    report.points++;
  }
}

function* numbers(): Generator<number> {
  for (let at = 1; ; at++) yield at;
}

describe.skipIf(!works)('a store whose process is killed or failed by the kernel', () => {
  test.each(SCENARIOS.filter(({ name }) => ALL || USUAL.includes(name)))(
    'loses, doubles and tears nothing: $name',
    async (scenario) => {
      const report = { points: 0, wrong: [] };
      const calls = await callsOf(scenario);
      // Until it is killed an act makes the same calls as ever; after one that failed it may make more.
      const tasks = calls.flatMap(({ call, tried }) =>
        INJECTIONS.map((injection) => ({ call, injection, tried: injection === KILL ? tried : numbers() })),
      );
      const next = async (): Promise<void> => {
        for (let task = tasks.shift(); task !== undefined; task = tasks.shift())
          await walk(scenario, task, report);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
      expect(report.wrong).toEqual([]);
      expect(report.points).toBeGreaterThan(15);
      if (process.env['GUARD_CHAOS_REPORT'] !== undefined)
        process.stdout.write(`${scenario.name}: ${report.points} points\n`);
    },
    ALL ? 1_200_000 : 180_000,
  );
});
