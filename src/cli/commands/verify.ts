/**
 * `guard verify`: every checksum, the chain, and the index against them. Changes nothing, except with `--fix`: `guard
 * doctor` repairs a repository's ledger, but only this command repairs the user's own.
 */
import type { Command } from 'commander';
import {
  type ArchiveSize,
  archiveSize,
  type Repair,
  repairLedger,
  repairOf,
  verifyLedger,
  type VerifyReport,
} from '../../store/upkeep.ts';
import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { readNow } from '../../repo/clock.ts';
import { sharedName } from '../../workspace/open-ledger.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { ledgerPlace, type WhichLedger, withUserOption } from '../ledger-place.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { counted } from '../view/counted.ts';
import { withProgress } from '../view/progress-bar.ts';

interface Options extends WhichLedger {
  readonly json?: boolean;
  readonly fix?: boolean;
  readonly quarantine?: boolean;
}

export function define(command: Command, shell: Shell): void {
  withUserOption(command)
    .option('--fix', 'with --user: repair what can be repaired without loss')
    .option('--quarantine', 'with --fix: continue without damaged records, which are kept aside')
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ options }) => {
    if (options.fix === true && options.user !== true)
      command.error("error: '--fix' requires '--user'; to repair a repository, run 'guard doctor --fix'");
    if (options.quarantine === true && options.fix !== true)
      command.error("error: '--quarantine' requires '--fix'");
    return verify(options, shell);
  });
}

function verify(options: Options, shell: Shell): ExitCode {
  if (options.fix === true) requirePerson('guard verify --fix', shell.env);
  const { repo, state_dir } = ledgerPlace(shell, options);
  if (sharedName({ repo, state_dir }) !== null) throw shared();
  const report =
    options.fix === true
      ? fixed(state_dir, options, shell)
      : withProgress(shell, options, (onRead) => verifyLedger(state_dir, { onRead }));
  const archive = archiveSize(state_dir);
  if (options.json === true) shell.json({ ...report, archive });
  else show({ ...report, archive }, options, shell);
  return report.ok ? EXIT.yes : EXIT.no;
}

const shared = (): GuardError =>
  new GuardError(
    'GUARD_ERR_FLEET',
    'The ledger here is a database that machines share, which has its own checksums: guard has none for it.',
    'See "guard fleet status" for its state; pg_amcheck checks whether the database is intact.',
  );

function fixed(state_dir: string, { quarantine = false }: Options, shell: Shell): VerifyReport {
  const { actions, after } = repairLedger(state_dir, { now: readNow, quarantine });
  for (const { kind, file } of actions)
    if (kind !== 'opened') shell.err(`Repaired: ${kind} (${plain(file)})\n`);
  return after;
}

function show(
  report: VerifyReport & { readonly archive: ArchiveSize },
  { user }: Options,
  shell: Shell,
): void {
  shell.out(`${counted(report.records, 'record')} in ${counted(report.segments.length, 'segment')}\n`);
  const { first, archive } = report;
  if (first > 1) {
    const mib = (archive.bytes / 1_048_576).toFixed(1);
    shell.out(`Before lsn ${first}: ${counted(archive.segments, 'segment')} archived in ${mib} MiB, `);
    shell.out(archive.first === 1 ? 'all there ever was\n' : `none before lsn ${archive.first ?? first}\n`);
  }
  for (const problem of report.problems)
    shell.out(`${shell.color.red(problem.kind)} ${plain(describe(problem))}\n`);
  const fix = user === true ? 'guard verify --user --fix' : 'guard doctor --fix';
  shell.out(report.ok ? 'The ledger is whole.\n' : `${REPAIRS[repairOf(report.problems)](fix)}\n`);
}

const REPAIRS: Readonly<Record<Repair, (fix: string) => string>> = {
  fix: (fix) => `No record is damaged. "${fix}" repairs the rest.`,
  quarantine: (fix) =>
    `The ledger is damaged. "${fix} --quarantine" continues without the damaged records, and keeps them aside.`,
  init: () =>
    'The ledger is a copy, or was restored from a backup: "guard init" adopts it, and ends all locks in it.',
  update: () => 'A newer guard wrote this ledger. Update guard.',
};

const describe = (problem: object): string =>
  Object.entries(problem)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
