/** Sends one request to a collector, which has to accept all of it. */
import { GuardError } from '../../core/error.ts';
import { asObject, parsedObject } from '../../core/json-object.ts';
import type { OtlpRequest } from '../../history/otlp/requests.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_CHARS = 300;

/** @throws GuardError GUARD_ERR_EXPORT */
export async function postToCollector(endpoint: string, { to, body }: OtlpRequest): Promise<void> {
  const address = `${endpoint.replace(/\/+$/, '')}${to}`;
  const [status, answer] = await send(address, JSON.stringify(body));
  if (status < 200 || status > 299)
    throw failed(address, `answered ${status}: ${answer.slice(0, ANSWER_CHARS)}`);
  const { rejectedSpans, rejectedLogRecords, errorMessage } = asObject(
    // A collector that accepts everything may answer with an empty body.
    parsedObject(answer)['partialSuccess'],
  );
  const rejected = Number(rejectedSpans ?? rejectedLogRecords ?? 0);
  if (rejected > 0)
    throw failed(address, `rejected ${rejected} of them: ${String(errorMessage).slice(0, ANSWER_CHARS)}`);
}

async function send(address: string, body: string): Promise<readonly [status: number, answer: string]> {
  try {
    const answer = await fetch(address, {
      ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
      // Only the address that the user named gets it.
      ...{ redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
    });
    return [answer.status, await answer.text()];
  } catch (error) {
    const { message, cause } = error as Error;
    throw failed(address, `does not answer: ${cause instanceof Error ? cause.message : message}`, error);
  }
}

const failed = (address: string, what: string, cause?: unknown): GuardError =>
  new GuardError(
    'GUARD_ERR_EXPORT',
    `${address} ${what}`,
    'Check the collector and "otlp_endpoint", then run the command again: the ids stay the same.',
    { endpoint: address },
    cause,
  );
