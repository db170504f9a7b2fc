/** After a change of scope on a ledger that machines share, nothing is granted while another machine may rely on a lease of the former one. */
import { GuardError } from '../error.ts';
import { reliedUntil } from '../kept-until.ts';
import type { Facts, RepoPath } from '../types.ts';
import type { Transaction } from './transaction.ts';

export interface ScopeClosing {
  readonly boot: string;
  /** On the engine's clock. */
  readonly until_mono_ms: number;
}

/** How much longer the ledger is closed; 0: it is not, or no longer. */
export const closedFor = (closed: ScopeClosing | undefined, { now }: Facts): number =>
  closed?.boot === now.boot ? Math.max(0, closed.until_mono_ms - now.mono_ms) : 0;

/** Until no other machine relies on what is held on these paths now. */
export function closedBy({ changes, facts }: Transaction, held: readonly RepoPath[]): ScopeClosing {
  const ends = held.flatMap((path) =>
    changes.path(path).holds.map((hold) => reliedUntil(changes, path, hold, facts)),
  );
  return { boot: facts.now.boot, until_mono_ms: ends.reduce((last, end) => Math.max(last, end), -Infinity) };
}

/** Until then, an agent that would be granted something is refused, and may try again. Everything else is recorded. */
export function closedWhile(tx: Transaction, left_ms: number): Transaction {
  if (left_ms <= 0) return tx;
  const requireJoined = (): never => {
    const left_s = Math.ceil(left_ms / 1000);
    throw new GuardError(
      'GUARD_ERR_BUSY',
      `The scope of leases (lease_scope) has changed, and other machines may still rely on leases of the former scope for ${left_s} s.`,
      `Try again in ${left_s} s.`,
      { left_ms },
    );
  };
  return { ...tx, facts: { ...tx.facts, requireJoined } };
}
