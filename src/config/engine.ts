// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The address of the ledgers that machines share: set by the user alone, never by a repository or its environment. */
import { GuardError } from '../core/error.ts';
import type { Repo } from '../repo/locate.ts';
import { type Environment, userConfigFile } from '../repo/user-dirs.ts';
import { readConfigFile } from './file.ts';
import { isPersonal } from './load.ts';

export interface EngineAddress {
  readonly url: string;
  readonly direct_url?: string;
  readonly pooled: boolean;
  /** Accepts a database whose standbys are all asynchronous. */
  readonly asynchronous: boolean;
  /** `null`: this machine's own id. */
  readonly machine: string | null;
}

/** @throws GuardError GUARD_ERR_CONFIG if the user's configuration has no address, or the file is not the user's */
export function loadEngine(repo: Repo, env: Environment): EngineAddress {
  const file = userConfigFile(env);
  const own = isPersonal(file, repo) ? readConfigFile(file, 'user')?.engine : undefined;
  const {
    engine_from_environment: is_free = false,
    engine_pooled: pooled = false,
    engine_asynchronous: asynchronous = false,
    engine_direct,
  } = own ?? {};
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
