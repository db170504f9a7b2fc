import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import type { LockOptions } from '../commands/lock.ts';
import { plain } from '../../core/plain.ts';
import { statusOf, STATUS_PREFIXES } from '../../core/report.ts';
import { GuardError } from '../../core/error.ts';
import type { Who } from '../../core/rules/agent.ts';
import { locateAll } from './located.ts';

/** Idempotent: what the caller does not hold counts as released. Another agent's lock is left alone. */
export function releaseLocks(
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
  const located = locateAll(ledger, given);
  const paths = located.flatMap(({ path }) => (path === null ? [] : [path]));
  const done = paths.length === 0 ? [] : ledger.run({ type: 'lock.release', who, paths });
  const results = located.map((row) => {
    const result = done.find(({ path }) => path === row.path);
    return {
      filepath: row.given,
      released: result?.released ?? false,
      was_held: result?.was_held ?? false,
      ...(row.error === null ? {} : { error: row.error }),
    };
  });
  const all_released = results.every(({ released }) => released);
  if (options.json === true) shell.json({ results, all_released });
  else for (const row of results) shell.out(`${wordFor(row)} ${plain(row.filepath)}\n`);
  return all_released ? EXIT.yes : EXIT.no;
}

const wordFor = (row: { released: boolean; was_held: boolean; error?: string }): string =>
  row.error !== undefined ? `no lock (${plain(row.error)}):` : row.was_held ? 'released ' : 'not held ';

function releaseAll(ledger: Ledger, who: Who, options: LockOptions, shell: Shell): ExitCode {
  const { leases } = statusOf(ledger.store.readSync([], STATUS_PREFIXES), ledger.facts());
  const held = leases.filter((lease) => lease.holder === who.id).map((lease) => lease.path);
  ledger.run({ type: 'lock.release_all', who, held });
  if (options.json === true) shell.json({ count: held.length });
  else shell.out(`released ${held.length} lock${held.length === 1 ? '' : 's'}\n`);
  return EXIT.yes;
}
