/** A history belongs to a name. Finds what replaced a file, and other names under which a content is recorded. */
import fs from 'node:fs';
import { basename, dirname } from 'node:path';
import { GuardError } from '../../core/error.ts';
import type { RepoPath } from '../../core/types.ts';
import { changedIn, versionsOf } from '../../core/versions.ts';
import type { Target } from '../../repo/canonical.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { targetIn } from '../../workspace/target-in.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { allRecords } from './history.ts';

const NAMED = 3;

/** Names under which exactly this content was last written or noticed, newest first: the file may have been moved from there. */
export function otherNames(space: Workspace, { path }: Target, disk: DiskFact): readonly RepoPath[] {
  const { digest, size } = disk;
  if (digest === null || size === 0) return [];
  const found = new Set<RepoPath>();
  for (const record of allRecords(space)) {
    const { type } = record;
    const to = type === 'drift' ? record['to'] : record['digest'];
    if (to !== digest) continue;
    for (const one of changedIn(record))
      if (one !== path) {
        // Added again, so that it is the newest.
        found.delete(one);
        found.add(one);
      }
  }
  return [...found].slice(-NAMED).reverse();
}

/** A link leads to another file's history, so undo would claim that a file that became a link has nothing to undo. */
export function refuseLink(space: Workspace, target: Target): void {
  const { abs } = target;
  if (fs.lstatSync(abs, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const dir = targetIn(space, dirname(abs)).path;
  const own = dir === '' || dir === '.' ? basename(abs) : `${dir.replace(/\/$/, '')}/${basename(abs)}`;
  if (own === target.path || versionsOf(allRecords(space), own).length === 0) return;
  throw new GuardError(
    'GUARD_ERR_UNDO',
    `${abs} was a file and is a link to ${target.real} now.`,
    'Move the link away and run the command again: the file is then restored. To undo changes to its target, name the target.',
    { path: abs, link_to: target.real },
  );
}
