/**
 * Handles agents whose supervisor is gone: the first process that notices ends what is left of them and records their end, based on
 * their log. So no one waits for an agent that has no supervisor.
 */
import { statSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { hasPlace, isClaimed } from '../core/places-of-drafts.ts';
import type { DraftState } from '../core/drafts.ts';
import { runAge_ms, runBegan } from '../core/run-age.ts';
import { unlessFull, unlessHindered } from '../core/is-busy.ts';
import { runMark } from '../core/run-mark.ts';
import type { Facts, ProcessMark } from '../core/types.ts';
import { endingOf } from './ending.ts';
import { agentFiles, fileLines, textIn } from './agent-files.ts';
import { DIED, NOT_STARTED, RESTARTED } from '../core/lost.ts';
import { upToRun } from './dispatch-line.ts';
import { moveQueue, putBack } from './move-queue.ts';
import { leftBy } from './orphans.ts';
import { endAll } from './processes.ts';
import { callMissed } from './on-end.ts';
import { recordEnd } from './record-end.ts';
import type { Progress } from './progress.ts';
import { isTakenFrom } from './still-mine.ts';
import { allDrafts, draftOf, type HarnessWorkspace } from './workspace.ts';
import { streamProgress } from './stream.ts';
import { withTranscript } from './transcript.ts';
import { isHalfDone, removeUnfinished, takenOver } from './unfinished.ts';
import { reportWorktree } from './worktree.ts';
import { SETUP_MS } from './worktree-setup.ts';

/**
 * Past its time limit, an agent about which nothing is certain (another pid namespace) counts as lost. So does the start of one
 * whose supervisor has not recorded itself by then: the process that took it out of the queue may live on without starting it.
 */
const GRACE_MS = 120_000;

/**
 * Ends all of them even if nothing can be recorded: after a full disk, the next look with room records their ends.
 * @param drafts as of now; a caller that looks repeatedly follows them (workspace.ts)
 */
export function reconcile(space: HarnessWorkspace, drafts: readonly DraftState[] = allDrafts(space)): void {
  const facts = space.facts();
  for (const draft of drafts) {
    if (isOnEndMissed(draft, facts)) unlessHindered(() => callMissed(space, draft));
    // A supervisor ends its own agent itself, even if it was stopped for so long that others would take it for dead.
    if (!hasPlace(draft) || draft.id === space.looks_after) continue;
    if (!isAbandoned(draft, facts) && !isHalfDone(space, draft)) continue;
    unlessFull(() => {
      const found = isLeftHere(draft, facts) ? takenOver(space, draft) : draft;
      if (found !== null) settle(space, found);
    });
  }
  unlessFull(() => moveQueue(space));
}

/** The command is that of one account of this machine. */
const isOnEndMissed = ({ on_end_by }: DraftState, facts: Facts): boolean =>
  on_end_by != null &&
  on_end_by.machine === facts.machine &&
  (on_end_by.uid === undefined || on_end_by.uid === process.getuid?.()) &&
  isGone(on_end_by, facts);

/** An unfinished worktree that this machine may remove. */
const isLeftHere = (draft: DraftState, facts: Pick<Facts, 'machine'>): boolean =>
  draft.worktree?.is_unfinished === true && !isElsewhere(draft, facts);

/** On another machine of a fleet, whose disk has its worktree: from here it would look removed. */
const isElsewhere = ({ supervisor }: DraftState, { machine }: Pick<Facts, 'machine'>): boolean =>
  supervisor !== null && supervisor.machine !== machine;

/** If something keeps killing its starters, this limits the attempts. */
const STARTS_MAX = 5;

function settle(space: HarnessWorkspace, draft: DraftState): void {
  const { worktree: made } = draft;
  // Another process may have ended it, or begun its next run, since it was read.
  const now = draftOf(space, draft.id);
  if (now === null || isTakenFrom(now, runMark(draft))) return;
  const is_unfinished = isLeftHere(draft, space.facts());
  // Its setup may still be running there.
  if (is_unfinished) endAll(leftBy(space, draft));
  const worktree = is_unfinished && made !== null ? removeUnfinished(space, draft, made) : made;
  const is_left = worktree?.is_unfinished === true && worktree.kept;
  if (is_left || !isBackInQueue(space, draft)) endAbandoned(space, { ...draft, worktree });
}

/** Queues it again if its starter died too early, or its supervisor while waiting for the API or making a worktree. */
function isBackInQueue(space: HarnessWorkspace, draft: DraftState): boolean {
  const { status, queued } = draft;
  if (status !== 'starting' || queued === undefined || queued.starts >= STARTS_MAX) return false;
  return putBack(space, draft);
}

export function isAbandoned(draft: DraftState, facts: Facts): boolean {
  const { supervisor, limits } = draft;
  if (supervisor !== null && isGone(supervisor, facts)) return true;
  if (isClaimed(draft) && runAge_ms(draft, facts.now) > GRACE_MS) return true;
  const setup_ms = draft.status === 'starting' ? SETUP_MS : (draft.worktree?.setup_ms ?? 0);
  const waits_ms = setup_ms + (draft.retry?.wait_ms ?? 0);
  return runAge_ms(draft, facts.now) > limits.wall_ms + GRACE_MS + waits_ms;
}

const isOfEarlierBoot = (mark: ProcessMark | null, facts: Facts): boolean =>
  mark !== null && mark.machine === facts.machine && mark.boot !== (facts.machine_boot ?? facts.now.boot);

const isGone = (mark: ProcessMark, facts: Facts): boolean =>
  facts.isDead(mark) || isOfEarlierBoot(mark, facts);

/** Treated as the client's result if the report was the last thing received and no call was open. */
const isReportLast = ({ report, text, open }: Progress): boolean =>
  report !== null && report.text === text && Object.keys(open).length === 0;

const REPORTED = { is_error: false, subtype: 'success', api_error: null } as const;

/** It may have been lost hours before anyone looks, and those hours do not count towards its time limit. */
const lastAtWork = ({ heard_wall_ms = 0, ...draft }: DraftState, log: string): number =>
  Math.max(
    heard_wall_ms,
    attempt(() => statSync(log).mtimeMs, runBegan(draft)),
  );

function endAbandoned(space: HarnessWorkspace, draft: DraftState): void {
  endAll(leftBy(space, draft));
  const files = agentFiles(space.repo.state_dir, draft.session);
  const heard = withTranscript(
    streamProgress(upToRun(fileLines(files.log), draft)),
    { session: draft.session, started_wall_ms: runBegan(draft) },
    space.env,
  );
  const hasReported = heard.final === null && isReportLast(heard);
  const at = hasReported ? { ...heard, final: { ...REPORTED, text: heard.text } } : heard;
  const isWaiting = at.report === null && at.background.length > 0;
  const finished = at.final !== null && !at.final.is_error && !isWaiting;
  const error = draft.status === 'starting' ? NOT_STARTED : null;
  const stderr = textIn(files.stderr);
  const end = { exit_code: finished ? 0 : null, signal: null, error, stderr };
  const ending = endingOf(at, end, { kill: draft.kill, exceeded: null });
  const died = isOfEarlierBoot(draft.supervisor, space.facts()) ? RESTARTED : DIED;
  const is_lost = error === null && ending.status === 'failed' && ending.api_error === null;
  const reason = is_lost ? died : ending.reason;
  const { worktree: made } = draft;
  const worktree =
    made?.kept === true && made.is_unfinished !== true && !isElsewhere(draft, space.facts())
      ? reportWorktree(space.root, made)
      : made;
  // Otherwise its time is up, whether it said anything in it or not.
  const isKnownGone = draft.supervisor !== null && isGone(draft.supervisor, space.facts());
  const at_work = isKnownGone ? { at_work_wall_ms: lastAtWork(draft, files.log) } : {};
  recordEnd(space, draft, { ...ending, reason, worktree, ...at_work, may_go_on: 'queued' });
}
