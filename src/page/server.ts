/**
 * The server, for this tab only: the key of its address becomes a session, which is sent in a header and kept for a reload.
 * The browser would send a cookie to every server of this machine, whatever its port.
 */
import { addressIn, momentHash } from './address.ts';
import { eventsIn } from './events.ts';
import type { Answers } from './wire.ts';

export interface PageServer {
  get<P extends keyof Answers>(
    path: P,
    query?: Readonly<Record<string, string | number | undefined>>,
  ): Promise<Answers[P]>;
  /** Follows until the stream ends. */
  follow(heard: (data: string) => void, signal: AbortSignal): Promise<void>;
}

export class Unanswered extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const KEPT = 'guard-session';

/** @throws Unanswered if the address was used before, or there never was one */
export async function openServer(): Promise<PageServer> {
  const { key, lsn } = addressIn(location.hash);
  if (key !== null) {
    history.replaceState(null, '', lsn === null ? location.pathname : momentHash(lsn));
    const answer = await asked('/page/session', key, { method: 'POST' });
    const { session } = (await answer.json()) as { readonly session: string };
    sessionStorage.setItem(KEPT, session);
  }
  const session = sessionStorage.getItem(KEPT);
  if (session === null)
    throw new Unanswered(
      'This tab has no key.',
      'Open the address that the terminal of "guard serve --ui" shows: each is good for one tab.',
    );
  return {
    async get<P extends keyof Answers>(
      path: P,
      query: Readonly<Record<string, string | number | undefined>> = {},
    ) {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const answer = await asked(`${path}?${new URLSearchParams(given).toString()}`, session);
      return (await answer.json()) as Answers[P];
    },
    async follow(heard, signal) {
      const answer = await asked('/page/live', session, { signal });
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      const read = eventsIn();
      for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
        for (const { name, data } of read(part.value)) if (name === 'now') heard(data);
    },
  };
}

async function asked(path: string, secret: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, { ...init, headers: { authorization: `Bearer ${secret}` } });
  if (answer.ok) return answer;
  const { message = 'The server did not answer.', hint = '' } = (await answer.json()) as {
    readonly message?: string;
    readonly hint?: string;
  };
  throw new Unanswered(message, hint);
}
