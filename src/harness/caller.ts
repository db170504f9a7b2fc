/**
 * Who really calls: what runs below a drafted agent is that agent, whatever its environment and its arguments say. So
 * its limits hold for commands that it runs without its name, and for clients that it starts by itself.
 */
import { type DraftState, isOver } from '../core/drafts.ts';
import type { Who } from '../core/rules/who.ts';
import { isOfDraft } from '../core/speakers.ts';
import type { ProcessMark } from '../core/types.ts';
import { isCertainlyAlive } from '../repo/process.ts';
import { MARK } from './client-call.ts';
import { ancestorsOf } from './processes.ts';
import { isTold, toldSessions } from './told.ts';
import { allDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';

/** Its subagents and second processes keep their names. */
export function resolveCaller(space: HarnessWorkspace, claimed: Who): Who {
  const draft = draftAround(space);
  if (draft === null || isOfDraft(claimed.id, draft.id)) return claimed;
  return whoOf(draft.id, draft.session);
}

/**
 * The drafted agent that this process runs below: the nearest one; by the mark where a process on the way is gone. What a client
 * let go of is its supervisor's child, where that adopts (Linux), and ends before its agent's end is on record; what is below a
 * supervisor later is a program of the user's own (on_end), and so is what one of these started, below whomever (told.ts).
 */
export function draftAround(space: HarnessWorkspace): DraftState | null {
  const drafts = allDrafts(space);
  if (drafts.length === 0 || space.looks_after !== undefined) return null;
  const by_pid = new Map(
    drafts.flatMap((draft) => marksOf(draft).map((mark) => [mark.pid, { draft, mark }])),
  );
  const told = toldSessions(space.repo.state_dir);
  const above = [process.pid, ...ancestorsOf(process.pid)]
    .flatMap((pid) => (isTold(pid, told) ? 'told' : (by_pid.get(pid) ?? [])))
    .find((one) => one === 'told' || isCertainlyAlive(one.mark));
  if (above === 'told') return null;
  if (above === undefined) return drafts.find(({ id }) => id === space.env[MARK]) ?? null;
  return above.mark === above.draft.supervisor && isOver(above.draft) ? null : above.draft;
}

/** Until it has a client its supervisor may be the process that drafts it. */
const marksOf = ({ client, supervisor }: DraftState): readonly ProcessMark[] =>
  [client, client === null ? null : supervisor].filter((mark) => mark !== null);
