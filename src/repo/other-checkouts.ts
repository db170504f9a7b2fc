/** The checkouts of a repository according to its git directory, without running git. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { cloneIds, cloneIn, gitPlaceOf, holderName, ledgerHolder, ledgerName } from './clones.ts';
import { gitDirOf } from './git-dir.ts';
import type { Repo } from './repo.ts';
import { namesIn } from './names-in.ts';
import { textOf } from './small-file.ts';

/** More are ignored. */
const CHECKOUTS_MAX = 256;

/** Their names in the ledger, without this one and those of other machines; '' is the main one, which a bare repository lacks. */
export function otherCheckouts(repo: Repo): readonly string[] {
  const holder = ledgerHolder(repo);
  if (holder === null) return [];
  const isMain = basename(holder) === '.git' && existsSync(join(holder, 'index'));
  const own = holderName(repo);
  const linked = linkedIn(holder).map((name) => ledgerName(own || undefined, name) ?? name);
  const all = [...(isMain ? [own] : []), ...linked, ...clonesOf(repo)];
  return all.filter((id) => id !== (repo.worktree ?? '')).slice(0, CHECKOUTS_MAX + 1);
}

const linkedIn = (common_dir: string): readonly string[] => namesIn(join(common_dir, 'worktrees'));

const clonesOf = ({ state_dir }: Repo): readonly string[] =>
  cloneIds(state_dir).flatMap((id) => {
    const linked = linkedIn(cloneIn(state_dir, id)?.common_dir ?? '');
    return [id, ...linked.map((worktree) => ledgerName(id, worktree) ?? '')];
  });

/** The root of a checkout that the ledger names, which may no longer exist. Null if unknown. */
export function rootInLedger(
  repo: Pick<Repo, 'common_dir' | 'state_dir' | 'joined' | 'clone'>,
  id: string,
): string | null {
  const place = gitPlaceOf(repo, id);
  if (place === null) return null;
  return place.worktree === '' ? place.main_root : rootOfCheckout(place, place.worktree);
}

/** By its name in git, '' being the main one. It may no longer exist. Null: git does not know it. */
export function rootOfCheckout({ common_dir }: Pick<Repo, 'common_dir'>, id: string): string | null {
  if (common_dir === null || id === '') return common_dir === null ? null : dirname(common_dir);
  const dir = gitDirOf(common_dir, id);
  const back = textOf(join(dir, 'gitdir'))?.replace(/[\r\n]+$/, '') ?? '';
  return back === '' ? null : dirname(resolve(dir, back));
}

/** Its HEAD, in a form that git accepts in any checkout of the repository. */
export const headOfCheckout = (id: string): string =>
  id === '' ? 'main-worktree/HEAD' : `worktrees/${id}/HEAD`;
