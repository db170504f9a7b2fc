import { GuardError } from '../../core/error.ts';
import { plain } from '../../core/plain.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Who } from '../../core/rules/agent.ts';
import { releaseAllLocks, releaseLocks } from '../../locks/release.ts';
import type { Drift, ReleaseRow } from '../../locks/release.ts';
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
  else
    for (const row of told.results)
      shell.out(`${wordFor(row)} ${plain(row.filepath)}${rest(row)}${driftOf(row.filepath, row.drifted)}\n`);
  return told.all_released ? EXIT.yes : EXIT.no;
}

function wordFor(row: ReleaseRow): string {
  if (row.error !== undefined) return `no lock (${plain(row.error)}):`;
  if (row.still_reserved !== undefined) return 'still yours';
  return row.was_held ? 'released ' : 'not held ';
}

/** What the caller must not hand on as its own work. */
const driftOf = (file: string, drifted: Drift | undefined): string =>
  drifted === undefined
    ? ''
    : ` (${drifted.gone ? 'it is gone' : 'no longer as you left it'}: changed by ${plain(drifted.by)}; your content: guard undo ${plain(shellWord(file))})`;

/** What still keeps others out, and the command that ends it. */
function rest({ still_reserved = [] }: Pick<ReleaseRow, 'still_reserved'>): string {
  if (still_reserved.length === 0) return '';
  const named = still_reserved.map(({ id, pattern }) => `${id} (${plain(pattern)})`).join(', ');
  const ids = still_reserved.map(({ id }) => id).join(' ');
  return `: reserved by you as ${named}; give it back with: guard unreserve ${ids}`;
}

function releaseAll(ledger: Ledger, who: Who, options: LockOptions, shell: Shell): ExitCode {
  const told = releaseAllLocks(ledger, who);
  if (options.json === true) shell.json(told);
  else {
    shell.out(`released ${told.count} lock${told.count === 1 ? '' : 's'}${rest(told)}\n`);
    for (const one of told.drifted ?? []) shell.out(`${plain(one.filepath)}${driftOf(one.filepath, one)}\n`);
  }
  return EXIT.yes;
}
