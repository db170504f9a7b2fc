/** Compares the index keys with the states they represent, for `verifyLedger`. */
import { AGENTS, agentOfKey, PATHS, pathOfKey } from '../../core/keys.ts';
import type { Json, Key, States } from '../../core/ledger.ts';
import { heldKeys } from '../../core/rules/holds.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentId, Hold } from '../../core/types.ts';
import { INDEX } from './files.ts';
import type { Header } from './header.ts';
import { judgePlaces, learnPlaces, type PlaceFindings } from './verify-places.ts';
import type { Note, Problem } from './verify-report.ts';

/** What the walk collects for this: the newest of the relevant states. */
export interface HeldFindings {
  readonly holds: Map<Key, readonly Hold[]>;
  /** Epochs of the agents that are present; all holds of an agent that left are void. */
  readonly epochs: Map<AgentId, number>;
  readonly listed: Set<Key>;
  readonly places: PlaceFindings;
}

export const noHeld = (): HeldFindings => ({
  holds: new Map(),
  epochs: new Map(),
  listed: new Set(),
  places: new Map(),
});

export function learnHeld(found: HeldFindings, states: States): void {
  learnPlaces(found.places, states);
  for (const [key, state] of Object.entries(states)) {
    if (key.startsWith(PATHS)) learnPath(found, key, state);
    else if (key.startsWith(AGENTS)) learnAgent(found, agentOfKey(key), state);
    else if (!key.startsWith('held/')) continue;
    else if (state === null) found.listed.delete(key);
    else found.listed.add(key);
  }
}

function learnPath({ holds }: HeldFindings, key: Key, state: Json): void {
  const held: unknown = asPathState(state).holds;
  if (Array.isArray(held) && held.length > 0) holds.set(key, held as Hold[]);
  else holds.delete(key);
}

function learnAgent({ epochs }: HeldFindings, id: AgentId, state: Json): void {
  const agent = asAgentState(state);
  if (agent?.live === true) epochs.set(id, agent.epoch);
  else epochs.delete(id);
}

interface Judged {
  readonly problems: readonly Problem[];
  readonly notes: readonly Note[];
}

/**
 * A valid hold that is not listed is a problem if the header says that all are; otherwise an older guard wrote it, and
 * the next guard that needs the list repairs it. Listing a hold that has ended only costs a lookup of its path.
 */
export function judgeHeld(found: HeldFindings, header: Header): Judged {
  const judged = [judgeHolds(found), { ...judgePlaces(found.places), what: 'places of reservations' }].map(
    ({ missing, over, what }): Judged => {
      const reason = `${missing} ${what} are not listed, ${over} listed ones have ended`;
      if (missing > 0 && header.indexed === header.applied)
        return { problems: [{ kind: 'index_differs', file: INDEX, lsn: header.applied, reason }], notes: [] };
      return {
        problems: [],
        notes: missing + over === 0 ? [] : [{ kind: 'index_keys', file: INDEX, reason }],
      };
    },
  );
  return {
    problems: judged.flatMap(({ problems }) => problems),
    notes: judged.flatMap(({ notes }) => notes),
  };
}

interface Compared {
  readonly missing: number;
  readonly over: number;
  readonly what: string;
}

function judgeHolds({ holds, epochs, listed }: HeldFindings): Compared {
  const all = [...holds].flatMap(([key, held]) => heldKeys(pathOfKey(key), held));
  const counting = [...holds].flatMap(([key, held]) =>
    heldKeys(
      pathOfKey(key),
      held.filter(({ agent, epoch }) => epochs.get(agent) === epoch),
    ),
  );
  const known = new Set(all);
  const missing = counting.filter((key) => !listed.has(key)).length;
  const over = [...listed].filter((key) => !known.has(key)).length;
  return { missing, over, what: 'holds' };
}
