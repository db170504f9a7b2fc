/**
 * `guard doctor --fix` for the ledger. By default it does only what loses nothing: it removes what can be rebuilt and
 * lets the store repair its end. If records are damaged or missing, `quarantine` must be requested explicitly.
 */
import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { isGuardError } from '../../core/error.ts';
import type { Now } from '../../core/types.ts';
import { asFailure } from '../failure.ts';
import { chooseFlock } from '../flock/flock.ts';
import { SEGMENT_BYTES } from './append.ts';
import { checkDir, INDEX, list, removeFile } from './files.ts';
import { homeOnRecord, NOWHERE, writeHome } from './home.ts';
import { type Held, LOCK_DEADLINE_MS, lockSync } from './lock.ts';
import { quarantine } from './quarantine.ts';
import { useLedger } from './use.ts';
import { verifyHome } from './verify-home.ts';
import { verifyLedger } from './verify.ts';
import { LOSSES, type VerifyReport } from './verify-report.ts';

export interface RepairOptions {
  readonly now: () => Now;
  readonly durability?: 'process' | 'fsync';
  readonly lock_deadline_ms?: number;
  readonly segment_bytes?: number;
  /** Give up records that are damaged or missing. The rest of their segments is kept in `quarantine/`. */
  readonly quarantine?: boolean;
}

interface RepairAction {
  readonly kind: 'mode' | 'index_removed' | 'checkpoint_removed' | 'opened' | 'quarantined';
  readonly file: string;
}

/** `before` and `after` are verify reports; the problems in `after` are those that remain. */
export interface RepairReport {
  readonly actions: readonly RepairAction[];
  readonly before: VerifyReport;
  readonly after: VerifyReport;
}

/** Removes other users' access to files that are ours. Changes mode bits only, never ownership, and never a link. */
function fixModes(dir: string): RepairAction[] {
  const uid = process.getuid?.();
  const names = ['.', ...readdirSync(dir)];
  return names.flatMap((name): RepairAction[] => {
    const stats = lstatSync(`${dir}/${name}`);
    const isOurs = uid === undefined || stats.uid === uid;
    if (!isOurs || (stats.mode & 0o077) === 0 || !(stats.isFile() || (name === '.' && stats.isDirectory())))
      return [];
    chmodSync(`${dir}/${name}`, name === '.' ? 0o700 : 0o600);
    return [{ kind: 'mode', file: name }];
  });
}

function removeDerived(dir: string, before: VerifyReport): RepairAction[] {
  const actions: RepairAction[] = [];
  for (const { kind, file } of before.problems) {
    if (kind === 'bad_checkpoint') actions.push({ kind: 'checkpoint_removed', file });
    if (kind === 'index_differs' && !actions.some((action) => action.file === INDEX)) {
      actions.push({ kind: 'index_removed', file: INDEX });
    }
  }
  for (const { file } of actions) removeFile(`${dir}/${file}`);
  return actions;
}

/** Opens the ledger normally, which rebuilds the index and cuts a torn tail. Problems it refuses remain in the report. */
function open(dir: string, options: RepairOptions, held: Held): RepairAction[] {
  const { now, durability, segment_bytes = SEGMENT_BYTES } = options;
  try {
    useLedger({ dir, now, durable: durability === 'fsync', segment_bytes }, held, true, () => undefined);
    return [{ kind: 'opened', file: INDEX }];
  } catch (error) {
    if (!isGuardError(error)) throw error;
    return [];
  }
}

/** A repair removes index and checkpoints, which may be the only evidence of a copy. Makes sure it remains a copy. */
function keepCopied(dir: string, { home }: Held, { durability }: RepairOptions): void {
  const known = homeOnRecord(dir);
  const isTold = known !== undefined && known.ino !== home.ino;
  if (!isTold && verifyHome(dir).length > 0) writeHome(dir, NOWHERE, durability === 'fsync');
}

function repair(dir: string, options: RepairOptions): RepairReport {
  const actions = fixModes(dir);
  checkDir(dir);
  const before = verifyLedger(dir, options);
  const { now, lock_deadline_ms: deadline_ms = LOCK_DEADLINE_MS } = options;
  const held = lockSync({
    dir,
    flock: chooseFlock(),
    deadline_ms,
    writable: true,
    mono_ms: () => now().mono_ms,
  });
  const isLost = before.problems.some(({ kind }) => LOSSES.includes(kind));
  try {
    keepCopied(dir, held, options);
    if (isLost && options.quarantine === true) {
      for (const file of quarantine(dir, now())) actions.push({ kind: 'quarantined', file });
    } else actions.push(...removeDerived(dir, before));
    if (list(dir).segments.length > 0) actions.push(...open(dir, options, held));
  } finally {
    held.free();
  }
  return { actions, before, after: verifyLedger(dir, options) };
}

/** Does only what the options allow, and is safe to repeat. Throws GUARD_ERR_BUSY, GUARD_ERR_NO_FLOCK, GUARD_ERR_IO. */
export function repairLedger(dir: string, options: RepairOptions): RepairReport {
  try {
    return repair(dir, options);
  } catch (error) {
    throw asFailure(error, `repair the ledger in ${dir}`, { path: dir });
  }
}
