/** Whether what an agent asked another for is free by now: a file, or everything that a pattern means. */
import { isAlive, isHoldLive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { GLOBS } from '../keys.ts';
import type { View } from '../ledger.ts';
import type { Inbox, Negotiation } from '../mailbox.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { pathsHeldBy } from './held-paths.ts';
import { matchesIn, meetIn } from './overlap.ts';
import { heldBy, isReservationLive, reservationsOn } from './reserved.ts';

/** Requests of this agent that are not settled, as far as it is known what they mean. */
export const requestsOf = ({ talks }: Pick<Inbox, 'talks'>, agent: AgentId): Negotiation[] =>
  talks.filter(({ from, path, over }) => from === agent && (path !== null || over !== null));

const isPattern = ({ path }: Negotiation): boolean => path === null;

export interface FreeDraft extends Draft {
  /** Of each one who was asked for a pattern, every path that it may hold. */
  readonly held: ReadonlyMap<AgentId, readonly RepoPath[]>;
}

/** For files their keys are enough; a pattern means all that whoever was asked for it holds. */
export function viewForFree(view: View, asked: readonly Negotiation[], facts: Facts): FreeDraft {
  const draft = draftOver(view);
  const askedOf = [...new Set(asked.filter(isPattern).map(({ to }) => to))];
  return { ...draft, held: new Map(askedOf.map((to) => [to, pathsHeldBy(view, draft, to, facts)])) };
}

/** Whoever was asked holds nothing of it. */
export function isFree(draft: FreeDraft, talk: Negotiation, facts: Facts): boolean {
  const { to, path, over } = talk;
  if (!isAlive(draft, to, facts)) return true;
  if (path !== null) return !holdsFile(draft, to, path, facts) && !reserves(draft, to, path, facts);
  if (over === null) return false;
  const glob = parseGlob(over.pattern);
  const files = (draft.held.get(to) ?? []).filter((one) => matchesIn(over.scope, glob, one));
  return (
    !files.some((one) => holdsFile(draft, to, one, facts)) &&
    !heldBy(draft, to).some((one) => isReservationLive(draft, one, facts) && meetIn(one, over.scope, glob))
  );
}

const holdsFile = (draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): boolean =>
  draft.path(path).holds.some((hold) => hold.agent === agent && isHoldLive(draft, path, hold, facts));

const reserves = (draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): boolean =>
  draft.get(GLOBS) ? reservationsOn(draft, path, facts).some((one) => one.agent === agent) : false;
