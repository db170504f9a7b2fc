/** Finds the drafted agent that an argument names: by id, by the name people gave it, or by the beginning of its id. */
import { type DraftState, isOver } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import { allDrafts, draftOf, type HarnessWorkspace, unknownAgent } from './workspace.ts';

/** A shorter prefix is more likely a slip. */
const CHARS_MIN = 4;

/** `null` if no agent matches. @throws GuardError GUARD_ERR_AGENT if several do */
function meant(space: Pick<HarnessWorkspace, 'store'>, given: string): DraftState | null {
  const exact = draftOf(space, given);
  if (exact !== null) return exact;
  const all = allDrafts(space);
  const named = all.filter(({ name }) => name === given);
  // A name may be reused once its agent has ended.
  const [called = named.at(-1)] = named.filter((draft) => !isOver(draft));
  if (called !== undefined) return called;
  const begun = given.length < CHARS_MIN ? [] : all.filter(({ id }) => begins(id, given));
  if (begun.length < 2) return begun[0] ?? null;
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `${given} matches several agents: ${begun.map(({ id }) => id).join(', ')}.`,
    'Use more characters of the id.',
    { field: 'agentId', agent: given },
  );
}

/** @throws GuardError GUARD_ERR_AGENT if no agent matches, or several do */
export function agentMeant(space: Pick<HarnessWorkspace, 'store'>, given: string): DraftState {
  const draft = meant(space, given);
  if (draft === null) throw unknownAgent(given);
  return draft;
}

/** An argument that matches no agent is returned unchanged. @throws GuardError GUARD_ERR_AGENT if several match */
export const idMeant = (space: Pick<HarnessWorkspace, 'store'>, given: string): AgentId =>
  meant(space, given)?.id ?? given;

const begins = (id: AgentId, given: string): boolean =>
  id.startsWith(given) || id.replace(/^claude-/, '').startsWith(given);

/** The shortest unique prefix of each id, without the part that all ids begin with. */
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
