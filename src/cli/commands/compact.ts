/** `guard compact`: a shorter ledger with the same meaning. Safe beside running agents; also started by guard itself. */
import type { Command } from 'commander';
import { isForgotten } from '../../core/forget.ts';
import { readNow } from '../../repo/clock.ts';
import { compactIsDue, compactLedger } from '../../store/embedded/compact.ts';
import type { CompactReport } from '../../store/embedded/compact.ts';
import { loadConfig } from '../../config/load.ts';
import { act } from '../act.ts';
import { duration_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { ledgerPlace, withUserOption } from '../ledger-place.ts';
import type { WhichLedger } from '../ledger-place.ts';
import type { Shell } from '../shell.ts';

interface Options extends WhichLedger {
  readonly json?: boolean;
  readonly ifDue?: boolean;
  readonly delete?: boolean;
  readonly all?: boolean;
  readonly olderThan?: number;
  readonly dropArchived?: number;
}

export function define(command: Command, shell: Shell): void {
  withUserOption(command)
    .option('--if-due', 'only when the ledger has grown enough to be worth it')
    .option('--all', 'every finished segment, not only what exceeds 64 MiB')
    .option('--older-than <duration>', 'only segments that were last written longer ago', duration_ms)
    .option('--delete', 'delete old segments instead of moving them to archive/')
    .option('--drop-archived <duration>', 'delete archived segments older than this', duration_ms)
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ options }) => compact(options, shell));
}

function compact(options: Options, shell: Shell): ExitCode {
  const { repo, state_dir } = ledgerPlace(shell, options);
  if (options.ifDue === true && !compactIsDue(state_dir)) {
    if (options.json === true) shell.json({ due: false });
    else shell.out('Nothing to do.\n');
    return EXIT.yes;
  }
  const now = readNow();
  const report = compactLedger(state_dir, {
    now: readNow,
    forgets: (key, state) => isForgotten(key, state, now),
    durability: loadConfig({ repo, env: shell.env }).durability,
    old: options.delete === true ? 'delete' : 'archive',
    ...(options.all === true ? { keep_bytes: 0 } : {}),
    ...(options.olderThan === undefined ? {} : { older_than_ms: options.olderThan }),
    ...(options.dropArchived === undefined ? {} : { delete_archived_older_than_ms: options.dropArchived }),
  });
  if (options.json === true) shell.json(report);
  else shell.out(`${words(report)}\n`);
  return EXIT.yes;
}

function words({ archived, deleted, carried, forgotten, freed_bytes }: CompactReport): string {
  if (archived.length + deleted.length === 0) return 'Nothing was old enough.';
  const moved = archived.length === 0 ? '' : `${archived.length} segments archived, `;
  const gone = deleted.length === 0 ? '' : `${deleted.length} deleted, `;
  const dropped = forgotten === 0 ? '' : `${forgotten} of agents long gone forgotten, `;
  return `${moved}${gone}${carried} states carried over, ${dropped}${Math.round(freed_bytes / 1024)} KiB freed.`;
}
