/** Merging or discarding a drafted agent's worktree after its end. The merging agent wrote what a merge changed. */
import { asDraftState, draftKey, type DraftState, isOver, type WorktreeSettled } from '../drafts.ts';
import type { Lsn, View } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, Digest, Facts, RepoPath } from '../types.ts';
import type { Who } from './who.ts';
import type { DraftAnswer } from './draft-begin.ts';
import { record, type Step } from './transaction.ts';

export interface Settle {
  readonly settled: WorktreeSettled;
  /** The files' content in this checkout now; `null`: no file. */
  readonly written: readonly { readonly path: RepoPath; readonly digest: Digest | null }[];
}

interface Settling extends Settle {
  readonly who: Who;
  readonly id: AgentId;
}

/** `null` if there is no such agent, it has not ended, or its worktree is gone. */
export function settleWorktree(view: View, event: Settling, facts: Facts): Step<DraftAnswer> {
  const { id, settled } = event;
  const state = asDraftState(view.get(draftKey(id)));
  const changes = changesOver(view);
  noteWritten(changes, event, facts, view.next);
  if (state === undefined || !isOver(state) || state.worktree?.kept !== true)
    return { records: changes.records, result: { draft: null, refused: null } };
  const next: DraftState = { ...state, worktree: { ...state.worktree, kept: false, settled } };
  changes.set(draftKey(id), next);
  record({ changes, agent: state, facts }, 'draft', { phase: 'settle', ...settled });
  return { records: changes.records, result: { draft: next, refused: null } };
}

/** The caller holds the paths, so no other write is open. Agents that read them learn what changed, and by whom. */
function noteWritten(changes: Changes, { who, settled, written }: Settling, facts: Facts, lsn: Lsn): void {
  const op = `merge-${settled.commit}`;
  for (const { path, digest } of written) {
    const last_write = { agent: who.id, digest, lsn, op, wall_ms: facts.now.wall_ms };
    changes.setPath(path, { ...changes.path(path), last_write, touched: lsn });
    const told = { path, tool: 'merge', op, digest, content: 'unknown', original: 'unverified' } as const;
    record({ changes, agent: who, facts }, 'write', told);
  }
}
