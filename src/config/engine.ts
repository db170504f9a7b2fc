// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The address of the ledgers that machines share: set by the user alone, never by a repository or its settings. */
import { dirname } from 'node:path';
import { GuardError } from '../core/error.ts';
import { accountHome } from '../repo/account.ts';
import type { Repo } from '../repo/locate.ts';
import { type Environment, userConfigFile, userStateDir } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { isPersonal } from './load.ts';
import { setByCheckout } from './set-by-checkout.ts';

export interface EngineAddress {
  readonly url: string;
  readonly direct_url?: string;
  readonly pooled: boolean;
  /** Accepts a database whose standbys are all asynchronous. */
  readonly asynchronous: boolean;
  /** `null`: this machine's own id. */
  readonly machine: string | null;
}

/** Only where the user's configuration says `engine_from_environment`. */
const VARIABLES = ['GUARD_ENGINE', 'GUARD_MACHINE_ID'];

/** These lead to a user configuration, or to the key that names this machine, that is not the account's usual one. */
export function redirecting(env: Environment, platform = process.platform): readonly string[] {
  const usual = {
    HOME: accountHome(),
    XDG_CONFIG_HOME: dirname(dirname(userConfigFile({}))),
    XDG_STATE_HOME: dirname(userStateDir({}, platform)),
    ...(platform === 'win32' ? { LOCALAPPDATA: dirname(userStateDir({}, platform)) } : {}),
  };
  return Object.entries(usual)
    .filter(([name, value]) => env[name] !== undefined && env[name] !== value)
    .map(([name]) => name);
}

/**
 * @throws GuardError GUARD_ERR_CONFIG if the user's configuration has no address, the file is not the user's, or an
 *   address or id may come from the checkout's settings
 */
export function loadEngine(repo: Repo, env: Environment): EngineAddress {
  requireOwn(repo, env, redirecting(env));
  const file = userConfigFile(env);
  const own = isPersonal(file, repo) ? readConfigFile(file, 'user')?.engine : undefined;
  const {
    engine_from_environment: is_free = false,
    engine_pooled: pooled = false,
    engine_asynchronous: asynchronous = false,
    engine_direct,
  } = own ?? {};
  if (is_free) requireOwn(repo, env, VARIABLES);
  const url = (is_free ? env['GUARD_ENGINE'] : undefined) ?? own?.engine;
  if (url === undefined)
    throw new GuardError(
      'GUARD_ERR_CONFIG',
      `The ledger of ${repo.root} is shared with other machines, and ${file} does not say where it is.`,
      `Write {"engine": "postgres://USER@HOST:PORT/DATABASE"} into ${file}.`,
      { file },
    );
  return {
    ...{ url, pooled, asynchronous },
    ...(engine_direct === undefined ? {} : { direct_url: engine_direct }),
    machine: (is_free ? env['GUARD_MACHINE_ID'] : undefined) ?? null,
  };
}

/** Ignoring such a value would send hooks to another ledger than the user's own commands, and both would grant. */
function requireOwn(repo: Repo, env: Environment, variables: readonly string[]): void {
  const used = variables.filter((name) => env[name] !== undefined);
  const found = used.length > 0 ? setByCheckout(repo, env, used) : null;
  if (found === null) return;
  const { file, variable } = found;
  const names = used.join(' and ');
  throw new GuardError(
    'GUARD_ERR_CONFIG',
    variable === null
      ? `${file} cannot be read, so it may be what sets ${names}, which say where the shared ledger is.`
      : `${file} sets ${variable}, which only the user may set, because it says where the shared ledger is.`,
    variable === null
      ? `Make it valid JSON, or unset ${names}.`
      : `Remove env.${variable} from that file; if you need it, set it in your shell, or put "engine" into your own configuration.`,
    { file, ...(variable === null ? {} : { variable }) },
  );
}
