/** The page and what it requests, as one request listener next to that of the HTTP interface. */
import { Hono } from 'hono';
import type { RequestListener } from 'node:http';
import { FORECAST } from '../../operations/forecast.ts';
import { openPast } from '../../history/past.ts';
import { openWaiters } from '../../locks/waiters.ts';
import type { ServedProject } from '../app.ts';
import { queryOf, type Request, type ServerEnv } from '../given.ts';
import { readInput } from '../../operations/read-input.ts';
import { Refusal, refusalOf } from '../refusal.ts';
import { answered, refuse } from '../responses.ts';
import { toListener } from '../to-listener.ts';
import { waitInLine } from '../wait-in-line.ts';
import { pageDocument } from './document.ts';
import { type PageDoor, passForData, passForDocument, passWithKey } from './door.ts';
import { type Feed, openFeed } from './feed.ts';
import { nowOf } from './now.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { PageAround } from './route.ts';
import { PAGE_ROUTES } from './routes.ts';

/** Whether an address is the page's, whatever its query. */
export const isOfPage = (url = ''): boolean => /^\/(?:$|\?|page\/)/.test(url);

interface PageServing {
  readonly html: string;
  readonly served: ServedProject;
  readonly closing: AbortSignal;
}

export function pageListener({ html, served, closing }: PageServing): (door: PageDoor) => RequestListener {
  const around = aroundOf(served, closing);
  const feed = feedOf(served, around, closing);
  const page = pageDocument(html);
  return (door) => {
    const app = new Hono<ServerEnv>();
    app.get('/', (c) => {
      passForDocument(door, c.req.url, (name) => c.req.header(name));
      return c.body(page.html, 200, page.headers);
    });
    app.post('/page/session', (c) =>
      answered(c, 201, { session: passWithKey(door, c.req.url, (name) => c.req.header(name)) }),
    );
    app.use('/page/*', async (c, next) => {
      passForData(door, c.req.url, (name) => c.req.header(name));
      await next();
    });
    app.get('/page/live', (c) => liveTo(c, feed));
    for (const { path, query, run } of PAGE_ROUTES)
      app.get(path, async (c) => {
        const { input } = readInput(query, queryOf(c), { isAllText: true });
        const work = (): object | Promise<object> => run(input as never, around);
        return answered(c, 200, await waitInLine(served.mono_ms, closing, work));
      });
    app.notFound((c) => refuse(c, new Refusal(404, 'NO_ROUTE', 'There is nothing at this address.')));
    app.onError((error, c) => {
      const refusal = refusalOf(error);
      if (refusal.status === 500) served.complain(error);
      return refuse(c, refusal);
    });
    return toListener(app, {});
  };
}

function liveTo(c: Request, feed: Feed): Response {
  const stream = feed.join(c.req.raw.signal);
  if (stream === null)
    throw new Refusal(503, 'TOO_MANY_PAGES', `${feed.readers} pages follow this repository already.`, {
      hint: 'Close one of them.',
      retry_after: 5,
    });
  const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
  return c.body(stream, 200, { ...headers, 'X-Content-Type-Options': 'nosniff' });
}

function aroundOf(served: ServedProject, closing: AbortSignal): PageAround {
  const space = served.workspace;
  const past = openPast(() => ({ state_dir: space().state_dir, store: space().store }));
  const signals = { signal: closing, release: () => '', waiters: openWaiters() };
  return {
    space,
    past,
    look: () => nowOf(past, space(), signals),
    forecast: oneAtATime(async () => {
      const { repo, env } = space();
      return FORECAST.run(
        { trunk: undefined, changed: undefined, run: undefined, each_pair: false },
        { cwd: repo.root, env },
        signals,
      );
    }),
  };
}

const feedOf = (served: ServedProject, { look, past, space }: PageAround, closing: AbortSignal): Feed =>
  openFeed(
    {
      look: async () => JSON.stringify(await look()),
      changes: (signal) => space().store.watch(space().store.tip(), signal),
      isUnderWay: () => past.reading() !== null,
      complain: served.complain,
    },
    closing,
  );
