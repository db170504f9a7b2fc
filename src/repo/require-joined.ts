// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** A clone whose repository names a shared ledger, and that has neither joined it nor said that it works alone. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GuardError } from '../core/error.ts';
import { NAMED_FILE } from './fleet-file.ts';
import { readInstall } from './install.ts';
import type { Repo } from './locate.ts';

/** `null` if locks in this clone's ledger count wherever they should. */
export function unjoined({ root, state_dir, initialised }: Repo): GuardError | null {
  const file = initialised ? join(root, NAMED_FILE) : null;
  if (file === null || !existsSync(file)) return null;
  const { shared_as, alone } = readInstall(state_dir);
  if (shared_as !== undefined || alone === true) return null;
  return new GuardError(
    'GUARD_ERR_FLEET',
    `The repository of ${root} shares its ledger with other machines, and this clone has not joined it: a lock here would not count there.`,
    'A person runs "guard fleet join"; or "guard fleet leave", to work here without regard to the other machines.',
    { file },
  );
}

/** @throws GuardError GUARD_ERR_FLEET */
export function requireJoined(repo: Repo): void {
  const error = unjoined(repo);
  if (error !== null) throw error;
}
