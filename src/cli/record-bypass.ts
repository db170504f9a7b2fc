import { isGuardError } from '../core/error.ts';
import type { Json } from '../core/ledger.ts';
import type { Now } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import { openLedger } from '../workspace/open-ledger.ts';
import { personId } from './person.ts';
import type { Shell } from './shell.ts';
import { transact } from '../store/transact.ts';

/**
 * Leaves a `bypass` record of what a person did to guard itself. A ledger that cannot be written may be the very reason for
 * it, so that is only a warning.
 */
export function recordBypass(
  repo: Repo,
  shell: Shell,
  now: Now,
  facts: Readonly<Record<string, Json>>,
): void {
  const record = { type: 'bypass', agent: personId(shell.env), ts_ms: now.wall_ms, s: {}, ...facts };
  try {
    const { store } = openLedger({ repo, state_dir: repo.state_dir, env: shell.env, create: true });
    try {
      transact(store, () => ({ records: [record], result: null }));
    } finally {
      store.close();
    }
  } catch (error) {
    if (!isGuardError(error)) throw error;
    shell.err(`Warning: this is not in the ledger: ${error.message}\n`);
  }
}
