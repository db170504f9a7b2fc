/** Who of a deadlock must let go. */
import { PATHS } from '../keys.ts';
import type { View } from '../ledger.ts';
import { asPathState } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, PathState, Policy } from '../types.ts';

/** The smallest burden loses; of equals the one that joined last, then the last by name. */
export function chooseVictim(
  view: View,
  draft: Draft,
  members: readonly AgentId[],
  policy: Policy['victim'],
): AgentId {
  const burden = BURDENS[policy](view, draft);
  const joined = (id: AgentId): number => draft.agent(id)?.joined_lsn ?? 0;
  const [victim] = [...members].sort(
    (a, b) => burden(a) - burden(b) || joined(b) - joined(a) || (a < b ? 1 : -1),
  );
  if (victim === undefined) throw new Error('a cycle of nobody');
  return victim;
}

type Burden = (view: View, draft: Draft) => (id: AgentId) => number;

const BURDENS: Readonly<Record<Policy['victim'], Burden>> = {
  youngest: () => () => 0,
  fewest_leases: (view, draft) => {
    const paths = pathsIn(view);
    return (id) => paths.filter((path) => holds(path, id, draft)).length;
  },
  least_work: (view) => {
    const paths = pathsIn(view);
    return (id) => paths.filter(({ last_write }) => last_write?.agent === id).length;
  },
};

/** A scan of the ledger: only where a deadlock has been found. */
const pathsIn = (view: View): PathState[] => view.range(PATHS).map(([, state]) => asPathState(state));

const holds = ({ holds: held }: PathState, id: AgentId, draft: Draft): boolean =>
  held.some((hold) => hold.agent === id && hold.epoch === (draft.agent(id)?.epoch ?? hold.epoch));
