import { isOwnState } from '../repo/known/own.ts';
import type { Repo } from '../repo/locate.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';
import { rootsOf } from './checkouts.ts';
import { EMPTY_BOOK, readUndo, type UndoBook } from './undo.ts';
import { bookHere, stateDirThen } from './undo-here.ts';

/**
 * The undo book of a repository. If the state directory is not known to be this user's, the book is not trusted either: in
 * a copy it would be about the files of the original.
 */
export function ownBook(repo: Repo, env: Environment): UndoBook {
  return isOwnState(repo, env) ? bookHere(readUndo(repo.state_dir), rootsOf(repo)) : EMPTY_BOOK;
}

/** The user's undo book, in which a repository that was moved also appears under its current path. */
export function userBook(repo: Repo, env: Environment): UndoBook {
  const { state_dir } = repo;
  const user = readUndo(userStateDir(env));
  const then = stateDirThen(ownBook(repo, env));
  const isMoved = then !== null && then !== state_dir && user.used_by.includes(then);
  return isMoved ? { ...user, used_by: [...new Set([...user.used_by, state_dir])] } : user;
}
