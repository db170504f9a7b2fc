/**
 * Which sessions ran in parallel: one was active between two actions of the other that are no more than a pause apart. A pair
 * counts once.
 */

export interface Overlaps {
  /** Must be called in chronological order. */
  readonly note: (session: string, at_ms: number) => void;
  readonly pairs: () => number;
  readonly most_at_once: () => number;
}

/** How long a person may think, or have lunch, and still be doing the same work. */
export const PAUSE_MS = 30 * 60_000;

export function openOverlaps(): Overlaps {
  const numbers = new Map<string, number>();
  /** One bit per session for each earlier session: 2,000 of them take 250 KB. */
  const rows: Uint8Array[] = [];
  const active = new Map<string, number>();
  let newest = '';
  let pairs = 0;
  let most = 0;
  const numberOf = (session: string): number => {
    const known = numbers.get(session);
    if (known !== undefined) return known;
    rows.push(new Uint8Array((rows.length >> 3) + 1));
    numbers.set(session, numbers.size);
    return numbers.size - 1;
  };
  const pair = (a: number, b: number): void => {
    const [low, high] = a < b ? [a, b] : [b, a];
    const row = rows[high];
    const bit = 1 << (low & 7);
    const byte = row?.[low >> 3] ?? 0;
    if (row === undefined || (byte & bit) !== 0) return;
    row[low >> 3] = byte | bit;
    pairs++;
  };
  const expire = (at_ms: number): void => {
    for (const [session, last_ms] of active) {
      if (last_ms >= at_ms - PAUSE_MS) return;
      active.delete(session);
    }
  };
  /** The sessions that were active since this one's last action: they come after it. */
  const between = (session: string): readonly string[] => {
    const all = [...active.keys()];
    return all.slice(all.indexOf(session) + 1);
  };
  return {
    note(session, at_ms) {
      if (session !== newest) {
        expire(at_ms);
        const own = numberOf(session);
        const others = active.has(session) ? between(session) : [];
        for (const other of others) pair(own, numberOf(other));
        most = Math.max(most, others.length + 1);
        active.delete(session);
      }
      newest = session;
      active.set(session, at_ms);
    },
    pairs: () => pairs,
    most_at_once: () => most,
  };
}
