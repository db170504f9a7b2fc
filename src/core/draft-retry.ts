/** When a drafted agent's client is started again after an API failure. Pure. */
import { DEFAULT_LIMITS } from './agent-limits.ts';
import type { Retry } from './api-error.ts';
import type { DraftState } from './drafts.ts';

/** Each wait is this many times the previous one, up to an hour. */
const LONGER = 4;
const LONGEST_MS = 3_600_000;

/** `null` if the agent stays ended. Turns since the last retry reset the count, because the API worked again. */
export function retryOf({ api_error, limits, retry, usage }: DraftState): Retry | null {
  if (api_error?.is_transient !== true) return null;
  const count = retry == null || usage.turns > retry.turns ? 1 : retry.count + 1;
  if (count > (limits.retries ?? 0)) return null;
  const wait_ms = (limits.retry_after_ms ?? DEFAULT_LIMITS.retry_after_ms) * LONGER ** (count - 1);
  return { count, wait_ms: Math.min(wait_ms, LONGEST_MS), turns: usage.turns };
}

export const waitToRetry = ({ count, wait_ms }: Retry, { limits, api_error }: DraftState): string =>
  `waits ${wait_ms / 1000} s for the API (${[api_error?.status ?? 'no connection', api_error?.kind].filter(Boolean).join(' ')}), retry ${count} of ${limits.retries ?? 0}`;
