/** The names of all agents here, as `guard agents` shows them. */
import { AGENTS } from './keys.ts';
import type { View } from './ledger.ts';
import { uniqueNames } from './names.ts';
import { profilesIn } from './profiles.ts';
import { isShadow } from './shadow.ts';
import { asAgentState } from './states.ts';
import type { AgentId } from './types.ts';

export function everybodysNames(view: View): ReadonlyMap<AgentId, string> {
  const profiles = profilesIn(view);
  const states = view
    .range(AGENTS)
    .flatMap(([, state]) => asAgentState(state) ?? [])
    .filter(({ id }) => !isShadow(id))
    .sort((a, b) => a.joined_lsn - b.joined_lsn);
  return uniqueNames(states.map(({ id }) => ({ id, chosen: profiles.get(id)?.name ?? null })));
}
