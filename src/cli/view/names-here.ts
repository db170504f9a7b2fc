/** Agents by the names they chose, for text. */
import { unlessRefused } from '../../core/attempt.ts';
import { plain } from '../../core/plain.ts';
import { type Profile, profilesIn } from '../../core/profiles.ts';
import type { AgentId } from '../../core/types.ts';
import type { Store } from '../../store/store.ts';
import { consult } from '../../store/transact.ts';

const NONE: ReadonlyMap<AgentId, Profile> = new Map();

/** The chosen name, otherwise the id. Reads the ledger at the first call only; a damaged one has no names. */
export function namesHere(store: Store): (id: AgentId) => string {
  let profiles: ReadonlyMap<AgentId, Profile> | undefined;
  return (id) => {
    profiles ??= unlessRefused(
      () => consult(store, profilesIn),
      () => NONE,
    );
    return plain(profiles.get(id)?.name ?? id);
  };
}
