/** Which agents a draft has to wait for: by id or name, or every agent that works on a task. */
import { isOver } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import { idMeant } from './agent-meant.ts';
import { allDrafts, draftOf, type HarnessWorkspace } from './workspace.ts';

/** @throws GuardError GUARD_ERR_AGENT if an argument matches no agent, or several */
export const agentsBefore = (space: HarnessWorkspace, given: readonly string[]): readonly AgentId[] => [
  ...new Set(given.flatMap((one) => named(space, one))),
];

function named(space: HarnessWorkspace, given: string): readonly AgentId[] {
  const id = idMeant(space, given);
  if (draftOf(space, id) !== null) return [id];
  const on_task = allDrafts(space).filter(({ task }) => task === given);
  const open = on_task.filter((draft) => !isOver(draft));
  // If no agent works on the task any more, its newest one counts.
  const found = open.length > 0 ? open : on_task.slice(-1);
  if (found.length > 0) return found.map((draft) => draft.id);
  throw new GuardError(
    'GUARD_ERR_AGENT',
    `${JSON.stringify(given.slice(0, 80))} is neither an agent drafted here nor a task that one works on.`,
    'Run: guard agent list --all, or guard task list',
    { field: 'after', agent: given.slice(0, 200) },
  );
}
