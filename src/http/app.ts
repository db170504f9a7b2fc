/** The routes as one request listener: gate, route, shapes, caller, and every failure in one envelope. */
import { Hono } from 'hono';
import type { RequestListener } from 'node:http';
import { type RunContext, withNotes } from '../operations/operation.ts';
import { releaseLine } from '../core/deadlock-words.ts';
import type { Who } from '../core/rules/who.ts';
import { openWaiters } from '../locks/waiters.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { LetGo } from '../core/types.ts';
import { claimedId, mayBeClaimed } from './caller.ts';
import { type Door, passGate } from './gate.ts';
import { type Checked, givenTo, json, type Request, SEE_DOCUMENT, type ServerEnv } from './given.ts';
import { openLine, type WaitingLine, waitInLine } from './wait-in-line.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { answered, refuse, wrongMethod } from './responses.ts';
import type { HttpRoute } from './route.ts';
import { toListener } from './to-listener.ts';
import { openTurns } from './turns.ts';

/** What the routes work on. */
export interface ServedProject {
  readonly version: string;
  readonly document: object;
  /** Whether requests may act for agents that have their own session or process. */
  readonly sessionsToo: boolean;
  /** Gives up after a moment if another process holds it (patiently.ts). */
  readonly workspace: () => Workspace;
  /** @throws GuardError GUARD_ERR_USAGE for an invalid id */
  readonly who: (id: string) => Who;
  /** The caller of requests that only look. */
  readonly nobody: Who;
  readonly mono_ms: () => number;
  /** Where unexpected failures are reported. */
  readonly complain: (error: unknown) => void;
}

/** @param closing aborted when the server ends, which also ends waits */
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
    // The router would treat it as GET, but an inbox must not count as read by a request that does not look at it.
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
    // Clients must expect a 503 now and then, and thousands of them would fill a disk.
    if (refusal.status === 500) served.complain(error);
    return refuse(c, refusal);
  });
  return (door) => toListener(app, { door });
}

/** What all requests have in common. */
interface InCommon extends Pick<RunContext, 'waiters'> {
  readonly served: ServedProject;
  readonly closing: AbortSignal;
  readonly line: WaitingLine;
}

async function serve(route: HttpRoute, c: Request, given: Checked, common: InCommon): Promise<Response> {
  const { served, closing, line, waiters } = common;
  const { version, document } = served;
  const needsLedger = route.caller !== 'nobody';
  const { status = 200, schema } = route.answer;
  const work = async (): Promise<object | null> => {
    const space = served.workspace();
    const who = callerOf({ route, given, header: c.req.header('x-agent-id') }, space, served);
    const around = {
      ...{ version, document, waiters },
      release: (letGo: LetGo) => releaseLine(letGo, space.facts().guard_command, String),
      // Created only on use: a signal costs more than most requests, and each one is attached to `closing`.
      get signal() {
        return AbortSignal.any([c.req.raw.signal, closing]);
      },
    };
    const body = await route.run(given, { ...space, who }, around);
    return schema === null ? null : withNotes(body, needsLedger ? given.notes : []);
  };
  const body = needsLedger ? await waitInLine(served.mono_ms, closing, work, line) : await work();
  return answered(c, status, body);
}

/** What a request says about its caller. */
interface CallerClaims {
  readonly route: HttpRoute;
  readonly given: Checked;
  /** X-Agent-ID. */
  readonly header: string | undefined;
}

function callerOf({ route, given, header }: CallerClaims, space: Workspace, served: ServedProject): Who {
  if (route.caller === 'nobody') return served.nobody;
  if (route.caller === 'anybody')
    return header === undefined || header === '' ? served.nobody : served.who(header);
  const who = served.who(claimedId(header, route.claims(given)));
  mayBeClaimed(space, who, served.sessionsToo);
  return who;
}
