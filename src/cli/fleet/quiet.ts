/** No agent may hold anything in two ledgers, so a repository moves from one to another only while no one is at work in it. */
import { busyIn } from '../../core/at-work.ts';
import { GuardError } from '../../core/error.ts';
import { agentsOn } from '../../core/keys.ts';
import { plain } from '../../core/plain.ts';
import { statusOf } from '../../core/report.ts';
import { factsAmong } from '../../core/rules/among-machines.ts';
import { consult } from '../../store/transact.ts';
import type { Workspace } from '../../workspace/workspace.ts';

const SHOWN = 5;

/** The lsn after the last record. In a shared ledger, only this machine's agents count. @throws GuardError GUARD_ERR_FLEET */
export function requireQuiet({ store, facts }: Workspace, what: string): number {
  const now = facts();
  const { busy, tip } = consult(store, (view) => {
    const found = busyIn(statusOf(view, now), now);
    if (!store.supports.shared) return { busy: found, tip: view.tip };
    const below = agentsOn(factsAmong(view.now, now).machine);
    const own = view.range(below).map(([key]) => key.slice(below.length));
    return { busy: found.filter((agent) => own.includes(agent)), tip: view.tip };
  });
  if (busy.length === 0) return tip;
  const names = busy.slice(0, SHOWN).map(plain).join(', ');
  const more = busy.length > SHOWN ? ` and ${busy.length - SHOWN} more` : '';
  throw new GuardError(
    'GUARD_ERR_FLEET',
    `Agents are at work here: ${names}${more}. What they hold would not be held in the other ledger.`,
    `End their sessions, or have each of them run "guard leave"; then run "${what}" again.`,
    { agents: busy.length },
  );
}
