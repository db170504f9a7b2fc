import { setTimeout as sleep } from 'node:timers/promises';

/** As long as a busy machine may take for what a test has brought about. */
const LIMIT_MS = 60_000;

/** Once it is so; looks often, and throws with its name when it never is. */
export async function until(what: string, isSo: () => boolean, limit_ms = LIMIT_MS): Promise<void> {
  for (const end = Date.now() + limit_ms; Date.now() < end;) {
    if (isSo()) return;
    await sleep(25);
  }
  throw new Error(`not in ${limit_ms} ms: ${what}`);
}
