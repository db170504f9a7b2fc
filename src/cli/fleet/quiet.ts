/** Nobody may hold anything in two ledgers: whoever moves a repository from one to another does it while nobody is at work in it. */
import { GuardError } from '../../core/error.ts';
import { statusOf } from '../../core/report.ts';
import { consult } from '../../store/transact.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const SHOWN = 5;

/** Answers the lsn behind the last record. @throws GuardError GUARD_ERR_FLEET */
export function requireQuiet({ store, facts }: Workspace, what: string): number {
  const now = facts();
  const { agents, leases, reservations, tip } = consult(store, (view) => ({
    ...statusOf(view, now),
    tip: view.tip,
  }));
  const busy = new Set([
    ...agents.map(({ agent }) => agent),
    ...leases.map(({ holder }) => holder),
    ...reservations.map(({ agent_id }) => agent_id),
  ]);
  if (busy.size === 0) return tip;
  const names = [...busy].slice(0, SHOWN).join(', ');
  const more = busy.size > SHOWN ? ` and ${busy.size - SHOWN} more` : '';
  throw new GuardError(
    'GUARD_ERR_FLEET',
    `Agents are at work here: ${names}${more}. What they hold would not be held in the other ledger.`,
    `End their sessions, or have each of them run "guard leave"; then run "${what}" again.`,
    { agents: busy.size },
  );
}
