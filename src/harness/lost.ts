/** Agents whose end is none of their own: nobody could look after them any more, their API failed, or what they waited for took too long. Pure. */
import type { DraftState } from '../core/drafts.ts';

export const DIED = 'its supervisor died';
export const RESTARTED = 'the machine was restarted while it was at work';

export const neverStarted = (why: string): string => `it never started: ${why}`;

/** As often as it was tried. */
export const NOT_STARTED = 'its supervisor died before it was started';

/** Nothing of what it was asked for stands in the way of going on. */
const isLost = ({ status, reason }: Pick<DraftState, 'status' | 'reason'>): boolean =>
  status === 'failed' && (reason === DIED || reason === RESTARTED || reason === neverStarted(NOT_STARTED));

/** It ended its turn without a report while something it had started went on. */
export const UNREPORTED = 'its turn had ended without a report, while something in the background went on';

/** Its session can be taken up again where it was. */
export const mayGoOn = (draft: Pick<DraftState, 'status' | 'reason' | 'api_error'>): boolean =>
  isLost(draft) ||
  (draft.status === 'failed' && draft.api_error?.is_transient === true) ||
  (draft.status === 'timeout' && draft.reason?.endsWith(UNREPORTED) === true);
