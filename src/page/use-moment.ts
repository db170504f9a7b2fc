/** The moment shown: the present, or one that the reader went to. The address contains its lsn, so that it can be linked. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { addressIn, momentHash } from './address.ts';
import type { PageServer } from './server.ts';
import { useAnswer } from './use-answer.ts';
import type { Extent, SceneThen } from './wire.ts';

/** A record by its number, or the last one at or before an lsn or a time. */
type Sought = { readonly nth: number } | { readonly lsn: number } | { readonly at_ms: number };

export interface PageMoment {
  /** `null` for the present. */
  readonly sought: Sought | null;
  /** `null` for the present, and until the server has answered. */
  readonly then: SceneThen | null;
  /** The lsn that was asked for is older than every record that is kept. */
  readonly is_gone: boolean;
  readonly go: (to: Sought | null) => void;
}

/** Browsers allow a page about three changes of its address per second, and a slider passes more moments. */
const REST_MS = 400;

export function useMoment(server: PageServer, extent: Extent | null): PageMoment {
  const [sought, setSought] = useState<Sought | null>(() => soughtIn(location.hash));
  useEffect(() => {
    const follow = (): void => {
      const found = soughtIn(location.hash);
      if (found !== null || location.hash === '') setSought(found);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const isLsn = sought !== null && 'lsn' in sought;
  const is_gone = isLsn && extent !== null && sought.lsn < (extent.first?.lsn ?? Infinity);
  const isAsked = sought !== null && !is_gone && !(isLsn && extent === null);
  const answer = useAnswer(server, isAsked ? '/page/at' : null, isAsked ? { ...sought } : {});
  const then = isAsked ? answer : null;
  const lsn = then !== null && isFor(then, sought) ? then.lsn : undefined;
  useEffect(() => {
    if (sought === null && addressIn(location.hash).lsn !== null)
      history.replaceState(null, '', location.pathname);
    if (sought === null || lsn === undefined) return undefined;
    const timer = setTimeout(() => history.replaceState(null, '', momentHash(lsn)), REST_MS);
    return () => clearTimeout(timer);
  }, [sought, lsn]);
  const go = useCallback((to: Sought | null) => {
    // What was chosen, in contrast to what was passed, is a step that the browser's back button undoes.
    if (to !== null && 'lsn' in to) location.hash = momentHash(to.lsn);
    setSought(to);
  }, []);
  return { sought, then, is_gone, go };
}

/** An answer may still be that to an earlier question. An lsn is in the address since it was asked for. */
function isFor({ nth, at_ms }: SceneThen, sought: Sought | null): boolean {
  if (sought === null || 'lsn' in sought) return false;
  return 'nth' in sought ? nth === sought.nth : at_ms <= sought.at_ms;
}

function soughtIn(hash: string): Sought | null {
  const { lsn } = addressIn(hash);
  return lsn === null ? null : { lsn };
}
