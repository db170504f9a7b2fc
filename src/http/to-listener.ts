/** Turns a hono app into a Node listener. */
import { getRequestListener } from '@hono/node-server';
import type { Env, Hono } from 'hono';
import type { RequestListener } from 'node:http';
import { Refusal } from './refusal.ts';
import { whole } from './responses.ts';

/** @param around added to what Node knows about its requests */
export function toListener<E extends Env>(app: Hono<E>, around: object): RequestListener {
  const listener = getRequestListener((request, bindings) => app.fetch(request, { ...bindings, ...around }), {
    overrideGlobalObjects: false,
    errorHandler: () => whole(new Refusal(400, 'BAD_REQUEST', 'That is not a request.')),
  });
  return (incoming, outgoing) => void listener(incoming, outgoing);
}
