/**
 * Who is really calling: whatever runs below a drafted agent is that agent, no matter what environment and arguments say.
 * So its limits also hold for commands that it runs under another name, and for clients that it starts itself.
 */
import { type DraftState, isOver } from '../core/drafts.ts';
import type { Who } from '../core/rules/who.ts';
import { isOfDraft } from '../core/speakers.ts';
import type { ProcessMark } from '../core/types.ts';
import { isCertainlyAlive } from '../repo/process.ts';
import { MARK } from './client-call.ts';
import { ancestorsOf } from './processes.ts';
import { isTold, toldSessions } from './told.ts';
import { allDrafts, type HarnessWorkspace, markHere, whoOf } from './workspace.ts';

/** The agent's subagents and second processes keep their names. */
export function resolveCaller(space: HarnessWorkspace, claimed: Who): Who {
  const draft = draftAround(space);
  if (draft === null || isOfDraft(claimed.id, draft.id)) return claimed;
  return whoOf(draft.id, draft.session);
}

/**
 * The nearest drafted agent above this process, found by the mark if a process in between is gone. On Linux a supervisor
 * adopts what its client left behind, and ends it before the agent's end is recorded. What runs below a supervisor after that
 * is the user's own program (on_end), and so is what such a program started, whatever it now runs below (told.ts).
 */
export function draftAround(space: HarnessWorkspace): DraftState | null {
  const drafts = allDrafts(space);
  if (drafts.length === 0 || space.looks_after !== undefined) return null;
  const marks = drafts.flatMap((draft) => marksOf(draft).map((mark) => ({ draft, mark })));
  const told = toldSessions(space.repo.state_dir);
  for (const pid of [process.pid, ...ancestorsOf(process.pid)]) {
    if (isTold(pid, told)) return null;
    const above = marks.find(({ mark }) => mark.pid === pid && isCertainlyAlive(markHere(space, mark)));
    if (above === undefined) continue;
    return above.mark === above.draft.supervisor && isOver(above.draft) ? null : above.draft;
  }
  return drafts.find(({ id }) => id === space.env[MARK]) ?? null;
}

/** Until there is a client, the supervisor may still be the process that drafts the agent. */
const marksOf = ({ client, supervisor }: DraftState): readonly ProcessMark[] =>
  [client, client === null ? null : supervisor].filter((mark) => mark !== null);
