/** Who of a deadlock must let go. */
import { pathKey, PATHS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asPathState } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, Policy, RepoPath } from '../types.ts';
import { pathsHeldBy } from './held-paths.ts';

/** The smallest burden loses; of equals the one that joined last, then the last by name. */
export function chooseVictim(view: View, draft: Draft, members: readonly AgentId[], facts: Facts): AgentId {
  const policy = facts.policy.victim;
  const weigh = BURDENS[policy](view, draft, facts);
  const weights = new Map(members.map((id) => [id, weigh(id)]));
  const burden = (id: AgentId): number => weights.get(id) ?? 0;
  const joined = (id: AgentId): number => draft.agent(id)?.joined_lsn ?? 0;
  const [victim] = [...members].sort(
    (a, b) => burden(a) - burden(b) || joined(b) - joined(a) || (a < b ? 1 : -1),
  );
  if (victim === undefined) throw new Error('a cycle of nobody');
  return victim;
}

type Burden = (view: View, draft: Draft, facts: Facts) => (id: AgentId) => number;

const BURDENS: Readonly<Record<Policy['victim'], Burden>> = {
  youngest: () => () => 0,
  fewest_leases: (view, draft, facts) => (id) =>
    pathsHeldBy(view, draft, id, facts).filter((path) => holds(view, path, id, draft)).length,
  // A scan of the ledger: only where a deadlock has been found.
  least_work: (view) => {
    const paths = view.range(PATHS).map(([, state]) => asPathState(state));
    return (id) => paths.filter(({ last_write }) => last_write?.agent === id).length;
  },
};

const holds = (view: View, path: RepoPath, id: AgentId, draft: Draft): boolean =>
  asPathState(view.get(pathKey(path))).holds.some(
    (hold) => hold.agent === id && hold.epoch === (draft.agent(id)?.epoch ?? hold.epoch),
  );
