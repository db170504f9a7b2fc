/** How long git may take if its answer decides between a denial and lost work. */
import { monotonic, readNow } from '../../repo/clock.ts';
import type { Hook } from '../context.ts';

/** The rest of the time is for the ledger and the answer. */
const SHARE = 0.75;

/**
 * A time of monotonic(). The usual limits for git assume an idle machine; on a busy one, if someone's work is at stake, git may
 * take until the hook itself would have to give up.
 */
export function patientUntil({ now, home }: Hook): number {
  const spent_ms = readNow().mono_ms - now.mono_ms;
  return monotonic() + Math.max(0, Math.floor(home.config.deadline_ms * SHARE - spent_ms));
}
