/** What one agent holds, found by its index keys, so the cost does not grow with what others hold. */
import { isHolder } from './rules/lease.ts';
import { pathsHeldBy } from './rules/held-paths.ts';
import { liveReservationsOf, type OwnedReservation } from './rules/reserved.ts';
import type { View } from './ledger.ts';
import { isShadow } from './shadow.ts';
import { changesOver } from './states.ts';
import type { AgentId, Facts, RepoPath } from './types.ts';

export interface Holdings {
  /** Paths with a lease that counts, sorted; without those of foreign lock servers. */
  readonly paths: readonly RepoPath[];
  /** Oldest first. */
  readonly reservations: readonly OwnedReservation[];
}

export function holdingsOf(view: View, agent: AgentId, facts: Facts): Holdings {
  const changes = changesOver(view);
  return {
    paths: pathsHeldBy(view, changes, agent, facts).filter(
      (path) => !isShadow(path) && isHolder(changes, path, agent, facts),
    ),
    reservations: liveReservationsOf(changes, agent, facts).sort((a, b) => a.token - b.token),
  };
}
