import type { AgentId } from '../core/types.ts';
import { statusOf } from '../core/report.ts';
import type { LeaseReport } from '../core/report.ts';
import type { LockLedger } from './ledger.ts';
import { locateAll } from './located.ts';

export interface StatusRow {
  readonly filepath: string;
  readonly held_by_me: boolean;
  readonly holder: string | null;
  readonly holders: readonly string[];
  readonly token: number | null;
  readonly expires_at: string | null;
}

/** Who holds the given files; without any, every lock of the repository. */
export function statusOfLocks(
  ledger: LockLedger,
  me: AgentId,
  given: readonly string[],
): { readonly results: readonly StatusRow[] } {
  const facts = ledger.facts();
  const { leases } = ledger.store.lookSync((view) => statusOf(view, facts));
  const asked = locateAll(ledger, given).map(({ given: filepath, path }) => ({ filepath, path }));
  const everything = [...new Set(leases.map(({ path }) => path))].map((path) => ({ filepath: path, path }));
  const results = (given.length === 0 ? everything : asked).map(({ filepath, path }) =>
    rowFor(
      filepath,
      leases.filter((lease) => lease.path === path),
      me,
    ),
  );
  return { results };
}

function rowFor(filepath: string, leases: readonly LeaseReport[], me: AgentId): StatusRow {
  const mine = leases.find((lease) => lease.holder === me);
  const shown = mine ?? leases[0];
  return {
    filepath,
    held_by_me: mine !== undefined,
    holder: shown?.holder ?? null,
    holders: leases.map((lease) => lease.holder),
    token: shown?.token ?? null,
    expires_at: shown?.expires_at ?? null,
  };
}
