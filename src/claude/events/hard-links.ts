// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A file with several names (hard links) has one lease per name: the path is the key (design section 5). If another
 * agent holds the same file under another name, the writer is notified. Best effort: it denies nothing, and looks only
 * at names in the same checkout.
 */
import { attempt } from '../../core/attempt.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../../core/lease-scope.ts';
import { plain } from '../../core/plain.ts';
import { statusOf } from '../../core/report.ts';
import type { AgentId } from '../../core/types.ts';
import type { Repo } from '../../repo/locate.ts';
import type { Located } from './targets.ts';
import { consult } from '../../store/transact.ts';

/** One sentence for each name under which another agent holds one of these files. */
export function heldUnderAnotherName(linked: readonly Located[], me: AgentId): string[] {
  return linked.flatMap(({ target, space }) => {
    const { leases } = consult(space.store, (view) => statusOf(view, space.facts()));
    return leases
      .filter(({ holder, path }) => holder !== me && path !== inRepository(target.path))
      .filter(({ path }) => target.inode !== null && inodeOf(space.repo, path) === target.inode)
      .map(
        ({ path, holder }) =>
          `${plain(target.abs)} is the same file as ${plain(path)} (a hard link), which ${holder} has locked: your write changes it under that name too.`,
      );
  });
}

/** In the form used in Target; null for a name in another checkout or without a file. */
function inodeOf(repo: Repo, path: string): string | null {
  const prefix = inRepository(repo.worktree === null ? '' : `//${repo.worktree}/`);
  const name = path.slice(prefix.length);
  if (!path.startsWith(prefix) || name.startsWith('/')) return null;
  return attempt(() => {
    const { dev, ino } = lstatSync(join(repo.root, name), { bigint: true });
    return `${dev}:${ino}`;
  }, null);
}
