/** What a supervisor records about its run while that is going on, and what the ledger says about it. */
import { attempt } from '../core/attempt.ts';
import type { DraftState, WorktreeState } from '../core/drafts.ts';
import type { Job } from './agent-files.ts';
import { beginning, type HeardAt, toldOf } from './on-record.ts';
import type { Progress } from './progress.ts';
import type { RunOf } from './run-of.ts';
import { isTakenFrom } from './still-mine.ts';
import { draftOf, type HarnessWorkspace, whoOf } from './workspace.ts';

/** After this long without a look, this process was stopped, and looks before it takes what it hears for its own. */
const STOPPED_MS = 2_000;

export interface OwnRecord {
  /** As last read; `null` before that. */
  state(): DraftState | null;
  /** The agent has another supervisor, or its end is recorded. */
  isTaken(): boolean;
  /** The same, after another look if the last one was long ago. */
  isTakenNow(): boolean;
  begin(pid: number, worktree: WorktreeState | null): void;
  /** Repeated at every look until recorded, because the ledger may be busy or its disk full. */
  tell(at: Progress, heard: HeardAt): void;
  look(all: readonly DraftState[]): void;
}

/** @param first what was known before the run, which is not reported */
export function ownRecord(
  space: HarnessWorkspace,
  { id, session, of }: Pick<Job, 'id' | 'session'> & Pick<RunOf, 'of'>,
  first: Progress,
): OwnRecord {
  const who = whoOf(id, session);
  const now_ms = (): number => space.facts().now.mono_ms;
  let state: DraftState | null = null;
  let begun: ReturnType<typeof beginning> | null = null;
  let told = first;
  let looked_mono_ms = now_ms();
  const isTaken = (): boolean => state !== null && isTakenFrom(state, of);
  return {
    state: () => state,
    isTaken,
    isTakenNow() {
      const now = now_ms();
      if (now - looked_mono_ms > STOPPED_MS) {
        state = attempt(() => draftOf(space, id), null) ?? state;
        looked_mono_ms = now;
      }
      return isTaken();
    },
    begin(pid, worktree) {
      begun = beginning(pid, worktree);
    },
    tell(at, heard) {
      if (begun !== null) state = space.run({ type: 'draft', phase: 'run', who, of, ...begun }).draft;
      begun = null;
      if (at === told) return;
      state = space.run({ type: 'draft', phase: 'progress', who, of, ...toldOf(at, heard) }).draft;
      told = at;
    },
    look(all) {
      state = all.find((draft) => draft.id === id) ?? state;
      looked_mono_ms = now_ms();
    },
  };
}
