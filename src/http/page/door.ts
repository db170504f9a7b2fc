/**
 * The only door for browsers: for guard's own page, from this very address. A request of another page says where it comes
 * from, and if a foreign name now points here, Host contains that name; both are refused as everywhere else.
 */
import { passHost, fromBrowser } from '../gate.ts';
import { Refusal } from '../refusal.ts';
import type { PageKeys } from './keys.ts';

type Header = (name: string) => string | undefined;

export interface PageDoor {
  readonly hosts: readonly string[];
  readonly keys: PageKeys;
}

/** The document itself, which contains no data: its address was typed, or opened from outside any page, in its own tab. */
export function passForDocument({ hosts }: PageDoor, url: string, header: Header): void {
  passHost(hosts, url, header);
  const dest = header('sec-fetch-dest') ?? 'document';
  const site = header('sec-fetch-site') ?? 'none';
  if (header('origin') !== undefined || dest !== 'document' || !['none', 'same-origin'].includes(site))
    throw fromBrowser();
}

/** Anything that the document requests. @throws Refusal 403, 401 */
export function passForData(door: PageDoor, url: string, header: Header): void {
  passOwnOrigin(door, url, header);
  if (!door.keys.isSession(header('authorization'))) throw noSession();
}

/** @returns the session; @throws Refusal 401 for a key that is invalid or was used before */
export function passWithKey(door: PageDoor, url: string, header: Header): string {
  passOwnOrigin(door, url, header);
  const session = door.keys.redeem(header('authorization'));
  if (session === null) throw noSession();
  return session;
}

function passOwnOrigin({ hosts }: PageDoor, url: string, header: Header): void {
  passHost(hosts, url, header);
  const own = `http://${(header('host') ?? '').toLowerCase()}`;
  if ((header('origin') ?? own) !== own || (header('sec-fetch-site') ?? 'same-origin') !== 'same-origin')
    throw fromBrowser();
}

const noSession = (): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', 'This address was opened before, or never issued.', {
    hint: 'The terminal of "guard serve --ui" shows the next one.',
  });
