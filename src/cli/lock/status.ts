import { plain } from '../../core/plain.ts';
import { statusOf, STATUS_PREFIXES } from '../../core/report.ts';
import type { LeaseReport } from '../../core/report.ts';
import type { LockOptions } from '../commands/lock.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { withLedger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { locateAll } from './located.ts';

interface StatusRow {
  readonly filepath: string;
  readonly held_by_me: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: number | null;
  readonly expires_at: string | null;
}

/** Who holds the given files; without any, every lock of the repository. */
export function lockStatus(paths: readonly string[], options: LockOptions, shell: Shell): Promise<ExitCode> {
  return withLedger(
    shell,
    (ledger) => {
      const me = ledger.who(options.agent).id;
      const { leases } = statusOf(ledger.store.readSync([], STATUS_PREFIXES), ledger.facts());
      const asked = locateAll(ledger, paths).map(({ given, path }) => ({ filepath: given, path }));
      const everything = [...new Set(leases.map(({ path }) => path))].map((path) => ({
        filepath: path,
        path,
      }));
      const results = (paths.length === 0 ? everything : asked).map(({ filepath, path }) =>
        rowFor(
          filepath,
          leases.filter((lease) => lease.path === path),
          me,
        ),
      );
      if (options.json === true) shell.json({ results });
      else for (const row of results) shell.out(`${lineOf(row)}\n`);
      return EXIT.yes;
    },
    paths,
  );
}

function rowFor(filepath: string, leases: readonly LeaseReport[], me: string): StatusRow {
  const mine = leases.find((lease) => lease.holder === me);
  const shown = mine ?? leases[0];
  return {
    filepath,
    held_by_me: mine !== undefined,
    holder: shown?.holder ?? null,
    holders: leases.map((lease) => lease.holder),
    token: shown?.token ?? null,
    expires_at: shown?.expires_at ?? null,
  };
}

function lineOf(row: StatusRow): string {
  const file = plain(row.filepath);
  if (row.holder === null) return `free      ${file}`;
  const holders = plain(row.holders.join(', '));
  return `${row.held_by_me ? 'yours    ' : 'held     '} ${file}: ${holders}, until ${row.expires_at ?? ''}`;
}
