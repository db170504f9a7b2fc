import { nameHash } from '../repo/name-hash.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';

/** Where this user's files about a shared ledger are, for all of its checkouts on this machine. */
export const fleetDir = (env: Environment, shared_as: string, machine: string): string =>
  `${userStateDir(env)}/fleet/${nameHash(`${shared_as} ${machine}`)}`;
