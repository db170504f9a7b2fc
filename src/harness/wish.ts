/** What a drafted agent is started from, by any process at any time: on disk before the ledger knows the agent. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DraftState } from '../core/drafts.ts';
import { GuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import type { AgentFiles, Job } from './agent-files.ts';
import { budgetArgs } from './client-call.ts';
import { promptWith } from './context.ts';
import { draftOf, type HarnessWorkspace } from './workspace.ts';

export interface Wish extends Omit<Job, 'input'> {
  /** `prompt` as it is sent to the agent. */
  readonly asked: string;
  readonly notes: readonly string[];
  /** Its task has no history to send along. */
  readonly is_new_task: boolean;
}

const fileIn = ({ dir }: AgentFiles): string => join(dir, 'wish.json');

/** @throws GuardError GUARD_ERR_INPUT if the disk does not take it */
export function writeWish(files: AgentFiles, wish: Wish): void {
  try {
    mkdirSync(files.dir, { recursive: true, mode: 0o700 });
    writeFileSync(fileIn(files), `${JSON.stringify(wish)}\n`, { mode: 0o600 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GuardError(
      'GUARD_ERR_INPUT',
      `The files of the agent cannot be written: ${reason}.`,
      'No agent was drafted. Free some space there, or remove what is in the way.',
      { dir: files.dir, reason },
    );
  }
}

export const readWish = (files: AgentFiles): Wish => JSON.parse(readFileSync(fileIn(files), 'utf8')) as Wish;

/** Adds its share of the money, and what is known by now about its task and the agents that it waited for. */
export function jobOf(space: HarnessWorkspace, { share_usd, queued }: DraftState, wish: Wish): Job {
  const { asked, notes, is_new_task, ...job } = wish;
  const context = is_new_task ? null : space.tasks.context(job.task);
  const before = (queued?.after ?? []).map((id) => reportOf(space, id)).join('\n');
  return {
    ...job,
    args: [...job.args, ...budgetArgs(share_usd ?? null)],
    input: [
      promptWith(context, asked),
      ...(before === ''
        ? []
        : [`The agents that you waited for ended as follows:\n\n<before>\n${before}\n</before>`]),
      ...notes.map((note) => `Note: ${note}`),
    ].join('\n\n'),
  };
}

function reportOf({ store }: Pick<HarnessWorkspace, 'store'>, id: AgentId): string {
  const draft = draftOf({ store }, id);
  if (draft === null) return `- ${id}: no longer recorded`;
  const { role, name, task, status, result, last_output, worktree } = draft;
  const said = (result?.summary ?? last_output).replaceAll('\n', '\n  ');
  const branch = worktree?.kept === true ? ` Its work is on branch ${worktree.branch}.` : '';
  return `- ${name ?? id} (${role}, task ${task}): ${status}. ${said}${branch}`;
}
