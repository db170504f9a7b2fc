/**
 * File systems that take two spellings for one name: case (APFS, NTFS, ext4 casefold, vfat) and Unicode form
 * (APFS, HFS+, ext4 casefold). A ledger needs one key per file, so there the path is folded.
 *
 * Folding too much only makes two files share a key, which costs a needless wait; folding too little gives one
 * file two keys, which breaks every promise. So where case folds, the Unicode form is folded as well, by upper
 * case first (catches ß, ſ, final sigma) and without the code points that ext4 ignores.
 */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface Fold {
  readonly case_fold: boolean;
  readonly unicode_fold: boolean;
}

export const NO_FOLD: Fold = { case_fold: false, unicode_fold: false };

const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

export function foldPath(path: string, fold: Fold): string {
  if (fold.case_fold)
    return path.normalize('NFC').toUpperCase().toLowerCase().replace(IGNORED, '').normalize('NFC');
  return fold.unicode_fold ? path.normalize('NFC') : path;
}

function isSameEntry(a: string, b: string): boolean {
  try {
    const [left, right] = [lstatSync(a, { bigint: true }), lstatSync(b, { bigint: true })];
    return left.ino === right.ino && left.dev === right.dev;
  } catch {
    return false;
  }
}

const otherCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/** Looks without writing: the nearest existing name with letters in it, asked for in the other case. */
function probeCase(path: string): boolean {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const other = join(dirname(at), otherCase(basename(at)));
    if (other !== at && lstatSync(at, { throwIfNoEntry: false }) !== undefined) return isSameEntry(at, other);
  }
  return false;
}

/** For places that were never probed by `guard init`. */
export function assumedFold(path: string): Fold {
  const case_fold = probeCase(path);
  return { case_fold, unicode_fold: case_fold || process.platform === 'darwin' };
}

/** Writes and removes one file in `state_dir`, which lies on the file system of the repository. */
export function probeFold(state_dir: string): Fold {
  const probe = join(state_dir, `probe-${process.pid}-\u00e9`);
  writeFileSync(probe, '', { mode: 0o600 });
  try {
    const case_fold = isSameEntry(probe, join(state_dir, basename(probe).replace('probe', 'PROBE')));
    return { case_fold, unicode_fold: case_fold || isSameEntry(probe, probe.normalize('NFD')) };
  } finally {
    rmSync(probe, { force: true });
  }
}
