/** The checkouts of a repository, as git lists them. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readGitDir } from '../repo/git-dir.ts';
import { namesIn } from '../repo/names-in.ts';
import { rootOfCheckout } from '../repo/other-checkouts.ts';
import { textOfBytes, type ForecastGit } from './git.ts';

export interface ListedCheckout {
  /** The directory's name below `worktrees/`, or `main`; a worktree of that name is `main@worktree`. */
  readonly id: string;
  readonly path: string;
  readonly git_dir: string;
  /** Null: an unborn branch. */
  readonly head: string | null;
  /** Null: detached. */
  readonly branch: string | null;
  readonly is_locked: boolean;
  /** Its directory exists, and is the one that this repository knows. */
  readonly is_there: boolean;
}

export interface Repository {
  readonly common_dir: string;
  /** Root of the main checkout, if the caller is in it. */
  readonly root: string | null;
}

export const MAIN = 'main';

/** The main one first, then by id. A bare repository has no main one. */
export async function listCheckouts(
  git: ForecastGit,
  { common_dir, root }: Repository,
): Promise<readonly ListedCheckout[]> {
  const listed = await git.ask({ cwd: common_dir }, 'worktree', 'list', '--porcelain', '-z');
  const [main = new Map<string, string>(), ...linked] = blocksOf(listed);
  const dirs = dirsOf(common_dir);
  const rows = linked.flatMap((one) => {
    const path = one.get('worktree') ?? '';
    const git_dir = dirs.get(path);
    return git_dir === undefined ? [] : [linkedCheckout(one, path, git_dir, common_dir)];
  });
  const first = main.has('bare') ? [] : [mainCheckout(main, common_dir, root)];
  return [...first, ...rows.sort((a, b) => (a.id < b.id ? -1 : 1))];
}

/** The attributes of each checkout, by name. */
const blocksOf = (listed: string): Map<string, string>[] =>
  textOfBytes(listed)
    .split('\0\0')
    .filter((block) => block !== '')
    .map(
      (block) =>
        new Map(
          block.split('\0').map((line) => {
            const [, name = line, value = ''] = /^(\S+)(?: (.*))?$/s.exec(line) ?? [];
            return [name, value] as const;
          }),
        ),
    );

/** Git directories of linked worktrees, by the path that git lists. */
function dirsOf(common_dir: string): ReadonlyMap<string, string> {
  const above = join(common_dir, 'worktrees');
  const found = namesIn(above).flatMap((id) => {
    const root = rootOfCheckout({ common_dir }, id);
    return root === null ? [] : [[root, join(above, id)] as const];
  });
  return new Map(found);
}

const branchOf = (one: ReadonlyMap<string, string>): string | null =>
  one.get('branch')?.replace(/^refs\/heads\//, '') ?? null;

function headOf(one: ReadonlyMap<string, string>): string | null {
  const head = one.get('HEAD') ?? '';
  return /^0*$/.test(head) ? null : head;
}

function linkedCheckout(
  one: ReadonlyMap<string, string>,
  path: string,
  git_dir: string,
  common_dir: string,
): ListedCheckout {
  const name = basename(git_dir);
  const found = readGitDir(path);
  return {
    ...{ id: name === MAIN ? `${MAIN}@worktree` : name, path, git_dir },
    ...{ head: headOf(one), branch: branchOf(one), is_locked: one.has('locked') },
    is_there: found?.common_dir === common_dir && found.worktree === name,
  };
}

/** For a separate git directory, git lists that directory itself. */
function mainCheckout(
  one: ReadonlyMap<string, string>,
  common_dir: string,
  root: string | null,
): ListedCheckout {
  const listed = one.get('worktree') ?? '';
  const path = root ?? (existsSync(join(listed, '.git')) ? listed : dirname(common_dir));
  const found = readGitDir(path);
  const is_there = found?.common_dir === common_dir && found.worktree === null;
  return {
    ...{ id: MAIN, path, git_dir: common_dir, head: headOf(one), branch: branchOf(one) },
    ...{ is_locked: false, is_there },
  };
}
