/** Which of the files that a reservation would cover are in use by an agent. */
import { isIntentLive } from '../alive.ts';
import { isTogether, leaseIn } from '../lease-scope.ts';
import type { Changes } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { openWrites } from '../writes-beside.ts';
import type { Transaction } from './transaction.ts';

export function isInUse(changes: Changes, path: RepoPath, facts: Facts): boolean {
  const { holds, queue, intent } = changes.path(path);
  // An agent that no longer has a state is not writing.
  const writes = intent !== null && changes.agent(intent.agent) !== undefined;
  return holds.length + queue.length > 0 || (writes && isIntentLive(changes, intent, facts));
}

/** Only needed if leases count in other checkouts too: in a single checkout, the paths' own names show it. */
export const writtenBeside = ({ changes, agent }: Transaction, met: readonly AgentId[]): RepoPath[] =>
  isTogether(changes) || agent.machine !== undefined
    ? met.flatMap((id) => openWrites(changes, id).map((path) => leaseIn(changes, path)))
    : [];
