/** `guard log`: the ledger in order, in constant memory, optionally following new records. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LedgerRecord } from '../../core/ledger.ts';
import { RECORD_TYPES } from '../../core/record-types.ts';
import { parseDuration } from '../../config/duration.ts';
import { openLedger } from '../../workspace/open-ledger.ts';
import type { Store } from '../../store/store.ts';
import { scanSince } from '../../store/upkeep.ts';
import { act } from '../act.ts';
import { agentAsked, noSuchAgent } from '../agent-asked.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { ledgerPlace, type WhichLedger, withUserOption } from '../ledger-place.ts';
import { keptRecords } from '../../store/kept-records.ts';
import { exportLedger, otlpOption } from '../otlp/export-ledger.ts';
import { actsTogether, EACH_ALONE } from '../log/one-act.ts';
import { recordFilter } from '../log/record-filter.ts';
import { sayWhereItBegins } from '../log/say-where-it-begins.ts';
import { type Since, sinceOf } from '../log/since.ts';
import type { Shell } from '../shell.ts';
import { untilStopped } from '../until-stopped.ts';
import { logFormat } from '../view/log-format.ts';
import { readableRecords } from '../view/readable-record.ts';

interface Options extends WhichLedger {
  readonly json?: boolean;
  readonly raw?: boolean;
  readonly follow?: boolean;
  readonly type?: readonly string[];
  readonly agent?: string;
  readonly path?: string;
  readonly since?: string;
  readonly archived?: boolean;
  readonly all?: boolean;
  readonly otlp?: string | true;
}

export function define(command: Command, shell: Shell): void {
  withUserOption(command)
    .option('--json', 'one JSON object per line, as recorded; agents see no text of messages between others')
    .addOption(new Option('--raw', 'one line per record, with its type and all facts').conflicts('json'))
    .option('--follow', 'print the newest 10 records, and new ones until Ctrl-C; with --json all of them')
    .option('--all', 'with --follow: begin with the first record')
    .addOption(
      new Option('--type <type...>', 'only records of these types, like write.rejected').choices(
        RECORD_TYPES,
      ),
    )
    .option('--agent <id>', 'only records of this agent, by id or name, and its subagents')
    .option('--path <path>', 'only records that name this file')
    .option('--since <time>', 'only later ones: 2h, 2026-01-31T12:00:00Z, or an lsn', checkSince)
    .option('--archived', 'include what compaction archived, as far as it is kept')
    .addOption(otlpOption());
  act<Options>(command, shell, ({ options }) =>
    options.otlp === undefined ? log(options, shell) : exportLedger(options, options.otlp, shell),
  );
}

function checkSince(text: string): string {
  if (/^\d+$/.test(text) || parseDuration(text) !== null || !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Use a duration like 2h, a date, or an lsn.');
}

/** Characters printed in one call: a system call per line would take most of the time for a long ledger. */
const AT_ONCE_CHARS = 64 * 1024;

async function log(options: Options, shell: Shell): Promise<ExitCode> {
  const { repo, state_dir } = ledgerPlace(shell, options);
  const ledger = openLedger({ repo, state_dir, env: shell.env });
  const { store } = ledger;
  const readable = readableRecords(shell, ledger);
  const line = logFormat(options, store, shell);
  const lineOf = (record: LedgerRecord): string => `${line(readable(record))}\n`;
  const since = sinceOf(options.since);
  const meant = options.agent === undefined ? null : agentAsked(store, options.agent);
  const wanted = recordFilter(options, { since, meant }, shell);
  let next = 0;
  let lines = '';
  let isKnown = meant === null || !meant.is_unknown;
  const newest: LedgerRecord[] | null = beginsAtEnd(options) ? [] : null;
  const archived = options.archived === true;
  const acts = options.json === true || options.raw === true ? EACH_ALONE : actsTogether();
  const keep = (record: LedgerRecord): void => {
    if (newest === null) lines += lineOf(record);
    else if (newest.push(record) > FOLLOWED_FROM) newest.shift();
  };
  if (options.json !== true && since === null && newest === null)
    sayWhereItBegins(store, state_dir, archived, shell);
  for (const record of archived ? keptRecords(state_dir, store) : recordsFrom(store, state_dir, since)) {
    next = record.lsn + 1;
    isKnown ||= meant?.isOf(record.agent) === true;
    if (!wanted(record)) continue;
    acts.add(record).forEach(keep);
    if (lines.length < AT_ONCE_CHARS) continue;
    shell.out(lines);
    lines = '';
  }
  acts.rest().forEach(keep);
  for (const record of newest ?? []) lines += lineOf(record);
  if (lines !== '') shell.out(lines);
  // Its records may be older than --since, or still to come.
  if (!isKnown && since === null && options.follow !== true) throw noSuchAgent(options.agent ?? '');
  if (options.follow === true) {
    const print = (record: LedgerRecord): void => shell.out(lineOf(record));
    await follow(store, next, (record) => {
      if (wanted(record)) acts.add(record).forEach(print);
      // An act is appended at once, so what belongs to it has arrived by then.
      setImmediate(() => acts.rest().forEach(print));
    });
    acts.rest().forEach(print);
  }
  return EXIT.yes;
}

/** A person follows what happens next, and needs its context; a program that follows reads everything, as ever. */
const beginsAtEnd = ({ follow, all, json, raw, since, archived }: Options): boolean =>
  follow === true && [all, json, raw, archived].every((one) => one !== true) && since === undefined;

const FOLLOWED_FROM = 10;

/** Only a ledger of this machine alone can be searched by time. */
const recordsFrom = (store: Store, state_dir: string, since: Since | null): Iterable<LedgerRecord> =>
  store.supports.shared
    ? store.scan(since !== null && 'lsn' in since ? since.lsn : 0)
    : scanSince(state_dir, since ?? { lsn: 0 });

function follow(store: Store, from: number, show: (record: LedgerRecord) => void): Promise<void> {
  return untilStopped(async (signal) => {
    for await (const record of store.watch(from, signal)) show(record);
  });
}
