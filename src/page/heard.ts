/** What has begun to need attention since the last look: each is announced once, and again only after it has gone. Pure. */
export interface Heard {
  readonly ids: ReadonlySet<string>;
  /** What a screen reader says; '' for nothing new. */
  readonly words: string;
}

export const NOTHING_HEARD: Heard = { ids: new Set(), words: '' };

/** More would be talked over by the next change. */
const SPOKEN_MOST = 3;

export function heardNext(before: Heard, now: ReadonlyMap<string, string>): Heard {
  const fresh = [...now].filter(([id]) => !before.ids.has(id)).map(([, words]) => words);
  const isSame = fresh.length === 0 && now.size === before.ids.size;
  if (isSame) return before;
  const more = fresh.length - SPOKEN_MOST;
  const spoken = fresh.slice(0, SPOKEN_MOST).join('. ');
  return { ids: new Set(now.keys()), words: more > 0 ? `${spoken}. And ${more} more.` : spoken };
}
