/** The HTTP interface as a whole: where it listens, and until when. */
import type { AddressInfo } from 'node:net';
import { listenerOf, type ServedProject } from './app.ts';
import { hostsOf, isBearer } from './gate.ts';
import type { PageKeys } from './page/keys.ts';
import { isOfPage, pageListener } from './page/listener.ts';
import { CONNECTION_LIMITS, endServer, type Limits, listen, makeServer } from './listen.ts';
import { HTTP_ROUTES } from './routes.ts';
import { claimSocket } from './socket-file.ts';
import { limitStrangers } from './strangers.ts';

export interface ServeOptions {
  /** `null` for no TCP. With `token` null, TCP requires none. */
  readonly tcp: { readonly host: string; readonly port: number; readonly token: string | null } | null;
  /** Path of the Unix socket; `null` for none. */
  readonly socket: string | null;
  /** The page's file to serve on TCP, and who may see it. Absent if there is no page. */
  readonly page?: { readonly html: string; readonly keys: PageKeys };
}

export interface Serving {
  /** `http://127.0.0.1:7338`. */
  readonly url: string | null;
  readonly socket: string | null;
  /** Ends waits, gives open requests a moment to finish, and removes the socket. */
  end(): Promise<void>;
}

export { openapiDocument } from './document.ts';

/** @throws GuardError GUARD_ERR_LISTEN; then nothing listens */
export async function serveHttp(
  served: ServedProject,
  options: ServeOptions,
  limits: Limits = CONNECTION_LIMITS,
): Promise<Serving> {
  const closing = new AbortController();
  const behind: Behind = {
    api: listenerOf(HTTP_ROUTES, served, closing.signal),
    page: options.page && {
      ...options.page,
      at: pageListener({ ...options.page, served, closing: closing.signal }),
    },
  };
  const ends: (() => Promise<void>)[] = [];
  const end = async (): Promise<void> => {
    closing.abort();
    await Promise.all(ends.map((one) => one()));
  };
  try {
    const url = options.tcp === null ? null : await openTcp(options.tcp, behind, limits, ends);
    if (options.socket !== null) await openSocket(options.socket, behind, limits, ends);
    return { url, socket: options.socket, end };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Behind {
  readonly api: ReturnType<typeof listenerOf>;
  readonly page: { readonly keys: PageKeys; readonly at: ReturnType<typeof pageListener> } | undefined;
}
type Ends = (() => Promise<void>)[];

async function openTcp(
  { host, port, token }: NonNullable<ServeOptions['tcp']>,
  behind: Behind,
  limits: Limits,
  ends: Ends,
): Promise<string> {
  const server = makeServer(limits);
  const { api, page } = behind;
  const isShown = (given: string | undefined): boolean =>
    (token !== null && isBearer(given, token)) || page?.keys.isKnown(given) === true;
  if (token !== null) limitStrangers(server, isShown, limits);
  await listen(server, { host, port });
  const { port: bound } = server.address() as AddressInfo;
  const hosts = hostsOf(bound);
  const [toApi, toPage] = [api({ hosts, token }), page?.at({ hosts, keys: page.keys })];
  server.on('request', (incoming, outgoing) =>
    (toPage !== undefined && isOfPage(incoming.url) ? toPage : toApi)(incoming, outgoing),
  );
  ends.push(() => endServer(server, limits.grace_ms));
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

async function openSocket(path: string, behind: Behind, limits: Limits, ends: Ends): Promise<void> {
  const claimed = await claimSocket(path);
  const server = makeServer(limits);
  ends.push(async () => {
    await endServer(server, limits.grace_ms);
    claimed.free();
  });
  server.on('request', behind.api({ hosts: null, token: null }));
  await claimed.bind(() => listen(server, { path }));
}
