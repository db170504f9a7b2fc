/**
 * The user's own note about every repository that was set up: `known/<key>.json` in the user's state directory. It is
 * why a state directory is trusted, and what remains when that is gone (docs/decisions/070).
 *
 * The key is derived from the git directory itself (from the root, without git), not from its path: a repository that
 * was moved is still the same one, but a new clone at the same path is not, nor is a copy.
 */
import { lstatSync, type BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import type { Policy } from '../../core/types.ts';
import type { Repo } from '../repo.ts';
import { textOf } from '../small-file.ts';
import { type Environment, userStateDir } from '../user-dirs.ts';

/** The file system's identity of a directory; decimal numbers. */
export interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
  /** Nanoseconds; `0` if the file system, or this Node, does not know. */
  readonly birth: string;
}

export interface Mark {
  readonly v: 1;
  /** Random, and also in install.json: it proves that this user's guard wrote what is in the state directory. */
  readonly id: string;
  /** Path of the git directory, or of the root, at the time; for people. */
  readonly place: string;
  readonly git: FileIdentity;
  readonly state: FileIdentity;
  /** What `guard init` fixed. It remains in force if the state directory is lost. */
  readonly enforcement_floor: Policy['enforcement'];
  readonly unread_floor: Policy['unread'];
}

/** Systems that do not store a birth time may report the time of the last change instead. */
export function identity({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): FileIdentity {
  const birth = birthtimeNs === ctimeNs ? '0' : String(birthtimeNs);
  return { dev: String(dev), ino: String(ino), birth };
}

/** Device numbers change with reboots and mounts, so they only count without a birth time. */
export function isSame(one: FileIdentity, other: FileIdentity): boolean {
  if (one.ino !== other.ino) return false;
  return one.birth === '0' || other.birth === '0' ? one.dev === other.dev : one.birth === other.birth;
}

/** What a mark is about: the shared git directory, or the root of a directory without git. */
export const anchorOf = ({ common_dir, root }: Pick<Repo, 'common_dir' | 'root'>): string =>
  common_dir ?? root;

/**
 * Where marks are kept. A shell and a client often differ in XDG_STATE_HOME, which shell startup files set, so marks
 * are also kept in the default place, which is read first.
 */
export function knownDirs(env: Environment): readonly string[] {
  const given = join(userStateDir(env), 'known');
  if (env['XDG_STATE_HOME'] === undefined) return [given];
  const plain = join(userStateDir({ ...env, XDG_STATE_HOME: undefined }), 'known');
  return plain === given ? [given] : [plain, given];
}

/** A name in each of these places, without extension; none if the directory is missing or may not be read. */
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

/** Null if there is none, or it does not belong to this user. */
export const markIn = (file: string, anchor: string): Mark | null =>
  attempt(() => {
    const { uid, mode } = lstatSync(file);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return null;
    const mark = JSON.parse(textOf(file) ?? 'null') as Mark | null;
    // Without a birth time, another directory may have received the same inode number.
    return mark?.v === 1 && (mark.git.birth !== '0' || mark.place === anchor) ? mark : null;
  }, null);
