import { setTimeout as sleep } from 'node:timers/promises';

/** How long a busy machine may take for something that a test has triggered. */
const LIMIT_MS = 60_000;

/** Resolves when the condition holds; polls often, and throws with `what` if it never does. */
export async function until(what: string, isSo: () => boolean, limit_ms = LIMIT_MS): Promise<void> {
  for (const end = Date.now() + limit_ms; Date.now() < end;) {
    if (isSo()) return;
    await sleep(25);
  }
  throw new Error(`not in ${limit_ms} ms: ${what}`);
}
