/** Of the files that a reservation would cover, those with which anybody has to do. */
import { isIntentLive } from '../alive.ts';
import { isTogether, leaseIn } from '../lease-scope.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { openWrites } from '../writes-beside.ts';
import type { Transaction } from './transaction.ts';

export function isInUse(changes: Changes, path: RepoPath, facts: Facts): boolean {
  const { holds, queue, intent } = changes.path(path);
  // An agent of whom there is no state any more is not writing.
  const writes = intent !== null && changes.agent(intent.agent) !== undefined;
  return holds.length + queue.length > 0 || (writes && isIntentLive(changes, intent, facts));
}

/** Only where leases count in other checkouts, too: of its own one the names of the paths tell. */
export const writtenBeside = ({ changes, agent }: Transaction, met: readonly AgentId[]): RepoPath[] =>
  isTogether(changes) || agent.machine !== undefined
    ? met.flatMap((id) => openWrites(changes, id).map((path) => leaseIn(changes, path)))
    : [];
