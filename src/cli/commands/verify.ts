/** `guard verify`: every checksum, the chain, and the index against them. Changes nothing. */
import type { Command } from 'commander';
import { verifyLedger } from '../../store/embedded/verify.ts';
import { act } from '../act.ts';
import { guardedRepo } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { plain } from '../../core/plain.ts';

interface Options {
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  command.option('--json', 'print JSON');
  act<Options>(command, shell, ({ options }) => verify(options, shell));
}

function verify(options: Options, shell: Shell): ExitCode {
  const report = verifyLedger(guardedRepo(shell).state_dir);
  if (options.json === true) shell.json(report);
  else {
    shell.out(`${report.records} records in ${report.segments.length} segments\n`);
    for (const problem of report.problems)
      shell.out(`${shell.color.red(problem.kind)} ${plain(describe(problem))}\n`);
    shell.out(
      report.ok
        ? 'The ledger is whole.\n'
        : 'The ledger is damaged. "guard doctor --fix" repairs what can be repaired.\n',
    );
  }
  return report.ok ? EXIT.yes : EXIT.no;
}

const describe = (problem: object): string =>
  Object.entries(problem)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
