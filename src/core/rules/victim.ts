/** Chooses the agent in a deadlock that must give way. */
import { pathKey, PATHS } from '../keys.ts';
import { oldestOf } from '../living.ts';
import { asPathState } from '../states.ts';
import type { AgentId, Hold, Policy } from '../types.ts';
import { pathsHeldBy } from './held-paths.ts';
import type { Looking } from './transaction.ts';

/** The smallest burden loses; among equals the agent that joined last, then the last by name. */
export function chooseVictim(looking: Looking, members: readonly AgentId[]): AgentId {
  const { changes, facts } = looking;
  const weigh = BURDENS[facts.policy.victim](looking, members);
  const weights = new Map(members.map((id) => [id, weigh(id)]));
  const burden = (id: AgentId): number => weights.get(id) ?? 0;
  const joined = (id: AgentId): number => changes.agent(id)?.joined_lsn ?? 0;
  const [victim] = [...members].sort(
    (a, b) => burden(a) - burden(b) || joined(b) - joined(a) || (a < b ? 1 : -1),
  );
  if (victim === undefined) throw new Error('a cycle without agents');
  return victim;
}

type Burden = (looking: Looking, members: readonly AgentId[]) => (id: AgentId) => number;

const BURDENS: Readonly<Record<Policy['victim'], Burden>> = {
  youngest: () => () => 0,
  fewest_leases: (looking) => (id) => leasesOf(looking, id),
  // Scans the ledger, but only once a deadlock has been found, and no agent wrote anything before it joined.
  least_work: ({ view, changes }, members) => {
    const paths = view.range(PATHS, oldestOf(changes, members)).map(([, state]) => asPathState(state));
    return (id) => paths.filter(({ last_write }) => last_write?.agent === id).length;
  },
};

/** Counted as when the rule began: leases granted in this transaction must not spare an agent. */
function leasesOf({ view, changes, facts }: Looking, id: AgentId): number {
  const { epoch } = changes.agent(id) ?? {};
  const isOwn = (hold: Hold): boolean => hold.agent === id && hold.epoch === (epoch ?? hold.epoch);
  const paths = pathsHeldBy(view, changes, id, facts);
  return paths.filter((path) => asPathState(view.get(pathKey(path))).holds.some(isOwn)).length;
}
