/** `guard log`: the ledger as it happened, in constant memory, optionally as it goes on. */
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { LedgerRecord } from '../../core/ledger.ts';
import { parseDuration } from '../../config/duration.ts';
import { act } from '../act.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { recordLine, pathsOfRecord } from '../view/record-line.ts';

interface Options {
  readonly json?: boolean;
  readonly follow?: boolean;
  readonly type?: readonly string[];
  readonly agent?: string;
  readonly path?: string;
  readonly since?: string;
}

export function define(command: Command, shell: Shell): void {
  command
    .option('--json', 'one JSON object a line, exactly as recorded')
    .option('--follow', 'go on with what happens, until Ctrl-C')
    .option('--type <type...>', 'only records of these types, like write.rejected')
    .option('--agent <id>', 'only records of this agent (and its subagents)')
    .option('--path <path>', 'only records that name this file')
    .option('--since <time>', 'only later ones: 2h, 2026-01-31T12:00:00Z, or an lsn', checkSince);
  act<Options>(command, shell, ({ options }) => log(options, shell));
}

function checkSince(text: string): string {
  if (/^\d+$/.test(text) || parseDuration(text) !== null || !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Give a duration like 2h, a date, or an lsn.');
}

function log(options: Options, shell: Shell): Promise<ExitCode> {
  return withLedger(shell, async (ledger) => {
    const wanted = filterOf(ledger, options);
    const from =
      options.since !== undefined && /^\d+$/.test(options.since) ? Number(options.since) : undefined;
    let next = from;
    for (const record of ledger.store.scanSync(from)) {
      if (wanted(record)) print(record, options, shell);
      next = record.lsn + 1;
    }
    if (options.follow === true) await follow(ledger, next ?? 0, wanted, options, shell);
    return EXIT.yes;
  });
}

async function follow(
  ledger: Ledger,
  from: number,
  wanted: (record: LedgerRecord) => boolean,
  options: Options,
  shell: Shell,
): Promise<void> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  for await (const record of ledger.store.watch?.(from, stop.signal) ?? []) {
    if (wanted(record)) print(record, options, shell);
  }
}

function print(record: LedgerRecord, options: Options, shell: Shell): void {
  shell.out(options.json === true ? `${JSON.stringify(record)}\n` : `${recordLine(record, shell)}\n`);
}

function filterOf(ledger: Ledger, options: Options): (record: LedgerRecord) => boolean {
  const path = options.path === undefined ? null : ledger.target(options.path).path;
  const since = sinceMs(ledger, options.since);
  return (record) =>
    (options.type === undefined || options.type.includes(record.type)) &&
    (options.agent === undefined ||
      record.agent === options.agent ||
      record.agent.startsWith(`${options.agent}/`)) &&
    (path === null || pathsOfRecord(record).includes(path)) &&
    (since === null || Date.parse(record.ts) >= since);
}

function sinceMs(ledger: Ledger, since: string | undefined): number | null {
  if (since === undefined || /^\d+$/.test(since)) return null;
  const duration_ms = parseDuration(since);
  return duration_ms === null ? Date.parse(since) : ledger.facts().now.wall_ms - duration_ms;
}
