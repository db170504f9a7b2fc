/**
 * How long an event waits for a busy ledger, in milliseconds. What an agent has done is either recorded or lost, and no one can
 * repeat it for the agent; the client gives these hooks 60 s. The end of a session is waited for.
 */
const WHAT_WAS_DONE_MS = 15_000;

/** Any other event waits as long as a hook that may deny can afford (src/workspace/workspace.ts). */
export const LOCK_WAIT_MS: Readonly<Record<string, number>> = {
  PostToolUse: WHAT_WAS_DONE_MS,
  PostToolUseFailure: WHAT_WAS_DONE_MS,
  PostToolBatch: WHAT_WAS_DONE_MS,
  SubagentStop: WHAT_WAS_DONE_MS,
  Stop: WHAT_WAS_DONE_MS,
  StopFailure: WHAT_WAS_DONE_MS,
  SessionEnd: 1_000,
};
