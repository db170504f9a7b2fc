/**
 * Who may speak to the server at all. Browsers may not, whatever page they show (except guard's own, page/door.ts): a
 * page's request carries Origin or Sec-Fetch-Site or, if a page's own name now points at 127.0.0.1, another Host. TCP also
 * requires the token; the socket is protected by its mode.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** The way in which a request arrived. */
export interface Door {
  /** Values of Host that mean this server; `null` for the socket, which no name leads to. */
  readonly hosts: readonly string[] | null;
  /** `null` if no token is required. */
  readonly token: string | null;
}

/** With the port, and without it as clients write it if it is HTTP's default. */
export const hostsOf = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]']
    .map((name) => `${name}:${port}`)
    .flatMap((host) => [host, new URL(`http://${host}`).host]);

type Header = (name: string) => string | undefined;

/**
 * @param url has the host of the request line if that has one (`GET http://…`), else that of Host
 * @throws Refusal 403, 401
 */
export function passGate(door: Door, url: string, header: Header): void {
  if (header('origin') !== undefined || !isDirect(header('sec-fetch-site'))) throw fromBrowser();
  if (door.hosts !== null) passHost(door.hosts, url, header);
  if (door.token !== null && !isBearer(header('authorization'), door.token)) throw noToken();
}

/** @throws Refusal 403 if the request was meant for another name */
export function passHost(hosts: readonly string[], url: string, header: Header): void {
  const named = [(header('host') ?? '').toLowerCase(), new URL(url).host];
  if (named.some((host) => !hosts.includes(host))) throw otherHost();
}

const isDirect = (site: string | undefined): boolean => site === undefined || site === 'none';

/** Whether the header contains the token. */
export function isBearer(given: string | undefined, token: string): boolean {
  const [, word = ''] = /^Bearer +(\S+)$/i.exec(given ?? '') ?? [];
  // Digests have one length, so the comparison reveals nothing about the token's.
  return timingSafeEqual(digest(word), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const fromBrowser = (): Refusal =>
  new Refusal(403, 'FORBIDDEN_ORIGIN', 'Web pages may not talk to guard.', {
    hint: 'Send neither Origin nor Sec-Fetch-Site.',
  });

const otherHost = (): Refusal =>
  new Refusal(403, 'FORBIDDEN_HOST', 'The Host header does not name this server.', {
    hint: 'Address it as 127.0.0.1 with its port.',
  });

const noToken = (): Refusal =>
  new Refusal(401, 'UNAUTHORIZED', 'The token is missing or wrong.', {
    hint: 'Send Authorization: Bearer <content of the token file>, or use the socket.',
  });
