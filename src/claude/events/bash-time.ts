/** How long a client lets a Bash call run. */
import type { Hook } from '../context.ts';

/** The client ends a call some time after its timeout: it kills processes and runs hooks. */
export const MARGIN_MS = 60_000;

/** The client's own rule: the requested timeout, up to a maximum that a person may raise. Milliseconds. */
export function bashTimeout_ms({ input: { tool_input }, env }: Hook): number {
  const usual_ms = positive(env['BASH_DEFAULT_TIMEOUT_MS'], 120_000);
  const most_ms = Math.max(usual_ms, positive(env['BASH_MAX_TIMEOUT_MS'], 600_000));
  return Math.min(most_ms, positive(tool_input['timeout'], usual_ms));
}

export function positive(given: unknown, usual: number): number {
  const value = Number(given ?? usual);
  return Number.isFinite(value) && value >= 0 ? value : usual;
}
