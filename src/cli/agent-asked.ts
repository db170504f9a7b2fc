/** Which agents `--agent` of a command means that reads the ledger: one by id with its subagents, or all of a name. */
import { isOfHost } from '../claude/hosts/host.ts';
import { unlessRefused } from '../core/attempt.ts';
import { everybodysNames } from '../core/called.ts';
import { GuardError } from '../core/error.ts';
import { agentKey } from '../core/keys.ts';
import { profilesIn } from '../core/profiles.ts';
import type { AgentId } from '../core/types.ts';
import type { Store } from '../store/store.ts';
import { consult } from '../store/transact.ts';

export interface AskedAgent {
  readonly isOf: (agent: AgentId) => boolean;
  /** It is no agent that the ledger knows, and no id of a client's agent, which may be in older records only. */
  readonly is_unknown: boolean;
}

export function agentAsked(store: Store, given: string): AskedAgent {
  const known = unlessRefused(
    () => consult(store, (view) => idsOf(view, given)),
    () => [],
  );
  const ids = known.length === 0 ? [given] : known;
  return {
    isOf: (agent) => ids.some((id) => agent === id || agent.startsWith(`${id}/`)),
    is_unknown: known.length === 0 && !isOfHost(given),
  };
}

function idsOf(view: Parameters<typeof profilesIn>[0], given: string): readonly AgentId[] {
  if (view.get(agentKey(given)) !== undefined) return [given];
  const chosen = [...profilesIn(view)].flatMap(([id, { name }]) => (name === given ? [id] : []));
  if (chosen.length > 0) return chosen;
  return [...everybodysNames(view)].flatMap(([id, name]) => (name === given ? [id] : []));
}

export const noSuchAgent = (given: string): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `No record here is of an agent called ${JSON.stringify(given.slice(0, 80))}.`,
    'Give an id or a name: "guard agents" lists those who are here. Older records: "guard log --archived".',
    { agent: given.slice(0, 200) },
  );
