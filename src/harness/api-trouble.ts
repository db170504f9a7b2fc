/** What a client reports about an API that does not answer, both while it retries and when it gives up. Pure. */
import type { ApiError } from '../core/api-error.ts';
import { asText, type JsonObject } from '../core/json-object.ts';

/** The client waits before it asks again. */
export interface ApiRetry {
  readonly status: number | null;
  readonly kind: string;
  /** The attempt that failed, counted from 1. */
  readonly attempt: number;
  readonly attempts_max: number;
}

const count = (value: unknown): number => (Number.isInteger(value) ? Number(value) : 0);
const statusIn = (value: unknown): number | null => (Number.isInteger(value) ? Number(value) : null);

export const retryIn = (event: JsonObject): ApiRetry => ({
  status: statusIn(event['error_status']),
  kind: asText(event['error']),
  attempt: count(event['attempt']),
  attempts_max: count(event['max_retries']),
});

export function retryInWords({ status, kind, attempt, attempts_max }: ApiRetry): string {
  return `waits for the API (${[status, kind].filter(Boolean).join(' ')}), attempt ${attempt} of ${attempts_max}`;
}

/** `null` if the API is not what ended the agent. */
export function apiErrorIn(event: JsonObject, retry: ApiRetry | null): ApiError | null {
  if (event['is_error'] !== true || event['terminal_reason'] !== 'api_error') return null;
  const attempts = (retry?.attempt ?? 0) + 1;
  const [, answered] = MALFORMED.exec(asText(event['result'])) ?? [];
  if (answered !== undefined)
    return { status: Number(answered), kind: 'malformed_response', attempts, is_transient: true };
  const status = statusIn(event['api_error_status']);
  const kind = asText(event['api_error_type']) || (retry?.kind ?? '');
  return { status, kind, attempts, is_transient: isTransient(status) };
}

/**
 * A proxy's error page, or half a stream, under a success status. The client has no field for it: `api_error_status` is
 * null, as it is without a connection.
 */
const MALFORMED = /^API Error: API returned an empty or malformed response \(HTTP (\d{3})\)/;

/** Rate-limited, overloaded, failing for now, or unreachable. */
const isTransient = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;

export function apiErrorInWords({ status, kind, attempts, is_transient }: ApiError, text: string): string {
  const what = [status ?? 'no connection', kind].filter(Boolean).join(' ');
  const tried = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${is_transient ? 'may pass' : 'will not pass by itself'}`;
  return `API error ${what} (${tried})${text === '' ? '' : `: ${text}`}`;
}
