/**
 * How long an event waits for a ledger that others have, in milliseconds. What an agent did is on record or lost, and nobody can
 * do it again for it; the client gives these hooks 60 s. A session that ends is waited for.
 */
const WHAT_WAS_DONE_MS = 15_000;

/** Of any other event: what a hook that may deny has time for (src/workspace/workspace.ts). */
export const LOCK_WAIT_MS: Readonly<Record<string, number>> = {
  PostToolUse: WHAT_WAS_DONE_MS,
  PostToolUseFailure: WHAT_WAS_DONE_MS,
  PostToolBatch: WHAT_WAS_DONE_MS,
  SubagentStop: WHAT_WAS_DONE_MS,
  Stop: WHAT_WAS_DONE_MS,
  StopFailure: WHAT_WAS_DONE_MS,
  SessionEnd: 1_000,
};
