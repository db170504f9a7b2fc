/** How long git may take where its answer decides between a denial and work that is lost. */
import { monotonic, readNow } from '../../repo/clock.ts';
import type { Hook } from '../context.ts';

/** The rest is for the ledger and the answer. */
const SHARE = 0.75;

/**
 * Of monotonic(). The limits of git are for machines that are not busy; where they are, and somebody's work is at stake, there is
 * time until the hook itself would have to give up.
 */
export function patientUntil({ now, home }: Hook): number {
  const spent_ms = readNow().mono_ms - now.mono_ms;
  return monotonic() + Math.max(0, Math.floor(home.config.deadline_ms * SHARE - spent_ms));
}
