/** Whether what an agent asked another for is free by now: a file, or everything that a pattern means. */
import { isAlive, isHoldLive } from '../alive.ts';
import { parseGlob } from '../glob/parse.ts';
import { AGENTS, GLOBS, PATHS, pathOfKey } from '../keys.ts';
import type { View } from '../ledger.ts';
import type { Inbox, Talk } from '../letters.ts';
import { overlay } from '../overlay.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, Facts, RepoPath } from '../types.ts';
import { matchesIn, meetIn } from './overlap.ts';
import { heldBy, isReservationLive, reservationsOn } from './reserved.ts';

/** Requests of this agent that are not settled, as far as it is known what they mean. */
export const requestsOf = ({ talks }: Pick<Inbox, 'talks'>, agent: AgentId): Talk[] =>
  talks.filter(({ from, path, over }) => from === agent && (path !== null || over !== null));

const isPattern = ({ path }: Talk): boolean => path === null;

export interface FreeDraft extends Draft {
  /** Every path that may be held by one who was asked for a pattern. */
  readonly held: readonly RepoPath[];
}

/** For files their keys are enough; a pattern means all that was touched since whoever was asked for it joined. */
export function viewForFree(view: View, asked: readonly Talk[]): FreeDraft {
  const own = draftOver(view);
  if (!asked.some(isPattern)) return { ...own, held: [] };
  const joined = asked.map(({ to }) => own.agent(to)?.joined_lsn ?? 0);
  const paths = view.range(PATHS, Math.min(...joined));
  const seen = [...view.range(AGENTS), ...paths, ...view.range(GLOBS)];
  const draft = draftOver(overlay(view, seen, [AGENTS, PATHS, GLOBS]));
  return { ...draft, held: paths.map(([key]) => pathOfKey(key)) };
}

/** Whoever was asked holds nothing of it. */
export function isFree(draft: FreeDraft, talk: Talk, facts: Facts): boolean {
  const { to, path, over } = talk;
  if (!isAlive(draft, to, facts)) return true;
  if (path !== null) return !holdsFile(draft, to, path, facts) && !reserves(draft, to, path, facts);
  if (over === null) return false;
  const glob = parseGlob(over.pattern);
  const files = draft.held.filter((one) => matchesIn(over.scope, glob, one));
  return (
    !files.some((one) => holdsFile(draft, to, one, facts)) &&
    !heldBy(draft, to).some((one) => isReservationLive(draft, one, facts) && meetIn(one, over.scope, glob))
  );
}

const holdsFile = (draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): boolean =>
  draft.path(path).holds.some((hold) => hold.agent === agent && isHoldLive(draft, path, hold, facts));

const reserves = (draft: Draft, agent: AgentId, path: RepoPath, facts: Facts): boolean =>
  draft.get(GLOBS) ? reservationsOn(draft, path, facts).some((one) => one.agent === agent) : false;
