/** The routes as one request listener: gate, route, shapes, caller, and whatever goes wrong as one envelope. */
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import type { RequestListener } from 'node:http';
import { type RunContext, withNotes } from '../operations/operation.ts';
import { releaseLine } from '../core/deadlock-words.ts';
import type { Who } from '../core/rules/agent.ts';
import { openWaiters } from '../locks/waiters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { LetGo } from '../core/types.ts';
import { claimedId, mayBeClaimed } from './caller.ts';
import { type Door, passGate } from './gate.ts';
import { type Checked, givenTo, json, type Request, SEE_DOCUMENT, type ServerEnv } from './given.ts';
import { openLine, type WaitingLine, waitInLine } from './wait-in-line.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { HttpRoute } from './route.ts';
import { openTurns } from './turns.ts';

/** What the routes work on. */
export interface ServedProject {
  readonly version: string;
  readonly document: object;
  /** Agents with a session or a process of their own may be spoken for. */
  readonly sessionsToo: boolean;
  /** Gives up after a moment where another process has it (patiently.ts). */
  readonly workspace: () => Workspace;
  /** @throws GuardError GUARD_ERR_USAGE for what is no id */
  readonly who: (id: string) => Who;
  /** Somebody who only looks. */
  readonly nobody: Who;
  readonly mono_ms: () => number;
  /** Where unexpected failures are told. */
  readonly complain: (error: unknown) => void;
}

/** @param closing aborted when the server ends: waits end with it */
export function listenerOf(
  routes: readonly HttpRoute[],
  served: ServedProject,
  closing: AbortSignal,
): (door: Door) => RequestListener {
  const app = new Hono<ServerEnv>();
  const turn = openTurns();
  const common: InCommon = { served, closing, line: openLine(), waiters: openWaiters() };
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
      return serve(route, c, given, common);
    };
    if (route.body === undefined) app.on(route.method, path, handle);
    else app.on(route.method, path, json, handle);
  }
  for (const path of new Set(routes.map((route) => route.path)))
    app.all(path.replace(/\{(\w+)\}/g, ':$1'), (c) => wrongMethod(c, routes, path));
  app.notFound((c) =>
    refuse(c, new Refusal(404, 'NO_ROUTE', 'There is nothing at this address.', SEE_DOCUMENT)),
  );
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    // 503 is what a client is to expect now and then; thousands of them would fill a disk.
    if (refusal.status === 500) served.complain(error);
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

/** What all requests have in common. */
interface InCommon extends Pick<RunContext, 'waiters'> {
  readonly served: ServedProject;
  readonly closing: AbortSignal;
  readonly line: WaitingLine;
}

interface Answer {
  readonly status: StatusCode;
  readonly body: object | undefined;
}

async function serve(route: HttpRoute, c: Request, given: Checked, common: InCommon): Promise<Response> {
  const { served, closing, line, waiters } = common;
  const { version, document } = served;
  const work = async (): Promise<Answer> => {
    const space = served.workspace();
    const who = callerOf(route, given, c.req.header('x-agent-id'), space, served);
    const around = {
      ...{ version, document, waiters },
      release: (letGo: LetGo) => releaseLine(letGo, space.facts().guard_command, String),
      // Only where it is asked for: a signal costs more than most requests, and each one hangs on `closing`.
      get signal() {
        return AbortSignal.any([c.req.raw.signal, closing]);
      },
    };
    const body = await route.run(given, { ...space, who }, around);
    const { status = 200, schema } = route.answer;
    const notes = route.caller === 'nobody' ? [] : given.notes;
    return { status, body: schema === null ? undefined : withNotes(body, notes) };
  };
  const needsLedger = route.caller !== 'nobody';
  return answered(c, needsLedger ? await waitInLine(served.mono_ms, closing, work, line) : await work());
}

function callerOf(
  route: HttpRoute,
  given: Checked,
  header: string | undefined,
  space: Workspace,
  served: ServedProject,
): Who {
  if (route.caller === 'nobody') return served.nobody;
  if (route.caller === 'anybody')
    return header === undefined || header === '' ? served.nobody : served.who(header);
  const who = served.who(claimedId(header, route.claims(given)));
  mayBeClaimed(space, who, served.sessionsToo);
  return who;
}

function wrongMethod(c: Request, routes: readonly HttpRoute[], path: string): Response {
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
