/**
 * The user's own note of every repository that was set up: `known/<key>.json` in the user's state directory. It is
 * what makes a state directory believed, and what remains when that is gone (docs/decisions/070).
 *
 * The key is made of the git directory itself (of the root, without git), not of its path: a repository that was
 * moved is the same one, a new clone at the same path is another, a copy is another.
 */
import { lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import type { Policy } from '../../core/types.ts';
import type { Repo } from '../repo.ts';
import { textOf } from '../small-file.ts';
import { type Environment, userStateDir } from '../user-dirs.ts';

/** A directory as the file system knows it; decimal numbers. */
export interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
  /** Nanoseconds; `0` where the file system, or this Node, cannot say. */
  readonly birth: string;
}

export interface Mark {
  readonly v: 1;
  /** Random, also in install.json: what is in the state directory was left there by this user's guard. */
  readonly id: string;
  /** Path of the git directory, or of the root, when it was made; for people. */
  readonly place: string;
  readonly git: FileIdentity;
  readonly state: FileIdentity;
  /** What `guard init` fixed: it holds on when the state directory is lost. */
  readonly enforcement_floor: Policy['enforcement'];
  readonly unread_floor: Policy['unread'];
}

/** Where a birth time is not kept, some systems answer with the time of the last change. */
export function identity({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): FileIdentity {
  const birth = birthtimeNs === ctimeNs ? '0' : String(birthtimeNs);
  return { dev: String(dev), ino: String(ino), birth };
}

/** Device numbers change with reboots and mounts, so they count only where there is no birth time. */
export function isSame(one: FileIdentity, other: FileIdentity): boolean {
  if (one.ino !== other.ino) return false;
  return one.birth === '0' || other.birth === '0' ? one.dev === other.dev : one.birth === other.birth;
}

/** What a mark is made of: the shared git directory, or the root of a directory without git. */
export const anchorOf = ({ common_dir, root }: Pick<Repo, 'common_dir' | 'root'>): string =>
  common_dir ?? root;

/**
 * Where marks are. A shell and a client often differ in XDG_STATE_HOME, which a shell's own files set, so marks are in
 * the place without it too, and that one is asked first.
 */
export function knownDirs(env: Environment): readonly string[] {
  const given = join(userStateDir(env), 'known');
  if (env['XDG_STATE_HOME'] === undefined) return [given];
  const plain = join(userStateDir({ ...env, XDG_STATE_HOME: undefined }), 'known');
  return plain === given ? [given] : [plain, given];
}

/** One for each of the places, without extension; none where there is no such directory, or none that may be looked at. */
export const markNames = (anchor: string, env: Environment): readonly string[] =>
  attempt(() => {
    const { ino, birth } = identity(lstatSync(anchor, { bigint: true }));
    return knownDirs(env).map((dir) => join(dir, `${ino}-${birth}`));
  }, []);

/** Null: this user's guard was never set up there. */
export function readMark(anchor: string, env: Environment): Mark | null {
  for (const name of markNames(anchor, env)) {
    const mark = markIn(`${name}.json`, anchor);
    if (mark !== null) return mark;
  }
  return null;
}

/** Null: none, or none of this user's. */
export const markIn = (file: string, anchor: string): Mark | null =>
  attempt(() => {
    const { uid, mode } = lstatSync(file);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return null;
    const mark = JSON.parse(textOf(file) ?? 'null') as Mark | null;
    // Without a birth time another directory may have got the same number.
    return mark?.v === 1 && (mark.git.birth !== '0' || mark.place === anchor) ? mark : null;
  }, null);
