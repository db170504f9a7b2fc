/** `guard compact`: a shorter ledger with the same meaning. Safe beside running agents; also started by guard itself. */
import type { Command } from 'commander';
import { isForgotten } from '../../core/forget.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import type { Now } from '../../core/types.ts';
import { contentsDir } from '../../contents/entry.ts';
import type { SweepReport } from '../../contents/sweep.ts';
import { readNow } from '../../repo/clock.ts';
import { isSweepDue } from '../../repo/sweep-due.ts';
import { compactIsDue, compactLedger, type CompactReport } from '../../store/upkeep.ts';
import { loadConfig } from '../../config/load.ts';
import { act } from '../act.ts';
import { duration_ms } from '../duration.ts';
import type { ExitCode } from '../exit.ts';
import { ledgerPlace, type LedgerPlace, type WhichLedger, withUserOption } from '../ledger-place.ts';
import { say, type Shell } from '../shell.ts';
import { seenDir } from '../../workspace/seen.ts';
import { sweepSeen } from '../../workspace/sweep-seen.ts';
import { tidyContents } from '../undo/tidy-contents.ts';

interface Options extends WhichLedger {
  readonly json?: boolean;
  readonly ifDue?: boolean;
  readonly contents?: boolean;
  readonly delete?: boolean;
  readonly all?: boolean;
  readonly olderThan?: number;
  readonly dropArchived?: number;
}

export function define(command: Command, shell: Shell): void {
  withUserOption(command)
    .option('--if-due', 'only when the ledger has grown enough to be worth it')
    .option('--contents', 'only what is kept of files for undo and blame')
    .option('--all', 'every finished segment, not only what exceeds 64 MiB')
    .option('--older-than <duration>', 'only segments that were last written longer ago', duration_ms)
    .option('--delete', 'delete old segments instead of moving them to archive/')
    .option('--drop-archived <duration>', 'delete archived segments older than this', duration_ms)
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ options }) => compact(options, shell));
}

function compact(options: Options, shell: Shell): ExitCode {
  const { repo, state_dir } = ledgerPlace(shell, options);
  const now = readNow();
  const contents = contentsOf(options, { repo, state_dir }, shell, now);
  sweepBaselines(options, state_dir, now);
  if (options.contents === true || (options.ifDue === true && !compactIsDue(state_dir))) {
    const words = contents === null ? 'Nothing to do.' : sweptWords(contents);
    return say(shell, options, { due: false, contents }, () => `${words}\n`);
  }
  const report = compactLedger(state_dir, {
    now: readNow,
    forgets: (key, state) => isForgotten(key, state, now),
    durability: loadConfig({ repo, env: shell.env }).durability,
    old: options.delete === true ? 'delete' : 'archive',
    ...(options.all === true ? { keep_bytes: 0 } : {}),
    ...(options.olderThan === undefined ? {} : { older_than_ms: options.olderThan }),
    ...(options.dropArchived === undefined ? {} : { delete_archived_older_than_ms: options.dropArchived }),
  });
  const lines = [words(report), ...(contents === null ? [] : [sweptWords(contents)])];
  return say(shell, options, { ...report, contents }, () => `${lines.join('\n')}\n`);
}

function sweepBaselines({ ifDue, contents }: Options, state_dir: string, now: Now): void {
  if (contents === true || (ifDue === true && !isSweepDue(seenDir(state_dir), now.wall_ms))) return;
  sweepSeen(state_dir, now);
}

/** Null: it is not time for it. */
function contentsOf(options: Options, at: LedgerPlace, { env }: Shell, now: Now): SweepReport | null {
  const { repo, state_dir } = at;
  if (options.ifDue === true && !isSweepDue(contentsDir(state_dir), now.wall_ms)) return null;
  const limits = undoLimits(loadConfig({ repo, env }).undo);
  return tidyContents(state_dir, limits, now);
}

const sweptWords = ({ entries, bytes, removed }: SweepReport): string =>
  `${entries} contents of files kept in ${Math.round(bytes / 1024)} KiB, ${removed} removed.`;

function words({ archived, deleted, carried, forgotten, freed_bytes }: CompactReport): string {
  if (archived.length + deleted.length === 0) return 'Nothing was old enough.';
  const moved = archived.length === 0 ? '' : `${archived.length} segments archived, `;
  const gone = deleted.length === 0 ? '' : `${deleted.length} deleted, `;
  const dropped = forgotten === 0 ? '' : `${forgotten} of agents long gone forgotten, `;
  return `${moved}${gone}${carried} states carried over, ${dropped}${Math.round(freed_bytes / 1024)} KiB freed.`;
}
