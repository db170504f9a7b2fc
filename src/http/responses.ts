/** What is sent back: an answer, or a refusal with the headers that its status requires. */
import type { StatusCode } from 'hono/utils/http-status';
import { type Request, SEE_DOCUMENT } from './given.ts';
import { Refusal } from './refusal.ts';
import type { HttpRoute } from './route.ts';

export function wrongMethod(c: Request, routes: readonly HttpRoute[], path: string): Response {
  const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
  c.header('Allow', allowed.join(', '));
  return refuse(c, new Refusal(405, 'WRONG_METHOD', `${path} takes ${allowed.join(', ')}.`, SEE_DOCUMENT));
}

export function refuse(c: Request, refusal: Refusal): Response {
  const body = refusal.body();
  if (refusal.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (body.retry_after > 0) c.header('Retry-After', String(body.retry_after));
  return answered(c, refusal.status, body);
}

/** For input that did not become a request: its first lines yield no host or address. */
export const whole = (refusal: Refusal): Response =>
  new Response(JSON.stringify(refusal.body()), {
    status: refusal.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });

export function answered(c: Request, status: StatusCode, body: object | null): Response {
  c.header('Cache-Control', 'no-store');
  c.header('X-Content-Type-Options', 'nosniff');
  if (body === null) return c.newResponse(null, status);
  c.header('Content-Type', 'application/json; charset=utf-8');
  return c.newResponse(JSON.stringify(body), status);
}
