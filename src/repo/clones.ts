/** The clones that have joined a ledger, as its state directory lists them, and where git keeps the checkouts it names. */
import { dirname, join } from 'node:path';
import { asText, parsedObject } from '../core/json-object.ts';
import { gitDirOf } from './git-dir.ts';
import type { Repo } from './repo.ts';
import { namesIn } from './names-in.ts';
import { textOf } from './small-file.ts';

export const CLONES = 'clones';
/** A file in the state directory of a clone that joined another's ledger, or that has a name in a shared one. */
export const LEDGER_POINTER = 'ledger';

/** The form of a clone's name in a ledger shared by machines. Worktrees and clones of a single machine never have such names. */
const AMONG_MACHINES = /^~@[\w.-]+$/;

/** The name of the clone that owns a state directory, given the text of its pointer file. */
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

/** Null if unknown or unreadable. */
export function cloneIn(state_dir: string, id: string): Clone | null {
  const { common_dir, root } = parsedObject(textOf(join(state_dir, CLONES, id)));
  return asText(common_dir) === '' ? null : { common_dir: asText(common_dir), root: asText(root) };
}

/** @param worktree its name in git; null: the main checkout */
export const ledgerName = (clone: string | undefined, worktree: string | null): string | null =>
  clone === undefined ? worktree : worktree === null ? clone : `${clone}~${worktree}`;

/** The worktree's name in git; null: the main checkout of its clone. */
const gitWorktree = ({ worktree, ...names }: Named & Pick<Repo, 'worktree'>): string | null =>
  worktree === null ? null : worktree.slice((cloneOf(names)?.length ?? -1) + 1) || null;

type Named = Pick<Repo, 'joined' | 'clone'>;

/** This clone's name in the ledger, if it joined another clone's or if machines share its own. */
export const cloneOf = ({ joined, clone }: Named): string | undefined =>
  joined === undefined ? clone : joined.fault === undefined ? joined.id : undefined;

/** Where files installed for this clone are kept: always with its own git directory, wherever the ledger is. */
export const ownStateDir = ({ state_dir, joined }: Pick<Repo, 'state_dir' | 'joined'>): string =>
  joined?.own_dir ?? state_dir;

/** The clone as if it had not joined, because what `guard init` installs belongs to the clone. */
export function ownPlace(repo: Repo): Repo {
  const { kind, root, initialised, common_dir } = repo;
  return { kind, root, initialised, common_dir, state_dir: ownStateDir(repo), worktree: gitWorktree(repo) };
}

/** This checkout's own git directory; null: no git. */
export function ownGitDir(repo: Pick<Repo, 'common_dir' | 'worktree' | 'joined' | 'clone'>): string | null {
  return repo.common_dir === null ? null : gitDirOf(repo.common_dir, gitWorktree(repo));
}

type Ledger = Pick<Repo, 'state_dir' | 'common_dir' | 'joined' | 'clone'>;

/** The name, in the ledger, of the main checkout of the clone that owns it; '' unless machines share the ledger. */
export const holderName = ({ joined, clone }: Named): string =>
  (joined === undefined ? clone : joined.among) ?? '';

/** The git directory of the clone that owns the ledger. */
export const ledgerHolder = ({ common_dir, joined }: Pick<Ledger, 'common_dir' | 'joined'>): string | null =>
  joined?.holder ?? common_dir;

/** Git directories of all clones that use the ledger. */
export const gitDirsIn = (ledger: Ledger): readonly string[] =>
  [
    ledger.common_dir,
    ledgerHolder(ledger),
    ...cloneIds(ledger.state_dir).map((id) => cloneIn(ledger.state_dir, id)?.common_dir ?? null),
  ].filter((dir) => dir !== null);

export interface GitPlace {
  readonly common_dir: string;
  /** Its name in git; '' is the main checkout. */
  readonly worktree: string;
  readonly main_root: string;
}

/** @param id its name in the ledger; '' is the main checkout. Null: no git, a clone that left, or on another machine */
export function gitPlaceOf(ledger: Ledger, id: string): GitPlace | null {
  const holder = ledgerHolder(ledger);
  if (holder === null) return null;
  const [, clone, worktree = ''] = /^(~[^~]+)(?:~(.+))?$/.exec(id) ?? [];
  const known = clone === undefined ? null : cloneIn(ledger.state_dir, clone);
  if (known !== null) return { common_dir: known.common_dir, worktree, main_root: known.root };
  const own = holderName(ledger);
  // In a shared ledger only names of this clone are on this machine: all others are on another machine, or from an older guard.
  if (own !== '' && clone !== own) return null;
  return { common_dir: holder, worktree: own === '' ? id : worktree, main_root: dirname(holder) };
}
