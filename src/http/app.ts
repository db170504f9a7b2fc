/** The routes as one request listener: gate, route, shapes, caller, and whatever goes wrong as one envelope. */
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RequestListener } from 'node:http';
import type * as z from 'zod';
import type { Desk } from '../coordination/desk.ts';
import type { LockLedger } from '../locks/ledger.ts';
import type { Who } from '../core/rules/agent.ts';
import { claimedId, mayBeClaimed } from './caller.ts';
import { passGate } from './gate.ts';
import type { Door } from './gate.ts';
import { openLine, patiently } from './patiently.ts';
import type { Line } from './patiently.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { Answer, Given, Route } from './route.ts';
import { openTurns } from './turns.ts';

/** The longest message with every character as `\\u003c`, six bytes, and room for the rest. */
export const BODY_MAX_BYTES = 131_072;

/** What the routes work on. */
export interface Site {
  readonly project: string;
  readonly version: string;
  readonly document: object;
  /** Agents with a session or a process of their own may be spoken for. */
  readonly sessionsToo: boolean;
  /** Gives up after a moment where another process has it (patiently.ts). */
  readonly ledger: () => LockLedger;
  /** @throws GuardError GUARD_ERR_USAGE for what is no id */
  readonly who: (id: string) => Who;
  /** Somebody who only looks. */
  readonly nobody: Who;
  readonly mono_ms: () => number;
  /** Where unexpected failures are told. */
  readonly complain: (error: unknown) => void;
}

interface Env {
  readonly Bindings: HttpBindings & { readonly door: Door };
}
type Request = Context<Env>;

/** @param closing aborted when the server ends: waits end with it */
export function listenerOf(
  routes: readonly Route[],
  site: Site,
  closing: AbortSignal,
): (door: Door) => RequestListener {
  const app = new Hono<Env>();
  const turn = openTurns();
  const line = openLine();
  app.use(async (c, next) => {
    passGate(c.env.door, c.req.url, (name) => c.req.header(name));
    // The router takes it for GET, and reading an inbox is not for those who do not look at it.
    if (c.req.method === 'HEAD')
      throw new Refusal(405, 'WRONG_METHOD', 'HEAD is not answered.', SEE_DOCUMENT);
    await next();
  });
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    const handle = async (c: Request): Promise<Response> => {
      const given = await givenTo(route, c);
      await turn();
      return serve(route, c, given, site, closing, line);
    };
    if (route.body === null) app.on(route.method, path, handle);
    else app.on(route.method, path, json, limited, handle);
  }
  for (const path of new Set(routes.map((route) => route.path)))
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (c) => wrongMethod(c, routes, path));
  app.notFound((c) =>
    refuse(c, new Refusal(404, 'NO_ROUTE', 'There is nothing at this address.', SEE_DOCUMENT)),
  );
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    // 503 is what a client is to expect now and then; thousands of them would fill a disk.
    if (refusal.status === 500) site.complain(error);
    return refuse(c, refusal);
  });
  return (door) => {
    const listener = getRequestListener((request, bindings) => app.fetch(request, { ...bindings, door }), {
      overrideGlobalObjects: false,
      errorHandler: () => whole(new Refusal(400, 'BAD_REQUEST', 'That is no request.')),
    });
    return (incoming, outgoing) => void listener(incoming, outgoing);
  };
}

const SEE_DOCUMENT = { hint: 'GET /openapi.json names every route.' };

const json = async (c: Request, next: () => Promise<void>): Promise<void> => {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal(415, 'NOT_JSON', 'The body must be application/json.', {
      hint: 'Send Content-Type: application/json.',
    });
  await next();
};

const limited = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError() {
    throw new Refusal(413, 'TOO_LARGE', `The body is longer than ${BODY_MAX_BYTES} bytes.`);
  },
});

type Checked = Given<unknown, unknown, unknown>;

const givenTo = async (route: Route, c: Request): Promise<Checked> => ({
  params: shaped(route.params, c.req.param(), 'path'),
  query: shaped(route.query, queryOf(c), 'query'),
  body: route.body === null ? null : shaped(route.body, await bodyOf(c), 'body'),
});

async function serve(
  route: Route,
  c: Request,
  given: Checked,
  site: Site,
  closing: AbortSignal,
  line: Line,
): Promise<Response> {
  const { version, document, project } = site;
  // Only where it is asked for: a signal costs more than most requests, and each one hangs on `closing`.
  const ending = (): AbortSignal => AbortSignal.any([c.req.raw.signal, closing]);
  const work = (): Answer | Promise<Answer> => {
    const desk: Desk = { ledger: site.ledger(), who: site.nobody, project };
    const who = callerOf(route, given, c.req.header('x-agent-id'), desk, site);
    return route.run(given, { ...desk, who }, { version, document, ending });
  };
  const needsLedger = route.caller !== 'nobody';
  return answered(c, needsLedger ? await patiently(site.mono_ms, closing, work, line) : await work());
}

function callerOf(route: Route, given: Checked, header: string | undefined, desk: Desk, site: Site): Who {
  if (route.caller === 'nobody') return site.nobody;
  if (route.caller === 'anybody')
    return header === undefined || header === '' ? site.nobody : site.who(header);
  const who = site.who(claimedId(header, route.claims(given)));
  mayBeClaimed(desk, who, site.sessionsToo);
  return who;
}

/** A parameter that is repeated is a list, which few of them take. */
const queryOf = (c: Request): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );

async function bodyOf(c: Request): Promise<unknown> {
  const bytes = await c.req.arrayBuffer();
  try {
    // Other bytes would be taken for U+FFFD, and a pattern with it reserves something else than was meant.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'BAD_JSON', 'The body is not JSON in UTF-8.');
  }
}

function shaped(schema: z.ZodObject, value: unknown, where: string): unknown {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const at = [where, ...(issue?.path ?? [])].join('.').slice(0, 200);
  throw new Refusal(400, 'BAD_REQUEST', `${at}: ${issue?.message ?? 'not as it should be'}.`, SEE_DOCUMENT);
}

function wrongMethod(c: Request, routes: readonly Route[], path: string): Response {
  const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
  c.header('Allow', allowed.join(', '));
  return refuse(c, new Refusal(405, 'WRONG_METHOD', `${path} takes ${allowed.join(', ')}.`, SEE_DOCUMENT));
}

function refuse(c: Request, refusal: Refusal): Response {
  const body = refusal.body();
  if (refusal.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (body.retry_after > 0) c.header('Retry-After', String(body.retry_after));
  return answered(c, { status: refusal.status, body });
}

/** Of what did not become a request: no host or address can be made of its first lines. */
const whole = (refusal: Refusal): Response =>
  new Response(JSON.stringify(refusal.body()), {
    status: refusal.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });

function answered(c: Request, { status, body }: Answer): Response {
  c.header('Cache-Control', 'no-store');
  c.header('X-Content-Type-Options', 'nosniff');
  if (body === undefined) return c.newResponse(null, status);
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.newResponse(JSON.stringify(body), status);
}
