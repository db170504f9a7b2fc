import type { Bell } from './subscribe.ts';

/** Silent endings (a death, an expiry) are only noticed by looking. */
const LOOK_MS = 1_000;

interface Looking<T> {
  /** Returns `undefined` to keep waiting. */
  readonly look: (isFirst: boolean) => T | undefined;
  /** Whether a record is worth another look immediately. */
  readonly concerns: Parameters<Bell['rung']>[0];
  /** Time left for the wait; absent: no limit. */
  readonly left_ms?: () => number;
  readonly every_ms?: number;
}

/** `null` if it was cancelled, or its time ended, before `look` found anything. */
export async function lookUntil<T>(
  bell: Bell,
  { look, concerns, left_ms = () => Infinity, every_ms = LOOK_MS }: Looking<T>,
): Promise<T | null> {
  for (let isFirst = true; ; isFirst = false) {
    const found = look(isFirst);
    if (found !== undefined) return found;
    const left = left_ms();
    if (bell.isOver() || left <= 0) return null;
    await bell.rung(concerns, Math.min(every_ms, left));
  }
}
