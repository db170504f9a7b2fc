/** `guard fleet bench`: how many operations of a fleet the configured engine handles. */
import type { Command } from 'commander';
import { loadEngine } from '../../config/engine.ts';
import { loadConfig } from '../../config/load.ts';
import { type BenchFigures, type BenchReport, fleetEngine } from '../../store/fleet.ts';
import { act } from '../act.ts';
import { guardedRepo } from '../command-place.ts';
import { duration_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { WrongValue } from '../wrong-value.ts';

interface BenchOptions {
  readonly json?: true;
  readonly agents: number;
  readonly machines: number;
  readonly files: number;
  readonly connections: number;
  readonly for: number;
}

const SIZES = {
  agents: ['number of agents', 10_000],
  machines: ['number of machines', 200],
  files: ['number of files', 1_000_000],
  connections: ['number of operations at once', 16],
} as const;
const FOR_MS = 20_000;

function atLeastOne(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new WrongValue('Use a whole number, 1 or more.');
  return value;
}

/** @param bench the command, with its argument: how the owner of the database logs in */
export function defineBench(bench: Command, shell: Shell): void {
  for (const [name, [about, size]] of Object.entries(SIZES))
    bench.option(`--${name} <n>`, about, atLeastOne, size);
  bench.option(
    '--for <duration>',
    'how long to measure, alternating with a single SQL function',
    duration_ms,
    FOR_MS,
  );
  act<BenchOptions>(bench, shell, async ({ args: [url], options }) => {
    requirePerson('guard fleet bench', shell.env);
    const repo = guardedRepo(shell);
    const address = loadEngine(repo, shell.env);
    const fleet = await fleetEngine(address.url);
    const place = { owner_url: url ?? address.url, address, role: fleet.loginIn(address.url) };
    const { policy } = loadConfig({ repo, env: shell.env });
    const report = await fleet.runBench(place, { ...options, for_ms: options.for, policy });
    if (options.json === true) shell.json(report);
    else shell.out(shown(report));
    return report.rules.doubled === 0 ? EXIT.yes : EXIT.no;
  });
}

function shown({ rules, one_function, load }: BenchReport): string {
  const row = (name: string, { per_second, p50_ms, p99_ms, refused, doubled }: BenchFigures): string[] => [
    name,
    `${per_second} operations/s`,
    `p50 ${p50_ms} ms`,
    `p99 ${p99_ms} ms`,
    `${refused} refused`,
    `${doubled} granted twice`,
  ];
  const rows = [row("guard's rules", rules), row('one function of SQL', one_function)];
  return `${table(rows, '')}Load of this machine: ${load}\n`;
}
