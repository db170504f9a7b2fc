/** Clients at work in a repository that its ledger does not know: guard's hooks do not run there. */
import { AGENTS } from '../core/keys.ts';
import type { View } from '../core/ledger.ts';
import { asAgentState } from '../core/states.ts';
import type { Facts } from '../core/types.ts';
import { type ClientProcess, clientProcesses } from '../repo/client-processes.ts';
import type { Repo } from '../repo/locate.ts';
import { otherCheckouts, rootInLedger } from '../repo/other-checkouts.ts';

/** A session joins while it starts. */
const GRACE_S = 10;

/** Searched before the ledger is read, so that the ledger is not kept waiting. `null` if it cannot be determined. */
export const clientsHere = (repo: Repo): readonly ClientProcess[] | null =>
  clientProcesses(rootsOf(repo))?.filter(({ age_s }) => age_s >= GRACE_S) ?? null;

/**
 * Also `null` while a session is here whose process is not known (clients up to 2.1.100): it may be any of those found.
 */
export function strangersAmong(
  clients: readonly ClientProcess[] | null,
  view: View,
  { now, machine, machine_boot = now.boot }: Facts,
): readonly ClientProcess[] | null {
  if (clients === null || clients.length === 0) return clients;
  const agents = view.range(AGENTS).flatMap(([, state]) => asAgentState(state) ?? []);
  // Another machine, or an earlier boot, may have a process with the same number.
  const here = agents.flatMap(({ proc }) =>
    proc?.machine === machine && proc.boot === machine_boot ? proc : [],
  );
  const strangers = clients.filter(({ pid, start }) =>
    here.every((proc) => proc.pid !== pid || proc.start !== start),
  );
  const isNameless = agents.some(
    ({ kind, proc, live, boot, id }) =>
      kind === 'session' && proc === null && live && boot === now.boot && id.startsWith('claude-'),
  );
  return isNameless && strangers.length > 0 ? null : strangers;
}

const CHECKOUTS = 200;

/** The roots of this checkout and all others of its ledger. */
function rootsOf(repo: Repo): readonly string[] {
  const others = otherCheckouts(repo).slice(0, CHECKOUTS);
  return [...new Set([repo.root, ...others.flatMap((id) => rootInLedger(repo, id) ?? [])])];
}
