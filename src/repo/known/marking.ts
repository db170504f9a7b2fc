/** Writes and removes the user's marks. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { GuardError, isGuardError } from '../../core/error.ts';
import { blockThread } from '../block-thread.ts';
import { errnoOf } from '../errno.ts';
import { type Install, writeInstall } from '../install.ts';
import type { Repo } from '../repo.ts';
import { replaceWhole } from '../replace-whole.ts';
import type { Environment } from '../user-dirs.ts';
import { anchorOf, identity, knownDirs, type Mark, markIn, markNames, readMark } from './mark.ts';

type Place = Pick<Repo, 'state_dir' | 'common_dir' | 'root'>;

/** 128 random bits. */
const newId = (): string => process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex');

/** Writes the mark first, then install.json with the same id. @throws GuardError GUARD_ERR_STATE_DIR */
export function markPlace(place: Place, env: Environment, install: Install): void {
  writeInstall(place.state_dir, claimPlace(place, env, install));
}

/**
 * Makes the existing state directory the trusted one, provided that the result is then written as its install.json.
 * Concurrent calls agree: the one that creates the mark determines the id. @throws GuardError GUARD_ERR_STATE_DIR
 */
export function claimPlace<T extends Install>(place: Place, env: Environment, install: T): T {
  const anchor = anchorOf(place);
  [anchor, place.state_dir].forEach(outliveBirth);
  let id = install.id ?? readMark(anchor, env)?.id;
  let left = 0;
  let failure: GuardError | undefined;
  for (const name of markNames(anchor, env)) {
    try {
      id = claimAt(`${name}.json`, markFor(place, install, id ?? newId()), id);
      left++;
    } catch (error) {
      if (!isGuardError(error)) throw error;
      failure = error;
    }
  }
  if (left === 0 && failure !== undefined) throw failure;
  return id === undefined ? install : { ...install, id };
}

/** The id that counts: the given one, or that of the process that created the mark. */
function claimAt(file: string, mark: Mark, given: string | undefined): string {
  makeOwn(dirname(file));
  if (create(file, mark)) return mark.id;
  const id = given ?? markIn(file, mark.place)?.id ?? mark.id;
  replace(file, { ...mark, id });
  return id;
}

/** File system clocks tick every 10 ms at worst. */
const TICK_MS = 12;
const TRIES = 3;

/**
 * A directory last changed in the same tick in which it was created looks as if its file system had no birth times
 * (mark.ts, `identity`), and like a different directory after its next change. So it is changed now, in a later tick.
 */
function outliveBirth(dir: string): void {
  try {
    for (let n = 0; n < TRIES; n++) {
      const stat = fs.lstatSync(dir, { bigint: true });
      if (stat.birthtimeNs === 0n || identity(stat).birth !== '0') return;
      blockThread(TICK_MS);
      fs.chmodSync(dir, Number(stat.mode) & 0o7777);
    }
  } catch {
    // In a shared checkout the directory may belong to another user; leave it unchanged.
  }
}

function markFor({ state_dir, common_dir, root }: Place, install: Install, id: string): Mark {
  const anchor = anchorOf({ common_dir, root });
  return {
    v: 1,
    id,
    place: anchor,
    git: identity(fs.lstatSync(anchor, { bigint: true })),
    state: identity(fs.lstatSync(state_dir, { bigint: true })),
    enforcement_floor: install.enforcement_floor,
    unread_floor: install.unread_floor ?? 'changed',
  };
}

/** Atomic. False if there is one already. */
function create(file: string, mark: Mark): boolean {
  const temporary = written(file, mark);
  try {
    fs.linkSync(temporary, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw failed(file, error);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function replace(file: string, mark: Mark): void {
  try {
    replaceWhole(file, textOf(mark));
  } catch (error) {
    throw failed(file, error);
  }
}

const textOf = (mark: Mark): string => `${JSON.stringify(mark)}\n`;

function written(file: string, mark: Mark): string {
  const temporary = `${file}.${newId()}.tmp`;
  try {
    fs.writeFileSync(temporary, textOf(mark), { flag: 'wx', mode: 0o600 });
    return temporary;
  } catch (error) {
    throw failed(file, error);
  }
}

/** For `guard init`, before it creates anything that a failure would leave behind. @throws GuardError GUARD_ERR_STATE_DIR */
export function requireMarkable(env: Environment): void {
  let failure: GuardError | undefined;
  for (const dir of knownDirs(env)) {
    try {
      makeOwn(dir);
      fs.accessSync(dir, fs.constants.W_OK);
      return;
    } catch (error) {
      failure = isGuardError(error) ? error : failed(dir, error);
    }
  }
  if (failure !== undefined) throw failure;
}

function makeOwn(dir: string): void {
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failed(dir, error);
  }
}

function failed(file: string, error: unknown): GuardError {
  const hint = 'Set HOME, or XDG_STATE_HOME, to a directory of yours that can be written.';
  return new GuardError('GUARD_ERR_STATE_DIR', `${file} cannot be written.`, hint, { file }, error);
}

/** Makes the place look as if it had never been set up. */
export function forgetPlace(place: Pick<Repo, 'common_dir' | 'root'>, env: Environment): void {
  for (const name of markNames(anchorOf(place), env))
    for (const end of ['.json', '.off.json']) fs.rmSync(`${name}${end}`, { force: true });
}

/** What this user's guard fixed for the place, as far as that can be trusted; null: nothing. */
export function floorsOnMark(
  place: Pick<Repo, 'common_dir' | 'root'>,
  env: Environment,
): Pick<Mark, 'enforcement_floor' | 'unread_floor'> | null {
  return readMark(anchorOf(place), env);
}
