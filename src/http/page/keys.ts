/**
 * Who may look at the page. The address that a person is shown has a key in its fragment, which browsers send nowhere. The
 * page trades it, once, for a session that only this process and that tab know. Neither is on disk, and neither is the
 * token of the HTTP interface: having that, as an agent may, is not enough to see the page.
 */
import { randomBytes } from 'node:crypto';
import { isBearer } from '../gate.ts';

export interface PageKeys {
  /** A new key, for one address. */
  issue(): string;
  /** Trades the key in an Authorization header for a session; `null` if there is no such key, or it was used. */
  redeem(authorization: string | undefined): string | null;
  /** Called after a key was traded for a session. */
  onRedeemed(heard: () => void): void;
  isSession(authorization: string | undefined): boolean;
  /** A key or a session: a client that shows either is not a stranger. */
  isKnown(authorization: string | undefined): boolean;
}

const SECRET_BYTES = 32;
/** Limits for addresses that were not opened, and for tabs: the oldest is dropped. */
const KEYS_MOST = 8;
const SESSIONS_MOST = 32;

export function openPageKeys(): PageKeys {
  const keys = new Set<string>();
  const sessions = new Set<string>();
  const told: { heard: () => void } = { heard: () => undefined };
  const shownIn = (all: ReadonlySet<string>, authorization: string | undefined): string | null =>
    [...all].find((one) => isBearer(authorization, one)) ?? null;
  const add = (all: Set<string>, most: number): string => {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const [oldest] = all;
    if (all.size >= most && oldest !== undefined) all.delete(oldest);
    all.add(secret);
    return secret;
  };
  return {
    issue: () => add(keys, KEYS_MOST),
    redeem(authorization) {
      const key = shownIn(keys, authorization);
      if (key === null) return null;
      keys.delete(key);
      const session = add(sessions, SESSIONS_MOST);
      told.heard();
      return session;
    },
    onRedeemed(heard) {
      told.heard = heard;
    },
    isSession: (authorization) => shownIn(sessions, authorization) !== null,
    isKnown: (authorization) => shownIn(new Set([...keys, ...sessions]), authorization) !== null,
  };
}
