import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import type { Who } from '../../core/rules/agent.ts';
import { releaseAllLocks, releaseLocks } from '../../locks/release.ts';
import type { ReleaseRow } from '../../locks/release.ts';
import type { LockOptions } from '../commands/lock.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';

export function releaseCommand(
  paths: readonly string[],
  options: LockOptions,
  shell: Shell,
): Promise<ExitCode> {
  if (options.allHeld === true && paths.length > 0) {
    throw new GuardError('GUARD_ERR_USAGE', '--all-held takes no paths.', 'Give paths, or --all-held.');
  }
  return withLedger(
    shell,
    (ledger) => {
      const who = ledger.who(options.agent);
      return options.allHeld === true
        ? releaseAll(ledger, who, options, shell)
        : releaseSome(ledger, who, paths, options, shell);
    },
    paths,
  );
}

function releaseSome(
  ledger: Ledger,
  who: Who,
  given: readonly string[],
  options: LockOptions,
  shell: Shell,
): ExitCode {
  const told = releaseLocks(ledger, who, given);
  if (options.json === true) shell.json(told);
  else for (const row of told.results) shell.out(`${wordFor(row)} ${plain(row.filepath)}\n`);
  return told.all_released ? EXIT.yes : EXIT.no;
}

const wordFor = (row: ReleaseRow): string =>
  row.error !== undefined ? `no lock (${plain(row.error)}):` : row.was_held ? 'released ' : 'not held ';

function releaseAll(ledger: Ledger, who: Who, options: LockOptions, shell: Shell): ExitCode {
  const told = releaseAllLocks(ledger, who);
  if (options.json === true) shell.json(told);
  else shell.out(`released ${told.count} lock${told.count === 1 ? '' : 's'}\n`);
  return EXIT.yes;
}
