/** Agents that ended because nobody could look after them any more. Pure. */
import type { DraftState } from '../core/drafts.ts';

export const DIED = 'its supervisor died';
export const RESTARTED = 'the machine was restarted while it was at work';

export const neverStarted = (why: string): string => `it never started: ${why}`;

/** As often as it was tried. */
export const NOT_STARTED = 'its supervisor died before it was started';

/** Nothing of what it was asked for stands in the way of going on. */
export const isLost = ({ status, reason }: Pick<DraftState, 'status' | 'reason'>): boolean =>
  status === 'failed' && (reason === DIED || reason === RESTARTED || reason === neverStarted(NOT_STARTED));
