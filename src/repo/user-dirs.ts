/**
 * Where a user's own state and configuration are stored (XDG Base Directory Specification 0.8: a relative value is
 * invalid and ignored). What is there is trusted, so a place that a repository could fill is ignored as well:
 * a repository's settings can set these variables for hooks (docs/decisions/072).
 */
import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { accountHome, holdsAccountHome, isOpenToAll } from './account.ts';
import { nearestReal } from './nearest-real.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

function absolute(value: string | undefined): string | undefined {
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** The home directory as the client and the shell see it. What guard stores and trusts is below `ownHome`. */
export function homeOf(env: Environment): string {
  return absolute(env['HOME']) ?? process.getBuiltinModule('node:os').homedir();
}

/** A directory that a clone or an archive may have filled: a checkout, or where this session works. */
function isRepository(dir: string, session: string): boolean {
  return dir === session || dir === '/proc' || isLaid(dir, '.git') || isLaid(dir, '.guard');
}

/** Whether the entry was made by this user, or in a directory where not everyone can make one. */
const isLaid = (dir: string, name: string): boolean =>
  attempt(() => {
    const uid = lstatSync(join(dir, name), { throwIfNoEntry: false })?.uid;
    return uid !== undefined && (uid === process.getuid?.() || !isOpenToAll(dir));
  }, false);

/**
 * True for a value that must not be trusted: below /proc (`/proc/self/cwd` is wherever the session works), or inside a
 * checkout, as written or after resolving links. A checkout that contains the account's home is the user's (dotfiles).
 */
export function isBorrowed(value: string, env: Environment): boolean {
  const given = resolve(value);
  // A relative one leads nowhere from a directory that was removed.
  const session = nearestReal(attempt(() => resolve(env['CLAUDE_PROJECT_DIR'] ?? '/'), '/'));
  for (const path of new Set([given, nearestReal(given)])) {
    for (let dir = path; dirname(dir) !== dir; dir = dirname(dir))
      if (isRepository(dir, session)) return !holdsAccountHome(dir);
  }
  return false;
}

/** Cached per environment, because an event asks up to five times and each answer looks at eight directories. */
const asked = new WeakMap<Environment, Map<string, string | undefined>>();

function believed(env: Environment, name: string): string | undefined {
  const value = absolute(env[name]);
  if (value === undefined) return undefined;
  const known = asked.get(env) ?? new Map<string, string | undefined>();
  asked.set(env, known);
  const question = [name, value, env['CLAUDE_PROJECT_DIR']].join('\0');
  if (!known.has(question)) known.set(question, isBorrowed(value, env) ? undefined : value);
  return known.get(question);
}

/** Where this user's own files are. */
const ownHome = (env: Environment): string => believed(env, 'HOME') ?? accountHome();

function statePlace(env: Environment, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return join(ownHome(env), 'Library', 'Application Support');
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? join(ownHome(env), 'AppData', 'Local');
  return join(ownHome(env), '.local', 'state');
}

/** Also the place of the ledger for files outside every initialised repository, where baselines apply but leases do not. */
export function userStateDir(env: Environment, platform: NodeJS.Platform = process.platform): string {
  return join(believed(env, 'XDG_STATE_HOME') ?? statePlace(env, platform), 'guard');
}

/** For programs: what is there runs as this user. */
export function userDataDir(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const dir = platform === 'linux' ? join(ownHome(env), '.local', 'share') : statePlace(env, platform);
  return believed(env, 'XDG_DATA_HOME') ?? dir;
}

export function userConfigFile(env: Environment): string {
  return join(believed(env, 'XDG_CONFIG_HOME') ?? join(ownHome(env), '.config'), 'guard', 'config.json');
}

/** Names of the variables whose values point to such a place. */
export const borrowedVariables = (env: Environment): readonly string[] =>
  ['HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'].filter(
    (name) => absolute(env[name]) !== undefined && believed(env, name) === undefined,
  );
