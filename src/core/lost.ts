/** Agents that ended through no fault of their own: no supervisor was left, their API failed, or a wait took too long. Pure. */
import type { DraftState } from './drafts.ts';

export const DIED = 'its supervisor died';
export const RESTARTED = 'the machine was restarted while it was at work';

export const neverStarted = (why: string): string => `it never started: ${why}`;

/** Every attempt to start it failed. */
export const NOT_STARTED = 'its supervisor died before it was started';

/** Nothing in the task itself prevents it from continuing. */
const isLost = ({ status, reason }: Pick<DraftState, 'status' | 'reason'>): boolean =>
  status === 'failed' && (reason === DIED || reason === RESTARTED || reason === neverStarted(NOT_STARTED));

/** It ended its turn without a report while something that it had started was still running. */
export const UNREPORTED =
  'its turn had ended without a report, while something was still running in the background';

/** Whether its session can be resumed where it was. */
export const mayGoOn = (draft: Pick<DraftState, 'status' | 'reason' | 'api_error'>): boolean =>
  isLost(draft) ||
  (draft.status === 'failed' && draft.api_error?.is_transient === true) ||
  (draft.status === 'timeout' && draft.reason?.endsWith(UNREPORTED) === true);
