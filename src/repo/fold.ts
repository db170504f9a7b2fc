/**
 * File systems that treat two spellings as one name: by case (APFS, NTFS, ext4 casefold, vfat) or by Unicode form
 * (APFS, HFS+, ext4 casefold). A ledger needs one key per file, so on those the path is folded.
 *
 * Folding too much only makes two files share a key, which costs a needless wait. Folding too little gives one
 * file two keys, which breaks every promise. So where case folds, the Unicode form is folded too, via upper case
 * (which catches ß, ẞ, ſ and final sigma) and without the code points that ext4 ignores.
 */
import { lstatSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt } from '../core/attempt.ts';

export interface Fold {
  readonly case_fold: boolean;
  readonly unicode_fold: boolean;
}

export const NO_FOLD: Fold = { case_fold: false, unicode_fold: false };

function foldCase(text: string): string {
  const folded = text.normalize('NFC').toLowerCase().toUpperCase().toLowerCase();
  // Created here because compiling a pattern with Unicode properties takes 0.3 ms, which every hook would pay.
  return folded.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFC');
}

export function foldPath(path: string, fold: Fold): string {
  if (fold.case_fold) return foldCase(path);
  return fold.unicode_fold ? path.normalize('NFC') : path;
}

const inodeOf = (path: string): string | null =>
  attempt(() => {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  }, null);

const otherCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/** Probes without writing: looks up the nearest existing name that contains letters in the other case. */
function probeCase(path: string): boolean {
  for (let at = path; dirname(at) !== at; at = dirname(at)) {
    const other = join(dirname(at), otherCase(basename(at)));
    const inode = other === at ? null : inodeOf(at);
    if (inode !== null) return inode === inodeOf(other);
  }
  return false;
}

/** For places that `guard init` never probed. */
export function assumedFold(path: string): Fold {
  const case_fold = probeCase(path);
  return { case_fold, unicode_fold: case_fold || process.platform === 'darwin' };
}

/** Writes and removes one file in `state_dir`, which is on the repository's file system. */
export function probeFold(state_dir: string): Fold {
  const probe = join(state_dir, `probe-${process.pid}-\u00e9`);
  writeFileSync(probe, '', { mode: 0o600 });
  try {
    const inode = inodeOf(probe);
    const isSame = (name: string): boolean => inode !== null && inode === inodeOf(join(state_dir, name));
    const case_fold = isSame(basename(probe).replace('probe', 'PROBE'));
    return { case_fold, unicode_fold: case_fold || isSame(basename(probe).normalize('NFD')) };
  } finally {
    rmSync(probe, { force: true });
  }
}
