/** The checkouts of a repository as its git directory lists them, without a git process. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Repo } from './locate.ts';
import { namesIn } from './names-in.ts';
import { textOf } from './small-file.ts';

/** More are not looked at. */
const CHECKOUTS_MAX = 256;

/** Ids of all but this one; '' is the main checkout. A bare repository has no index, and no main checkout. */
export function otherCheckouts({ common_dir, worktree }: Repo): readonly string[] {
  if (common_dir === null) return [];
  const linked = namesIn(join(common_dir, 'worktrees')).filter((id) => id !== worktree);
  const isMain =
    worktree !== null && basename(common_dir) === '.git' && existsSync(join(common_dir, 'index'));
  return [...(isMain ? [''] : []), ...linked.slice(0, CHECKOUTS_MAX)];
}

/** It may have gone away. Null: git does not say. */
export function rootOfCheckout({ common_dir }: Pick<Repo, 'common_dir'>, id: string): string | null {
  if (common_dir === null || id === '') return common_dir === null ? null : dirname(common_dir);
  const dir = join(common_dir, 'worktrees', id);
  const back = textOf(join(dir, 'gitdir'))?.replace(/[\r\n]+$/, '') ?? '';
  return back === '' ? null : dirname(resolve(dir, back));
}

/** Its HEAD, for git in any checkout of the repository. */
export const headOfCheckout = (id: string): string =>
  id === '' ? 'main-worktree/HEAD' : `worktrees/${id}/HEAD`;
