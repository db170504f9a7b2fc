/** What one agent holds, by what is kept of it: its cost does not grow with what the others hold. */
import { liveHolds } from './rules/lease.ts';
import { pathsHeldBy } from './rules/held-paths.ts';
import { heldBy, isReservationLive } from './rules/reserved.ts';
import type { OwnedReservation } from './rules/reserved.ts';
import type { View } from './ledger.ts';
import { isShadow } from './shadow.ts';
import { draftOver } from './states.ts';
import type { AgentId, Facts, RepoPath } from './types.ts';

export interface Holdings {
  /** With a lease that counts, in order; without those of foreign lock servers. */
  readonly paths: readonly RepoPath[];
  /** The oldest first. */
  readonly reservations: readonly OwnedReservation[];
}

export function holdingsOf(view: View, agent: AgentId, facts: Facts): Holdings {
  const draft = draftOver(view);
  const isHeld = (path: RepoPath): boolean =>
    liveHolds(draft, path, facts).some((hold) => hold.agent === agent);
  return {
    paths: pathsHeldBy(view, draft, agent, facts).filter((path) => !isShadow(path) && isHeld(path)),
    reservations: heldBy(draft, agent)
      .filter((one) => isReservationLive(draft, one, facts))
      .sort((a, b) => a.token - b.token),
  };
}
