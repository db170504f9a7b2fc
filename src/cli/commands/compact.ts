/** `guard compact`: a shorter ledger with the same meaning. Safe beside running agents; also started by guard itself. */
import type { Command } from 'commander';
import { archiveLimits } from '../../core/archive-limits.ts';
import { isForgotten } from '../../core/forget.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import type { Now } from '../../core/types.ts';
import { contentsDir } from '../../contents/entry.ts';
import type { SweepReport } from '../../contents/sweep.ts';
import { readNow } from '../../repo/clock.ts';
import { isSweepDue } from '../../repo/sweep-due.ts';
import { openStore } from '../../store/open.ts';
import {
  type ArchiveReport,
  compactIsDue,
  compactLedger,
  type CompactReport,
  tendArchive,
} from '../../store/upkeep.ts';
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
  const place = { repo, state_dir };
  const isOver = sweepSeenIn(options, place, now);
  if (options.contents === true || (options.ifDue === true && !compactIsDue(state_dir))) {
    if (isOver) tend(options, place, shell, []);
    const words = contents === null ? 'Nothing to do.' : sweptWords(contents);
    return say(shell, options, { due: false, contents }, () => `${words}\n`);
  }
  const report = compactLedger(state_dir, {
    now: readNow,
    forgets: (key, state) => isForgotten(key, state, now),
    durability: loadConfig({ repo, env: shell.env }).durability,
    ...(options.all === true ? { keep_bytes: 0 } : {}),
    ...(options.olderThan === undefined ? {} : { older_than_ms: options.olderThan }),
  });
  const archive = tend(options, place, shell, options.delete === true ? report.archived : []);
  const archived = report.archived.filter((name) => !archive.cut.some((one) => one.startsWith(name)));
  const { cut: deleted, ...kept } = archive;
  const lines = [
    words({ ...report, archived }, archive),
    ...(contents === null ? [] : [sweptWords(contents)]),
  ];
  const answer = { ...report, archived, deleted, archive: kept, contents };
  return say(shell, options, answer, () => `${lines.join('\n')}\n`);
}

function tend(
  { dropArchived }: Options,
  { repo, state_dir }: LedgerPlace,
  { env }: Shell,
  drop: readonly string[],
): ArchiveReport {
  const { archive_keep, durability } = loadConfig({ repo, env });
  const limits = archiveLimits(archive_keep);
  const store = openStore({ dir: state_dir, now: readNow, durability, create: false });
  try {
    return tendArchive(store, state_dir, {
      limits: dropArchived === undefined ? limits : { ...limits, max_age_ms: dropArchived },
      now: readNow(),
      drop,
    });
  } finally {
    store.close();
  }
}

/** False: it is not time for it. */
function sweepSeenIn({ ifDue, contents }: Options, { state_dir }: LedgerPlace, now: Now): boolean {
  if (contents === true || (ifDue === true && !isSweepDue(seenDir(state_dir), now.wall_ms))) return false;
  sweepSeen(state_dir, now);
  return true;
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

function words(
  { archived, carried, forgotten, freed_bytes }: CompactReport,
  { cut, segments, bytes }: ArchiveReport,
): string {
  const kept =
    segments === 0 ? '' : ` The archive has ${segments} segments in ${Math.round(bytes / 1024)} KiB.`;
  if (archived.length + cut.length === 0) return `Nothing was old enough.${kept}`;
  const moved = archived.length === 0 ? '' : `${archived.length} segments archived, `;
  const gone = cut.length === 0 ? '' : `${cut.length} deleted, `;
  const dropped = forgotten === 0 ? '' : `${forgotten} of agents long gone forgotten, `;
  return `${moved}${gone}${carried} states carried over, ${dropped}${Math.round(freed_bytes / 1024)} KiB freed.${kept}`;
}
