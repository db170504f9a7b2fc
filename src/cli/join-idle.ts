/** Checks that no one is at work when a ledger is about to be exchanged for another. */
import { atTheirWork, busyIn } from '../core/at-work.ts';
import { GuardError } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import { statusOf, type StatusReport } from '../core/report.ts';
import { type Changes, changesOver } from '../core/states.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { asWorktreeAgents, checkoutAt, checkoutsIn, worktreeKey } from '../core/worktrees.ts';
import { openClock } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { openDeaths } from '../repo/process.ts';
import { consult } from '../store/transact.ts';
import { openWorkspace } from '../workspace/workspace.ts';
import type { Shell } from './shell.ts';

export const joinRefused = (message: string, hint: string): GuardError =>
  new GuardError('GUARD_ERR_JOIN', message, hint);

/** @throws GuardError GUARD_ERR_JOIN while someone is at work in the ledger, or, if it is shared, in this clone's part of it */
export function requireIdle(repo: Repo, { cwd, env }: Shell, what: string): void {
  const { state_dir } = repo;
  const around = { cwd, env, state_dir, now: openClock(), isDead: openDeaths() };
  const space = openWorkspace(repo, around);
  try {
    const facts = space.facts();
    const busy = consult(space.store, (view) => {
      const status = statusOf(view, facts);
      return repo.joined === undefined
        ? busyIn(status, facts)
        : inClone(changesOver(view), status, repo.joined.id, facts);
    });
    if (busy.length === 0) return;
    throw joinRefused(
      `${busy.slice(0, 8).map(plain).join(', ')} at work in ${repo.root}: it cannot ${what} now.`,
      'Wait until they are gone and their locks are released: guard status',
    );
  } finally {
    space.close();
  }
}

/** @param id the clone's id */
function inClone(changes: Changes, status: StatusReport, id: string, facts: Facts): readonly AgentId[] {
  const isIn = (checkout: string): boolean => checkout === id || checkout.startsWith(`${id}~`);
  const here = atTheirWork(status, facts);
  const came = checkoutsIn(changes)
    .filter(isIn)
    .flatMap((checkout) => asWorktreeAgents(changes.get(worktreeKey(checkout)))?.agents ?? []);
  const own = {
    ...status,
    agents: [],
    leases: status.leases.filter(({ path, checkout }) => isIn(checkout ?? checkoutAt(path))),
    reservations: status.reservations.filter((one) => isIn(one.checkout ?? checkoutAt(one.path_pattern))),
  };
  return [...new Set([...came.filter((agent) => here.includes(agent)), ...busyIn(own, facts)])];
}
