/** The clones that have joined a ledger, as its state directory lists them; and where git has a checkout that the ledger names. */
import { dirname, join } from 'node:path';
import { asText, parsedObject } from '../core/json-object.ts';
import { gitDirOf } from './git-dir.ts';
import type { Repo } from './repo.ts';
import { namesIn } from './names-in.ts';
import { textOf } from './small-file.ts';

export const CLONES = 'clones';
/** In the state directory of a clone that joined another's ledger, or that has a name in one that machines share. */
export const LEDGER_POINTER = 'ledger';

/** What a ledger that machines share calls a clone: no worktree or clone of one machine has such a name. */
const AMONG_MACHINES = /^~@[\w.-]+$/;

/** Of the clone whose state directory it is, by the text of its pointer. */
export function cloneNamed(pointer: string | null): string | undefined {
  const name = asText(parsedObject(pointer)['clone']);
  return AMONG_MACHINES.test(name) ? name : undefined;
}

export interface Clone {
  /** Its git directory; canonical. */
  readonly common_dir: string;
  /** Root of its main checkout. */
  readonly root: string;
}

export const cloneIds = (state_dir: string): readonly string[] => namesIn(join(state_dir, CLONES)).sort();

/** Null: not known, or not readable. */
export function cloneIn(state_dir: string, id: string): Clone | null {
  const { common_dir, root } = parsedObject(textOf(join(state_dir, CLONES, id)));
  return asText(common_dir) === '' ? null : { common_dir: asText(common_dir), root: asText(root) };
}

/** @param worktree as git calls it; null: the main checkout */
export const ledgerName = (clone: string | undefined, worktree: string | null): string | null =>
  clone === undefined ? worktree : worktree === null ? clone : `${clone}~${worktree}`;

/** As git calls it; null: the main checkout of its clone. */
const gitWorktree = ({ worktree, ...names }: Named & Pick<Repo, 'worktree'>): string | null =>
  worktree === null ? null : worktree.slice((cloneOf(names)?.length ?? -1) + 1) || null;

type Named = Pick<Repo, 'joined' | 'clone'>;

/** What the ledger calls this clone: it joined that of another one, or machines share its own. */
export const cloneOf = ({ joined, clone }: Named): string | undefined =>
  joined === undefined ? clone : joined.fault === undefined ? joined.id : undefined;

/** Where what was installed in this clone is kept: with its own git directory, wherever the ledger is. */
export const ownStateDir = ({ state_dir, joined }: Pick<Repo, 'state_dir' | 'joined'>): string =>
  joined?.own_dir ?? state_dir;

/** As if it had not joined: what `guard init` installs is the clone's own. */
export function ownPlace(repo: Repo): Repo {
  const { kind, root, initialised, common_dir } = repo;
  return { kind, root, initialised, common_dir, state_dir: ownStateDir(repo), worktree: gitWorktree(repo) };
}

/** The git directory of this checkout itself; null: no git. */
export function ownGitDir(repo: Pick<Repo, 'common_dir' | 'worktree' | 'joined' | 'clone'>): string | null {
  return repo.common_dir === null ? null : gitDirOf(repo.common_dir, gitWorktree(repo));
}

type Ledger = Pick<Repo, 'state_dir' | 'common_dir' | 'joined' | 'clone'>;

/** What the ledger calls the main checkout of the clone whose it is; '' where no machines share it. */
export const holderName = ({ joined, clone }: Named): string =>
  (joined === undefined ? clone : joined.among) ?? '';

/** The git directory of the clone whose ledger it is. */
export const ledgerHolder = ({ common_dir, joined }: Pick<Ledger, 'common_dir' | 'joined'>): string | null =>
  joined?.holder ?? common_dir;

/** Git directories of all clones that use it. */
export const gitDirsIn = (ledger: Ledger): readonly string[] =>
  [
    ledger.common_dir,
    ledgerHolder(ledger),
    ...cloneIds(ledger.state_dir).map((id) => cloneIn(ledger.state_dir, id)?.common_dir ?? null),
  ].filter((dir) => dir !== null);

export interface GitPlace {
  readonly common_dir: string;
  /** As git calls it; '' is the main checkout. */
  readonly worktree: string;
  readonly main_root: string;
}

/** @param id as the ledger names it; '' is the main checkout. Null: no git, a clone that left, or another machine's */
export function gitPlaceOf(ledger: Ledger, id: string): GitPlace | null {
  const holder = ledgerHolder(ledger);
  if (holder === null) return null;
  const [, clone, worktree = ''] = /^(~[^~]+)(?:~(.+))?$/.exec(id) ?? [];
  const known = clone === undefined ? null : cloneIn(ledger.state_dir, clone);
  if (known !== null) return { common_dir: known.common_dir, worktree, main_root: known.root };
  const own = holderName(ledger);
  // Among machines only what has this clone's name is here: every other checkout is on another machine, or of an older guard.
  if (own !== '' && clone !== own) return null;
  return { common_dir: holder, worktree: own === '' ? id : worktree, main_root: dirname(holder) };
}
