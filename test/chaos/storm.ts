/** Keeps a number of workers busy on one store, kills them at random moments, and then checks what is left. */
import { cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { openEmbedded } from '../store/plain.ts';
import { verifyLedger } from '../../src/store/embedded/verify.ts';
import type { Problem } from '../../src/store/embedded/verify-report.ts';
import { bundleProgram } from '../store/bundle.ts';
import { clock, run } from '../store/scratch.ts';
import { judge, type Told, type Verdict } from './judge.ts';

export interface StormReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly records: number;
  readonly failures: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly problems: readonly Problem[];
}

interface Storm {
  readonly dir: string;
  readonly kills: number;
  readonly workers: number;
  readonly env?: NodeJS.ProcessEnv;
}

const PAUSE_MS = 35;
const isTold = (line: unknown): line is Told => typeof line === 'object' && line !== null && 'answer' in line;

interface Blow {
  /** The workers' program, called with the place, a name and a seed. */
  readonly program: string;
  readonly place: string;
  readonly kills: number;
  readonly workers: number;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The time between two deaths. */
  readonly pause_ms?: number;
}

/** Runs until enough workers were killed; a killed one is replaced by the next. */
export async function blow({
  program,
  place,
  kills,
  workers,
  env,
  pause_ms = PAUSE_MS,
}: Blow): Promise<{ killed: number; lines: unknown[] }> {
  const lines: unknown[] = [];
  let killed = 0;
  let born = 0;
  const live = new Set<ReturnType<typeof run>>();
  async function life(): Promise<void> {
    while (killed < kills) {
      const agent = `w${++born}`;
      const worker = run(program, [place, agent, String(born * 7919)], env);
      // Killed only once it works: a death while Node starts proves nothing.
      void worker.lines(1).then(() => live.add(worker));
      const end = await worker.ended;
      live.delete(worker);
      lines.push(...end.lines);
      if (end.signal === 'SIGKILL') killed++;
      else lines.push({ failed: end.stderr });
    }
    for (const { child } of live) child.kill('SIGKILL');
  }
  const killer = setInterval(() => {
    const all = [...live].filter(({ child }) => child.pid !== undefined);
    all[Math.floor(Math.random() * all.length)]?.child.kill('SIGKILL');
  }, pause_ms);
  await Promise.all(Array.from({ length: workers }, life));
  clearInterval(killer);
  return { killed, lines };
}

/** The ledger with its archived segments restored, in a separate directory, because the judge needs everything. */
export function unarchived(dir: string): string {
  const whole = `${dir}-whole`;
  cpSync(dir, whole, { recursive: true });
  const archive = `${dir}/archive`;
  if (statSync(archive, { throwIfNoEntry: false }) === undefined) return whole;
  mkdirSync(whole, { recursive: true });
  for (const name of readdirSync(archive)) cpSync(`${archive}/${name}`, `${whole}/${name}`);
  return whole;
}

export async function storm(plan: Storm): Promise<StormReport> {
  const program = bundleProgram('test/chaos/worker.ts');
  const { killed, lines } = await blow({ ...plan, program, place: plan.dir });
  const store = openEmbedded(plan.dir, { now: clock() });
  const states = store.readSync([], ['']).range('');
  const whole = openEmbedded(unarchived(plan.dir), { now: clock() });
  const records = [...whole.scanSync()];
  const told = lines.filter(isTold);
  const failures = lines.filter((line) => !isTold(line)).map((line) => JSON.stringify(line));
  return {
    kills: killed,
    acknowledged: told.length,
    records: records.length,
    failures,
    verdicts: judge(records, told, states),
    problems: verifyLedger(plan.dir, { now: clock() }).problems,
  };
}
