/**
 * Makes a hidden commit of everything in a checkout, including untracked files. It uses guard's own index, which starts
 * as a copy of the checkout's and is kept, so that only files that have changed are read again.
 */
import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { isGuardError } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import { nameHash } from '../repo/name-hash.ts';
import { addableOf } from './addable.ts';
import { indexChangesIn, STATUS_ARGS } from './changes.ts';
import type { ListedCheckout } from './checkouts.ts';
import { textOfBytes, type ForecastGit, type GitTask } from './git.ts';
import { type Standing, standingOf } from './standing.ts';

export interface Taken {
  /** State in which its files were taken: HEAD and the checkout's own index. */
  readonly seen: string;
  /** Null: the checkout has no commit and no files. */
  readonly commit: string | null;
  readonly tree: string | null;
  readonly branch: string | null;
  readonly operation: Standing['operation'] | 'unmerged';
  /** `commits`: its files were not read. */
  readonly looked_at: 'files' | 'commits';
  readonly notes: readonly string[];
}

export interface Taking {
  readonly git: ForecastGit;
  /** Where guard's own indexes are. */
  readonly dir: string;
  /** Values of the attribute `filter` that name a program. */
  readonly filters: readonly string[];
  /** Whether none of its files can have changed since. */
  readonly isStill: (place: ListedCheckout) => boolean;
}

/** @param known what was taken last time */
export async function take(taking: Taking, place: ListedCheckout, known?: Taken): Promise<Taken> {
  const standing = standingOf(place.git_dir);
  const branch = place.branch ?? standing.branch;
  const base = { branch, operation: standing.operation, tree: null };
  const commits = (more: Partial<Taken> = {}): Taken => ({
    ...{ ...base, seen: '', commit: place.head, looked_at: 'commits', notes: [] },
    ...more,
  });
  if (standing.tip !== null)
    return commits({ commit: (await oidOf(taking, place, standing.tip)) ?? place.head });
  try {
    const taken = await takeFiles(taking, place, { standing, known });
    return 'commit' in taken
      ? { ...base, ...taken }
      : commits({ operation: standing.operation ?? 'unmerged' });
  } catch (error) {
    if (!isGuardError(error)) throw error;
    // The kept index may be damaged, or locked by a git that was killed: try again with the checkout's own.
    if (known !== undefined) return take(taking, place);
    return commits({ notes: [`${place.id}: its files could not be read. ${error.message}`] });
  }
}

async function oidOf({ git }: Taking, { path }: ListedCheckout, name: string): Promise<string | null> {
  const { status, out } = await git.run({ cwd: path }, 'rev-parse', '-q', '--verify', `${name}^{commit}`);
  return status === 0 ? out.trim() : null;
}

type TakenFiles = Pick<Taken, 'seen' | 'commit' | 'tree' | 'looked_at' | 'notes'>;

async function takeFiles(
  { git, dir, filters, isStill }: Taking,
  place: ListedCheckout,
  { standing, known }: { readonly standing: Standing; readonly known: Taken | undefined },
): Promise<TakenFiles | { readonly has_unmerged: true }> {
  const real = join(place.git_dir, 'index');
  const call = { cwd: place.path, index: join(dir, `index-${nameHash(place.id)}`) };
  const stamp = stampOf(real);
  const parents = [...(place.head === null ? [] : [place.head]), ...standing.parents];
  const seen = [stamp, ...parents].join(' ');
  const is_kept = existsSync(call.index) && known?.seen.split(' ')[0] === stamp;
  const is_known = is_kept && known.seen === seen && known.tree !== null;
  if (is_known && isStill(place)) return pick(known);
  if (!is_kept) copyIndex(real, call.index);
  let changes = indexChangesIn(await git.ask(call, ...STATUS_ARGS));
  if (is_kept && [...changes.written, ...changes.removed].some(isIgnoreFile)) {
    // The kept index includes files that were untracked, so what is ignored must be determined from scratch.
    copyIndex(real, call.index);
    changes = indexChangesIn(await git.ask(call, ...STATUS_ARGS));
  }
  if (changes.has_unmerged) return { has_unmerged: true };
  const { written, pointers, notes } = await addableOf(git, call, changes, filters);
  const count = changes.removed.length + written.length + pointers.length;
  const told = notes.map((note) => `${place.id}: ${note}`);
  if (is_known && count === 0) return { ...pick(known), notes: told };
  await remove(git, call, changes.removed);
  const unread = await add(git, call, written);
  const input = listed(pointers);
  if (pointers.length > 0) await git.ask({ ...call, input }, 'update-index', '-z', '--index-info');
  const tree = (await git.ask(call, 'write-tree')).trim();
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const commit = (await git.ask(call, 'commit-tree', tree, ...flags)).trim();
  told.push(...unread.map((path) => `${place.id}: ${plain(textOfBytes(path))} cannot be read.`));
  return { seen, commit, tree, looked_at: 'files', notes: told };
}

const isIgnoreFile = (path: string): boolean => /(?:^|\/)\.gitignore$/.test(path);

const pick = ({ seen, commit, tree, looked_at, notes }: Taken): TakenFiles => ({
  ...{ seen, commit, tree, looked_at, notes },
});

const stampOf = (file: string): string =>
  attempt(() => {
    const { mtimeNs, ctimeNs, size, ino } = statSync(file, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join('.');
  }, 'none');

/** Sets a time no later than the original's, so that git rereads files written since, or in the same second. */
function copyIndex(real: string, own: string): void {
  rmSync(`${own}.lock`, { force: true });
  if (!existsSync(real)) {
    rmSync(own, { force: true });
    return;
  }
  const { mtimeMs } = statSync(real);
  copyFileSync(real, own);
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  utimesSync(own, seconds, seconds);
}

async function remove(git: ForecastGit, call: GitTask, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await git.ask({ ...call, input: listed(paths) }, 'update-index', '-z', '--force-remove', '--stdin');
}

const ADD = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];

/** Returns the files that cannot be read: git fails on all because of one, which is found by bisection. */
async function add(git: ForecastGit, call: GitTask, paths: readonly string[]): Promise<readonly string[]> {
  const input = listed(paths);
  if (paths.length === 0 || (await git.run({ ...call, input }, ...ADD)).status === 0) return [];
  if (paths.length === 1) return paths;
  const half = Math.ceil(paths.length / 2);
  const unread = await add(git, call, paths.slice(0, half));
  return [...unread, ...(await add(git, call, paths.slice(half)))];
}

const listed = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');
