import type { Bell } from './subscribe.ts';

/** What ends in silence (a death, a time that runs out) somebody has to look for. */
const LOOK_MS = 1_000;

interface Looking<T> {
  /** Undefined: not yet. */
  readonly look: (isFirst: boolean) => T | undefined;
  /** What the ledger says of it is worth another look at once. */
  readonly concerns: Parameters<Bell['rung']>[0];
  /** Of its time; absent: it has no end. */
  readonly left_ms?: () => number;
  readonly every_ms?: number;
}

/** Null: it was cancelled, or its time was over, before there was anything. */
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
