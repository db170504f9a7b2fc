/**
 * Who really calls: what runs below a drafted agent is that agent, whatever its environment and its arguments say. So
 * its limits hold for commands that it runs without its name, and for clients that it starts by itself.
 */
import type { DraftState } from '../core/drafts.ts';
import type { Who } from '../core/rules/agent.ts';
import { isOfDraft } from '../core/speakers.ts';
import { isCertainlyAlive } from '../repo/process.ts';
import { MARK } from './client-call.ts';
import { ancestorsOf } from './processes.ts';
import { allDrafts, type HarnessWorkspace, whoOf } from './workspace.ts';

/** Its subagents and second processes keep their names. */
export function resolveCaller(space: HarnessWorkspace, claimed: Who): Who {
  const draft = draftAround(space);
  if (draft === null || isOfDraft(claimed.id, draft.id)) return claimed;
  return whoOf(draft.id, draft.session);
}

/** The drafted agent that this process runs below: the nearest one; by the mark where a process on the way is gone. */
export function draftAround(space: HarnessWorkspace): DraftState | null {
  const drafts = allDrafts(space);
  if (drafts.length === 0) return null;
  const by_pid = new Map(
    drafts.flatMap((draft) => (draft.client === null ? [] : [[draft.client.pid, draft] as const])),
  );
  const above = ancestorsOf(process.pid)
    .flatMap((pid) => by_pid.get(pid) ?? [])
    .find(({ client }) => client !== null && isCertainlyAlive(client));
  return above ?? drafts.find(({ id }) => id === space.env[MARK]) ?? null;
}
