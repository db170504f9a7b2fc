/** Which drafted agent somebody means: by its id, by what people call it, or by the beginning of its id. */
import { type DraftState, isOver } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import { allDrafts, draftOf, type HarnessWorkspace, unknownAgent } from './workspace.ts';

/** Shorter, a beginning is rather a slip. */
const CHARS_MIN = 4;

/** Null: nobody. @throws GuardError GUARD_ERR_AGENT for several */
function meant(space: Pick<HarnessWorkspace, 'store'>, given: string): DraftState | null {
  const exact = draftOf(space, given);
  if (exact !== null) return exact;
  const all = allDrafts(space);
  const named = all.filter(({ name }) => name === given);
  // A name may be used again when its agent is over.
  const [called = named.at(-1)] = named.filter((draft) => !isOver(draft));
  if (called !== undefined) return called;
  const begun = given.length < CHARS_MIN ? [] : all.filter(({ id }) => begins(id, given));
  if (begun.length < 2) return begun[0] ?? null;
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `${given} may be any of ${begun.map(({ id }) => id).join(', ')}.`,
    'Write more of its id.',
    { field: 'agentId', agent: given },
  );
}

/** @throws GuardError GUARD_ERR_AGENT for nobody, and for several */
export function agentMeant(space: Pick<HarnessWorkspace, 'store'>, given: string): DraftState {
  const draft = meant(space, given);
  if (draft === null) throw unknownAgent(given);
  return draft;
}

/** What means nobody stays as it is. @throws GuardError GUARD_ERR_AGENT for several */
export const idMeant = (space: Pick<HarnessWorkspace, 'store'>, given: string): AgentId =>
  meant(space, given)?.id ?? given;

const begins = (id: AgentId, given: string): boolean =>
  id.startsWith(given) || id.replace(/^claude-/, '').startsWith(given);

/** The shortest beginnings by which each is told from all others, without what all begin with. */
export function shortIds(all: readonly AgentId[]): ReadonlyMap<AgentId, string> {
  const bare = all.map((id) => id.replace(/^claude-/, '')).sort();
  const shared = (a = '', b = ''): number => {
    let at = 0;
    while (at < a.length && a[at] === b[at]) at += 1;
    return at;
  };
  const shorts = bare.map((id, at) => {
    const chars = Math.max(shared(id, bare[at - 1]), shared(id, bare[at + 1])) + 1;
    return [id, id.slice(0, Math.max(CHARS_MIN, chars))] as const;
  });
  const found = new Map(shorts);
  return new Map(all.map((id) => [id, found.get(id.replace(/^claude-/, '')) ?? id]));
}
