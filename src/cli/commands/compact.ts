/** `guard compact`: a shorter ledger with the same meaning. Safe while agents are running; guard also starts it itself. */
import type { Command } from 'commander';
import { archiveLimits } from '../../core/archive-limits.ts';
import { remainsOf } from '../../core/remains.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import type { Now } from '../../core/types.ts';
import { contentsDir } from '../../contents/entry.ts';
import type { SweepReport } from '../../contents/sweep.ts';
import { readNow } from '../../repo/clock.ts';
import { isSweepDue } from '../../repo/sweep-due.ts';
import type { Store } from '../../store/store.ts';
import { type ArchiveReport, compactIsDue, compactLedger, tendArchive } from '../../store/upkeep.ts';
import { type Config, loadConfig } from '../../config/load.ts';
import { act } from '../act.ts';
import { duration_ms } from '../duration.ts';
import type { ExitCode } from '../exit.ts';
import { ledgerPlace, type WhichLedger, withUserOption } from '../ledger-place.ts';
import { say, type Shell } from '../shell.ts';
import { seenDir } from '../../workspace/seen.ts';
import { dropForgotten } from '../../workspace/drop-forgotten.ts';
import { openLedger } from '../../workspace/open-ledger.ts';
import { sweepSeen } from '../../workspace/sweep-seen.ts';
import { COMPACTED_THERE, compactWords, sweptWords } from '../view/compact-words.ts';
import { withProgress } from '../view/progress-bar.ts';
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
    .option('--contents', 'remove only the contents kept for undo and blame')
    .option('--all', 'compact every finished segment, not only what exceeds 64 MiB')
    .option('--older-than <duration>', 'only segments last written longer ago than this', duration_ms)
    .option('--delete', 'delete old segments instead of moving them to archive/')
    .option('--drop-archived <duration>', 'delete archived segments older than this', duration_ms)
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ options }) => compact(options, shell));
}

function compact(options: Options, shell: Shell): ExitCode {
  const { repo, state_dir } = ledgerPlace(shell, options);
  const config = loadConfig({ repo, env: shell.env });
  const { durability } = config;
  const { store } = openLedger({ repo, state_dir, env: shell.env, durability });
  try {
    return compactAt({ store, state_dir, config, now: readNow() }, options, shell);
  } finally {
    store.close();
  }
}

interface Place {
  readonly store: Store;
  readonly state_dir: string;
  readonly config: Config;
  readonly now: Now;
}

function compactAt(place: Place, options: Options, shell: Shell): ExitCode {
  const { store, state_dir, config, now } = place;
  const contents = contentsOf(options, place);
  const isOver = sweepSeenIn(options, place);
  const isShared = store.supports.shared;
  if (options.contents === true || isShared || (options.ifDue === true && !compactIsDue(state_dir))) {
    if (isOver && !isShared) tend(options, place, []);
    const swept = contents === null ? 'Nothing to do.' : sweptWords(contents);
    const lines = isShared && options.contents !== true ? [swept, COMPACTED_THERE] : [swept];
    return say(shell, options, { due: false, contents }, () => `${lines.join('\n')}\n`);
  }
  dropForgotten(store, now);
  const report = withProgress(shell, options, (onCarried) =>
    compactLedger(state_dir, {
      now: readNow,
      remains: (key, state, see) => remainsOf(key, state, { now, see }),
      durability: config.durability,
      onCarried,
      ...(options.all === true ? { keep_bytes: 0 } : {}),
      ...(options.olderThan === undefined ? {} : { older_than_ms: options.olderThan }),
    }),
  );
  const archive = tend(options, place, options.delete === true ? report.archived : []);
  const archived = report.archived.filter((name) => !archive.cut.some((one) => one.startsWith(name)));
  const { cut: deleted, ...kept } = archive;
  const lines = [
    compactWords({ ...report, archived }, archive),
    ...(contents === null ? [] : [sweptWords(contents)]),
  ];
  const answer = { ...report, archived, deleted, archive: kept, contents };
  return say(shell, options, answer, () => `${lines.join('\n')}\n`);
}

function tend(
  { dropArchived }: Options,
  { store, state_dir, config }: Place,
  drop: readonly string[],
): ArchiveReport {
  const limits = archiveLimits(config.archive_keep);
  return tendArchive(store, state_dir, {
    limits: dropArchived === undefined ? limits : { ...limits, max_age_ms: dropArchived },
    now: readNow(),
    drop,
  });
}

/** False if it is not due. */
function sweepSeenIn({ ifDue, contents }: Options, { store, state_dir, now }: Place): boolean {
  if (contents === true || (ifDue === true && !isSweepDue(seenDir(state_dir), now.wall_ms))) return false;
  sweepSeen(store, state_dir, now);
  return true;
}

/** `null` if it is not due. */
function contentsOf({ ifDue }: Options, { store, state_dir, config, now }: Place): SweepReport | null {
  if (ifDue === true && !isSweepDue(contentsDir(state_dir), now.wall_ms)) return null;
  return tidyContents(store, state_dir, undoLimits(config.undo), now);
}
