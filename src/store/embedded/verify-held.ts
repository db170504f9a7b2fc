/** Compares the index keys with the states they represent, for `verifyLedger`. */
import { AGENTS, agentOfKey, PATHS, pathOfKey } from '../../core/keys.ts';
import type { Json, Key } from '../../core/ledger.ts';
import { heldKeys } from '../../core/rules/holds.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { AgentId, Hold } from '../../core/types.ts';
import { INDEX } from './files.ts';
import type { Header } from './header.ts';
import { judgePlaces, learnPlace, type PlaceFindings } from './verify-places.ts';
import type { Note, Problem } from './verify-report.ts';

type Holder = Pick<Hold, 'agent' | 'epoch'>;

/** What the walk collects for this: the newest of the relevant states. */
export interface HeldFindings {
  readonly holds: Map<Key, readonly Holder[]>;
  /** Each holder once: a million holds, with a name each, would be more memory than the rest of the ledger. */
  readonly holders: Map<string, Holder>;
  /** Epochs of the agents that are present; all holds of an agent that left are void. */
  readonly epochs: Map<AgentId, number>;
  readonly listed: Set<Key>;
  readonly places: PlaceFindings;
}

export const noHeld = (): HeldFindings => ({
  holds: new Map(),
  holders: new Map(),
  epochs: new Map(),
  listed: new Set(),
  places: new Map(),
});

export function learnHeld(found: HeldFindings, states: readonly (readonly [Key, Json])[]): void {
  for (const [key, state] of states) {
    learnPlace(found.places, key, state);
    if (key.startsWith(PATHS)) learnPath(found, key, state);
    else if (key.startsWith(AGENTS)) learnAgent(found, agentOfKey(key), state);
    else if (!key.startsWith('held/')) continue;
    else if (state === null) found.listed.delete(key);
    else found.listed.add(key);
  }
}

function learnPath(found: HeldFindings, key: Key, state: Json): void {
  const held: unknown = asPathState(state).holds;
  if (Array.isArray(held) && held.length > 0)
    found.holds.set(
      key,
      (held as Hold[]).map((hold) => holderOf(found, hold)),
    );
  else found.holds.delete(key);
}

function holderOf({ holders }: HeldFindings, { agent, epoch }: Hold): Holder {
  const name = `${epoch} ${agent}`;
  const known = holders.get(name);
  if (known !== undefined) return known;
  const holder = { agent, epoch };
  holders.set(name, holder);
  return holder;
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
  const over = new Set(listed);
  let missing = 0;
  for (const [key, held] of holds) {
    const keys = heldKeys(pathOfKey(key), held);
    for (const [at, one] of keys.entries()) {
      over.delete(one);
      const { agent, epoch } = held[at] as Holder;
      if (epochs.get(agent) === epoch && !listed.has(one)) missing++;
    }
  }
  return { missing, over: over.size, what: 'holds' };
}
